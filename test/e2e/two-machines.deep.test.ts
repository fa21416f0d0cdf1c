/** Two people at two machines who share a ledger on PostgreSQL, and plan in the same second: one wins, the other is told by name. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, type TestContext, test } from 'vitest';
import { csvOf, type SheetLine } from '../support/desk/payroll-sheet.ts';
import { type Ended, openSite, type Site } from '../support/desk/process-site.ts';
import { needsPostgres, newAddress, ownCluster } from '../support/postgres.ts';

const ROWS = 20;
const AMOUNT = 1000;

async function openShared(context: TestContext): Promise<Site> {
  needsPostgres(context);
  const env = { PAYBATCH_LEDGER: newAddress(await ownCluster()) };
  const site = await openSite({
    rows: ROWS,
    scenario: 'slow=25,settle-min=500,settle-max=4000',
    deadlineMs: 60_000,
    env,
  });
  onTestFinished(() => site.close());
  return site;
}

/** People from one number on; the last four digits are those of no magic ending, unless others are asked for. */
const crew = (from: number, count = ROWS, endings = '0055'): readonly SheetLine[] =>
  Array.from({ length: count }, (_, at) => ({
    reference: `P-${from + at}`,
    name: `Person ${from + at}`,
    phone: `+25471${String(from + at).padStart(3, '0')}${endings}`,
    amount: `${AMOUNT}.00`,
  }));

function sheet(site: Site, name: string, lines: readonly SheetLine[]): readonly string[] {
  writeFileSync(path.join(site.folder, `${name}.csv`), csvOf(lines));
  const totals = ['--expect-count', String(lines.length), '--expect-total', String(lines.length * AMOUNT)];
  return ['run', `${name}.csv`, '--batch', name, '--no-copy', ...totals];
}

/** What makes a command one of a machine with a state folder of its own. */
const at = (site: Site, machine: string): readonly string[] => [
  'env',
  `PAYBATCH_HOME=${path.join(site.folder, machine)}`,
  `PAYBATCH_MACHINE=${machine}`,
];

/** A command at each of two machines, at once. */
const atOnce = (site: Site, here: readonly string[], there: readonly string[]): Promise<readonly [Ended, Ended]> =>
  Promise.all([site.end(here, at(site, 'here')), site.end(there, at(site, 'there'))]);

/** The sentence that says why a command stopped: all around it names its own sheet. */
const whyOf = (ended: Ended | undefined): string => /^ERROR.*$/m.exec(ended?.stderr ?? '')?.[0] ?? '';

/** Of two, the one that won, and the one that did not. */
const byExit = (ends: readonly [Ended, Ended]): readonly Ended[] =>
  ends.toSorted(({ exit: one }, { exit: other }) => one - other);

async function payeesOf(site: Site): Promise<readonly string[]> {
  const { orders } = await site.books();
  return orders.flatMap(({ lines }) => lines.map(({ payee }) => payee)).toSorted();
}

describe('two people at two machines', () => {
  test('who run one sheet at once pay it once, and the second is told which batch has it', async (context) => {
    const site = await openShared(context);
    const argv = sheet(site, 'salaries', crew(100));
    const [won, told] = byExit(await atOnce(site, argv, argv));
    expect([won?.exit, told?.exit], `${won?.stderr}\n${told?.stderr}`).toEqual([0, 75]);
    expect(whyOf(told)).toMatch(/batch salaries\b/);
    expect(await payeesOf(site)).toEqual(crew(100).map(({ phone }) => phone));
  });

  test('whose sheets overlap pay the people of one of them, and the second is told by name', async (context) => {
    const site = await openShared(context);
    const ours = sheet(site, 'ours', crew(100));
    // All but two of them are in both.
    const theirs = sheet(site, 'theirs', crew(102));
    const [won, told] = byExit(await atOnce(site, ours, theirs));
    expect(won?.exit, won?.stderr).toBe(0);
    // A duplicate of what was sent, or of what is being sent.
    expect([8, 75], told?.stderr).toContain(told?.exit);
    const paid = await payeesOf(site);
    expect(paid).toHaveLength(ROWS);
    const first = paid[0] === '+254711000055' ? 'ours' : 'theirs';
    expect(whyOf(told)).toMatch(new RegExp(`batch ${first}\\b`));
  });

  test('of whom one tries failed rows again while the other does, or runs the sheet again, pay nobody twice', async (context) => {
    const site = await openShared(context);
    const failing = crew(100, 2, '0008');
    const argv = sheet(site, 'salaries', failing);
    const first = await site.end(argv, at(site, 'here'));
    expect(first.exit, first.stderr).toBe(6);
    const retry = ['retry', 'salaries', ...argv.slice(-4)];
    const [won, told] = byExit(await atOnce(site, retry, argv));
    expect(won?.exit, won?.stderr).toBe(6);
    // Whoever runs the sheet again is told of the retry, or, ahead of it, of the batch.
    expect([8, 75], told?.stderr).toContain(told?.exit);
    expect(whyOf(told)).toMatch(/batch salaries\b/);
    const [again, second] = byExit(await atOnce(site, retry, retry));
    expect(again?.exit, again?.stderr).toBe(6);
    expect([6, 8, 75], second?.stderr).toContain(second?.exit);
    // The first attempt, the second, and those that were asked for at once: each of them once.
    const attempts = second?.exit === 6 ? 4 : 3;
    expect(await payeesOf(site)).toHaveLength(2 * attempts);
  });
});
