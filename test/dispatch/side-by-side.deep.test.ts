/** Two who pay one batch at the same time: how a run that looks first keeps out of step, and what "exists" tells it. */
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/domain/event.ts';
import type { PaymentOrder } from '../../src/service/contract/payment-order.ts';
import { systemClock } from '../../src/system.ts';
import { sendJson } from '../support/loopback.ts';
import { type Batch, open, ordinaryPayees, planBatch, quick, type RunChoice } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, type HandMadeService, handMadeService } from './hand-made-service.ts';

const ROWS = 90;
const SMALLEST = 13;
/** Look-ups that do not show an order which the service has taken. */
const HIDDEN = 4;
/** A silence of which a quarter is longer than these take, in milliseconds. */
const SLOW_MS = 6_000;
/** Nothing of it is ever taken for lost, however busy the machine is. */
const unhurried = (quietMs: number, concurrency = 8) =>
  quick({
    sending: { concurrency, requestTimeoutMs: 3_600_000 },
    polling: { deadlineMs: 3_600_000 },
    inDoubt: { quietMs, unknownGapMs: quietMs / 2 },
  });

/** What the service has taken: a test may put something there. */
const takenBy = ({ taken }: HandMadeService) => taken as Map<string, PaymentOrder>; // the service's own

async function runOf(batch: Batch, { url }: HandMadeService, choice: RunChoice = {}) {
  const events: RunEvent[] = [];
  const report = await batch.run(url, { emit: (event) => void events.push(event), ...choice });
  const notices = events.flatMap((event) => (event.type === 'notice' ? [event] : []));
  return { ...report, notices: notices.map(({ code }) => code ?? '') };
}

/** What arrived of the batch's own orders, after so many requests: which id was asked for, or sent. */
const storyOf = ({ arrived }: HandMadeService, batch: Batch, after = 0) =>
  arrived.slice(after).flatMap(({ method, path, body, query }) => {
    if (path === '/connect/token') return [];
    const id: string = method === 'POST' ? JSON.parse(body).originatorConversationId : query.get('Id');
    return batch.orders.has(id) ? [{ did: method === 'POST' ? 'sent' : 'asked', id }] : [];
  });

/** A service that does not show an order which it has taken before it was asked for it often enough. */
const hiding =
  (hidden: Map<string, number>, service: () => HandMadeService) =>
  (id: string, response: ServerResponse): unknown => {
    const times = hidden.get(id) ?? 0;
    if (!service().taken.has(id) || times >= HIDDEN) return undefined;
    hidden.set(id, times + 1);
    sendJson(response, 404, { id, idType: 'OriginatorConversationId', message: `${id} not found` });
    return answered;
  };

describe('a run that looks first', () => {
  test('sends the first three of the smallest ids one by one, and asks for all of them that it has not sent before each', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const { counts } = await runOf(batch, service, {
        lookFirst: true,
        settings: unhurried(1_500),
      });
      expect(counts.completed).toBe(ROWS);
      const story = storyOf(service, batch);
      const smallest = [...batch.orders].toSorted().slice(0, SMALLEST);
      const sent = story.flatMap(({ did, id }, at) => (did === 'sent' ? [{ id, at }] : []));
      for (const [before, { id, at }] of sent.slice(0, 3).entries()) {
        expect(smallest).toContain(id);
        const since = sent[before - 1]?.at ?? 0;
        const asked = new Set(story.slice(since, at).map((one) => one.id));
        const gone = sent.slice(0, before).map((one) => one.id);
        expect(smallest.filter((one) => !gone.includes(one) && !asked.has(one))).toEqual([]);
        // The one before was shown.
        expect(gone.slice(-1).filter((one) => !asked.has(one))).toEqual([]);
      }
    }));

  test('sends the others in blocks of 1, 2, 4 and so on, and asks for each just before it leaves', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const claims: number[] = [];
      const through: NonNullable<RunChoice['through']> = (ledger) => ({
        ...ledger,
        claim(orders, ...rest) {
          claims.push(orders.length);
          return ledger.claim(orders, ...rest);
        },
      });
      const settings = unhurried(1_500, 32);
      const { counts } = await runOf(batch, service, { lookFirst: true, settings, through });
      expect(counts.completed).toBe(ROWS);
      // Three alone, and the last of all alone.
      expect(claims).toEqual([1, 1, 1, 1, 2, 4, 8, 16, 32, ROWS - 3 - 63 - 1, 1]);
      const story = storyOf(service, batch);
      for (const id of batch.orders) {
        const at = story.findIndex((one) => one.did === 'sent' && one.id === id);
        const others = story.slice(0, at).findLastIndex((one) => one.did === 'asked' && one.id === id);
        const between = story.slice(others, at).filter(({ did }) => did === 'sent');
        expect(between.length).toBeLessThanOrEqual(2 * 64);
        expect(others).toBeGreaterThan(-1);
      }
    }));

  test('sends the next block only when the service shows the one before', () =>
    inTemporaryFolder(async (folder) => {
      const hidden = new Map<string, number>();
      const service: HandMadeService = await handMadeService({ onFind: hiding(hidden, () => service) });
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const { counts } = await runOf(batch, service, { lookFirst: true, settings: unhurried(SLOW_MS, 32) });
      expect(counts.completed).toBe(ROWS);
      const story = storyOf(service, batch);
      const sent = story.flatMap(({ did, id }, at) => (did === 'sent' ? [{ id, at }] : []));
      for (const [from, next] of [
        [3, 4],
        [4, 6],
        [6, 10],
        [10, 18],
      ] as const)
        for (const { id, at } of sent.slice(from, next)) {
          const upToNext = story.slice(at, sent[next]?.at);
          expect(upToNext.filter((one) => one.did === 'asked' && one.id === id).length).toBeGreaterThan(HIDDEN);
        }
    }));

  test('goes another way than the run beside it', () =>
    inTemporaryFolder(async (folder) => {
      const ways = await Promise.all(
        ['here', 'there'].map(async (name) => {
          const service = await handMadeService();
          const batch = await planBatch(`${folder}/${name}`, { payees: ordinaryPayees(ROWS) });
          await runOf(batch, service, { lookFirst: true, settings: unhurried(200) });
          return service.posts();
        }),
      );
      expect(ways[0]?.toSorted()).toEqual(ways[1]?.toSorted());
      expect(ways[0]).not.toEqual(ways[1]);
    }));
});

describe('an order that the service holds already, though it was claimed and sent once', () => {
  const isHeld = (order: PaymentOrder) => ({
    errors: { OriginatorConversationId: [`${order.originatorConversationId} is a duplicate`] },
  });

  test('stops claiming for a silence, in whichever block it is, and goes on and says so where nothing turns up', () =>
    inTemporaryFolder(async (folder) => {
      const claimed = new Set<string>();
      let [posts, heldAt] = [0, 0];
      let claimedThen: ReadonlySet<string> = new Set();
      // A gateway sends one of them twice, and passes on the second answer.
      const service = await handMadeService({
        onPost(order, response) {
          posts += 1;
          if (posts !== 20) return undefined;
          [claimedThen, heldAt] = [new Set(claimed), service.arrived.length];
          takenBy(service).set(order.originatorConversationId, order);
          sendJson(response, 400, isHeld(order));
          return answered;
        },
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const through: NonNullable<RunChoice['through']> = (ledger) => ({
        ...ledger,
        async claim(orders, ...rest) {
          const those = await ledger.claim(orders, ...rest);
          for (const { state } of those) claimed.add(state.id);
          return those;
        },
      });
      const { counts, notices, result } = await runOf(batch, service, { through, settings: unhurried(200) });
      expect(notices).toEqual(['sighting', 'sighting-over']);
      expect(result?.stop).toBeUndefined();
      expect(counts.completed).toBe(ROWS);
      expect(new Set(service.posts()).size).toBe(service.posts().length);
      // Nothing that was not claimed by then leaves before all of that was asked for.
      const since = storyOf(service, batch, heldAt);
      const next = since.findIndex(({ did, id }) => did === 'sent' && !claimedThen.has(id));
      const asked = new Set(since.slice(0, next).flatMap(({ did, id }) => (did === 'asked' ? [id] : [])));
      expect(next).toBeGreaterThan(0);
      expect([...batch.orders].filter((id) => !claimedThen.has(id) && !asked.has(id))).toEqual([]);
    }));

  test('ends the run with nothing more sent where an order turns up that was unknown and was never claimed here', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const ledger = await open(batch.path, systemClock);
      const orders = await ledger.unsentOrders(batch.header.id, ROWS);
      await ledger.close();
      let posts = 0;
      let turnsUp: string | undefined;
      const service = await handMadeService({
        onPost(order, response) {
          posts += 1;
          if (posts !== 20) return undefined;
          sendJson(response, 400, isHeld(order));
          return answered;
        },
        onFind(id) {
          // What somebody else sends after it was looked for once in the silence.
          if (posts < 20 || turnsUp !== undefined || service.taken.has(id)) return;
          const other = orders.find(({ state }) => state.id === id);
          if (!other || service.posts().includes(id)) return;
          turnsUp = id;
          setTimeout(() => takenBy(service).set(id, JSON.parse(other.body)), 20);
        },
      });
      const { result, notices } = await runOf(batch, service, {
        settings: { ...unhurried(600), polling: quick({ polling: { deadlineMs: 1_500 } }).polling },
      });
      expect(notices).toContain('sighting');
      expect(result?.stop?.code).toBe('elsewhere');
      expect(service.posts()).not.toContain(turnsUp);
    }));

  test('is no sign of anybody else after an earlier claim: it may be our own that has arrived', () =>
    inTemporaryFolder(async (folder) => {
      const seen = new Set<string>();
      const service = await handMadeService({
        onPost(order, response) {
          const id = order.originatorConversationId;
          if (service.posts().length === 6) {
            // Lost on its way, and there when it is sent once more.
            seen.add(id);
            response.destroy();
            return answered;
          }
          if (!seen.has(id)) return undefined;
          takenBy(service).set(id, order);
          sendJson(response, 400, isHeld(order));
          return answered;
        },
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(20) });
      const { counts, notices } = await runOf(batch, service);
      expect(notices).not.toContain('sighting');
      expect(counts.completed).toBe(20);
      expect(service.posts()).toHaveLength(21);
    }));
});

describe('orders that were claimed and never left, of a batch that is gone on with', () => {
  /** A run that is interrupted when it has claimed a block, and those of the block. */
  async function interrupted(folder: string, service: HandMadeService) {
    const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
    const stop = new AbortController();
    const back = new Set<string>();
    const through: NonNullable<RunChoice['through']> = (ledger) => ({
      ...ledger,
      async claim(orders, ...rest) {
        const claimed = await ledger.claim(orders, ...rest);
        if (claimed.length <= 3) return claimed;
        stop.abort();
        for (const { state } of claimed) back.add(state.id);
        return claimed;
      },
    });
    await runOf(batch, service, { through, signal: stop.signal, settings: unhurried(200) });
    expect(back.size).toBeGreaterThan(8);
    return { batch, back };
  }

  test('leave one at first, and all of them are asked for before the next', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const { batch, back } = await interrupted(folder, service);
      const after = service.arrived.length;
      const { counts } = await runOf(batch, service, { settings: unhurried(200) });
      expect(counts.completed).toBe(ROWS);
      const story = storyOf(service, batch, after).filter(({ id }) => back.has(id));
      const sent = story.flatMap(({ did }, at) => (did === 'sent' ? [at] : []));
      expect(sent).toHaveLength(back.size);
      const [first = 0, second = 0] = sent;
      const asked = story.slice(first, second).flatMap(({ did, id }) => (did === 'asked' ? [id] : []));
      expect([...back].filter((id) => id !== story[first]?.id && !asked.includes(id))).toEqual([]);
    }));

  test('leave more only when the service shows those that left before', () =>
    inTemporaryFolder(async (folder) => {
      const back = new Set<string>();
      const hidden = new Map<string, number>();
      const hide = hiding(hidden, () => service);
      const service: HandMadeService = await handMadeService({
        onFind: (id, response) => (back.has(id) ? hide(id, response) : undefined),
      });
      const first = await interrupted(folder, service);
      for (const id of first.back) back.add(id);
      const after = service.arrived.length;
      const { counts } = await runOf(first.batch, service, { settings: unhurried(SLOW_MS) });
      expect(counts.completed).toBe(ROWS);
      const story = storyOf(service, first.batch, after).filter(({ id }) => back.has(id));
      const sent = story.flatMap(({ did, id }, at) => (did === 'sent' ? [{ id, at }] : []));
      expect(sent).toHaveLength(back.size);
      // Blocks of one and two.
      for (const [before, next] of [
        [0, 1],
        [1, 3],
        [2, 3],
      ] as const) {
        const upTo = story.slice(sent[before]?.at, sent[next]?.at);
        expect(upTo.filter(({ did, id }) => did === 'asked' && id === sent[before]?.id).length).toBeGreaterThan(HIDDEN);
      }
    }));

  test('are a sign of somebody else where one of them is held: the rest waits, and is looked up anew', () =>
    inTemporaryFolder(async (folder) => {
      const bodies = new Map<string, string>();
      let isShown = true;
      const service: HandMadeService = await handMadeService({
        onPost({ originatorConversationId: sent }) {
          // Orders that were never claimed leave beside these; what leaves in the very moment in which somebody else sends it is lost to both.
          if (isShown || !bodies.has(sent)) return undefined;
          isShown = true;
          // Another copy of the folder sends one when this run sends the first of them, which leaves alone.
          const [other = '', body = '{}'] = [...bodies].find(([id]) => id !== sent) ?? [];
          takenBy(service).set(other, JSON.parse(body));
          return undefined;
        },
      });
      const { batch, back } = await interrupted(folder, service);
      const ledger = await open(batch.path, systemClock);
      for (const id of back) bodies.set(id, (await ledger.findOrder(batch.header.id, id as never))?.body ?? '');
      await ledger.close();
      isShown = false;
      const { counts } = await batch.run(service.url, { settings: unhurried(200) });
      expect(counts.completed).toBe(ROWS);
      expect(isShown).toBe(true);
      expect(service.posts()).toHaveLength(ROWS - 1);
    }));
});
