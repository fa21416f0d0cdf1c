import { describe, expect, test } from 'vitest';
import type { BatchHeader } from '../../src/domain/batch.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { outcomes } from '../../src/domain/outcome.ts';
import type { KindName } from '../../src/domain/payout.ts';
import type { ResultsSource } from '../../src/results/source.ts';
import { summarySheet } from '../../src/results/summary.ts';
import { reportOf, textsOfWorksheet } from '../support/result-report.ts';
import { BATCH_TIME, money, resultRow, sourceOf } from '../support/result-rows.ts';

const paybill = 'paybill' as KindName;
/** A row of every outcome, each with an amount of its own, and two in another way of paying. */
const rows = [
  ...outcomes.map((outcome, at) => resultRow(at + 2, { outcome, payout: { amount: money(100_000 * 2 ** at) } })),
  resultRow(11, { outcome: 'unsent', payout: { amount: money(7_000_000), kind: paybill }, charge: money(5500) }),
  resultRow(12, { payout: { amount: money(9_000_000), kind: paybill }, charge: money(6000) }),
];

const source = (over: Partial<BatchHeader> = {}): ResultsSource => sourceOf(rows, over);
const textsOf = async (from: ResultsSource) => textsOfWorksheet(summarySheet(await reportOf(from)));

/** The rows from the one that begins with `first` down to the next empty one. */
async function part(from: ResultsSource, first: string): Promise<readonly (readonly (string | number)[])[]> {
  const all = await textsOf(from);
  const start = all.findIndex(([label]) => label === first);
  const length = all.slice(start).findIndex((cells) => cells.length === 0);
  return all.slice(start, length < 0 ? undefined : start + length);
}

/** What stands beside a label; empty when nothing has it. */
const beside = async (from: ResultsSource, label: string): Promise<readonly (string | number)[]> =>
  (await textsOf(from)).find(([first]) => first === label)?.slice(1) ?? [];

const CONTROL = [
  ['Planned', '10 payments, KES 415,000.00; with charges KES 415,379.00'],
  ['Totals confirmed', 'The total was typed: 1,254,300.00'],
];

describe('the Summary', () => {
  test('begins with whose batch it is, and where it went', async () => {
    expect(await part(source(), 'Payout results')).toEqual([['Payout results'], ['Acme Ltd · batch salaries-2026-11']]);
    expect(await part(source(), 'Sheet')).toEqual([
      ['Sheet', 'payroll.xlsx, worksheet November (11 rows)'],
      ['SHA-256 of the sheet', '3b4f9c0d'.repeat(8)],
      ['Profile', 'live (https://pay.example.test)'],
    ]);
    const { worksheet: _, ...sheet } = source().header.sheet;
    expect(await beside(source({ sheet }), 'Sheet')).toEqual(['payroll.xlsx (11 rows)']);
  });

  test('of a practice run has a banner above all, and that of a live one has none', async () => {
    const banner = 'SANDBOX: practice run, no money moved';
    expect((await textsOf(source({ sandbox: true })))[0]).toEqual([banner]);
    expect((await textsOf(source())).flat()).not.toContain(banner);
  });

  test('shows six figures that together are the sheet', async () => {
    expect(await part(source(), 'Rows in the sheet')).toEqual([
      ['Rows in the sheet', 'Paid', 'Not paid', 'To check or wait for', 'Not sent', 'Charges'],
      [11, 2, 4, 3, 2, '92.86'],
      [
        'KES 415,000.00',
        'KES 91,000.00',
        'KES 14,000.00',
        'KES 112,000.00',
        'KES 198,000.00',
        'charged · KES 379.00 quoted',
      ],
    ]);
  });

  test('tells of every outcome its rows, amount and fees, and what it means', async () => {
    expect(await part(source(), 'By outcome')).toEqual([
      ['By outcome'],
      ['Outcome', 'Rows', 'Amount', 'Fees charged', 'Pay again?', 'What it means'],
      ['Completed', 2, '91000.00', '92.86', 'No', 'Paid.'],
      ['Rejected', 1, '2000.00', '0.00', 'Yes', 'The service rejected the order before it was paid.'],
      ['Refused', 1, '4000.00', '0.00', 'Yes', 'The service did not take the order.'],
      ['Failed', 1, '8000.00', '0.00', 'Yes', 'The payment failed for good.'],
      ['CHECK Timed out', 1, '16000.00', '0.00', 'Check first', expect.stringContaining('may still arrive')],
      ['CHECK In doubt', 1, '32000.00', '0.00', 'Check first', expect.stringContaining('no final word')],
      ['Pending', 1, '64000.00', '0.00', 'No', 'The service has the payment and has not finished it.'],
      ['Not sent', 2, '198000.00', '0.00', 'Yes', 'The order never left this computer.'],
      ['Invalid', 1, '0.00', '0.00', 'Yes', 'The row had errors and was set aside.'],
      ['Total', 11, '415000.00', '92.86', '', ''],
    ]);
  });

  test('ties every figure out against another source', async () => {
    expect(await part(source(), 'Ties out')).toEqual([
      ['Ties out'],
      ['Everything ties out', 'yes', ''],
      ['', 'Figure', 'Must equal', 'Difference', 'Ties out', 'What is compared'],
      ['Rows in the sheet', 11, 11, 0, 'yes', 'against rows with an outcome'],
      ['Rows with an outcome', 11, 11, 0, 'yes', 'against rows listed in Results'],
      ['Outcomes of the ledger', 9, 9, 0, 'yes', 'against outcomes counted alike in Results'],
      ['Rows to pay', 10, 10, 0, 'yes', 'against rows planned'],
      ['Planned total', '415000.00', '415000.00', '0.00', 'yes', 'against amounts of all outcomes'],
      ['Planned total', '415000.00', '415000.00', '0.00', 'yes', 'against amounts listed in Results'],
      ['Paid by the ledger', '91000.00', '91000.00', '0.00', 'yes', 'against paid in Results'],
      ['Fees by the ledger', '92.86', '92.86', '0.00', 'yes', 'against fees in Results'],
      ['Rows that the service contradicts', 0, 0, 0, 'yes', 'against none'],
      ['Shown as paid beyond the amounts of the rows', '0.00', '0.00', '0.00', 'yes', 'against nothing'],
    ]);
  });

  test('does not tie out where the service paid too much or contradicts itself, and says so', async () => {
    const amount = money(150_000);
    const choice = { payout: { amount }, alarms: ['row 2: the order holds this line twice'] };
    const twice = sourceOf([resultRow(2, { ...choice, repeats: [{ status: 4, paidAmount: '1500.00' }] })]);
    expect((await part(twice, 'Ties out'))[1]).toEqual([
      'Everything ties out',
      'NO',
      'The service shows more than was to be paid: KES 1,500.00 too much in 1 row. See the worksheet Exceptions.',
    ]);
    expect(await beside(twice, 'Paid too much')).toEqual(['1500.00', '1 row, as far as the service shows.']);
    expect((await beside(twice, 'Expected balance after'))[0]).toBe('4996967.07');
    expect((await part(sourceOf([resultRow(2, choice)]), 'Ties out'))[1]).toEqual([
      'Everything ties out',
      'NO',
      'The service contradicts itself about 1 row. See the worksheet Exceptions, and ask the provider.',
    ]);
  });

  test('says NO where one of them does not, and what to do before anybody relies on it', async () => {
    const ties = await part(source({ rows: 12 }), 'Ties out');
    const advice = 'The figures below disagree. Run `paybatch verify` before you rely on them.';
    expect(ties[1]).toEqual(['Everything ties out', 'NO', advice]);
    expect(ties[3]).toEqual(['Rows in the sheet', 12, 11, 1, 'NO', 'against rows with an outcome']);
    expect(ties.slice(4).map((cells) => cells[4])).not.toContain('NO');
  });

  test('splits by way of paying, with the rows that were set aside, to the same total', async () => {
    expect(await part(source(), 'By way of paying')).toEqual([
      ['By way of paying'],
      ['Type', 'Rows', 'Amount', 'Paid', 'Fees charged', 'Rows paid and charges quoted'],
      ['Mobile wallet', 8, '255000.00', '1000.00', '32.93', '1 of 8 paid · KES 264.00 quoted'],
      ['paybill', 2, '160000.00', '90000.00', '59.93', '1 of 2 paid · KES 115.00 quoted'],
      ['Set aside, type not read', 1, '0.00', '0.00', '0.00', ''],
      ['Total', 11, '415000.00', '91000.00', '92.86', ''],
    ]);
    expect(await beside(sourceOf([resultRow(2)]), 'Set aside, type not read')).toEqual([]);
  });

  test('foots the wallet: before, paid, fees, expected after, and what may still go', async () => {
    expect(await part(source(), 'Wallet')).toEqual([
      ['Wallet'],
      ['Balance before', '5000000.00', 'As the service reported it just before the first payment.'],
      ['Paid', '91000.00', '2 rows completed.'],
      ['Fees charged', '92.86', 'As the service reported them, row by row.'],
      [
        'Expected balance after',
        '4908907.14',
        'Balance before, less paid and fees; other use of the wallet comes on top.',
      ],
      ['If all open rows are paid', '4796907.14', '3 rows are not final; their fees come on top.'],
    ]);
  });

  test('speaks of one row as one, and of no open rows not at all', async () => {
    const open = sourceOf([resultRow(2), resultRow(3, { outcome: 'pending' })]);
    const note = '1 row is not final; its fee comes on top.';
    expect(await beside(open, 'If all open rows are paid')).toEqual(['4969962.07', note]);
    expect(await beside(sourceOf([resultRow(2)]), 'If all open rows are paid')).toEqual([]);
    expect(await beside(sourceOf([resultRow(2)]), 'Sheet')).toEqual(['payroll.xlsx, worksheet November (1 row)']);
  });

  test('ends with who is responsible for what, and when', async () => {
    expect(await part(source(), 'Control')).toEqual([
      ['Control'],
      ...CONTROL,
      ['Run by', 'grace on finance-pc'],
      ['Planned at', BATCH_TIME, 'Africa/Nairobi'],
      ['This report', BATCH_TIME + 3_600_000, 'Africa/Nairobi'],
      ['Made with', 'paybatch 0.1.0'],
    ]);
  });

  test('names what was allowed: payments once more, a mapping of headings, repairs', async () => {
    const paidBefore = { rows: 3, batches: ['october' as BatchId], reason: 'a thirteenth salary' };
    const { sheet } = source().header;
    const mapping = { name: 'our-hr', sha256: 'abc123' };
    const allowed = source({ paidBefore, repairs: 4, sheet: { ...sheet, mapping } });
    expect((await part(allowed, 'Control')).slice(1, 6)).toEqual([
      ...CONTROL,
      ['Paid before', '3 of its payments stood in earlier batches (october); allowed: a thirteenth salary'],
      ['Mapping of headings', 'our-hr (SHA-256 abc123)'],
      ['Repairs accepted', '4, each on the worksheet Repairs'],
    ]);
  });
});

test('a client id that took the place of another one is told with who said so, and why', async () => {
  const change = { from: 'acme', to: 'acme-2', by: 'Jane', reason: 'rotated', at: Date.parse('2026-11-30T22:30:00Z') };
  const told = await beside({ ...source(), clientChanges: [change] }, 'Client id');
  expect(told).toEqual(['acme-2 in place of acme since 2026-12-01, by Jane: rotated']);
});

describe('rows that were not sent', () => {
  const stopped = { reason: 'the service refused 20 orders in a row', todo: 'Ask the provider' };
  const superseded = (count: number) => ({
    rows: count,
    says: 'Batch december holds them.',
    todo: 'See its status.',
  });
  const stoppedText = (words: string) =>
    `The service refused 20 orders in a row. ${words} not sent. Ask the provider; then go on: paybatch resume salaries-2026-11`;

  test('are told with why sending stopped, and how to go on', async () => {
    expect(await beside({ ...source(), stopped }, 'Sending stopped')).toEqual([stoppedText('2 rows were')]);
    expect(await beside(source(), 'Sending stopped')).toEqual([]);
  });

  test('do not count to the stop where they were left out on purpose', async () => {
    const some = { ...source(), stopped, superseded: superseded(1) };
    expect(await beside(some, 'Sending stopped')).toEqual([stoppedText('1 row was')]);
    expect(await beside(some, 'Left out')).toEqual(['Batch december holds them. See its status.']);
    const all = { ...source(), stopped, superseded: superseded(2) };
    expect(await beside(all, 'Sending stopped')).toEqual([]);
    expect(await beside(all, 'Left out')).toEqual(['Batch december holds them. See its status.']);
  });

  test('are no reason for a word where every row was sent', async () => {
    const sent = { ...sourceOf([resultRow(2)]), stopped, superseded: superseded(1) };
    expect(await beside(sent, 'Sending stopped')).toEqual([]);
    expect(await beside(sent, 'Left out')).toEqual([]);
  });
});

describe('a ledger that may not know all that was sent', () => {
  test('has the rows that count as not paid checked first', async () => {
    const doubted = { ...source(), unconfirmed: 5 };
    expect(await beside(doubted, 'Check first')).toEqual([
      'This ledger may not know all that was sent, so rows that count as not paid may have been paid: 5. Do not pay ' +
        'them by other means before this has found out: paybatch resume salaries-2026-11',
    ]);
    expect(await beside(source(), 'Check first')).toEqual([]);
    const answers = (await part(doubted, 'By outcome')).slice(2, -1).map((cells) => [cells[0], cells[4]]);
    expect(Object.fromEntries(answers)).toEqual({
      Completed: 'No',
      Rejected: 'Check first',
      Refused: 'Check first',
      Failed: 'Check first',
      'CHECK Timed out': 'Check first',
      'CHECK In doubt': 'Check first',
      Pending: 'No',
      'Not sent': 'Check first',
      Invalid: 'Yes',
    });
  });
});
