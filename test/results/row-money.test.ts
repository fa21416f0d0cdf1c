import { describe, expect, test } from 'vitest';
import type { ResultRow } from '../../src/domain/batch.ts';
import type { LinePhase } from '../../src/domain/order.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import { completedAt, debitOf, feeOf, isByHand, receiptOf } from '../../src/results/row-money.ts';
import { BATCH_TIME, money, resultRow } from '../support/result-rows.ts';

/** A row that a person resolved, whatever the service says of its line; a receipt of the service's own only where it paid. */
function byHand(outcome: Outcome, phase: LinePhase, receipt?: string): ResultRow {
  const { line, ...row } = resultRow(2, { outcome, report: { feeAmount: '12.5', date: '2026-11-21T05:59:01Z' } });
  const resolved = { paid: outcome === 'completed', by: 'Jane', at: 1, alarms: 0, ...(receipt && { receipt }) };
  const { receipt: _, ...withoutReceipt } = line?.report ?? ({} as never);
  const report = phase === 'completed' ? line?.report : withoutReceipt;
  return { ...row, ...(line && report && { line: { ...line, phase, resolved, report } }) };
}

describe('the fee of a row', () => {
  test('is what the service reported for a paid row, zero included', () => {
    expect(feeOf(resultRow(2))).toEqual(money(3293));
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
    ['with an offset without its colon', '2026-11-21T08:59:01+0300', Date.UTC(2026, 10, 21, 5, 59, 1)],
    ['without seconds', '2026-11-21T08:59+03:00', Date.UTC(2026, 10, 21, 5, 59)],
    ['with milliseconds', '2026-11-21T08:59:01.250Z', Date.UTC(2026, 10, 21, 8, 59, 1, 250)],
    ['with words before it', 'on 2026-11-21T08:59:01Z', BATCH_TIME + 2000],
    ['with words after it', '2026-11-21T08:59:01Z (late)', BATCH_TIME + 2000],
    ['with a year of six digits', '+002026-11-21T08:59:01Z', BATCH_TIME + 2000],
    ['that is empty', '', BATCH_TIME + 2000],
    ['that is no date', '2026-13-41T08:59:01Z', BATCH_TIME + 2000],
  ])('by a service date %s is %#', (_, date, time) => {
    expect(completedAt(resultRow(2, { report: { date } }))).toBe(time);
  });

  test('is when its word was read, where nobody kept what that was', () => {
    const { line, ...row } = resultRow(2);
    const { report: _, ...silent } = line ?? ({} as never);
    expect(completedAt({ ...row, line: silent })).toBe(BATCH_TIME + 2000);
    expect(completedAt(row)).toBeUndefined();
  });

  test('is empty for a row that is not completed', () => {
    expect(completedAt(resultRow(2, { outcome: 'timed-out' }))).toBeUndefined();
  });
});

describe("a person's word on a row", () => {
  test.each<[Outcome, LinePhase, boolean]>([
    ['completed', 'open', true],
    ['completed', 'timed-out', true],
    ['completed', 'failed', true],
    ['completed', 'completed', false],
    ['failed', 'open', true],
    ['failed', 'timed-out', true],
    ['failed', 'failed', false],
    ['rejected', 'rejected', false],
  ])('makes it %s over a line that is %s: %s', (outcome, phase, isTheirs) => {
    expect(isByHand(byHand(outcome, phase))).toBe(isTheirs);
  });

  test('is none where nobody spoke, or nothing was sent', () => {
    expect(isByHand(resultRow(2, { outcome: 'failed' }))).toBe(false);
    expect(isByHand(resultRow(2, { outcome: 'unsent' }))).toBe(false);
    expect(isByHand(resultRow(2, { outcome: 'invalid' }))).toBe(false);
  });

  test('tells neither a fee nor a time, and takes the amount alone from the wallet', () => {
    expect(feeOf(byHand('completed', 'timed-out'))).toBeUndefined();
    expect(completedAt(byHand('completed', 'timed-out'))).toBeUndefined();
    expect(debitOf(byHand('completed', 'timed-out'))).toEqual(money(1_500_200));
    expect(feeOf(byHand('completed', 'completed'))).toEqual(money(1250));
    expect(debitOf(byHand('completed', 'completed'))).toEqual(money(1_501_450));
    expect(completedAt(byHand('completed', 'completed'))).toBe(Date.UTC(2026, 10, 21, 5, 59, 1));
  });

  test('gives the receipt where the service has none', () => {
    expect(receiptOf(byHand('completed', 'timed-out', 'HAND-1'))).toBe('HAND-1');
    expect(receiptOf(byHand('completed', 'completed', 'HAND-1'))).toBe('TKQ0000002');
    expect(receiptOf(resultRow(2, { outcome: 'unsent' }))).toBeUndefined();
    expect(receiptOf(resultRow(2, { outcome: 'in-doubt' }))).toBeUndefined();
  });
});

test('a row that was set aside, or not sent, took nothing from the wallet', () => {
  expect(debitOf(resultRow(2, { outcome: 'invalid' }))).toBeUndefined();
  expect(debitOf(resultRow(2, { outcome: 'unsent' }))).toBeUndefined();
  expect(receiptOf(resultRow(2, { outcome: 'invalid' }))).toBeUndefined();
});
