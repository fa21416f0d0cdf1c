/**
 * Several people press the button: `node test/campaigns/two-runners.ts --rounds 50 --seed 1`. In each round three real
 * processes pay the same sheet at the same time, two with one ledger and one with another ledger, at a service that loses
 * answers and breaks connections, and that treats repeated orders in another way in each round; the first is stopped (SIGSTOP) at some moment and goes on, or is killed, later. Then the
 * service heals, both ledgers are resumed, and the books must hold every payout once, and both ledgers must know it. A row
 * that both submitted as often as they may, and that was lost each time, is in doubt by design: such rows are counted.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { emptyProfile } from '../../src/cli/config/config-schema.ts';
import { needsPerson } from '../../src/dispatch/decision.ts';
import { sha256 } from '../../src/domain/ids.ts';
import { keysInFolder } from '../../src/ledger/key-folder.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { drawOf } from '../../src/sandbox/draw.ts';
import { duplicateModes } from '../../src/sandbox/scenario.ts';
import { systemClock } from '../../src/system.ts';
import { openSite, type Site } from '../support/desk/process-site.ts';
import { readEnd } from '../support/desk/read-end.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    rows: { type: 'string', default: '80' },
    seed: { type: 'string', default: '1' },
  },
});
const [rounds, rows] = [Number(values.rounds), Number(values.rows)];
const TROUBLE = 'lost-answer=0.1,reset-before=0.1,error-after=0.05,throttle=0.05,token-expiry=0.02,retry-after=0';
const TIMES = 'settle-min=20,settle-max=400,read-lag=20';
/** Not one that acts on a repetition: where two new ledgers begin at the same moment, nothing on either computer shows it. */
const REPEATS = duplicateModes.filter((mode) => mode !== 'execute' && mode !== 'hide');
/** Longest delay before the others start, before the first is stopped, and until it goes on, in milliseconds. */
const DELAY_MS = 1_500;
/** Share of rounds in which the first is killed instead of going on. */
const KILLED = 0.3;
const RESUMES_MAX = 6;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const sums = new Map<string, number>();
const violations: string[] = [];
const count = (name: string, by = 1): void => void sums.set(name, (sums.get(name) ?? 0) + by);

/** A ledger of its own, for what is run under it. */
const homeOf = (site: Site, name: string): readonly string[] => [
  'env',
  `PAYBATCH_HOME=${path.join(site.folder, name)}`,
];

async function endOf(who: string, child: ChildProcess): Promise<void> {
  child.stdout?.resume();
  child.stderr?.resume();
  const [code] = await once(child, 'close');
  count(`${who} ended with ${code ?? 'a kill'}`);
}

/** Three at once, the first of which is stopped for a while. */
async function race(site: Site, draw: (of: number) => number): Promise<void> {
  const first = site.start(site.run, homeOf(site, 'home'));
  const ends = [endOf('first', first)];
  await sleep(draw(0) * DELAY_MS);
  ends.push(endOf('same ledger', site.start(site.run, homeOf(site, 'home'))));
  ends.push(endOf('other ledger', site.start(site.run, homeOf(site, 'other'))));
  await sleep(draw(1) * DELAY_MS);
  first.kill('SIGSTOP');
  await sleep(draw(2) * DELAY_MS);
  if (draw(3) < KILLED) first.kill('SIGKILL');
  else first.kill('SIGCONT');
  await Promise.all(ends);
}

/** Trace numbers of rows that one ledger has in doubt, and never submits again. */
async function spentTraces(site: Site, home: string): Promise<readonly string[]> {
  const ledger = await openLedger({
    path: path.join(site.folder, home, 'env', 'ledger.db'),
    keys: keysInFolder(path.join(site.folder, 'keys')),
    clock: systemClock,
    holder: { host: 'here', pid: process.pid, description: 'campaign' },
  });
  try {
    const batch = await ledger.latestBatch();
    const spent: string[] = [];
    if (!batch) return spent;
    for await (const block of ledger.resultRows(batch.id)) {
      for (const { outcome, order, trace } of block) {
        const stored = outcome === 'in-doubt' && order ? await ledger.findOrder(batch.id, order) : undefined;
        if (stored && trace && needsPerson(stored.state, emptyProfile().inDoubt)) spent.push(trace);
      }
    }
    return spent;
  } finally {
    await ledger.close();
  }
}

/** Goes on with one ledger until nothing is left to do, at a service that is well again. Gives what is left in doubt by design. */
async function finish(
  site: Site,
  home: string,
): Promise<{ readonly spent: readonly string[]; readonly left?: string }> {
  for (let tries = 1; ; tries += 1) {
    const ran = await site.end([...site.run, '--json'], homeOf(site, home));
    const { stdout } = ran.exit === 8 ? await site.end(['resume', '--json'], homeOf(site, home)) : ran;
    const end = readEnd(stdout);
    const spent = await spentTraces(site, home);
    if ((end.rows['completed'] ?? 0) + spent.length === rows) return { spent };
    if (tries === RESUMES_MAX) return { spent, left: `${home}: ${end.exit} ${JSON.stringify(end.rows)}` };
  }
}

async function round(number: number): Promise<void> {
  const name = `round ${number}`;
  const digest = sha256(`${values.seed}|two-runners|${number}`);
  const times = `${TIMES},duplicates=${REPEATS[number % REPEATS.length]}`;
  const site = await openSite({ rows, scenario: `${TROUBLE},${times},seed=${number}` });
  try {
    await race(site, (of) => drawOf(digest, of));
    await site.play(times);
    // Twice: what one has given up, the other may have sent since.
    for (const home of ['home', 'other']) await finish(site, home);
    const ends = [await finish(site, 'home'), await finish(site, 'other')];
    violations.push(...ends.flatMap(({ left }) => (left === undefined ? [] : [`${name}, ${left}`])));
    const books = await site.books();
    for (const [answer, sum] of Object.entries(books.repeats)) count(`repeats ${answer}`, sum);
    const lines = books.orders.flatMap((order) => order.lines);
    const traces = new Set(lines.map(({ trace }) => trace));
    count('payouts in the books', lines.length);
    const spent = new Set(ends.flatMap((end) => end.spent));
    for (const trace of spent) if (traces.has(trace)) violations.push(`${name}: ${trace} is paid, and in doubt`);
    if (spent.size > 0) count('rows in doubt by design', spent.size);
    if (lines.length !== rows - spent.size || traces.size !== lines.length) {
      violations.push(`${name}: the books hold ${lines.length} lines (${traces.size} different) for ${rows} rows`);
    }
    const unpaid = lines.filter(({ receipt }) => receipt === null).length;
    if (unpaid > 0) violations.push(`${name}: ${unpaid} lines of the books are unpaid`);
  } finally {
    await site.close();
  }
}

const started = performance.now();
for (let number = 1; number <= rounds; number += 1) {
  await round(number);
  if (number % 10 === 0) say(`${number} of ${rounds} rounds, ${violations.length} violations`);
}
say(`${rounds} rounds of ${rows} rows, ${((performance.now() - started) / 1000).toFixed(0)} s`);
for (const [name, sum] of [...sums].toSorted()) say(`${String(sum).padStart(8)}  ${name}`);
for (const violation of violations.slice(0, 40)) say(`VIOLATION ${violation}`);
say(violations.length === 0 ? 'No violation.' : `${violations.length} violations.`);
process.exitCode = violations.length > 0 ? 1 : 0;
