/**
 * How soon a page of the console begins beside the command that says the same: `npm run bench:console`. The check of a sheet beside
 * `paybatch validate`, Today beside `paybatch history`, by wall time, each once with the start of the command's process and once
 * without. A console is started once a day, so its start is not counted; its first page and a later one are.
 *
 * `--rows N` (10,000) · `--runs N` (3) · `--json FILE`
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writePayroll } from './account.ts';
import { measure, type Program } from './measure.ts';
import { type Office, openOffice } from './office.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const [rows, runs] = [Number(values.rows), Number(values.runs)];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const medianOf = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN;

/** Milliseconds that a program takes; the median. */
async function wallMs(program: Program): Promise<number> {
  const all: number[] = [];
  for (let run = 0; run < runs; run++) all.push((await measure(program)).wallSeconds * 1000);
  return medianOf(all);
}

/** A console of the office, as a browser has it that was let in. */
class OpenConsole {
  readonly #origin: string;
  readonly #base: string;
  readonly #cookie: string;
  readonly end: () => void;

  private constructor(origin: string, base: string, cookie: string, end: () => void) {
    this.#origin = origin;
    this.#base = base;
    this.#cookie = cookie;
    this.end = end;
  }

  static async start({ argv, cwd, env }: Program): Promise<OpenConsole> {
    const child = spawn(process.execPath, argv, {
      cwd,
      env: { PATH: process.env['PATH'], HOME: cwd, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = '';
    for await (const text of child.stdout.setEncoding('utf8')) {
      told += String(text);
      if (told.includes('\n')) break;
    }
    const { origin, pathname } = new URL(/"url":"([^"]+)"/.exec(told)?.[1] ?? told);
    const { headers } = await firstByte(origin, pathname, {});
    const [cookie = ''] = (headers['set-cookie']?.[0] ?? '').split(';');
    return new OpenConsole(origin, String(headers.location).replace(/opened$/, ''), cookie, () => void child.kill());
  }

  /** Milliseconds to the first byte of a page. Throws for one that is not there. */
  async firstByteMs(page: string): Promise<number> {
    const began = performance.now();
    const answer = await firstByte(this.#origin, this.#base + page, { cookie: this.#cookie });
    const ms = performance.now() - began;
    if (answer.statusCode !== 200) throw new Error(`${page}: ${answer.statusCode}`);
    return ms;
  }
}

function firstByte(origin: string, at: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(at, origin), { headers, agent: false }, (answer) => {
      answer.once('readable', () => {
        resolve(answer);
        answer.resume();
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}

interface Measured {
  readonly page: string;
  readonly beside: string;
  /** Milliseconds. */
  readonly first: number;
  readonly later: number;
  readonly command: number;
  readonly start: number;
}

async function compare(office: Office, page: string, beside: string, program: Program): Promise<Measured> {
  const [firsts, laters]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    // The first page of a console is measured once for each start of it.
    const console = await OpenConsole.start(office.paybatch('console', '--json', '--no-open'));
    firsts.push(await console.firstByteMs(page));
    for (let time = 0; time < runs; time++) laters.push(await console.firstByteMs(page));
    console.end();
  }
  const command = await wallMs(program);
  const start = await wallMs(office.paybatch('--version'));
  return {
    page: page.split('?')[0] || 'today',
    beside,
    first: medianOf(firsts),
    later: medianOf(laters),
    command,
    start,
  };
}

const office = await openOffice({ concurrency: 64, linesPerOrder: 1 });
try {
  await measure(await office.payment(rows));
  await writePayroll(path.join(office.folder, 'sheet.csv'), rows, 'S', rows);
  const validate = office.paybatch('validate', 'sheet.csv', '--no-copy');
  const measured = [
    await compare(office, 'check?file=sheet.csv', 'paybatch validate', validate),
    await compare(office, '', 'paybatch history', office.paybatch('history')),
  ];
  const machine = `${cpus()[0]?.model} × ${cpus().length}, Node.js ${process.versions.node}`;
  say(`${machine}; ${rows.toLocaleString('en')} rows; medians of ${runs}; milliseconds to the first byte`);
  for (const { page, beside, first, later, command, start } of measured) {
    const ratios = (ms: number): string =>
      `${(ms / command).toFixed(2)} × with its start, ${(ms / (command - start)).toFixed(2)} × without`;
    say(`\n${page}, beside ${beside} (${command.toFixed(0)}, of which ${start.toFixed(0)} are the start of a process)`);
    say(`  the first time  ${first.toFixed(0)}: ${ratios(first)}`);
    say(`  and later       ${later.toFixed(0)}: ${ratios(later)}`);
  }
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ machine, rows, runs, measured }, null, 2)}\n`);
} finally {
  await office.close();
}
