import { describe, expect, test } from 'vitest';
import { reconciliationSheet } from '../../src/results/reconciliation.ts';
import { money, resultRow, sourceOf } from '../support/result-rows.ts';
import { sectionTexts, mixedSource as source } from './section-texts.ts';

const { part, beside } = sectionTexts(reconciliationSheet);

describe('the Reconciliation', () => {
  test('ties every figure out against another source', async () => {
    expect(await part(source(), 'Ties out')).toEqual([
      ['Ties out'],
      ['', 'Figure', 'Must equal', 'Difference', 'Ties out', 'What is compared'],
      ['Rows in the sheet', 12, 12, 0, 'yes', 'against rows with an outcome'],
      ['Rows with an outcome', 12, 12, 0, 'yes', 'against rows listed in Results'],
      ['Outcomes of the ledger', 10, 10, 0, 'yes', 'against outcomes counted alike in Results'],
      ['Rows to pay', 10, 10, 0, 'yes', 'against rows planned'],
      ['To pay, set aside and left out', 12, 12, 0, 'yes', 'against rows in the sheet'],
      ['Rows left out', 1, 1, 0, 'yes', 'against rows left out in Results'],
      ['Left out of the total', '512000.00', '512000.00', '0.00', 'yes', 'against left out in Results'],
      ['Planned total', '415000.00', '415000.00', '0.00', 'yes', 'against amounts of all outcomes'],
      ['Planned total', '415000.00', '415000.00', '0.00', 'yes', 'against amounts listed in Results'],
      ['Paid by the ledger', '91000.00', '91000.00', '0.00', 'yes', 'against paid in Results'],
      ['Fees by the ledger', '92.86', '92.86', '0.00', 'yes', 'against fees in Results'],
      ['Rows that the service contradicts', 0, 0, 0, 'yes', 'against none'],
      ['Shown as paid beyond the amounts of the rows', '0.00', '0.00', '0.00', 'yes', 'against nothing'],
    ]);
  });

  test('says NO where one of them does not, and of no other', async () => {
    const ties = await part(source({ total: money(41_500_001) }), 'Ties out');
    const wrong = ties.filter((cells) => cells[4] === 'NO');
    expect(wrong).toEqual([
      ['Planned total', '415000.01', '415000.00', '0.01', 'NO', 'against amounts of all outcomes'],
      ['Planned total', '415000.01', '415000.00', '0.01', 'NO', 'against amounts listed in Results'],
    ]);
  });

  test('holds what was charged against what was quoted, for the rows that were paid alone', async () => {
    expect(await part(source(), 'Charges of what was paid')).toEqual([
      ['Charges of what was paid'],
      ['Type', 'Rows paid', 'Quoted', 'Charged', 'Difference', 'Against the quote'],
      ['Mobile wallet', 1, '33.00', '32.93', '-0.07', 'less than quoted'],
      ['paybill', 1, '60.00', '59.93', '-0.07', 'less than quoted'],
    ]);
    const charged = async (...fees: number[]) => {
      const paid = fees.map((fee, at) => resultRow(at + 2, { charge: money(100), fee: money(fee) }));
      return (await part(sourceOf(paid), 'Charges of what was paid'))[2]?.slice(1);
    };
    expect(await charged(99, 101)).toEqual([2, '2.00', '2.00', '0.00', 'as quoted']);
    expect(await charged(101)).toEqual([1, '1.00', '1.01', '0.01', 'more than quoted']);
    expect(await beside(sourceOf([resultRow(2, { outcome: 'failed' })]), 'Charges of what was paid')).toEqual([]);
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

  test('takes what was paid too much from the wallet', async () => {
    const choice = { payout: { amount: money(150_000) }, alarms: ['row 2: the order holds this line twice'] };
    const twice = sourceOf([resultRow(2, { ...choice, repeats: [{ status: 4, paidAmount: '1500.00' }] })]);
    expect(await beside(twice, 'Paid too much')).toEqual(['1500.00', '1 row, as far as the service shows.']);
    expect((await beside(twice, 'Expected balance after'))[0]).toBe('4996967.07');
  });

  test('speaks of one row as one, and of no open rows not at all', async () => {
    const open = sourceOf([resultRow(2), resultRow(3, { outcome: 'pending' })]);
    const note = '1 row is not final; its fee comes on top.';
    expect(await beside(open, 'If all open rows are paid')).toEqual(['4969962.07', note]);
    expect(await beside(sourceOf([resultRow(2)]), 'If all open rows are paid')).toEqual([]);
  });
});
