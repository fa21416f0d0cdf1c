import { describe, expect, test } from 'vitest';
import type { KindName, ResultRow } from '../../src/domain/batch.ts';
import { decimalOf, type Money } from '../../src/domain/money.ts';
import { outcomes } from '../../src/domain/outcome.ts';
import { type Figures, figuresOf } from '../../src/results/figures.ts';
import type { ResultsSource } from '../../src/results/source.ts';
import { type TieOut, tieOutsOf } from '../../src/results/tie-outs.ts';
import { RESULTS_OPTIONS } from '../support/result-report.ts';
import { money, resultRow, sourceOf } from '../support/result-rows.ts';

/** A row of every outcome, each with an amount of its own, and two more: paid for another fee, and in another way. */
const rows: readonly ResultRow[] = [
  ...outcomes.map((outcome, at) => resultRow(at + 2, { outcome, payout: { amount: money(100 * 2 ** at) } })),
  resultRow(12, { payout: { amount: money(51_200) }, charge: money(900), fee: money(800) }),
  resultRow(13, {
    outcome: 'failed',
    payout: { kind: 'carrier-pigeon' as KindName, amount: money(102_400) },
    charge: money(50),
    report: { feeAmount: '0.4' },
  }),
];

const plain = ({ count, amount, fees }: { count: number; amount: Money; fees: Money }) =>
  [count, decimalOf(amount), decimalOf(fees)] as const;

describe('the sums', () => {
  const sums = (): Promise<Figures> => figuresOf(sourceOf(rows, {}, 2), RESULTS_OPTIONS);

  test('of every outcome are those of its rows', async () => {
    const { byOutcome } = await sums();
    expect(Object.fromEntries(outcomes.map((outcome) => [outcome, plain(byOutcome[outcome])]))).toEqual({
      completed: [2, '513.00', '40.93'],
      rejected: [1, '2.00', '0.00'],
      refused: [1, '4.00', '0.00'],
      failed: [2, '1032.00', '0.40'],
      'timed-out': [1, '16.00', '0.00'],
      'in-doubt': [1, '32.00', '0.00'],
      pending: [1, '64.00', '0.00'],
      unsent: [1, '128.00', '0.00'],
      invalid: [1, '0.00', '0.00'],
      'left-out': [1, '512.00', '0.00'],
    });
  });

  test('of the five parts take every outcome once, and what was never sent is no payment that failed', async () => {
    const { byPart } = await sums();
    expect(plain(byPart.paid)).toEqual([2, '513.00', '40.93']);
    expect(plain(byPart['not-paid'])).toEqual([5, '1038.00', '0.40']);
    expect(plain(byPart['to-check'])).toEqual([3, '112.00', '0.00']);
    expect(plain(byPart['not-sent'])).toEqual([1, '128.00', '0.00']);
    expect(plain(byPart['left-out'])).toEqual([1, '512.00', '0.00']);
  });

  test('of everything are those of the parts', async () => {
    const { rows: count, all } = await sums();
    expect(count).toBe(12);
    expect(plain(all)).toEqual([12, '2303.00', '41.33']);
  });

  test('of each way of paying are told as the sheet first has it, what was paid apart from what was asked', async () => {
    const { byKind } = await sums();
    expect(byKind.map((kind) => [kind.name, ...plain(kind), kind.paidCount, decimalOf(kind.paid)])).toEqual([
      ['wallet', 9, '767.00', '40.93', 2, '513.00'],
      ['carrier-pigeon', 1, '1024.00', '0.40', 0, '0.00'],
    ]);
  });

  test('know the longest text of each carried column', async () => {
    const wide = [
      resultRow(2, { texts: ['a', 'four', '', 'seven77', '12'] }),
      resultRow(3, { texts: ['bbb', 'x', '', 'y', ''] }),
    ];
    expect((await figuresOf(sourceOf(wide), RESULTS_OPTIONS)).carriedWidths).toEqual([3, 4, 0, 7, 2]);
    expect((await figuresOf(sourceOf([]), RESULTS_OPTIONS)).carriedWidths).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('the tie-outs', () => {
  const tieOuts = async (source: ResultsSource): Promise<readonly TieOut[]> =>
    tieOutsOf(source, await figuresOf(source, RESULTS_OPTIONS));
  const shown = (value: number | Money): number | string => (typeof value === 'number' ? value : decimalOf(value));
  const told = ({ claim, left, right, difference, ties }: TieOut) =>
    [claim, shown(left), shown(right), shown(difference), ties] as const;

  test('hold each figure against another source, and agree for a whole ledger', async () => {
    expect((await tieOuts(sourceOf(rows))).map(told)).toEqual([
      ['Rows in the sheet = rows with an outcome', 12, 12, 0, true],
      ['Rows with an outcome = rows listed in Results', 12, 12, 0, true],
      ['Outcomes of the ledger = outcomes counted alike in Results', 10, 10, 0, true],
      ['Rows to pay = rows planned', 10, 10, 0, true],
      ['To pay, set aside and left out = rows in the sheet', 12, 12, 0, true],
      ['Rows left out = rows left out in Results', 1, 1, 0, true],
      ['Left out of the total = left out in Results', '512.00', '512.00', '0.00', true],
      ['Planned total = amounts of all outcomes', '1791.00', '1791.00', '0.00', true],
      ['Planned total = amounts listed in Results', '1791.00', '1791.00', '0.00', true],
      ['Paid by the ledger = paid in Results', '513.00', '513.00', '0.00', true],
      ['Fees by the ledger = fees in Results', '40.93', '40.93', '0.00', true],
      ['Rows that the service contradicts = none', 0, 0, 0, true],
      ['Shown as paid beyond the amounts of the rows = nothing', '0.00', '0.00', '0.00', true],
    ]);
  });

  test('disagree where the service contradicts a row, until somebody has dealt with it', async () => {
    const wrong = async (row: ResultRow) => (await tieOuts(sourceOf([row]))).filter(({ ties }) => !ties).map(told);
    const alarmed = resultRow(2, { alarms: ['row 2: the service said completed and now says Rejected'] });
    const contradicted = ['Rows that the service contradicts = none', 1, 0, 1, false];
    expect(await wrong(alarmed)).toEqual([contradicted]);
    expect(await wrong({ ...resultRow(2), earlierAlarms: ['row 2: paid as well'] })).toEqual([contradicted]);
    const resolved = { paid: true, by: 'Jane', at: 1, alarms: 1 };
    const state = alarmed.state && {
      ...alarmed.state,
      lines: alarmed.state.lines.map((line) => ({ ...line, resolved })),
    };
    expect(await wrong({ ...alarmed, ...(state && { state }) })).toEqual([]);
  });

  test('disagree where the service shows more payments of a row than one, at whatever attempt', async () => {
    const wrong = async (row: ResultRow) => (await tieOuts(sourceOf([row]))).filter(({ ties }) => !ties).map(told);
    const amount = money(1000);
    const again = { status: 4, paidAmount: '10.00' };
    const over = (sum: string) => ['Shown as paid beyond the amounts of the rows = nothing', sum, '0.00', sum, false];
    expect(await wrong(resultRow(2, { payout: { amount }, repeats: [again] }))).toEqual([over('10.00')]);
    expect(await wrong(resultRow(2, { payout: { amount }, repeats: [again, again] }))).toEqual([over('20.00')]);
    expect(await wrong(resultRow(2, { payout: { amount }, repeats: [{ status: 0, paidAmount: '0' }] }))).toEqual([]);
    const { line } = resultRow(2, { payout: { amount } });
    const twice = { ...resultRow(2, { payout: { amount } }), ...(line && { earlierLines: [line] }) };
    expect(await wrong(twice)).toEqual([over('10.00')]);
    expect(await wrong(resultRow(2, { payout: { amount }, outcome: 'rejected', repeats: [again] }))).toEqual([]);
  });

  test('are of no other row', async () => {
    expect(
      (await tieOuts(sourceOf([resultRow(2, { outcome: 'unsent' }), resultRow(3, { outcome: 'invalid' })]))).every(
        ({ ties }) => ties,
      ),
    ).toBe(true);
  });

  test('do not depend on the order in which the ledger tells its outcomes', async () => {
    const source = sourceOf(rows);
    const backwards = await tieOuts({ ...source, tallies: source.tallies.toReversed() });
    expect(backwards.map(told)).toEqual((await tieOuts(source)).map(told));
  });

  const header = (over: Partial<ResultsSource['header']>) => (source: ResultsSource) => ({
    ...source,
    header: { ...source.header, ...over },
  });
  type Tally = ResultsSource['tallies'][number];
  const completed = (over: (tally: Tally) => Partial<Tally>) => (source: ResultsSource) => ({
    ...source,
    tallies: source.tallies.map((tally) => (tally.outcome === 'completed' ? { ...tally, ...over(tally) } : tally)),
  });
  const listed = (kept: readonly ResultRow[]) => (source: ResultsSource) => ({ ...source, rows: sourceOf(kept).rows });

  test.each<[string, (source: ResultsSource) => ResultsSource, readonly (readonly unknown[])[]]>([
    [
      'the sheet has one row more',
      header({ rows: 13 }),
      [
        ['Rows in the sheet = rows with an outcome', 13, 12, 1, false],
        ['To pay, set aside and left out = rows in the sheet', 12, 13, -1, false],
      ],
    ],
    [
      'fewer rows were to be paid',
      header({ payable: 8 }),
      [
        ['Rows to pay = rows planned', 8, 10, -2, false],
        ['To pay, set aside and left out = rows in the sheet', 10, 12, -2, false],
      ],
    ],
    [
      'the plan leaves out another row',
      header({ leftOut: { rows: 2, amount: money(61_200) } }),
      [
        ['To pay, set aside and left out = rows in the sheet', 13, 12, 1, false],
        ['Rows left out = rows left out in Results', 2, 1, 1, false],
        ['Left out of the total = left out in Results', '612.00', '512.00', '100.00', false],
      ],
    ],
    [
      'the plan has another total',
      header({ total: money(179_000) }),
      [
        ['Planned total = amounts of all outcomes', '1790.00', '1791.00', '-1.00', false],
        ['Planned total = amounts listed in Results', '1790.00', '1791.00', '-1.00', false],
      ],
    ],
    [
      'the ledger counts another fee',
      completed(() => ({ fees: money(4094) })),
      [['Fees by the ledger = fees in Results', '40.94', '40.93', '0.01', false]],
    ],
    [
      'the ledger counts another paid amount',
      completed(({ amount }) => ({ amount: { ...amount, minor: amount.minor + 5n } })),
      [
        ['Planned total = amounts of all outcomes', '1791.00', '1791.05', '-0.05', false],
        ['Paid by the ledger = paid in Results', '513.05', '513.00', '0.05', false],
      ],
    ],
    [
      'the list lacks the row that was set aside',
      listed(rows.filter(({ outcome }) => outcome !== 'invalid')),
      [
        ['Rows with an outcome = rows listed in Results', 12, 11, 1, false],
        ['Outcomes of the ledger = outcomes counted alike in Results', 10, 9, 1, false],
        ['To pay, set aside and left out = rows in the sheet', 11, 12, -1, false],
      ],
    ],
    [
      'the list has another amount in a row that failed',
      listed(rows.map((row) => (row.row === 13 ? resultRow(13, { outcome: 'failed' }) : row))),
      [['Planned total = amounts listed in Results', '1791.00', '15780.00', '-13989.00', false]],
    ],
    [
      'a row that failed is listed as paid',
      listed(rows.map((row) => (row.row === 5 ? { ...row, outcome: 'completed' } : row))),
      [
        ['Outcomes of the ledger = outcomes counted alike in Results', 10, 8, 2, false],
        ['Paid by the ledger = paid in Results', '513.00', '521.00', '-8.00', false],
      ],
    ],
    [
      'the ledger holds nothing at all',
      (source) => ({ ...source, tallies: [] }),
      [
        ['Rows in the sheet = rows with an outcome', 12, 0, 12, false],
        ['Rows with an outcome = rows listed in Results', 0, 12, -12, false],
        ['Outcomes of the ledger = outcomes counted alike in Results', 10, 0, 10, false],
        ['Rows to pay = rows planned', 10, 0, 10, false],
        ['Planned total = amounts of all outcomes', '1791.00', '0.00', '1791.00', false],
        ['Paid by the ledger = paid in Results', '0.00', '513.00', '-513.00', false],
        ['Fees by the ledger = fees in Results', '0.00', '40.93', '-40.93', false],
      ],
    ],
  ])('disagree where %s, and nowhere else', async (_, change, wrong) => {
    const found = await tieOuts(change(sourceOf(rows)));
    expect(found.filter(({ ties }) => !ties).map(told)).toEqual(wrong);
  });
});
