/** How often a run enters recovery, since when, and whom it tells. */
import { beforeEach, describe, expect, test } from 'vitest';
import { behindNotice, notAbsentNotice, sightingNotice } from '../../src/dispatch/stop-reasons.ts';
import { Trust } from '../../src/dispatch/trust.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import type { Client } from '../../src/service/client/client.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { policy } from './doubted-order.ts';

const BEGAN = 1_000_000;
const QUIET_MS = policy.inDoubt.quietMs;

let clock: FakeClock;
let told: RunEvent[];
/** How often the ledger was told, and what people had been told by then. */
let suspected: number[];
beforeEach(() => {
  clock = new FakeClock(BEGAN);
  told = [];
  suspected = [];
});

/** When the latest recovery was left, as decisions go by it. */
const recoveredAt = (trust: Trust) => trust.policy({ isSending: false, hasBegun: true }).recoveredAt;

function trustFrom(lookFirst: boolean): Trust {
  const { polling, inDoubt } = policy;
  const settings = {
    sending: { concurrency: 1, ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 1 },
    polling,
    inDoubt,
  };
  const suspect = async (): Promise<void> => void suspected.push(told.length);
  const client = { knows: () => true } as unknown as Client;
  const deps = {
    ledger: { suspect },
    client,
    clock,
    emit: (event: RunEvent) => told.push(event),
    isOther: () => undefined,
  };
  return new Trust({ lookFirst, settings }, deps, { wall: clock, asksEach: false });
}

describe('a run that trusts its ledger', () => {
  test('has no doubt, and none that was dealt with', () => {
    const trust = trustFrom(false);
    expect([trust.recoveries, trust.recoveryAt, recoveredAt(trust)]).toEqual([0, undefined, 0]);
  });

  test('tells people and the ledger when a doubt arises, and knows since when', async () => {
    const trust = trustFrom(false);
    await clock.pass(700);
    await trust.enterRecovery();
    expect(trust.recoveries).toBe(1);
    expect(trust.recoveryAt).toBe(BEGAN + 700);
    expect(told).toEqual([behindNotice]);
    expect(suspected).toEqual([1]);
  });

  test('tells it once, and counts each doubt anew from when it arose', async () => {
    const trust = trustFrom(false);
    await trust.enterRecovery();
    await clock.pass(900);
    await trust.enterRecovery();
    expect(trust.recoveries).toBe(2);
    expect(trust.recoveryAt).toBe(BEGAN + 900);
    expect(told).toHaveLength(1);
    expect(suspected).toHaveLength(1);
  });
});

describe('an order that the service holds already though it left once', () => {
  test('is a doubt that is told, once until it is dealt with', async () => {
    const trust = trustFrom(false);
    await trust.enterRecovery('held');
    await trust.enterRecovery('held');
    expect(told).toEqual([sightingNotice(QUIET_MS)]);
    expect([trust.recoveries, trust.isSighted, suspected.length]).toEqual([2, true, 0]);
    trust.leaveRecovery();
    expect(trust.isSighted).toBe(false);
    await trust.enterRecovery('held');
    expect(told).toHaveLength(2);
  });

  test('is told to the ledger once the service shows what was never sent from here', async () => {
    const trust = trustFrom(false);
    await trust.enterRecovery('held');
    expect(suspected).toEqual([]);
    await trust.confirm();
    await trust.enterRecovery('turned-up');
    expect(told.slice(1)).toEqual([behindNotice]);
    expect(suspected).toHaveLength(1);
  });

  test('is a sign that somebody else sends now, as is one that turns up, and not one that is found', async () => {
    const trust = trustFrom(true);
    await trust.enterRecovery();
    expect(trust.hasMet).toBe(false);
    await trust.enterRecovery('held');
    expect(trust.hasMet).toBe(true);
    const others = trustFrom(true);
    await others.enterRecovery('turned-up');
    expect(others.hasMet).toBe(true);
  });

  test('is no sign where what was proven absent is held: it may be shown late, and the ledger knows of it', async () => {
    const trust = trustFrom(false);
    await trust.enterRecovery('not-absent');
    expect(trust.hasMet).toBe(false);
    expect(told).toEqual([notAbsentNotice(QUIET_MS)]);
    expect(suspected).toEqual([]);
  });
});

describe('a run that doubts its ledger from the start', () => {
  test('has one doubt, of before it began', () => {
    const trust = trustFrom(true);
    expect(trust.recoveries).toBe(1);
    expect(trust.recoveryAt).toBeUndefined();
  });

  test('tells nobody again when another doubt arises', async () => {
    const trust = trustFrom(true);
    await trust.enterRecovery();
    expect(trust.recoveries).toBe(2);
    expect(trust.recoveryAt).toBe(BEGAN);
    expect(told).toEqual([]);
    expect(suspected).toEqual([]);
  });

  test('knows when all was asked for, the last time', async () => {
    const trust = trustFrom(true);
    trust.leaveRecovery();
    expect(recoveredAt(trust)).toBe(BEGAN);
    await clock.pass(60);
    trust.leaveRecovery();
    expect(recoveredAt(trust)).toBe(BEGAN + 60);
    expect(trust.recoveries).toBe(1);
  });
});
