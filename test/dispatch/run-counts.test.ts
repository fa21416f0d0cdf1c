import { describe, expect, test } from 'vitest';
import { RunCounts } from '../../src/dispatch/run-counts.ts';
import type { LineState } from '../../src/domain/order.ts';
import { type Outcome, outcomes } from '../../src/domain/outcome.ts';
import { kes } from '../support/amounts.ts';
import { claimedOrder } from './claimed-order.ts';

describe('the runCounts', () => {
  const tally = (outcome: Outcome, count: number) => ({ outcome, count, amount: kes(0n), fees: kes(0n) });

  test('begins with what the ledger counts', () => {
    const board = new RunCounts(outcomes.map((outcome, index) => tally(outcome, index + 1)));
    const { done, payable, waiting, counts } = board;
    expect(counts['completed']).toBe(1 + outcomes.indexOf('completed'));
    expect(payable).toBe(outcomes.reduce((sum, _, index) => sum + index + 1, 0) - counts.invalid);
    expect(waiting).toBe(counts.pending + counts['in-doubt']);
    expect(done).toBe(payable - waiting - counts.unsent);
  });

  test('moves every line of an order from its outcome to the next', () => {
    const amount = kes(700n);
    const lines = (phase: string) =>
      [
        { phase, amount },
        { phase: 'open', amount },
      ] as unknown as LineState[];
    const board = new RunCounts([{ ...tally('unsent', 3), amount: kes(2_100n) }, tally('failed', 4)]);
    expect(board.unsentMinor).toBe(2_100n);
    const planned = claimedOrder('o', { phase: 'planned', lines: lines('open') });
    const accepted = claimedOrder('o', { phase: 'accepted', lines: lines('completed') });
    board.move(planned, accepted);
    expect(board.counts).toMatchObject({ unsent: 1, completed: 1, pending: 1 });
    expect(board.unsentMinor).toBe(700n);
    board.move(accepted, { ...accepted, overdue: true });
    expect(board.counts).toMatchObject({ completed: 1, pending: 0, 'in-doubt': 1 });
    expect(board.payable).toBe(7);
    expect(board.atStart).toMatchObject({ unsent: 3, completed: 0, failed: 4 });
  });

  test('tells how many of the unsent rows may be sent, whatever becomes of those that a later batch holds', () => {
    const amount = kes(700n);
    const line = { phase: 'open', amount, supersededBy: 'december' } as unknown as LineState;
    const board = new RunCounts([
      { ...tally('unsent', 5), superseded: 2 },
      { ...tally('in-doubt', 1), superseded: 1 },
    ]);
    expect(board.toSend).toBe(3);
    const held = claimedOrder('o', { phase: 'planned', lines: [line] });
    // A ledger in doubt found it with the service.
    board.move(held, claimedOrder('o', { phase: 'accepted', lines: [line] }));
    expect([board.counts.unsent, board.toSend]).toEqual([4, 3]);
    const other = claimedOrder('p', { phase: 'planned', lines: [{ phase: 'open', amount } as unknown as LineState] });
    board.move(other, claimedOrder('p', { phase: 'claimed', lines: other.lines }));
    expect([board.counts.unsent, board.toSend]).toEqual([3, 2]);
  });
});
