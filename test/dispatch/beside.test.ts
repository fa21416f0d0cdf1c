/** Who else is at work on a ledger: the limits of the service are shared, and so is what was found out about a batch. */
import { describe, expect, test } from 'vitest';
import { Beside, type BesideDeps, LOOK_MS } from '../../src/dispatch/beside.ts';
import { closedCircuit, sharing } from '../../src/dispatch/circuit-breaker.ts';
import { advanceRun, type Happening, type RunState, startOfRun } from '../../src/dispatch/run-state.ts';
import type { Tally } from '../../src/domain/batch.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { HeldLease, LeaseHolder } from '../../src/ledger/ledger.ts';
import { kes } from '../support/amounts.ts';

const OURS = 'salaries' as BatchId;
const holderOf = (pid: number, description = 'run'): LeaseHolder => ({ host: 'desk', pid, startedAt: 1, description });
const leaseOf = (batch: string, holder: LeaseHolder): HeldLease => ({
  name: `batch ${batch}`,
  batch: batch as BatchId,
  holder,
  isLive: true,
});
const planning: HeldLease = { name: 'planning', holder: holderOf(99), isLive: true };
const tally = (outcome: Outcome, count: number): Tally => ({ outcome, count, amount: kes(100n), fees: kes(0n) });

function site(concurrency = 16) {
  const world = {
    others: [] as HeldLease[],
    tallies: [tally('unsent', 10)] as Tally[],
    alarms: [] as string[],
    nowMs: 0,
    reads: 0,
    parts: [] as number[],
    raised: [] as string[],
  };
  let state: RunState = startOfRun([tally('unsent', 10)], concurrency, true);
  const deps: BesideDeps = {
    task: {
      batch: OURS,
      settings: { sending: { concurrency, ratePerSecond: 0, linesPerOrder: 1, requestTimeoutMs: 1000 } },
    },
    ledger: {
      othersAtWork: async () => world.others,
      stopOf: async () => undefined,
      async tallies() {
        world.reads += 1;
        return world.tallies;
      },
      alarms: async () => world.alarms,
    },
    client: { share: (senders) => void world.parts.push(senders) },
    clock: { monotonicMs: () => world.nowMs, sleep: async () => undefined },
    control: { heed: () => undefined, raise: (alarms) => void world.raised.push(...alarms) },
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
    expect([state().service.concurrency, world.parts]).toEqual([16, []]);
    world.others = [leaseOf('supplier', holderOf(2)), leaseOf('bonus', holderOf(3)), planning];
    await beside.look();
    expect([state().senders, state().service.concurrency, world.parts]).toEqual([3, 5, [3]]);
    world.others = [];
    await beside.look();
    // It grows into what is free again, as after a throttling.
    expect([state().senders, state().service, world.parts]).toMatchObject([
      1,
      { concurrency: 5, concurrencyMax: 16 },
      [3, 1],
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

  test('look again before a claim, once a few seconds have passed', async () => {
    const { world, beside, state } = site();
    await beside.beforeClaim();
    world.others = [leaseOf('supplier', holderOf(2))];
    world.nowMs += LOOK_MS - 1;
    await beside.beforeClaim();
    expect(state().senders).toBe(1);
    world.nowMs += 1;
    await beside.beforeClaim();
    expect(state().senders).toBe(2);
  });

  test('do not get back by that what the service has taken away by throttling', () => {
    const throttled = { ...closedCircuit(16), concurrency: 4 };
    expect(sharing(throttled, 8)).toMatchObject({ concurrency: 4, concurrencyMax: 8 });
    expect(sharing(sharing(throttled, 2), 16)).toMatchObject({ concurrency: 2, concurrencyMax: 16 });
  });
});

describe('several who send one batch', () => {
  test('hold its brakes against the rows of all of them, and stop by an alarm that another one met', async () => {
    const { world, beside, state } = site();
    await beside.beforeClaim();
    expect(world.reads).toBe(0);
    world.others = [leaseOf(OURS, holderOf(2))];
    world.tallies = [tally('unsent', 3), tally('failed', 7)];
    world.alarms = ['another amount than was planned'];
    world.nowMs += LOOK_MS;
    await beside.beforeClaim();
    expect(state().outcomes).toMatchObject({ unsent: 3, failed: 7 });
    expect(state().outcomesAtStart).toMatchObject({ unsent: 10, failed: 0 });
    expect(world.raised).toEqual(['another amount than was planned']);
  });

  test('read nothing of it while the others send other batches', async () => {
    const { world, beside } = site();
    world.others = [leaseOf('supplier', holderOf(2))];
    await beside.beforeClaim();
    expect(world.reads).toBe(0);
  });
});
