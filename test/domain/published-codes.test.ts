/** Every published result code beside every status: what becomes of the row, and whether `retry` may pay it again. */
import { describe, expect, test } from 'vitest';
import type { OrderId } from '../../src/domain/ids.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import { advance, type OrderState, outcomeOfLine } from '../../src/domain/order.ts';
import { isDefiniteFailure } from '../../src/domain/outcome.ts';
import { resultCodeTable } from '../../src/domain/result-code.ts';
import { answered, claimed, observed, overdue, report, stateAfter, traceOf } from '../support/order-facts.ts';

/**
 * Written by hand. `!` is an alarm, `+` a row that `retry` may pay again; open: pending until the deadline and in doubt
 * after it. Columns: completed, a number of the service's own, rejected, timed out, pending.
 */
const stated = `
  code  4          5        7          8          0
  0     completed  open     rejected+  timed-out  open
  1     open!      failed+  rejected+  timed-out  open
  2     open!      failed+  rejected+  timed-out  open
  3     open!      open     open       timed-out  open
  4     open!      open     open       timed-out  open
  5     open!      failed+  rejected+  timed-out  open
  6     open!      failed+  rejected+  timed-out  open
  7     open!      failed+  rejected+  timed-out  open
  8     open!      open     open       timed-out  open
  9     open       open     open       open       open
  10    open!      open     open       timed-out  open
  11    open!      open     open       timed-out  open
  12    open!      open     open       timed-out  open
  13    open!      open     open       timed-out  open
  14    open!      open     open       timed-out  open
  15    open!      failed+  rejected+  timed-out  open
  16    open!      open     open       timed-out  open
  17    open!      failed+  rejected+  timed-out  open
  18    open!      failed+  rejected+  timed-out  open
  19    open!      failed+  rejected+  timed-out  open
  20    open!      open     open       timed-out  open
  21    open!      open     open       timed-out  open
  22    open!      open     open       timed-out  open
  999   open!      open     open       timed-out  open
  -1    open!      open     open       timed-out  open
  none  completed  open     rejected+  timed-out  open
`;

const [[, ...statuses] = [], ...rows] = stated
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const cells = rows.flatMap(([code = '', ...words]) =>
  words.map((word, index) => ({ code, status: Number(statuses[index]), word })),
);

const reportOf = (code: string, status: number) => report(status, code === 'none' ? {} : { resultCode: code });
const stateOf = (code: string, status: number): OrderState =>
  stateAfter(claimed(), answered('accepted'), observed([reportOf(code, status)]));
const outcomeOf = (state: OrderState) => state.lines.map((line) => outcomeOfLine(state, line))[0];

function mayBeRetried(state: OrderState): boolean {
  try {
    advance(state, { type: 'order-retried', order: state.id, at: 90, trace: traceOf(2), replacedBy: 'n' as OrderId });
    return true;
  } catch (error) {
    if (error instanceof InvariantError) return false;
    throw error;
  }
}

describe('a result code beside a status', () => {
  test('is in the table, and each of the table is here', () => {
    const codes = [...Object.keys(resultCodeTable), 'none'];
    expect(new Set(cells.map(({ code }) => code))).toEqual(new Set(codes));
    expect(cells.length).toBe(codes.length * 5);
  });

  test.each(cells)('$code beside $status: $word', ({ code, status, word }) => {
    const state = stateOf(code, status);
    const isOpen = word.startsWith('open');
    const [name] = /^[a-z-]+/.exec(word) ?? [];
    expect(outcomeOf(state)).toBe(isOpen ? (word === 'open!' ? 'in-doubt' : 'pending') : name);
    // After the deadline as well, a plain "pending" is a word that can be told.
    const isCalledPending = code === 'none' && status === 0;
    expect(outcomeOf(advance(state, overdue()))).toBe(isOpen ? (isCalledPending ? 'pending' : 'in-doubt') : name);
    expect(state.alarms.length > 0).toBe(word.endsWith('!'));
    expect(mayBeRetried(state)).toBe(word.endsWith('+'));
  });

  test('that is published as "retry with a new id" never has a row paid again unless it is a definite failure', () => {
    // Of these the pages say that a new id may be tried; the first payment is captured, and may still be made.
    for (const code of ['-1', '3', '4', '10', '20', '22', '999']) {
      for (const { status } of cells.filter((cell) => cell.code === code)) {
        const told = stateOf(code, status);
        for (const state of [told, advance(told, overdue()), advance(told, observed([reportOf(code, status)]))]) {
          expect([code, status, isDefiniteFailure(outcomeOf(state) ?? 'completed')]).toEqual([code, status, false]);
          expect(mayBeRetried(state)).toBe(false);
        }
      }
    }
  });
});
