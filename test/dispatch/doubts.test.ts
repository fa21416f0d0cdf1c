/** How often a run doubts its ledger, since when, and whom it tells. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Doubts } from '../../src/dispatch/doubts.ts';
import { behindNotice, sightingNotice } from '../../src/dispatch/stop-reasons.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { FakeClock } from '../support/fake-clock.ts';

const BEGAN = 1_000_000;
const QUIET_MS = 120_000;

let clock: FakeClock;
let told: RunEvent[];
/** How often the ledger was told, and what people had been told by then. */
let suspected: number[];
beforeEach(() => {
  clock = new FakeClock(BEGAN);
  told = [];
  suspected = [];
});

function doubtsFrom(atStart: boolean): Doubts {
  const suspect = async (): Promise<void> => void suspected.push(told.length);
  const ledger = { suspect } as unknown as Ledger;
  return new Doubts(atStart, { ledger, clock, tell: (event) => told.push(event), quietMs: QUIET_MS });
}

describe('a run that trusts its ledger', () => {
  test('has no doubt, and none that was dealt with', () => {
    const { count, since, dealtAt } = doubtsFrom(false);
    expect({ count, since, dealtAt }).toEqual({ count: 0, since: undefined, dealtAt: 0 });
  });

  test('tells people and the ledger when a doubt arises, and knows since when', async () => {
    const doubts = doubtsFrom(false);
    await clock.pass(700);
    await doubts.arise();
    expect(doubts.count).toBe(1);
    expect(doubts.since).toBe(BEGAN + 700);
    expect(told).toEqual([behindNotice]);
    expect(suspected).toEqual([1]);
  });

  test('tells it once, and counts each doubt anew from when it arose', async () => {
    const doubts = doubtsFrom(false);
    await doubts.arise();
    await clock.pass(900);
    await doubts.arise();
    expect(doubts.count).toBe(2);
    expect(doubts.since).toBe(BEGAN + 900);
    expect(told).toHaveLength(1);
    expect(suspected).toHaveLength(1);
  });
});

describe('an order that the service holds already though it left once', () => {
  test('is a doubt that is told, once until it is dealt with', async () => {
    const doubts = doubtsFrom(false);
    await doubts.arise('held');
    await doubts.arise('held');
    expect(told).toEqual([sightingNotice(QUIET_MS)]);
    expect([doubts.count, doubts.isSighted, suspected.length]).toEqual([2, true, 0]);
    doubts.areDealtWith();
    expect(doubts.isSighted).toBe(false);
    await doubts.arise('held');
    expect(told).toHaveLength(2);
  });

  test('is told to the ledger once the service shows what was never sent from here', async () => {
    const doubts = doubtsFrom(false);
    await doubts.arise('held');
    expect(suspected).toEqual([]);
    await doubts.confirm();
    await doubts.arise('turned-up');
    expect(told.slice(1)).toEqual([behindNotice]);
    expect(suspected).toHaveLength(1);
  });

  test('is a sign that somebody else sends now, as is one that turns up, and not one that is found', async () => {
    const doubts = doubtsFrom(true);
    await doubts.arise();
    expect([doubts.hasMet, doubts.found]).toEqual([false, 1]);
    await doubts.arise('held');
    expect([doubts.hasMet, doubts.found]).toEqual([true, 1]);
    const others = doubtsFrom(true);
    await others.arise('turned-up');
    expect([others.hasMet, others.found]).toEqual([true, 1]);
  });
});

describe('a run that doubts its ledger from the start', () => {
  test('has one doubt, of before it began', () => {
    const doubts = doubtsFrom(true);
    expect(doubts.count).toBe(1);
    expect(doubts.since).toBeUndefined();
  });

  test('tells nobody again when another doubt arises', async () => {
    const doubts = doubtsFrom(true);
    await doubts.arise();
    expect(doubts.count).toBe(2);
    expect(doubts.since).toBe(BEGAN);
    expect(told).toEqual([]);
    expect(suspected).toEqual([]);
  });

  test('knows when all was asked for, the last time', async () => {
    const doubts = doubtsFrom(true);
    doubts.areDealtWith();
    expect(doubts.dealtAt).toBe(BEGAN);
    await clock.pass(60);
    doubts.areDealtWith();
    expect(doubts.dealtAt).toBe(BEGAN + 60);
    expect(doubts.count).toBe(1);
  });
});
