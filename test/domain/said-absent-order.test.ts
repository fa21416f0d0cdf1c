/** An order of which a person says that nothing of it arrived. */
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/domain/fact.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import { advance, type OrderPhase, outcomeOfLine } from '../../src/domain/order.ts';
import { answered, claimed, ORDER, observed, report, stateAfter, unknown, ways } from '../support/order-facts.ts';

const saidAbsent = (by = 'amina@desk', at = 90): Fact => ({
  type: 'order-said-absent',
  order: ORDER,
  at,
  by,
  note: 'ticket 4711',
});

describe('a word that nothing of an order arrived', () => {
  test.each<OrderPhase>(['claimed', 'in-doubt'])('stands beside all else that is known of one that is %s', (phase) => {
    const before = stateAfter(...ways[phase]);
    const after = advance(before, saidAbsent());
    expect(after).toEqual({ ...before, saidAbsent: { by: 'amina@desk', at: 90, note: 'ticket 4711' } });
    expect(after.lines.map((line) => outcomeOfLine(after, line))).toEqual(['in-doubt']);
  });

  test.each<OrderPhase>(['planned', 'accepted', 'refused', 'settled'])('is not heard of one that is %s', (phase) => {
    const claim = `an order that is ${phase} can be order-said-absent`;
    expect(() => advance(stateAfter(...ways[phase]), saidAbsent())).toThrow(
      new InvariantError(`This must hold and does not: ${claim}`),
    );
  });

  test('is the last that was said', () => {
    const state = stateAfter(...ways['in-doubt'], saidAbsent(), saidAbsent('grace', 95));
    expect(state.saidAbsent).toMatchObject({ by: 'grace', at: 95 });
  });

  test('is kept while look-ups say "unknown", and is about one submission alone', () => {
    const said = stateAfter(...ways['in-doubt'], saidAbsent(), unknown(100), unknown(110));
    expect(said).toMatchObject({ unknowns: 2, saidAbsent: { by: 'amina@desk' } });
    expect(advance(said, claimed(120))).not.toHaveProperty('saidAbsent');
  });

  test('ends nothing where the service shows the order after all', () => {
    const state = stateAfter(claimed(), answered('ambiguous'), saidAbsent(), observed([report()], true, 100));
    expect(state.lines.map((line) => outcomeOfLine(state, line))).toEqual(['completed']);
  });
});
