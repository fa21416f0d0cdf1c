/** What a worker asks for, and what it opens: a real ledger and a real queue on PostgreSQL; only the runs are made up. */
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { thisProcess } from '../../src/cli/state/system.ts';
import { exitCode } from '../../src/domain/exit-code.ts';
import { Fault } from '../../src/domain/fault.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { noOutcomes } from '../../src/domain/outcome.ts';
import { leaseOf } from '../../src/ledger/lease.ts';
import type { LeaseHolder } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import { startEngine } from '../../src/worker/engine.ts';
import { Queue, queueSchema } from '../../src/worker/queue.ts';
import { QueueFiller } from '../../src/worker/queue-filler.ts';
import type { WorkSite } from '../../src/worker/site.ts';
import { Tally } from '../../src/worker/tally.ts';
import { runWorker } from '../../src/worker/worker.ts';
import { open, type Plan, planOf, temporaryPath } from '../ledger/builders.ts';
import { dies, keepAt, onPostgresAlone } from '../ledger/drivers.ts';
import { newAddress, ownCluster, sharedAt } from '../support/postgres.ts';

onPostgresAlone();

const elsewhere: LeaseHolder = { ...thisProcess('amina@desk: worker'), host: 'server', machine: 'server' };

const [first, second] = ['first', 'second'].map((name) => planOf({ name, rows: 6 })) as [Plan, Plan];

/** A ledger with these batches, which nobody has, and its queue. */
async function ledgerWith(...plans: readonly Plan[]) {
  const [path, address] = [temporaryPath(), newAddress(await ownCluster())];
  keepAt(path, address);
  const as = (holder: LeaseHolder) => open({ path, clock: systemClock, holder });
  const planner = await as(thisProcess('amina@desk: run'));
  await planner.takeLease();
  for (const { header, blocks } of plans) {
    await planner.planBatch(header, blocks);
    await planner.releaseLease(header.id);
  }
  await planner.releaseLease();
  const reached = sharedAt(address);
  const engine = { reached, batches: 1, work: async () => undefined, log: () => undefined, sleep: systemClock.sleep };
  await (await startEngine(engine)).stop(false);
  const queue = await Queue.open(reached);
  onTestFinished(() => queue.close());
  return { planner, as, reached, queue, path };
}

test('the queue is asked once for what is open, and by no round again', async () => {
  const { queue } = await ledgerWith(first, second);
  const filler = new QueueFiller({ isAtWork: () => false });
  expect(await filler.fill(queue)).toBe(2);
  expect(await filler.fill(queue)).toBe(0);
  expect(await queue.asked()).toEqual(new Set([first.header.id, second.header.id]));
  // A worker that ends when nothing is left counts what others have been asked for.
  expect(await new QueueFiller({ isAtWork: () => false, wasTried: () => false }).fill(queue)).toBe(2);
  expect(await new QueueFiller({ isAtWork: () => false, wasTried: () => true }).fill(queue)).toBe(0);
});

test('what this worker is at work on is asked for by nobody', async () => {
  const { queue } = await ledgerWith(first);
  expect(await new QueueFiller({ isAtWork: (key) => key === first.header.id }).fill(queue)).toBe(0);
  expect(await queue.asked()).toEqual(new Set());
});

test('what waits for a person is asked for again when another fact shows that somebody has acted', async () => {
  const { planner, queue, reached } = await ledgerWith(first);
  const { id } = first.header;
  const filler = new QueueFiller({ isAtWork: () => false });
  await filler.leave(id, queue);
  expect([await filler.fill(queue), filler.left, await filler.isLeft(id, queue)]).toEqual([0, 1, true]);
  await planner.takeLease(id);
  await planner.recordRun(id, '0.1.0');
  expect(await filler.isLeft(id, queue)).toBe(false);
  expect([await filler.fill(queue), filler.left]).toEqual([1, 0]);
  // An emptied queue is filled again.
  await queue.read(`DELETE FROM ${queueSchema(reached.address.schema)}._private_jobs RETURNING id`);
  expect(await filler.fill(queue)).toBe(1);
});

/** One worker with one place, which does what can be done now. Gives what it opened, in this order, and how that ended. */
async function workOnce(reached: WorkSite['reached']) {
  const opened: BatchId[] = [];
  const site: WorkSite = {
    clock: systemClock,
    signal: new AbortController().signal,
    reached,
    batches: 1,
    once: true,
    check: async () => undefined,
    async open(batch) {
      opened.push(batch);
      throw new Fault('unreachable', 'The service is not reached.', 'Later.');
    },
    emit: () => undefined,
    log: () => undefined,
  };
  return { exits: await runWorker(site, new Tally()), opened };
}

test('a worker continues what another one left behind that is gone, and opens nothing that somebody else has', async () => {
  const third = planOf({ name: 'third', rows: 6 });
  const { as, reached, path } = await ledgerWith(first, second, third);
  await (await as(elsewhere)).takeLease(second.header.id);
  await dies(path, leaseOf(second.header.id));
  await (await as(elsewhere)).takeLease(third.header.id);
  const { opened, exits } = await workOnce(reached);
  expect(opened).toEqual([first.header.id, second.header.id]);
  expect(Object.fromEntries(exits)).toEqual({ first: 9, second: 9, third: 75 });
});

test('of two workers without a free place, one makes room for a batch that waits', async () => {
  const third = planOf({ name: 'third', rows: 6 });
  const { as, reached } = await ledgerWith(first, second, third);
  const over = new AbortController();
  /** The batches that were worked on, and how many of them were told to make room and had not ended yet, at most. */
  const worked = new Set<BatchId>();
  let [ending, most] = [0, 0];
  const rounds = [0, 0];
  const siteOf = (worker: number): WorkSite => ({
    clock: {
      ...systemClock,
      // A slice is long at once, and a batch that waits is patient for a quarter of a second.
      haste: 20,
      monotonicMs: () => systemClock.monotonicMs() * 1e6,
      async sleep(ms, signal) {
        rounds[worker] = (rounds[worker] ?? 0) + 1;
        await systemClock.sleep(ms, signal);
      },
    },
    signal: over.signal,
    reached,
    batches: 1,
    once: false,
    check: async () => undefined,
    open: async (batch, signal) => ({
      ledger: await as(elsewhere),
      settings: { inDoubt: { maxAgeMs: Number.POSITIVE_INFINITY } } as never, // only that is read of them
      async goOn() {
        worked.add(batch);
        await once(signal, 'abort');
        ending += 1;
        if (!over.signal.aborted) most = Math.max(most, ending);
        // Requests in flight land until each worker has looked at the queue twice.
        const [one = 0, other = 0] = rounds;
        const haveLooked = (): boolean => (rounds[0] ?? 0) >= one + 3 && (rounds[1] ?? 0) >= other + 3;
        await expect.poll(() => over.signal.aborted || haveLooked(), { timeout: 30_000 }).toBe(true);
        ending -= 1;
        return { exit: exitCode.interrupted, counts: noOutcomes(), files: [] };
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
    emit: () => undefined,
    log: () => undefined,
  });
  const workers = [runWorker(siteOf(0), new Tally()), runWorker(siteOf(1), new Tally())];
  await expect.poll(() => worked.size, { timeout: 30_000 }).toBe(3);
  over.abort();
  await Promise.all(workers);
  expect(most).toBe(1);
});
