/** Two who pay one batch at the same time: how a run that looks first keeps out of step, and what "exists" tells it. */
import { describe, expect, test } from 'vitest';
import type { PaymentOrder } from '../../src/contract/payment-order.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import { systemClock } from '../../src/system.ts';
import { sendJson } from '../support/loopback.ts';
import { type Batch, open, ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, type HandMadeService, handMadeService } from './hand-made-service.ts';

const ROWS = 90;
const SMALLEST = 13;

interface Told {
  readonly notices: readonly string[];
  readonly messages: readonly string[];
}

async function runOf(batch: Batch, { url }: HandMadeService, choice: Parameters<Batch['run']>[1] = {}) {
  const events: RunEvent[] = [];
  const report = await batch.run(url, { tell: (event) => void events.push(event), ...choice });
  const notices = events.flatMap((event) => (event.type === 'notice' ? [event] : []));
  const told: Told = {
    notices: notices.map(({ code }) => code ?? ''),
    messages: notices.map(({ message }) => message),
  };
  return { ...report, ...told };
}

/** What arrived of the batch's own orders: which id was asked for, or sent. */
const storyOf = ({ arrived }: HandMadeService, batch: Batch) =>
  arrived.flatMap(({ method, path, body, query }) => {
    if (path === '/connect/token') return [];
    const id: string = method === 'POST' ? JSON.parse(body).originatorConversationId : query.get('Id');
    return batch.orders.has(id) ? [{ did: method === 'POST' ? 'sent' : 'asked', id }] : [];
  });

describe('a run that looks first', () => {
  test('sends the first three of the smallest ids one by one, and asks for all of them that it has not sent before each', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const { counts } = await runOf(batch, service, {
        lookFirst: true,
        settings: quick({ inDoubt: { quietMs: 1_500 } }),
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
      const through: NonNullable<Parameters<Batch['run']>[1]>['through'] = (ledger) => ({
        ...ledger,
        claim(orders, ...rest) {
          claims.push(orders.length);
          return ledger.claim(orders, ...rest);
        },
      });
      const settings = quick({ sending: { concurrency: 32 }, inDoubt: { quietMs: 3_000 } });
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

  test('goes another way than the run beside it', () =>
    inTemporaryFolder(async (folder) => {
      const ways = await Promise.all(
        ['here', 'there'].map(async (name) => {
          const service = await handMadeService();
          const batch = await planBatch(`${folder}/${name}`, { payees: ordinaryPayees(ROWS) });
          await runOf(batch, service, { lookFirst: true });
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

  /** The service as it is seen behind a gateway that sends some submissions twice, and passes on the second answer. */
  async function behindGateway(isTwice: (count: number) => boolean): Promise<HandMadeService> {
    const taken = new Map<string, PaymentOrder>();
    let count = 0;
    const service = await handMadeService({
      onPost(order, response) {
        count += 1;
        if (!isTwice(count)) return undefined;
        (service.taken as Map<string, PaymentOrder>).set(order.originatorConversationId, order);
        taken.set(order.originatorConversationId, order);
        sendJson(response, 400, isHeld(order));
        return answered;
      },
    });
    return service;
  }

  test('stops claiming for a silence, in whichever block it is, and goes on and says so where nothing turns up', () =>
    inTemporaryFolder(async (folder) => {
      const service = await behindGateway((count) => count === 20);
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const { counts, notices, result } = await runOf(batch, service);
      expect(notices).toEqual(['sighting', 'sighting-over']);
      expect(result?.stop).toBeUndefined();
      expect(counts.completed).toBe(ROWS);
      expect(new Set(service.posts()).size).toBe(service.posts().length);
      const story = storyOf(service, batch);
      const held = story.findIndex(
        ({ did }, at) => did === 'sent' && story.slice(0, at + 1).filter((one) => one.did === 'sent').length === 20,
      );
      const rest = story.slice(held + 1);
      // All that was not sent by then is asked for before anything else leaves.
      for (const id of new Set(rest.filter(({ did }) => did === 'sent').map((one) => one.id))) {
        const asked = rest.slice(
          0,
          rest.findIndex((one) => one.did === 'sent' && one.id === id),
        );
        expect(asked.some((one) => one.id === id && one.did === 'asked') || asked.length < 40).toBe(true);
      }
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
          setTimeout(() => (service.taken as Map<string, PaymentOrder>).set(id, JSON.parse(other.body)), 20);
        },
      });
      const { result, notices } = await runOf(batch, service, {
        settings: quick({ inDoubt: { quietMs: 600, unknownGapMs: 300 }, polling: { deadlineMs: 1_500 } }),
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
          (service.taken as Map<string, PaymentOrder>).set(id, order);
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
