import { describe, expect, test } from 'vitest';
import { summarySheet } from '../../src/results/summary.ts';
import { money, resultRow, sourceOf } from '../support/result-rows.ts';
import { sectionTexts, mixedSource as source } from './section-texts.ts';

const { all: textsOf, part, beside } = sectionTexts(summarySheet);

describe('the Summary', () => {
  test('begins with whose batch it is, and where it went', async () => {
    expect(await part(source(), 'Payout results')).toEqual([['Payout results'], ['Acme Ltd · batch salaries-2026-11']]);
    expect(await part(source(), 'Sheet')).toEqual([
      ['Sheet', 'payroll.xlsx, worksheet November (11 rows)'],
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

  test('speaks of one row as one', async () => {
    expect(await beside(sourceOf([resultRow(2)]), 'Sheet')).toEqual(['payroll.xlsx, worksheet November (1 row)']);
  });

  test('says in one line whether everything ties out, and where that stands', async () => {
    const told = 'Every comparison stands on the worksheet Reconciliation.';
    expect(await beside(source(), 'Everything ties out')).toEqual(['yes', told]);
    const advice = 'Figures on the worksheet Reconciliation disagree. Run `paybatch verify` before you rely on them.';
    expect(await beside(source({ rows: 12 }), 'Everything ties out')).toEqual(['NO', advice]);
  });

  test('does not tie out where the service paid too much or contradicts itself, and says so', async () => {
    const choice = { payout: { amount: money(150_000) }, alarms: ['row 2: the order holds this line twice'] };
    const twice = sourceOf([resultRow(2, { ...choice, repeats: [{ status: 4, paidAmount: '1500.00' }] })]);
    expect(await beside(twice, 'Everything ties out')).toEqual([
      'NO',
      'The service shows more than was to be paid: KES 1,500.00 too much in 1 row. See the worksheet Exceptions.',
    ]);
    expect(await beside(sourceOf([resultRow(2, choice)]), 'Everything ties out')).toEqual([
      'NO',
      'The service contradicts itself about 1 row. See the worksheet Exceptions, and ask the provider.',
    ]);
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
