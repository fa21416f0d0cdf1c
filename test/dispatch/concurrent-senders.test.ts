/** Who else is at work on a ledger: the limits of the service are shared among them. */
import { describe, expect, test } from 'vitest';
import { ConcurrentSenders, LOOK_MS, type SendersDeps } from '../../src/dispatch/brakes.ts';
import { closedCircuit, sharing } from '../../src/dispatch/circuit-breaker.ts';
import { advanceRun, type Happening, type RunState, startOfRun } from '../../src/dispatch/run-state.ts';
import type { Tally } from '../../src/domain/batch.ts';
import type { BatchStop } from '../../src/domain/batch-stop.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { HeldLease, LeaseHolder } from '../../src/ledger/ledger.ts';
import { kes } from '../support/amounts.ts';

const OURS = 'salaries' as BatchId;
const holderOf = (pid: number, description = 'run'): LeaseHolder => ({ host: 'desk', pid, description });
const leaseOf = (batch: string, holder: LeaseHolder): HeldLease => ({
  name: `batch ${batch}`,
  batch: batch as BatchId,
  holder,
  isLive: true,
});
const planning: HeldLease = { name: 'planning', holder: holderOf(99), isLive: true };
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
    sleep: async (_ms: number): Promise<void> => undefined,
  };
  let state: RunState = startOfRun([tally('unsent', 10)], concurrency, true);
  const deps: SendersDeps = {
    task: {
      batch: OURS,
      settings: { sending: { concurrency, ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 1000 } },
    },
    ledger: {
      othersAtWork: async () => world.others,
      stopOf: async () => world.stop,
    },
    client: {
      share: (seen) => {
        world.parts.push(seen);
        return Math.max(seen, world.stillCount);
      },
    },
    clock: { sleep: (ms) => world.sleep(ms) },
    control: { heed: (stop) => void world.heeded.push(stop) },
    happened: (happening: Happening) => {
      state = advanceRun(state, happening);
    },
  };
  return { world, senders: new ConcurrentSenders(deps), state: () => state };
}

describe('senders on one ledger', () => {
  test('have the whole limit alone, and share it with those who send at the same time', async () => {
    const { world, senders, state } = site();
    await senders.look();
    expect([state().service.concurrency, world.parts]).toEqual([16, [1]]);
    world.others = [leaseOf('supplier', holderOf(2)), leaseOf('bonus', holderOf(3)), planning];
    await senders.look();
    expect([state().senders, state().service.concurrency, world.parts]).toEqual([3, 5, [1, 3]]);
    world.others = [];
    world.stillCount = 3;
    await senders.look();
    expect([state().senders, state().service.concurrency]).toEqual([3, 5]);
    world.stillCount = 1;
    await senders.look();
    // It grows into what is free again, as after a throttling.
    expect([state().senders, state().service, world.parts]).toMatchObject([
      1,
      { concurrency: 5, concurrencyMax: 16 },
      [1, 3, 1, 1],
    ]);
  });

  test('have at least one submission each, however many they are', async () => {
    const { world, senders, state } = site(2);
    world.others = [1, 2, 3, 4].map((pid) => leaseOf(`batch-${pid}`, holderOf(pid)));
    await senders.look();
    expect(state().service).toMatchObject({ concurrency: 1, concurrencyMax: 1 });
  });

  test('count once with several leases, and as many as they call themselves in one process', async () => {
    const { world, senders, state } = site();
    world.others = [leaseOf('a', holderOf(2)), leaseOf('b', holderOf(2)), leaseOf('c', holderOf(2, 'worker, batch c'))];
    await senders.look();
    expect(state().senders).toBe(3);
  });

  test('look at once, and every few seconds until the run is over; then a stop of a person is seen, too', async () => {
    const { world, senders, state } = site();
    const over = new AbortController();
    const slept: number[] = [];
    world.sleep = async (ms) => {
      slept.push(ms);
      if (slept.length === 1) world.others = [leaseOf('supplier', holderOf(2))];
      if (slept.length === 2) world.stop = stopped;
      if (slept.length === 3) over.abort();
    };
    await senders.keep(over.signal);
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
