/** An order of which a later batch holds a payment: nothing of it is sent any more, and what was sent is still heard. */
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/domain/fact.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import { advance, isSuperseded, type OrderPhase, outcomeOfLine } from '../../src/domain/order.ts';
import {
  answered,
  claimed,
  ORDER,
  observed,
  planned,
  report,
  stateAfter,
  traceOf,
  unknown,
  ways,
} from '../support/order-facts.ts';

const superseded = (rows: readonly number[] = [2], by = 'december'): Fact => ({
  type: 'order-superseded',
  order: ORDER,
  at: 90,
  traces: rows.map(traceOf),
  by: by as BatchId,
});

describe('an order that was superseded', () => {
  test.each(Object.keys(ways) as OrderPhase[])('stays %s, and names the batch that holds its payment', (phase) => {
    const before = stateAfter(...ways[phase]);
    const after = advance(before, superseded());
    expect(after).toEqual({ ...before, lines: before.lines.map((line) => ({ ...line, supersededBy: 'december' })) });
    expect(after.lines.map((line) => outcomeOfLine(after, line))).toEqual(
      before.lines.map((line) => outcomeOfLine(before, line)),
    );
    expect([isSuperseded(before), isSuperseded(after)]).toEqual([false, true]);
  });

  test.each<[string, readonly Fact[]]>([
    ['for the first time', []],
    ['again after a crash', [claimed()]],
    ['again when it never left', [claimed(), answered('not-sent')]],
    ['again when it is proven absent', [claimed(), answered('ambiguous'), unknown(), unknown(40)]],
  ])('is never claimed %s', (_, facts) => {
    const state = stateAfter(...facts);
    expect(advance(state, claimed(100)).phase).toBe('claimed');
    expect(() => advance(advance(state, superseded()), claimed(100))).toThrow(/superseded is never claimed/);
  });

  test('is followed: what the service says of it counts as of any other', () => {
    const late = [claimed(), superseded(), answered('accepted', 100), observed([report()], true, 110)];
    const paid = stateAfter(...late);
    expect(paid.lines.map((line) => outcomeOfLine(paid, line))).toEqual(['completed']);
    expect(paid.alarms).toEqual([]);
    const found = stateAfter(superseded(), observed([report(7)], true, 110));
    expect(found.lines.map((line) => outcomeOfLine(found, line))).toEqual(['rejected']);
    expect(isSuperseded(found)).toBe(true);
  });

  test('was so by the latest batch that holds each of its payments, and goes as a whole or not at all', () => {
    const order = stateAfter(planned([2, 3, 4]), superseded([2, 3]), superseded([3], 'bonus'));
    expect(order.lines.map(({ supersededBy }) => supersededBy)).toEqual(['december', 'bonus', undefined]);
    expect(() => advance(order, claimed())).toThrow(InvariantError);
  });

  test('was planned, and has every line that is meant', () => {
    expect(() => advance(undefined, superseded())).toThrow(InvariantError);
    expect(() => stateAfter(planned([2, 3]), superseded([2, 9]))).toThrow(InvariantError);
  });
});
