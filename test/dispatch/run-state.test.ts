import { describe, expect, test } from 'vitest';
import { closedCircuit } from '../../src/dispatch/circuit-breaker.ts';
import {
  advanceRun,
  claimOf,
  type Happening,
  lostIn,
  progressOf,
  type RunState,
  startOfRun,
} from '../../src/dispatch/run-state.ts';
import type { Tally } from '../../src/domain/batch.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { LineState, OrderState } from '../../src/domain/order.ts';
import { type Outcome, outcomes } from '../../src/domain/outcome.ts';
import { kes } from '../support/amounts.ts';
import { stored } from './admitted-orders.ts';
import { claimedOrder } from './claimed-order.ts';

const runOf = (tallies: readonly Tally[]): RunState => startOfRun(tallies, 16, true);
const recorded = (state: RunState, before: OrderState, after: OrderState): RunState =>
  advanceRun(state, { type: 'recorded', move: [before, after] });

describe('the counts of a run', () => {
  const tally = (outcome: Outcome, count: number) => ({ outcome, count, amount: kes(0n), fees: kes(0n) });

  test('begin with what the ledger counts', () => {
    const state = runOf(outcomes.map((outcome, index) => tally(outcome, index + 1)));
    const { done, of: payable, waiting, counts } = progressOf(state, 0);
    expect(counts['completed']).toBe(1 + outcomes.indexOf('completed'));
    const all = outcomes.reduce((sum, _, index) => sum + index + 1, 0);
    expect(payable).toBe(all - counts.invalid - counts['left-out']);
    expect(waiting).toBe(counts.pending + counts['in-doubt']);
    expect(done).toBe(payable - waiting - counts.unsent - counts['timed-out']);
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
    expect(progressOf(state, 0)).toMatchObject({ paid: kes(700n), failed: 4 });
    state = recorded(state, accepted, { ...accepted, overdue: true });
    expect(state.outcomes).toMatchObject({ completed: 1, pending: 0, 'in-doubt': 1 });
    expect(progressOf(state, 0).of).toBe(7);
    expect(state.outcomesAtStart).toMatchObject({ unsent: 3, completed: 0, failed: 4 });
  });

  test('tell what was paid and what failed, and count neither a time-out nor an open row among them', () => {
    const state = runOf([
      { ...tally('completed', 2), amount: kes(300n) },
      { ...tally('failed', 4), amount: kes(5_000n) },
      { ...tally('timed-out', 8), amount: kes(70_000n) },
    ]);
    expect(progressOf(state, 0)).toMatchObject({ paid: kes(300n), failed: 4 });
    expect(progressOf(runOf([]), 0)).not.toHaveProperty('paid');
  });

  test('leave a row with the order that pays it now, and not with the attempt before', () => {
    const amount = kes(700n);
    const line = (rest: object) => ({ phase: 'open', amount, ...rest }) as unknown as LineState;
    const before = claimedOrder('o', { phase: 'accepted', lines: [line({}), line({ replacedBy: 'p' })] });
    const state = recorded(runOf([tally('pending', 2)]), before, { ...before, overdue: true });
    expect(state.outcomes).toMatchObject({ pending: 1, 'in-doubt': 1 });
  });

  test('take as lost what ended without payment, and what timed out', () => {
    const counts = { rejected: 1, refused: 2, failed: 4, 'timed-out': 8, completed: 16, pending: 32, 'in-doubt': 64 };
    expect(lostIn({ ...runOf([]).outcomes, ...counts })).toBe(15);
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
    // A ledger in recovery found it with the service.
    state = recorded(state, held, claimedOrder('o', { phase: 'accepted', lines: [line] }));
    expect([state.outcomes.unsent, state.outcomes.unsent - state.unsentSuperseded]).toEqual([4, 3]);
    const other = claimedOrder('p', { phase: 'planned', lines: [{ phase: 'open', amount } as unknown as LineState] });
    state = recorded(state, other, claimedOrder('p', { phase: 'claimed', lines: other.lines }));
    expect([state.outcomes.unsent, state.outcomes.unsent - state.unsentSuperseded]).toEqual([3, 2]);
  });
});

describe('what happened in a run', () => {
  const start = runOf([
    { outcome: 'unsent', count: 9, amount: kes(900n), fees: kes(0n) },
    { outcome: 'pending', count: 1, amount: kes(100n), fees: kes(0n) },
  ]);
  const stateAfter = (...happenings: readonly Happening[]): RunState => happenings.reduce(advanceRun, start);
  const [first, second] = [stored('o1'), stored('o2')];
  const chosen = (isTrial = false): Happening => ({ type: 'chosen', orders: [first.state, second.state], isTrial });

  test('leaves the value before as it was: each moves a copy', () => {
    const before = structuredClone(start);
    const move = [first.state, { ...first.state, phase: 'accepted' }] as const;
    const happenings: readonly Happening[] = [
      chosen(true),
      claimOf([first, second], [second]),
      { type: 'submission-ended', order: first.state.id },
      { type: 'landed', order: first.state.id },
      { type: 'recorded', move },
      { type: 'sending-ended' },
      { type: 'first-payments-through' },
      { type: 'rested', isIdle: true },
      { type: 'wallet-asked', atMs: 5 },
      { type: 'wallet-compared', shortfall: { balance: kes(1n), needed: kes(2n) } },
      { type: 'charged-above', by: kes(3n) },
    ];
    happenings.reduce(advanceRun, start);
    expect(start).toEqual(before);
  });

  test('chosen orders of which none could be claimed are put down together; the others leave one by one', () => {
    const none = advanceRun(stateAfter(chosen()), claimOf([first, second], []));
    expect([none.inFlight.size, none.claimingRows]).toEqual([0, 0]);
    const one = advanceRun(stateAfter(chosen()), claimOf([first, second], [first]));
    expect([one.inFlight.size, one.claimingRows]).toEqual([2, 0]);
  });

  test('other senders leave this one its part', () => {
    const shared = stateAfter({ type: 'shared', senders: 4, concurrency: 4 });
    expect(shared).toMatchObject({ senders: 4, service: { concurrency: 4, concurrencyMax: 4 } });
    const alone = advanceRun(shared, { type: 'shared', senders: 1, concurrency: 16 });
    expect(alone).toMatchObject({ senders: 1, service: { concurrency: 4, concurrencyMax: 16 } });
  });

  test('chosen orders are in hand, one by one, until each is put down', () => {
    const both = stateAfter(chosen());
    const one = advanceRun(both, { type: 'landed', order: second.state.id });
    const inFlight = ({ inFlight: set }: RunState) => [set.size, set.has(first.state.id), set.has(second.state.id)];
    expect([both, one].map(inFlight)).toEqual([
      [2, true, true],
      [1, true, false],
    ]);
  });

  test('rows that are being claimed count until their claim is on disk, also where it came to nothing', () => {
    expect(stateAfter(chosen()).claimingRows).toBe(2);
    const claimed = { ...first, state: { ...first.state, phase: 'claimed', posts: 1 } } as const;
    const one = stateAfter(chosen(), claimOf([first, second], [claimed]));
    expect(one.claimingRows).toBe(0);
    expect(one.outcomes).toMatchObject({ unsent: 8, 'in-doubt': 1 });
    expect(stateAfter(chosen(), claimOf([first, second], [])).outcomes).toEqual(start.outcomes);
  });

  test('only an order that goes alone is out as a trial, until its own submission ends', () => {
    expect(stateAfter(chosen()).service.trial).toBeUndefined();
    expect(stateAfter(chosen(true)).service.trial).toBe('o1');
    const ended = (order: OrderId): Happening => ({ type: 'submission-ended', order });
    expect(stateAfter(chosen(true), ended(second.state.id)).service.trial).toBe('o1');
    expect(stateAfter(chosen(true), ended(first.state.id)).service).toEqual(start.service);
  });

  test('who may not submit never sends; who may does so until it is over, and again where it begins anew', () => {
    expect(startOfRun([], 16, false).isSending).toBe(false);
    const over = stateAfter({ type: 'sending-ended' });
    expect([start.isSending, over.isSending]).toEqual([true, false]);
    expect(advanceRun(over, { type: 'sending-began' }).isSending).toBe(true);
  });

  test('a run that rests is idle until something is chosen, or is to be looked at', () => {
    const idle = stateAfter({ type: 'rested', isIdle: true });
    expect(idle.isIdle).toBe(true);
    expect(advanceRun(idle, chosen()).isIdle).toBe(false);
    expect(advanceRun(idle, { type: 'woken' }).isIdle).toBe(false);
    expect(advanceRun(idle, { type: 'rested', isIdle: false }).isIdle).toBe(false);
  });

  test('the others follow when the first payments are through, and not before', () => {
    expect(start.hasBegun).toBe(false);
    expect(stateAfter({ type: 'first-payments-through' })).toEqual({ ...start, hasBegun: true });
  });

  test('a wallet that suffices again is not short any more', () => {
    const shortfall = { balance: kes(1n), needed: kes(2n) };
    const asked = stateAfter({ type: 'wallet-asked', atMs: 7 });
    expect(asked).toMatchObject({ walletReadAtMs: 7, unsentThen: 9 });
    const short = advanceRun(asked, { type: 'wallet-compared', shortfall });
    expect(short.shortfall).toEqual(shortfall);
    expect(advanceRun(short, { type: 'wallet-compared', shortfall: undefined })).toEqual(asked);
  });

  test('what is charged above the quotes adds up, row by row', () => {
    const above = (minor: bigint): Happening => ({ type: 'charged-above', by: kes(minor) });
    expect(stateAfter(above(3n), above(4n))).toMatchObject({ chargedAbove: kes(7n), rowsChargedAbove: 2 });
  });
});

/** How a run stands with so many rows pending and not sent. */
const runWith = (pending: number, unsent: number, more: Partial<RunState> = {}): RunState => ({
  ...startOfRun(
    [
      { outcome: 'pending', count: pending, amount: kes(100n), fees: kes(0n) },
      { outcome: 'unsent', count: unsent, amount: kes(100n), fees: kes(0n) },
    ],
    16,
    true,
  ),
  ...more,
});

test('a run tells what it waits for: its first payments, then the service, then the last word on each row', () => {
  const now = 1_020_000;
  const until = 1_906_000;
  const order = claimedOrder('o', { phase: 'accepted' });
  const followed = (state: RunState, followedUntil?: number): RunState =>
    advanceRun(state, { type: 'recorded', move: [order, order], followedUntil });
  const awaitedIn = (state: RunState) => progressOf(state, now).awaits;
  const sent = { hasBegun: true, isSending: false };
  expect(awaitedIn(followed(runWith(3, 9), until))).toEqual({ for: 'first-payments', until });
  expect(awaitedIn(followed(runWith(3, 0, sent), until))).toEqual({ for: 'final-words', until });
  // What was sent before is followed no longer than what was sent last.
  const later = followed(runWith(2, 0, sent), until);
  expect(awaitedIn(followed(later, until - 1))).toEqual({ for: 'final-words', until });
  expect(awaitedIn(followed(later))).toEqual({ for: 'final-words', until });
  expect(awaitedIn(followed(runWith(2, 0, sent), now))).toEqual({ for: 'final-words' });
  expect(awaitedIn(followed(runWith(0, 0), until))).toBeUndefined();
  // With nothing left to send, or nothing that may be sent, only the last words are waited for.
  expect(awaitedIn(followed(runWith(3, 0), until))).toEqual({ for: 'final-words', until });
  expect(awaitedIn(followed(runWith(3, 9, { isSending: false }), until))).toEqual({ for: 'final-words', until });
  expect(awaitedIn(followed(runWith(3, 9, { hasBegun: true }), until))).toEqual({ for: 'final-words', until });
  const trouble = { unread: 9, throttled: 0, unreached: 0 };
  const service = { ...closedCircuit(16), trouble } as never; // as much as the circuit asks of it
  const pausedWith = (waiting: number, unsent: number, more: Partial<RunState> = {}) =>
    awaitedIn(advanceRun(runWith(waiting, unsent, { service, ...more }), { type: 'paused', until: now + 15_000 }));
  expect(pausedWith(0, 9)).toEqual({ for: 'service', until: now + 15_000 });
  expect(pausedWith(0, 0)).toBeUndefined();
  expect(pausedWith(1, 0)).toEqual({ for: 'final-words' });
  expect(pausedWith(1, 9, { isSending: false })).toEqual({ for: 'final-words' });
});
