import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/domain/fact.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import { advance, isResolved, type OrderState, openAlarms, outcomeOfLine } from '../../src/domain/order.ts';
import {
  alarmed,
  answered,
  claimed,
  observed,
  planned,
  refused,
  report,
  resolved,
  stateAfter,
  traceOf,
} from '../support/order-facts.ts';

const doubted = [claimed(), answered('ambiguous')];
const timedOut = [claimed(), answered('accepted'), observed([report(8)])];

const outcomes = (state: OrderState): readonly string[] => state.lines.map((line) => outcomeOfLine(state, line));

describe('a word by hand', () => {
  test.each<[string, readonly Fact[]]>([
    ['an order in doubt', doubted],
    ['an order that was claimed', [claimed()]],
    ['an order that timed out', timedOut],
    ['an order that was accepted', [claimed(), answered('accepted')]],
    ['a planned order with an alarm', [planned(), alarmed()]],
  ])('settles %s either way, and keeps who said it', (_, before) => {
    const paid = stateAfter(...before, resolved(true));
    expect([paid.phase, ...outcomes(paid)]).toEqual(['settled', 'completed']);
    expect(paid.lines[0]?.resolved).toMatchObject({ paid: true, by: 'amina@desk', receipt: 'QK1', at: 80 });
    const unpaid = stateAfter(...before, resolved(false));
    expect([unpaid.phase, ...outcomes(unpaid)]).toEqual(['settled', 'failed']);
  });

  test('may be put right while the service has no final word', () => {
    expect(outcomes(stateAfter(...doubted, resolved(true), resolved(false)))).toEqual(['failed']);
  });

  test.each<[string, readonly Fact[], boolean]>([
    ['not paid, against completed', [claimed(), observed([report()])], false],
    ['paid, against rejected', [claimed(), observed([report(7)])], true],
    ['paid, against failed', [claimed(), observed([report(5, { resultCode: '6' })])], true],
  ])('never overrides the final word of the service: %s', (_, before, paid) => {
    expect(() => stateAfter(...before, resolved(paid))).toThrow(InvariantError);
  });

  test('is about a line of the order', () => {
    expect(() => stateAfter(...doubted, resolved(true, 3))).toThrow(InvariantError);
  });

  test('on one of two lines leaves the other where it was, and the order is never claimed again', () => {
    const half = stateAfter(planned([2, 3]), ...doubted, resolved(true));
    expect([half.phase, isResolved(half), ...outcomes(half)]).toEqual(['in-doubt', false, 'completed', 'in-doubt']);
    expect(() => advance(half, claimed(90))).toThrow(InvariantError);
    const whole = advance(half, resolved(false, 3));
    expect([whole.phase, isResolved(whole), ...outcomes(whole)]).toEqual(['settled', true, 'completed', 'failed']);
    expect(() => advance(whole, claimed(90))).toThrow(InvariantError);
  });
});

describe('what the service says afterwards', () => {
  test('agrees: its own word counts from then on', () => {
    const state = stateAfter(...doubted, resolved(true), observed([report(4, { feeAmount: '5' })]));
    expect([...outcomes(state), openAlarms(state).length]).toEqual(['completed', 0]);
    expect(state.lines[0]?.phase).toBe('completed');
  });

  test('is not final: nothing changes', () => {
    for (const status of [0, 6, 8]) {
      const state = stateAfter(...doubted, resolved(false), observed([report(status)], false));
      expect([state.phase, ...outcomes(state), openAlarms(state).length]).toEqual(['settled', 'failed', 0]);
    }
  });

  test.each([
    ['processed', true],
    ['not processed', false],
  ])('completed, %s, against not paid: an alarm, and the row is completed', (_, isProcessed) => {
    const state = stateAfter(...doubted, resolved(false), observed([report()], isProcessed));
    expect(outcomes(state)).toEqual(['completed']);
    expect(openAlarms(state)).toEqual([expect.stringContaining('resolved by hand as not paid')]);
  });

  test.each([
    ['rejected', report(7)],
    ['failed', report(5, { resultCode: '6' })],
  ])('%s, against paid: an alarm, and the row is in doubt until a person takes the word back', (phase, said) => {
    const state = stateAfter(...timedOut, resolved(true), observed([said]));
    expect(outcomes(state)).toEqual(['in-doubt']);
    expect(openAlarms(state)).toHaveLength(1);
    const after = advance(state, resolved(false, 2, 100));
    expect([...outcomes(after), openAlarms(after).length]).toEqual([phase, 0]);
  });
});

describe('an alarm', () => {
  const contradicted = [claimed(), observed([report(4, { paidAmount: '1.00' })])];

  test('stands until every line was resolved after it', () => {
    const one = stateAfter(planned([2, 3]), ...doubted, alarmed(), resolved(true));
    expect(openAlarms(one)).toEqual(['another payee']);
    const both = advance(one, resolved(true, 3));
    expect(openAlarms(both)).toEqual([]);
    expect(both.alarms).toEqual(['another payee']);
    expect(openAlarms(advance(both, alarmed('something new', 99)))).toContain('something new');
  });

  test('that was dealt with is no news when the service repeats it, and another one is', () => {
    const dealt = stateAfter(...contradicted, resolved(true));
    expect(openAlarms(dealt)).toEqual([]);
    const again = advance(dealt, observed([report(4, { paidAmount: '1.00' })]));
    expect(openAlarms(again)).toEqual([]);
    expect(openAlarms(advance(again, observed([report(4, { paidAmount: '2.00' })])))).toHaveLength(2);
  });

  test('repeated before anybody dealt with it is kept each time, as it always was', () => {
    expect(stateAfter(...contradicted, ...contradicted.slice(1)).alarms).toHaveLength(2);
  });

  test('is lifted from a refused order too', () => {
    const state = stateAfter(claimed(), answered('refused'), refused(), alarmed(), resolved(false));
    expect([state.phase, ...outcomes(state), openAlarms(state).length]).toEqual(['settled', 'failed', 0]);
    expect(state.lines[0]?.trace).toBe(traceOf(2));
  });
});
