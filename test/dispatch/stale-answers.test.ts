/** Answers of look-ups that are old by the time a payment could leave: another ledger may have sent it since. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { systemClock } from '../../src/system.ts';
import { ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, type HandMadeService, handMadeService } from './hand-made-service.ts';
import { until } from './until.ts';

const ROWS = 20;
const SMALLEST = 13;
const AHEAD = 3;
/** Longer than a claim is good for, in milliseconds. */
const HELD_MS = 31_000;

/** A batch, its ids from the smallest on, and a service that answers a look-up so that nobody can read it while `isUnclear`. */
async function withUnclear(folder: string, isUnclear: (id: string, service: HandMadeService) => boolean) {
  const service: HandMadeService = await handMadeService({
    onFind(id, response) {
      if (!isUnclear(id, service)) return undefined;
      response.writeHead(500).end();
      return answered;
    },
  });
  const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS), goesById: true });
  const ids = [...batch.orders].sort();
  /** Look-ups of the batch's own orders before the first submission of an order, or of any. */
  const findsBefore = (order?: OrderId): readonly string[] => {
    const post = service.arrived.findIndex(
      ({ method, body }) => method === 'POST' && body.includes(order ?? ids[0] ?? ''),
    );
    const before = service.arrived
      .slice(0, post)
      .flatMap(({ method, query }) => (method === 'GET' ? query.get('Id') : []));
    return before.filter((id) => id !== null && batch.orders.has(id as OrderId)) as string[];
  };
  return { service, batch, ids, findsBefore };
}

test('where answers are lost in each pass over the first ones, those that go ahead are asked for last', () =>
  inTemporaryFolder(async (folder) => {
    let largest = '';
    const { service, batch, ids, findsBefore } = await withUnclear(folder, (id, { finds }) => {
      const times = finds().filter((one) => one === id).length;
      return id === largest && times % 2 === 1;
    });
    largest = ids[SMALLEST - 1] ?? '';
    const { counts } = await batch.run(service.url, { settings: quick({}) });
    expect(counts.completed).toBe(ROWS);
    const finds = findsBefore();
    // Three passes of two rounds each, one more look at those that stay, and then the three alone.
    expect(finds.filter((id) => id === largest)).toHaveLength(7);
    expect(finds.slice(-AHEAD).toSorted()).toEqual(ids.slice(0, AHEAD));
  }));

test('one that goes ahead was asked for in the latest round, where the answer about another one was lost in that', () =>
  inTemporaryFolder(async (folder) => {
    let [second, largest] = ['', ''];
    let isLost = false;
    const { service, batch, ids, findsBefore } = await withUnclear(folder, (id, { finds }) => {
      const timesOf = (one: string): number => finds().filter((asked) => asked === one).length;
      // In the first of two rounds of three passes, and not in the look that follows them.
      const turn = (timesOf(largest) - 1) % 7;
      if (id === largest) return turn < 6 && turn % 2 === 0;
      // Once, when all passes are over, and only those that go ahead are asked for.
      if (id !== second || isLost || timesOf(largest) < 7) return false;
      isLost = true;
      return true;
    });
    [second, largest] = [ids[1] ?? '', ids[SMALLEST - 1] ?? ''];
    const { counts } = await batch.run(service.url, { settings: quick({}) });
    expect([counts.completed, isLost]).toEqual([ROWS, true]);
    for (const id of ids.slice(0, AHEAD)) expect(findsBefore(id as OrderId).slice(-AHEAD)).toContain(id);
  }));

test('no payment leaves while a ledger in recovery has no clear answer about one of them, and that one is asked for just before it leaves', () =>
  inTemporaryFolder(async (folder) => {
    let [late, unclear, firstClear] = ['', 0, 0];
    const polling = { firstMs: 20, maxMs: 40, deadlineMs: 900_000 };
    const settings = quick({ inDoubt: { unknownGapMs: 100, quietMs: 1_500 }, polling });
    const began = systemClock.monotonicMs();
    const { service, batch, ids, findsBefore } = await withUnclear(folder, (id, { posts, arrived }) => {
      if (id !== late) return false;
      // For longer than all others take to be cleared.
      if (posts().length === 0 && systemClock.monotonicMs() - began < 3 * settings.inDoubt.quietMs) {
        unclear += 1;
        return true;
      }
      firstClear ||= arrived.length;
      return false;
    });
    late = ids.at(-1) ?? '';
    const { counts } = await batch.run(service.url, { lookFirst: true, settings });
    expect(counts.completed).toBe(ROWS);
    const firstPost = service.arrived.findIndex(({ method, path }) => method === 'POST' && path !== '/connect/token');
    expect(firstPost).toBeGreaterThan(firstClear);
    // Unknown twice, which clears it and all, and once more just before it leaves.
    expect(findsBefore(late as OrderId).filter((id) => id === late).length - unclear).toBe(3);
  }));

/** The machine's clock, and as much more as was held so far. */
function clockAhead(heldMs: () => number): Clock {
  const clock: Clock = {
    now: () => systemClock.now() + heldMs(),
    monotonicMs: () => systemClock.monotonicMs() + heldMs(),
    async sleep(ms, signal) {
      for (const until = clock.now() + ms; clock.now() < until && !signal?.aborted; )
        await systemClock.sleep(5, signal);
    },
  };
  return clock;
}

test('no payment leaves on an answer that grew old while the service held the look-up of another one', () =>
  inTemporaryFolder(async (folder) => {
    let [heldMs, isHeld] = [0, false];
    const clock = clockAhead(() => heldMs);
    const answeredAt = new Map<string, number>();
    const ages: number[] = [];
    const service: HandMadeService = await handMadeService({
      onPost: ({ originatorConversationId: id }) => void ages.push(clock.now() - (answeredAt.get(id) ?? 0)),
      async onFind(id) {
        const isUnsent = batch.orders.has(id as OrderId) && !service.taken.has(id);
        if (!isHeld && isUnsent && service.posts().length >= SMALLEST) {
          isHeld = true;
          // Others of its block are answered meanwhile.
          await systemClock.sleep(2_000);
          heldMs = HELD_MS;
        }
        answeredAt.set(id, clock.now());
        return undefined;
      },
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS * 2), clock });
    const stop = new AbortController();
    const settings = quick({ inDoubt: { quietMs: 120_000 }, sending: { requestTimeoutMs: 30_000 } });
    const first = batch.run(service.url, { settings, signal: stop.signal });
    await until(() => service.posts().length > 0);
    stop.abort();
    await first;
    // Each is asked for just before it leaves, since the batch was begun before.
    const { counts } = await batch.run(service.url, { settings });
    expect([counts.completed, heldMs]).toEqual([ROWS * 2, HELD_MS]);
    expect(ages).toHaveLength(ROWS * 2);
    expect(Math.max(...ages)).toBeLessThan(HELD_MS);
  }));

test('where one answer in five is lost, the others of a block leave, though what was said of them grows old meanwhile', () =>
  inTemporaryFolder(async (folder) => {
    let [asked, held] = [0, 0];
    const clock = clockAhead(() => held * HELD_MS);
    const service: HandMadeService = await handMadeService({
      async onFind(id, response) {
        const isUnsent = batch.orders.has(id as OrderId) && !service.taken.has(id);
        if (!isUnsent || service.posts().length < AHEAD || ++asked % 5 !== 0) return undefined;
        // Others of its block are answered meanwhile.
        await systemClock.sleep(50);
        held += 1;
        response.destroy();
        return answered;
      },
    });
    const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS), clock });
    const settings = quick({ inDoubt: { quietMs: 120_000 }, polling: { firstMs: 20, maxMs: 40, deadlineMs: 900_000 } });
    const stop = new AbortController();
    const first = batch.run(service.url, { settings, signal: stop.signal });
    await until(() => service.posts().length > 0);
    stop.abort();
    await first;
    const { counts } = await batch.run(service.url, { settings });
    expect(counts.completed).toBe(ROWS);
    expect(held).toBeGreaterThan(0);
  }));
