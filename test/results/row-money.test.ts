import { describe, expect, test } from 'vitest';
import { completedAt, debitOf, feeOf } from '../../src/results/row-money.ts';
import { BATCH_TIME, money, resultRow } from '../support/result-rows.ts';

describe('the fee of a row', () => {
  test('is what the service reported for a paid row, zero included', () => {
    expect(feeOf(resultRow(2))).toEqual(money(3300));
    expect(feeOf(resultRow(2, { report: { feeAmount: '0' } }))).toEqual(money(0));
  });

  test('of a row that was not paid is shown only when something was charged', () => {
    expect(feeOf(resultRow(2, { outcome: 'rejected' }))).toBeUndefined();
    expect(feeOf(resultRow(2, { outcome: 'rejected', report: { feeAmount: '10.5' } }))).toEqual(money(1050));
    expect(debitOf(resultRow(2, { outcome: 'rejected', report: { feeAmount: '10.5' } }))).toEqual(money(1050));
  });

  test('is unknown while the service reported none that is an amount', () => {
    expect(feeOf(resultRow(2, { outcome: 'unsent' }))).toBeUndefined();
    expect(feeOf(resultRow(2, { report: { feeAmount: 'n/a' } }))).toBeUndefined();
    expect(debitOf(resultRow(2, { report: { feeAmount: 'n/a' } }))).toEqual(money(1_500_200));
  });
});

describe('the time of completion', () => {
  test.each([
    ['with Z', '2026-11-21T05:59:01Z', Date.UTC(2026, 10, 21, 5, 59, 1)],
    ['with an offset', '2026-11-21T08:59:01.5+03:00', Date.UTC(2026, 10, 21, 5, 59, 1, 500)],
    ['without a zone', '2026-11-21T08:59:01', BATCH_TIME + 2000],
    ['in another form', '21/11/2026 08:59', BATCH_TIME + 2000],
    ['that is no date', '2026-13-41T08:59:01Z', BATCH_TIME + 2000],
  ])('by a service date %s is %#', (_, date, time) => {
    expect(completedAt(resultRow(2, { report: { date } }))).toBe(time);
  });

  test('is empty for a row that is not completed', () => {
    expect(completedAt(resultRow(2, { outcome: 'timed-out' }))).toBeUndefined();
  });
});
