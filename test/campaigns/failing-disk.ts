/**
 * Lets the n-th write or sync of the ledger fail: `node test/campaigns/failing-disk.ts --to 200`. For each n and each of
 * EIO and ENOSPC a real run meets the failure (strace injects it), must stop with exit 10 and post nothing afterwards (or,
 * when all was done and only the closing fails, have everything on record), and a resume on a disk that works again must
 * finish the batch with every payout in the books once; what stays in doubt needs a person's word before.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { people } from '../support/desk/payroll-sheet.ts';
import { type Ended, openSite, type Site } from '../support/desk/process-site.ts';
import { readEnd } from '../support/desk/read-end.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    to: { type: 'string', default: '200' },
    step: { type: 'string', default: '1' },
    rows: { type: 'string', default: '40' },
    workers: { type: 'string', default: '2' },
  },
});
const rows = Number(values.rows);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Case {
  readonly error: 'EIO' | 'ENOSPC';
  readonly call: 'pwrite64' | 'fsync';
  readonly at: number;
}

const cases: Case[] = [];
for (let at = Number(values.from); at <= Number(values.to); at += Number(values.step)) {
  for (const error of ['EIO', 'ENOSPC'] as const) {
    for (const call of ['pwrite64', 'fsync'] as const) cases.push({ error, call, at });
  }
}

/** How much earlier than the last call of one run that of another can be: they wait for answers at other moments. */
const SPREAD = 10;

const violations: string[] = [];

/** Told at once: the campaign is long. */
function violated(what: string): void {
  violations.push(what);
  say(`VIOLATION ${what}`);
}

/** By sort of call: the first that no run came to. */
const beyond = new Map<Case['call'], number>();
let spared = 0;
/** Runs whose last payments needed the word of a person. */
let words = 0;
const exits = new Map<string, number>();

async function meet({ error, call, at }: Case): Promise<void> {
  const site = await openSite({ rows, scenario: 'settle-min=20,settle-max=60', isWatched: true });
  const name = `${error} at ${call} ${at}`;
  try {
    const state = path.join(site.folder, 'home', 'env');
    const log = path.join(site.folder, 'trace');
    // From the n-th call on, until the process ends: a disk that is full stays full.
    const strace = [
      'strace',
      '-f',
      '-o',
      log,
      '-e',
      `trace=${call}`,
      '-e',
      `inject=${call}:error=${error}:when=${at}+`,
    ];
    const only = ['ledger.db', 'ledger.db-wal', 'ledger.db-journal'].flatMap((file) => ['-P', path.join(state, file)]);
    const { exit, stdout, stderr } = await site.end([...site.run, '--json'], [...strace, ...only]);
    const struck = (await readFile(log, 'utf8')).includes('(INJECTED)');
    const told = struck ? `struck, exit ${exit}` : `never reached, exit ${exit}`;
    exits.set(`${call}: ${told}`, (exits.get(`${call}: ${told}`) ?? 0) + 1);
    if (!struck) beyond.set(call, Math.min(at, beyond.get(call) ?? at));
    if (!struck && exit !== 0) violated(`${name}: nothing failed, and the run ended with ${exit}`);
    if (struck && exit === 0) await requireRecorded(site, name);
    if (struck && exit !== 10 && exit !== 0)
      violated(`${name}: exit ${exit} ${stdout.slice(-300)} ${stderr.slice(-300)}`);
    await finish(site, name);
  } finally {
    await site.close();
  }
}

/** What fails while the ledger is closed takes nothing away: all that was learnt is in it, without asking the service. */
async function requireRecorded(site: Site, name: string): Promise<void> {
  const { rows: known } = readEnd((await site.end(['report', '--json'])).stdout);
  if (known['completed'] !== rows) violated(`${name}: exit 0, and the ledger knows of ${JSON.stringify(known)}`);
}

/** Goes on where the run stopped, on a disk that works. */
async function finish(site: Site, name: string): Promise<void> {
  const again = await site.end([...site.run, '--json']);
  const went = readEnd(again.stdout).exit === 8 ? await site.end(['resume', '--json']) : again;
  const { exit, rows: known } = readEnd((await withWords(site, went)).stdout);
  if (exit !== 0 || known['completed'] !== rows) {
    violated(`${name}: the next run ended with ${exit}, ${JSON.stringify(known)}`);
  }
  const books = await site.books();
  const lines = books.orders.flatMap((order) => order.lines);
  if (lines.length !== rows || new Set(lines.map(({ trace }) => trace)).size !== rows) {
    violated(`${name}: the books hold ${lines.length} lines for ${rows} rows`);
  }
  const unpaid = lines.filter(({ receipt }) => receipt === null).length;
  if (unpaid > 0) violated(`${name}: ${unpaid} lines of the books are unpaid`);
}

/** What was claimed after all others and never left stays in doubt: no look-up can prove that, so a person asks and says so. */
async function withWords(site: Site, went: Ended): Promise<Ended> {
  const { exit, batch } = readEnd(went.stdout);
  const doubtful = rowsInDoubt(went.stdout);
  if (exit !== 7 || batch === null || doubtful.length === 0) return went;
  words += 1;
  const held = new Set((await site.books()).orders.map(({ id }) => id));
  for (const { row, order } of doubtful) {
    // The provider says that it has the order: this is no word to give.
    if (held.has(order)) continue;
    const { amount = '' } = people(rows)[row - 2] ?? {};
    await site.end([
      'resolve',
      batch,
      '--row',
      `${row}`,
      '--never-arrived',
      '--note',
      'ticket 4711',
      '--amount',
      amount,
    ]);
  }
  return site.end(['resume', '--json']);
}

const rowsInDoubt = (stdout: string): readonly RowOutcome[] =>
  stdout
    .split('\n')
    .flatMap((line) => (line.includes('"type":"row.outcome"') ? [JSON.parse(line) as RowOutcome] : []))
    .filter(({ outcome }) => outcome === 'in-doubt');

interface RowOutcome {
  readonly row: number;
  readonly order: string;
  readonly outcome: string;
}

const started = performance.now();
let done = 0;
async function work(): Promise<void> {
  for (let one = cases.shift(); one; one = cases.shift()) {
    if (one.at > (beyond.get(one.call) ?? Number.POSITIVE_INFINITY) + SPREAD) {
      spared += 1;
      continue;
    }
    await meet(one);
    done += 1;
    if (done % 50 === 0) say(`${done} done, ${cases.length} to go, ${violations.length} violations`);
  }
}
await Promise.all(Array.from({ length: Number(values.workers) }, work));
say(`${done} failures of the disk, ${((performance.now() - started) / 1000).toFixed(0)} s`);
if (words > 0) say(`${words} ended with a payment that a person had to ask about`);
if (spared > 0) say(`${spared} not tried: a run of ${rows} rows makes no so many calls of that sort`);
for (const [told, count] of [...exits].toSorted()) say(`${String(count).padStart(8)}  ${told}`);
say(violations.length === 0 ? 'No violation.' : `${violations.length} violations.`);
process.exitCode = violations.length > 0 ? 1 : 0;
