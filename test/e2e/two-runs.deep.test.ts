/** Two runs at the same time on one ledger, as real processes: on a ledger in a file, and on PostgreSQL. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { eventMistake } from '../../src/cli/events/event-schema.ts';
import { csvOf, type SheetLine } from '../support/desk/payroll-sheet.ts';
import { openSite, type Site } from '../support/desk/process-site.ts';
import { needsPostgres, newAddress, ownCluster } from '../support/postgres.ts';

const ROWS = 40;
/** The last payments of a sheet take so long that another run begins and ends meanwhile. */
const SCENARIO = 'slow=25,settle-min=500,settle-max=6000';
/** The same where several commands begin and end meanwhile, on a machine that may be busy. */
const LONG_SCENARIO = 'slow=25,settle-min=18000,settle-max=20000';
const TIMEOUT_MS = 180_000;

/** People whom no other sheet pays. `firstDigits` of their phones; the last four are those of no magic ending. */
const crew = (name: string, firstDigits: string, endings = '55'): readonly SheetLine[] =>
  Array.from({ length: ROWS }, (_, at) => ({
    reference: `${name}-${at + 1}`,
    name: `${name} ${at + 1}`,
    phone: `+25471${firstDigits}${String(at).padStart(3, '0')}${endings}`,
    amount: '1000.00',
  }));

const totalsOf = (rows: number): readonly string[] => [
  '--expect-count',
  String(rows),
  '--expect-total',
  String(rows * 1000),
];

/** Arguments that pay such a sheet. */
function sheet(site: Site, name: string, firstDigits: string): readonly string[] {
  writeFileSync(path.join(site.folder, `${name}.csv`), csvOf(crew(name, firstDigits)));
  const totals = totalsOf(ROWS);
  return ['run', `${name}.csv`, '--batch', name, '--no-copy', ...totals, '--concurrency', '4', '--json'];
}

const drivers = ['a file', 'PostgreSQL'] as const;

async function openOn(driver: (typeof drivers)[number], context: TestContext, scenario = SCENARIO): Promise<Site> {
  if (driver === 'PostgreSQL') needsPostgres(context);
  const env = driver === 'a file' ? {} : { PAYBATCH_LEDGER: newAddress(await ownCluster()) };
  const site = await openSite({ rows: ROWS, scenario, deadlineMs: 60_000, env });
  onTestFinished(() => site.close());
  return site;
}

interface Said {
  exit: number | null;
  text: string;
}

/** Resolves when a command has said so; `over` when it has ended. */
function heard(child: ChildProcess, word: string): { readonly begun: Promise<void>; readonly over: Promise<Said> } {
  const said: Said = { exit: null, text: '' };
  const begun = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said.text += text;
        if (said.text.includes(word)) resolve();
      });
    }
  });
  const over = once(child, 'close').then(([code]) => Object.assign(said, { exit: code as number | null }));
  return { begun, over };
}

const PROGRESS = '"type":"progress"';

/** Everybody of so many sheets is in the books of the service, and once, and the ledger proves itself. */
async function expectPaidOnce(site: Site, sheets: number): Promise<void> {
  const { orders } = await site.books();
  const payees = orders.flatMap(({ lines }) => lines.map(({ payee }) => payee));
  expect(new Set(payees).size).toBe(sheets * ROWS);
  expect(payees).toHaveLength(sheets * ROWS);
  expect(orders.flatMap(({ lines }) => lines).filter(({ receipt }) => receipt === null)).toEqual([]);
  const { exit, stdout } = await site.end(['verify', '--json']);
  expect(exit, stdout).toBe(0);
}

describe.each(drivers)('two runs on one ledger in %s', { timeout: TIMEOUT_MS }, (driver) => {
  test('pay two sheets at the same time, everybody once, and each says that the other is at work', async (context) => {
    const site = await openOn(driver, context, LONG_SCENARIO);
    const salaries = heard(site.start(sheet(site, 'salaries', '10')), PROGRESS);
    await salaries.begun;
    const supplier = heard(site.start(sheet(site, 'supplier', '20')), PROGRESS);
    await supplier.begun;
    const history = await site.end(['history', '--json']);
    const looked = await site.end(['status', 'salaries']);
    const ends = await Promise.all([salaries.over, supplier.over]);
    expect(ends.map(({ exit, text }) => (exit === 0 ? 0 : text))).toEqual([0, 0]);
    const past = JSON.parse(history.stdout.split('\n')[0] ?? '');
    expect(eventMistake(past)).toBeUndefined();
    expect(past.atWork).toContainEqual(expect.objectContaining({ batch: 'supplier' }));
    expect(looked.stderr).toContain('Also working');
    expect(looked.stderr).toContain('works on batch supplier');
    await expectPaidOnce(site, 2);
  });

  test('pay one sheet once: the other is told by name who does', async (context) => {
    const site = await openOn(driver, context);
    const argv = sheet(site, 'salaries', '10');
    const [one, other] = [heard(site.start(argv), PROGRESS), heard(site.start(argv), PROGRESS)];
    const ends = await Promise.all([one.over, other.over]);
    const exits = ends.map(({ exit }) => exit ?? -1).toSorted((a, b) => a - b);
    expect(exits, ends.map(({ text }) => text).join('\n')).toEqual([0, 75]);
    const resumed = heard(site.start(['resume', 'salaries', '--json']), PROGRESS);
    expect((await resumed.over).exit).toBe(0);
    await expectPaidOnce(site, 1);
  });

  test('let failed rows of an earlier batch be tried again beside a run', async (context) => {
    const site = await openOn(driver, context);
    const failing = ['300', '301'].map((digits) => ({ name: digits, phone: `+25471${digits}0008`, amount: '1000.00' }));
    writeFileSync(path.join(site.folder, 'earlier.csv'), csvOf(failing));
    const argv = ['run', 'earlier.csv', '--batch', 'earlier', '--no-copy', ...totalsOf(2), '--json'];
    expect((await site.end(argv)).exit).toBe(6);
    const supplier = heard(site.start(sheet(site, 'supplier', '20')), PROGRESS);
    await supplier.begun;
    const retried = await site.end(['retry', 'earlier', ...totalsOf(2), '--json']);
    expect(retried.exit, retried.stdout).toBe(6);
    const { exit, text } = await supplier.over;
    expect(exit, text).toBe(0);
    const { orders } = await site.books();
    const lines = orders.flatMap((order) => order.lines);
    // Two attempts at each row that failed, and everybody of the other sheet once.
    expect(lines).toHaveLength(4 + ROWS);
    expect(new Set(lines.map(({ payee }) => payee)).size).toBe(2 + ROWS);
    const { exit: verified, stdout } = await site.end(['verify', '--json']);
    expect(verified, stdout).toBe(0);
  });

  test('go on when one of them is killed, whose batch is then resumed', async (context) => {
    const site = await openOn(driver, context, LONG_SCENARIO);
    const first = site.start(sheet(site, 'salaries', '10'));
    const salaries = heard(first, PROGRESS);
    await salaries.begun;
    const supplier = heard(site.start(sheet(site, 'supplier', '20')), PROGRESS);
    await supplier.begun;
    const resume = () => site.start(['resume', 'salaries', '--json']);
    // The lock of a computer that is gone may outlive it on a server, so a run tries for a while before it is refused.
    const beside = heard(resume(), 'works on batch salaries');
    await beside.begun;
    if (driver === 'a file') expect((await beside.over).exit).toBe(75);
    first.kill('SIGKILL');
    await salaries.over;
    const resumed = driver === 'a file' ? heard(resume(), PROGRESS) : beside;
    const ends = await Promise.all([resumed.over, supplier.over]);
    expect(ends.map(({ exit, text }) => (exit === 0 ? 0 : text))).toEqual([0, 0]);
    await expectPaidOnce(site, 2);
  });
});

test('a ledger that was put back beside its checkpoint is in doubt for both of its runs, and pays nobody twice', {
  timeout: TIMEOUT_MS,
}, async () => {
  const site = await openSite({ rows: ROWS, scenario: SCENARIO });
  onTestFinished(() => site.close());
  const ledger = path.join(site.folder, 'home', 'env', 'ledger.db');
  const [one, other] = [site.start(sheet(site, 'salaries', '10')), site.start(sheet(site, 'supplier', '20'))];
  const runs = [heard(one, PROGRESS), heard(other, PROGRESS)];
  await Promise.all(runs.map(({ begun }) => begun));
  // As it is now: both plans, and some payments of each.
  const backedUp = await site.end(['ledger', 'backup', 'kept.db', '--json']);
  expect(backedUp.exit, backedUp.stderr).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 700));
  for (const child of [one, other]) child.kill('SIGKILL');
  await Promise.all(runs.map(({ over }) => over));
  for (const beside of ['-wal', '-shm']) writeFileSync(`${ledger}${beside}`, '');
  copyFileSync(path.join(site.folder, 'kept.db'), ledger);
  const resumed = ['salaries', 'supplier'].map((batch) => heard(site.start(['resume', batch, '--json']), PROGRESS));
  const ends = await Promise.all(resumed.map(({ over }) => over));
  for (const { exit, text } of ends) expect([0, 7], text).toContain(exit);
  for (const batch of ['salaries', 'supplier']) {
    const { exit, stdout } = await site.end(['resume', batch, '--json']);
    expect(exit, stdout).toBe(0);
  }
  await expectPaidOnce(site, 2);
});
