import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/domain/fact.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import { advance, openAlarms, outcomeOfLine } from '../../src/domain/order.ts';
import { amountIn } from '../support/amounts.ts';
import {
  alarmed,
  answered,
  claimed,
  ORDER,
  observed,
  planned,
  refused,
  report,
  resolved,
  stateAfter,
  traceOf,
} from '../support/order-facts.ts';

const retried: Fact = {
  type: 'order-retried',
  order: ORDER,
  at: 90,
  trace: traceOf(2),
  replacedBy: 'the next' as OrderId,
};

const failures: readonly [string, readonly Fact[]][] = [
  ['rejected', [claimed(), observed([report(7)])]],
  ['failed', [claimed(), observed([report(5, { resultCode: '6' })])]],
  ['refused', [claimed(), answered('refused'), { type: 'order-unknown', order: ORDER, at: 30 }, refused()]],
  ['resolved as not paid', [claimed(), answered('ambiguous'), resolved(false)]],
];

describe('an order whose line is tried again', () => {
  test.each(failures)('was %s, and stays what it was', (_, facts) => {
    const before = stateAfter(...facts);
    const after = advance(before, retried);
    expect(after.phase).toBe(before.phase);
    expect(after.lines.map((line) => [outcomeOfLine(after, line), line.replacedBy])).toEqual(
      before.lines.map((line) => [outcomeOfLine(before, line), 'the next']),
    );
    expect(() => advance(after, retried)).toThrow(InvariantError);
  });

  test.each(failures)('was %s, and is an alarm when it is completed after all', (_, facts) => {
    const late = advance(stateAfter(...facts, retried), observed([report()]));
    expect(openAlarms(late)).toHaveLength(1);
  });

  test.each<[string, readonly Fact[]]>([
    ['unsent', [planned()]],
    ['in doubt', [claimed(), answered('ambiguous')]],
    ['pending', [claimed(), answered('accepted')]],
    ['timed out', [claimed(), observed([report(8)])]],
    ['completed', [claimed(), observed([report()])]],
    ['resolved as paid', [claimed(), resolved(true)]],
    ['rejected, with an alarm', [claimed(), observed([report(7)]), alarmed()]],
  ])('is never one that is %s', (_, facts) => {
    expect(() => stateAfter(...facts, retried)).toThrow(InvariantError);
  });
});

test('the line that is tried again is the one of its trace number, and no other', () => {
  const rejected = (row: number) => report(7, { trace: traceOf(row) });
  const two = stateAfter(planned([5, 2]), claimed(), observed([rejected(5), rejected(2)]));
  expect(advance(two, retried).lines.map(({ row, replacedBy }) => [row, replacedBy])).toEqual([
    [5, undefined],
    [2, 'the next'],
  ]);
  const other: Fact = { ...retried, trace: traceOf(9) } as Fact;
  expect(() => advance(two, other)).toThrow(InvariantError);
});

describe('the line of another attempt', () => {
  const again: Fact = {
    type: 'order-planned',
    order: ORDER,
    at: 1,
    submission: 'payment-order',
    attempt: 2,
    lines: [{ trace: traceOf(2), row: 2, amount: amountIn('1500'), replaces: 'the first' as OrderId }],
  };

  test.each<[string, readonly Fact[]]>([
    ['planned', []],
    ['rejected', [claimed(), observed([report(7)])]],
    ['timed out', [claimed(), observed([report(8)])]],
  ])('that is %s may be paid by the attempt before, as a person says', (_, facts) => {
    const state = stateAfter(again, ...facts, resolved(true));
    expect(state.lines.map((line) => outcomeOfLine(state, line))).toEqual(['completed']);
    expect(openAlarms(advance(state, observed([report(7)])))).toEqual([]);
  });

  test('that the service completed was paid, whatever a person says', () => {
    expect(() => stateAfter(again, claimed(), observed([report()]), resolved(false))).toThrow(InvariantError);
  });
});
