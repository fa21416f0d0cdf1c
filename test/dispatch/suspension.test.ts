/** A run beside which time passes: the steady clock of the run, and the machine's own, which goes on in a sleep. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Suspension } from '../../src/dispatch/suspension.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { FakeClock } from '../support/fake-clock.ts';

const QUIET_MS = 120_000;
const LONG_MS = QUIET_MS / 2;
const BEGAN = 1_000_000;
const [early, late, other] = ['early', 'late', 'other'] as OrderId[] as [OrderId, OrderId, OrderId];

let steady: FakeClock;
let wall: FakeClock;
let suspension: Suspension;
beforeEach(() => {
  steady = new FakeClock(BEGAN);
  wall = new FakeClock(BEGAN);
  suspension = new Suspension({ steady, wall, quietMs: QUIET_MS });
});

const pass = async (ms: number): Promise<void> => {
  await steady.pass(ms);
  await wall.pass(ms);
};
const sleep = (ms: number): Promise<void> => wall.pass(ms);

describe('a run stands still for long', () => {
  test('when nothing was claimed for more than half of the quiet time', async () => {
    await pass(LONG_MS);
    expect(suspension.isLong).toBe(false);
    await pass(1);
    expect(suspension.isLong).toBe(true);
  });

  test('no more when orders are claimed', async () => {
    await pass(LONG_MS + 1);
    suspension.isOver();
    expect(suspension.isLong).toBe(false);
    await pass(LONG_MS);
    expect(suspension.isLong).toBe(false);
    await pass(1);
    expect(suspension.isLong).toBe(true);
  });

  test('when the computer slept for more than that, until the run ends', async () => {
    await sleep(LONG_MS);
    expect(suspension.isLong).toBe(false);
    await sleep(1);
    expect(suspension.isLong).toBe(true);
    suspension.isOver();
    expect(suspension.isLong).toBe(true);
  });
});

describe('the clock of the machine', () => {
  test('is ahead by what the computer slept', async () => {
    await pass(500);
    expect(suspension.clockAheadMs).toBe(0);
    await sleep(30_000);
    await pass(500);
    expect(suspension.clockAheadMs).toBe(30_000);
  });

  test('is not ahead where it was set back', () => {
    const behind = new Suspension({ steady, wall: new FakeClock(BEGAN - 30_000), quietMs: QUIET_MS });
    expect(behind.clockAheadMs).toBe(0);
    expect(behind.isLong).toBe(false);
  });
});

describe('the computer is seen to have slept for long', () => {
  test('when its clock is ahead by more than half of the quiet time at once', async () => {
    await sleep(LONG_MS);
    expect(suspension.wokeAt).toBeUndefined();
    await sleep(LONG_MS);
    await pass(1_000);
    expect(suspension.wokeAt).toBeUndefined();
    await sleep(LONG_MS + 1);
    expect(suspension.wokeAt).toBe(BEGAN + 1_000);
  });

  test('when it was seen, however much later somebody asks', async () => {
    await sleep(LONG_MS + 1);
    expect(suspension.isLong).toBe(true);
    await pass(10_000);
    expect(suspension.wokeAt).toBe(BEGAN);
  });

  test('when it slept last', async () => {
    await sleep(LONG_MS + 1);
    expect(suspension.wokeAt).toBe(BEGAN);
    await pass(5_000);
    await sleep(LONG_MS + 1);
    expect(suspension.wokeAt).toBe(BEGAN + 5_000);
  });

  test('at no time where its clock turns out to have been set forward and is set right', async () => {
    await sleep(LONG_MS + 1);
    expect(suspension.wokeAt).toBe(BEGAN);
    await steady.pass(LONG_MS + 1);
    expect(suspension.wokeAt).toBeUndefined();
  });
});

describe('since an order was claimed', () => {
  test('the computer slept as long as its clock went ahead', async () => {
    await sleep(10_000);
    suspension.isClaimed(early, suspension.clockAheadMs);
    await sleep(7_000);
    suspension.isClaimed(late, suspension.clockAheadMs);
    await pass(1_000);
    await sleep(5_000);
    expect(suspension.sleptSince(early)).toBe(12_000);
    expect(suspension.sleptSince(late)).toBe(5_000);
  });

  test('the computer slept for as long as the clocks differ, where it was not claimed in this run', async () => {
    await sleep(10_000);
    suspension.isClaimed(early, suspension.clockAheadMs);
    expect(suspension.sleptSince(other)).toBe(10_000);
  });

  test('the computer slept for as long as the clocks differ, where the claim has left', async () => {
    await sleep(10_000);
    suspension.isClaimed(early, suspension.clockAheadMs);
    suspension.isSent(early);
    expect(suspension.sleptSince(early)).toBe(10_000);
  });

  test('a sleep counts from when it was decided on, and not from when its claim was written', async () => {
    const { clockAheadMs } = suspension;
    await sleep(20_000);
    suspension.isClaimed(early, clockAheadMs);
    expect(suspension.sleptSince(early)).toBe(20_000);
  });

  test('a clock that is set back is no sleep', async () => {
    await sleep(20_000);
    suspension.isClaimed(early, suspension.clockAheadMs);
    await steady.pass(5_000);
    expect(suspension.clockAheadMs).toBe(15_000);
    expect(suspension.sleptSince(early)).toBe(0);
  });
});
