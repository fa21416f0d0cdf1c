/** The queue of the workers on a real PostgreSQL, with the engine that hands out its jobs. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { BatchId } from '../../src/domain/ids.ts';
import type { SharedLedger } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import { startEngine } from '../../src/worker/engine.ts';
import { batchIn, Queue, queueSchema } from '../../src/worker/queue.ts';
import { needsPostgres, newAddress, ownCluster, sharedAt } from '../support/postgres.ts';

beforeEach(needsPostgres);

const first = 'first' as BatchId; // a name of nobody's batch
const second = 'second' as BatchId;

async function openQueue(reached: SharedLedger): Promise<Queue> {
  const queue = await Queue.open(reached);
  onTestFinished(() => queue.close());
  return queue;
}

/** An engine that keeps what it is given, and works on it until `go` resolves. */
async function engineAt(reached: SharedLedger, go: Promise<void> = Promise.resolve()) {
  const taken: (BatchId | undefined)[] = [];
  const engine = await startEngine({
    reached,
    batches: 4,
    work: async (payload) => {
      taken.push(batchIn(payload));
      await go;
    },
    log: () => undefined,
    sleep: (ms) => systemClock.sleep(ms),
  });
  return { engine, taken };
}

/** Puts a time of all jobs back by so many seconds. */
async function putBack(queue: Queue, reached: SharedLedger, column: 'locked_at' | 'run_at', seconds: number) {
  const jobs = `${queueSchema(reached.address.schema)}._private_jobs`;
  await queue.read(`UPDATE ${jobs} SET ${column} = ${column} - ?::int * interval '1 second' WHERE true RETURNING id`, [
    seconds,
  ]);
}

/** The longest time since a job could be taken, in seconds. */
async function secondsSinceAsked(queue: Queue, reached: SharedLedger): Promise<number> {
  const jobs = `${queueSchema(reached.address.schema)}._private_jobs`;
  const [row] = await queue.read(`SELECT extract(epoch FROM now() - min(run_at))::bigint AS seconds FROM ${jobs}`);
  return Number(row?.['seconds']);
}

test('leaves no sleep behind when its engine ends, which would keep the process alive', async () => {
  let sleeping = 0;
  const engine = await startEngine({
    reached: sharedAt(newAddress(await ownCluster())),
    batches: 1,
    work: async () => undefined,
    log: () => undefined,
    // Only being woken ends it.
    async sleep(_, signal) {
      sleeping += 1;
      await new Promise((woken) => signal?.addEventListener('abort', woken));
      sleeping -= 1;
    },
  });
  await engine.stop(true);
  await expect.poll(() => sleeping).toBe(0);
});

test('has one job for each batch, however often it is asked for, and hands each out once', async () => {
  const reached = sharedAt(newAddress(await ownCluster()));
  const queue = await openQueue(reached);
  expect(await queue.isThere()).toBe(false);
  // The queue is made by whoever starts first.
  await (await engineAt(reached)).engine.stop(false);
  expect(await queue.isThere()).toBe(true);
  for (const batch of [first, second, first]) await queue.fill(batch);
  await queue.ring(first);
  expect(await queue.waiting()).toBe(2);
  await queue.ring(second, 3_600_000);
  expect(await queue.waiting()).toBe(1);
  const { engine, taken } = await engineAt(reached);
  await expect.poll(() => taken).toEqual([first]);
  await engine.stop(false);
  // What is not due yet is not forgotten, and not asked for again.
  await queue.fill(second);
  expect(await queue.waiting()).toBe(0);
  await queue.ring(second);
  expect(await queue.waiting()).toBe(1);
  await queue.ring(first, 3_600_000);
  // Those that are not due yet are asked for as well.
  expect(await queue.asked()).toEqual(new Set(['second', 'first']));
});

test('chooses the batches that were taken first to make room, one for each that waits', async () => {
  const reached = sharedAt(newAddress(await ownCluster()));
  const { promise: go, resolve: land } = Promise.withResolvers<void>();
  const { engine, taken } = await engineAt(reached, go);
  const queue = await openQueue(reached);
  const names = ['a', 'b', 'c', 'd'] as BatchId[];
  for (const [at, batch] of names.entries()) {
    await queue.fill(batch);
    await expect.poll(() => taken.length).toBe(at + 1);
  }
  expect(await queue.longestTaken(0)).toEqual(new Set());
  await queue.fill('e' as BatchId);
  expect(await queue.longestTaken(0)).toEqual(new Set(['a']));
  // It has only begun to wait.
  expect(await queue.longestTaken(3_600_000)).toEqual(new Set());
  await putBack(queue, reached, 'run_at', 7200);
  await queue.fill('f' as BatchId);
  expect(await queue.longestTaken(3_600_000)).toEqual(new Set(['a']));
  expect(await queue.longestTaken(0)).toEqual(new Set(['a', 'b']));
  land();
  await engine.stop(false);
});

test.each(['ends', 'falls silent'] as const)(
  'leaves the job of a worker that lives, and frees it when that %s',
  async (how) => {
    const reached = sharedAt(newAddress(await ownCluster()));
    const { promise: go, resolve: land } = Promise.withResolvers<void>();
    const { engine, taken } = await engineAt(reached, go);
    const [living, queue] = [await openQueue(reached), await openQueue(reached)];
    await living.live(engine.name);
    await queue.fill(first);
    await expect.poll(() => taken).toEqual([first]);
    /** As if it had been taken, or spoken for, so long ago. */
    const age = (seconds: number): Promise<void> => putBack(queue, reached, 'locked_at', seconds);
    // It was asked for long before.
    await putBack(queue, reached, 'run_at', 3600);
    await age(30);
    expect(await queue.freeDead({})).toEqual([]);
    if (how === 'ends') await living.close();
    else {
      await age(90);
      await living.beat(engine.name);
      expect(await queue.freeDead({})).toEqual([]);
      await age(90);
    }
    await expect.poll(() => queue.freeDead({})).toEqual([engine.name]);
    await expect.poll(() => taken).toEqual([first, first]);
    // It has not waited since it was first asked for, which would end the work on other batches.
    expect(await secondsSinceAsked(queue, reached)).toBeLessThan(3000);
    land();
    await engine.stop(false);
  },
);

test('has a name of its own for each ledger, however long that of the ledger is', () => {
  const long = 'l'.repeat(62);
  const names = ['paybatch', `${long}a`, `${long}b`].map(queueSchema);
  expect(names[0]).toBe('paybatch_queue');
  expect(new Set(names).size).toBe(3);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(63);
});
