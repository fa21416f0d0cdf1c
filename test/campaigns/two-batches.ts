/**
 * Several batches of one ledger at the same time: `node test/campaigns/two-batches.ts --rounds 20 --seed 1`. In each round real
 * processes pay two sheets, and a third one pays the first sheet once more, all started at once on a ledger that nobody has used;
 * some are killed at some moment. Then every batch is resumed, both at the same time, until nothing is left to do. The books must hold
 * every payout once, and the ledger must prove itself.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sha256 } from '../../src/domain/ids.ts';
import { drawOf } from '../../src/sandbox/draw.ts';
import { csvOf } from '../support/desk/payroll-sheet.ts';
import { openSite, type Site } from '../support/desk/process-site.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    rows: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
});
const [rounds, rows] = [Number(values.rounds), Number(values.rows)];
const TIMES = 'slow=25,settle-min=20,settle-max=1500';
const TROUBLE = 'lost-answer=0.1';
const BATCHES = ['salaries', 'supplier'] as const;
/** Longest time before a process is killed, in milliseconds, and the share of those that are. */
const KILL_MS = 4000;
const KILLED = 0.5;
const RESUMES_MAX = 8;
/** Exit codes of a run beside which others are at work, and that nobody kills. 9: an answer was lost before anything was sent. */
const USUAL: ReadonlySet<number | null> = new Set([0, 7, 8, 9, 75]);

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const violations: string[] = [];
const ends = new Map<string, number>();

async function sheetOf(site: Site, name: string, digit: number): Promise<readonly string[]> {
  const lines = Array.from({ length: rows }, (_, at) => ({
    reference: `${name}-${at + 1}`,
    name: `${name} ${at + 1}`,
    phone: `+25471${digit}${String(at).padStart(4, '0')}55`,
    amount: '1000.00',
  }));
  await writeFile(path.join(site.folder, `${name}.csv`), csvOf(lines));
  const totals = ['--expect-count', String(rows), '--expect-total', String(rows * 1000)];
  return ['run', `${name}.csv`, '--batch', name, '--no-copy', ...totals, '--json'];
}

interface Ran {
  readonly exit: number | null;
  readonly said: string;
}

async function ended(child: ChildProcess, killAfterMs?: number): Promise<Ran> {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
    });
  }
  const over = once(child, 'close');
  if (killAfterMs !== undefined) {
    await Promise.race([sleep(killAfterMs), over]);
    child.kill('SIGKILL');
  }
  const [exit] = await over;
  return { exit: exit as number | null, said };
}

async function round(number: number): Promise<void> {
  const digest = sha256(`${values.seed}|two-batches|${number}`);
  const site = await openSite({ rows, scenario: `${TIMES},${TROUBLE},seed=${number}` });
  try {
    const [salaries, supplier] = [await sheetOf(site, 'salaries', 1), await sheetOf(site, 'supplier', 2)];
    const started = [salaries, supplier, salaries].map((argv, at) => {
      const killMs = drawOf(digest, at) < KILLED ? drawOf(digest, at + 3) * KILL_MS : undefined;
      return ended(site.start(argv), killMs);
    });
    for (const { exit, said } of await Promise.all(started)) {
      ends.set(`${exit ?? 'killed'}`, (ends.get(`${exit ?? 'killed'}`) ?? 0) + 1);
      if (exit !== null && !USUAL.has(exit)) violations.push(`round ${number}: a run ended with ${exit}: ${said}`);
    }
    await site.play(TIMES);
    for (let tries = 1; tries <= RESUMES_MAX; tries++) {
      const again = await Promise.all(
        BATCHES.map(async (batch, at) => {
          const resumed = await ended(site.start(['resume', batch, '--json']));
          return resumed.exit === 2 ? ended(site.start([salaries, supplier][at] ?? [])) : resumed;
        }),
      );
      if (again.every(({ exit }) => exit === 0)) break;
      if (tries === RESUMES_MAX)
        violations.push(`round ${number}: not finished: ${again.map(({ said }) => said).join('\n')}`);
    }
    const lines = (await site.books()).orders.flatMap((order) => order.lines);
    const payees = new Set(lines.map(({ payee }) => payee));
    if (lines.length !== BATCHES.length * rows || payees.size !== lines.length) {
      violations.push(
        `round ${number}: the books hold ${lines.length} lines for ${payees.size} of ${BATCHES.length * rows} payees`,
      );
    }
    const verified = await site.end(['verify', '--json']);
    if (verified.exit !== 0) violations.push(`round ${number}: verify ends with ${verified.exit}: ${verified.stdout}`);
  } finally {
    await site.close();
  }
}

for (let number = 1; number <= rounds; number += 1) await round(number);
say(`${rounds} rounds of two batches with ${rows} rows; runs ended with ${JSON.stringify(Object.fromEntries(ends))}`);
for (const violation of violations) say(violation);
say(`${violations.length} violations`);
process.exitCode = violations.length > 0 ? 1 : 0;
