/** Who else is at work on a ledger: the limits of the service are shared among them. */
import { describe, expect, test } from 'vitest';
import { lostInRun } from '../../src/dispatch/admit.ts';
import { Beside, type BesideDeps, LOOK_MS } from '../../src/dispatch/beside.ts';
import { closedCircuit, sharing } from '../../src/dispatch/circuit-breaker.ts';
import {
  aboveQuotesIn,
  advanceRun,
  type Happening,
  progressOf,
  type RunState,
  startOfRun,
  unsentMinorIn,
} from '../../src/dispatch/run-state.ts';
import type { Tally } from '../../src/domain/batch.ts';
import type { BatchStop } from '../../src/domain/batch-stop.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { BesideLane } from '../../src/ledger/beside-count.ts';
import type { HeldLease, LeaseHolder } from '../../src/ledger/ledger.ts';
import { kes } from '../support/amounts.ts';

const OURS = 'salaries' as BatchId;
const holderOf = (pid: number, description = 'run'): LeaseHolder => ({ host: 'desk', pid, startedAt: 1, description });
const leaseOf = (batch: string, holder: LeaseHolder): HeldLease => ({
  name: `batch ${batch}`,
  batch: batch as BatchId,
  holder,
  isLive: true,
  isFree: false,
});
const planning: HeldLease = { name: 'planning', holder: holderOf(99), isLive: true, isFree: false };
const stopped: BatchStop = { batch: OURS, number: 7, at: 1, by: 'amina on laptop', reason: 'wrong sheet' };
const tally = (outcome: Outcome, count: number): Tally => ({ outcome, count, amount: kes(100n), fees: kes(0n) });

function site(concurrency = 16) {
  const world = {
    others: [] as HeldLease[],
    stop: undefined as BatchStop | undefined,
    parts: [] as number[],
    /** So many senders count at least, whoever was seen. */
    stillCount: 1,
    heeded: [] as (BatchStop | undefined)[],
    alarms: [] as string[],
    raised: [] as string[],
    beside: undefined as BesideLane | undefined,
    sleep: async (_ms: number): Promise<void> => undefined,
  };
  let state: RunState = startOfRun([tally('unsent', 10)], concurrency, true);
  const deps: BesideDeps = {
    task: {
      batch: OURS,
      settings: { sending: { concurrency, ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 1000 } },
    },
    ledger: {
      othersAtWork: async () => world.others,
      stopOf: async () => world.stop,
      alarms: async () => world.alarms,
      besideLane: async () => world.beside,
    },
    client: {
      share: (seen) => {
        world.parts.push(seen);
        return Math.max(seen, world.stillCount);
      },
    },
    clock: { sleep: (ms) => world.sleep(ms) },
    control: {
      heed: (stop) => void world.heeded.push(stop),
      raise: (alarms) => void world.raised.push(...alarms),
    },
    happened: (happening: Happening) => {
      state = advanceRun(state, happening);
    },
  };
  return { world, beside: new Beside(deps), state: () => state };
}

describe('senders on one ledger', () => {
  test('have the whole limit alone, and share it with those who send at the same time', async () => {
    const { world, beside, state } = site();
    await beside.look();
    expect([state().service.concurrency, world.parts]).toEqual([16, [1]]);
    world.others = [leaseOf('supplier', holderOf(2)), leaseOf('bonus', holderOf(3)), planning];
    await beside.look();
    expect([state().senders, state().service.concurrency, world.parts]).toEqual([3, 5, [1, 3]]);
    world.others = [];
    world.stillCount = 3;
    await beside.look();
    expect([state().senders, state().service.concurrency]).toEqual([3, 5]);
    world.stillCount = 1;
    await beside.look();
    // It grows into what is free again, as after a throttling.
    expect([state().senders, state().service, world.parts]).toMatchObject([
      1,
      { concurrency: 5, concurrencyMax: 16 },
      [1, 3, 1, 1],
    ]);
  });

  test('have at least one submission each, however many they are', async () => {
    const { world, beside, state } = site(2);
    world.others = [1, 2, 3, 4].map((pid) => leaseOf(`batch-${pid}`, holderOf(pid)));
    await beside.look();
    expect(state().service).toMatchObject({ concurrency: 1, concurrencyMax: 1 });
  });

  test('count once with several leases, and as many as they call themselves in one process', async () => {
    const { world, beside, state } = site();
    world.others = [leaseOf('a', holderOf(2)), leaseOf('b', holderOf(2)), leaseOf('c', holderOf(2, 'worker, batch c'))];
    await beside.look();
    expect(state().senders).toBe(3);
  });

  test('look at once, and every few seconds until the run is over; then a stop of a person is seen, too', async () => {
    const { world, beside, state } = site();
    const over = new AbortController();
    const slept: number[] = [];
    world.sleep = async (ms) => {
      slept.push(ms);
      if (slept.length === 1) world.others = [leaseOf('supplier', holderOf(2))];
      if (slept.length === 2) world.stop = stopped;
      if (slept.length === 3) over.abort();
    };
    await beside.keep(over.signal);
    expect(slept).toEqual([LOOK_MS, LOOK_MS, LOOK_MS]);
    expect(state().senders).toBe(2);
    expect(world.heeded).toEqual([undefined, undefined, stopped]);
  });

  test('do not get back by that what the service has taken away by throttling', () => {
    const throttled = { ...closedCircuit(16), concurrency: 4 };
    expect(sharing(throttled, 8)).toMatchObject({ concurrency: 4, concurrencyMax: 8 });
    expect(sharing(sharing(throttled, 2), 16)).toMatchObject({ concurrency: 2, concurrencyMax: 16 });
  });
});

describe('who sends one lane of a batch', () => {
  const none = { aboveQuotes: kes(0n) };

  test('holds the brakes against what all make of the batch, and counts no row twice', async () => {
    const { world, beside, state } = site();
    world.beside = { ...none, tallies: [tally('unsent', 20), tally('failed', 3)] };
    await beside.beforeClaim();
    // What others lost before is none of what this run stops for.
    expect(lostInRun(state())).toBe(0);
    world.beside = {
      aboveQuotes: kes(700n),
      tallies: [tally('unsent', 12), tally('failed', 8), tally('completed', 3)],
    };
    await beside.beforeClaim();
    await beside.beforeClaim();
    expect(lostInRun(state())).toBe(5);
    expect(aboveQuotesIn(state())).toEqual(kes(700n));
    expect(unsentMinorIn(state())).toBe(200n);
    // Its own rows are those that it moved, whatever was read meanwhile.
    expect(state().outcomes).toMatchObject({ unsent: 10, failed: 0 });
    expect(progressOf(state())).toMatchObject({ of: 33, counts: { unsent: 22, failed: 8, completed: 3 } });
  });

  test('stops with what others met: an alarm, or the word of a person', async () => {
    const { world, beside } = site();
    const stop = { batch: OURS, number: 3, at: 1, by: 'amina', reason: 'wrong month' };
    Object.assign(world, { beside: { ...none, tallies: [] }, alarms: ['another amount than was planned'], stop });
    await beside.beforeClaim();
    expect([world.raised, world.heeded]).toEqual([['another amount than was planned'], [stop]]);
  });

  test('reads nothing where it sees the whole batch', async () => {
    const { world, beside, state } = site();
    world.alarms = ['another amount than was planned'];
    await beside.beforeClaim();
    expect([world.raised, world.heeded, state().beside]).toEqual([[], [], undefined]);
  });
});
