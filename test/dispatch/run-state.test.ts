import { describe, expect, test } from 'vitest';
import { advanceRun, progressOf, type RunState, startOfRun } from '../../src/dispatch/run-state.ts';
import type { Tally } from '../../src/domain/batch.ts';
import type { LineState, OrderState } from '../../src/domain/order.ts';
import { type Outcome, outcomes } from '../../src/domain/outcome.ts';
import { kes } from '../support/amounts.ts';
import { claimedOrder } from './claimed-order.ts';

const runOf = (tallies: readonly Tally[]): RunState => startOfRun(tallies, 16, true);
const recorded = (state: RunState, before: OrderState, after: OrderState): RunState =>
  advanceRun(state, { type: 'recorded', move: [before, after] });

describe('the counts of a run', () => {
  const tally = (outcome: Outcome, count: number) => ({ outcome, count, amount: kes(0n), fees: kes(0n) });

  test('begin with what the ledger counts', () => {
    const state = runOf(outcomes.map((outcome, index) => tally(outcome, index + 1)));
    const { done, of: payable, waiting, counts } = progressOf(state);
    expect(counts['completed']).toBe(1 + outcomes.indexOf('completed'));
    expect(payable).toBe(outcomes.reduce((sum, _, index) => sum + index + 1, 0) - counts.invalid);
    expect(waiting).toBe(counts.pending + counts['in-doubt']);
    expect(done).toBe(payable - waiting - counts.unsent);
  });

  test('move every line of an order from its outcome to the next', () => {
    const amount = kes(700n);
    const lines = (phase: string) =>
      [
        { phase, amount },
        { phase: 'open', amount },
      ] as unknown as LineState[];
    let state = runOf([{ ...tally('unsent', 3), amount: kes(2_100n) }, tally('failed', 4)]);
    expect(state.unsentMinor).toBe(2_100n);
    const planned = claimedOrder('o', { phase: 'planned', lines: lines('open') });
    const accepted = claimedOrder('o', { phase: 'accepted', lines: lines('completed') });
    state = recorded(state, planned, accepted);
    expect(state.outcomes).toMatchObject({ unsent: 1, completed: 1, pending: 1 });
    expect(state.unsentMinor).toBe(700n);
    state = recorded(state, accepted, { ...accepted, overdue: true });
    expect(state.outcomes).toMatchObject({ completed: 1, pending: 0, 'in-doubt': 1 });
    expect(progressOf(state).of).toBe(7);
    expect(state.outcomesAtStart).toMatchObject({ unsent: 3, completed: 0, failed: 4 });
  });

  test('tell how many of the unsent rows may be sent, whatever becomes of those that a later batch holds', () => {
    const amount = kes(700n);
    const line = { phase: 'open', amount, supersededBy: 'december' } as unknown as LineState;
    let state = runOf([
      { ...tally('unsent', 5), superseded: 2 },
      { ...tally('in-doubt', 1), superseded: 1 },
    ]);
    expect(state.outcomes.unsent - state.unsentSuperseded).toBe(3);
    const held = claimedOrder('o', { phase: 'planned', lines: [line] });
    // A ledger in doubt found it with the service.
    state = recorded(state, held, claimedOrder('o', { phase: 'accepted', lines: [line] }));
    expect([state.outcomes.unsent, state.outcomes.unsent - state.unsentSuperseded]).toEqual([4, 3]);
    const other = claimedOrder('p', { phase: 'planned', lines: [{ phase: 'open', amount } as unknown as LineState] });
    state = recorded(state, other, claimedOrder('p', { phase: 'claimed', lines: other.lines }));
    expect([state.outcomes.unsent, state.outcomes.unsent - state.unsentSuperseded]).toEqual([3, 2]);
  });
});
