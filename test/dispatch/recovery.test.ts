/** What a run does whose ledger may not know all that was sent: it looks before it sends. */
import { describe, expect, test } from 'vitest';
import { mustLookFirst, nextStep, type Policy, provenUnsentAt } from '../../src/dispatch/decision.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import type { PaymentOrder } from '../../src/service/contract/payment-order.ts';
import { systemClock } from '../../src/system.ts';
import { fastClock } from '../support/fast-clock.ts';
import { sendJson } from '../support/loopback.ts';
import { open, ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { claimedOrder } from './claimed-order.ts';
import { acceptanceOf, answered, handMadeService, type Json, paidRecordOf } from './hand-made-service.ts';
import { planStrict, recordOf, strictService } from './send-once-batch.ts';
import { until } from './until.ts';

const ROWS = 40;
const lookFirst = true;
/** For what ends by itself, however busy the machine is. */
const patient = quick({ polling: { deadlineMs: 3_600_000 } });

const policy: Policy = {
  polling: { firstMs: 2_000, maxMs: 60_000, deadlineMs: 900_000 },
  inDoubt: { resend: 'same-id', unknownGapMs: 60_000, quietMs: 120_000, maxAgeMs: 86_400_000, maxResends: 3 },
  startedAt: 1_000_000,
  visibleSince: () => 0,
  hasLookUp: () => true,
};

describe('a run in doubt', () => {
  test('sends nothing before every order was looked up, and nothing that was not looked up twice', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const { counts, differences } = await batch.run(service.url, { lookFirst, settings: patient });
      expect(counts.completed).toBe(ROWS);
      expect(differences).toEqual([]);
      expect(service.posts().toSorted()).toEqual([...batch.orders].toSorted());
      const story = service.arrived.filter(({ path }) => path !== '/connect/token');
      const firstPost = story.findIndex(({ method }) => method === 'POST');
      const seen = new Set(story.slice(0, firstPost).map(({ query }) => query.get('Id') ?? ''));
      expect([...batch.orders].filter((id) => !seen.has(id))).toEqual([]);
      for (const id of batch.orders) {
        const sent = story.findIndex(({ method, body }) => method === 'POST' && body.includes(id));
        const looked = story.slice(0, sent).filter(({ query }) => query.get('Id') === id);
        expect(looked.length).toBeGreaterThanOrEqual(2);
      }
    }));

  test('asks for a row three times at most where the service holds nothing of the batch', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const told: Extract<RunEvent, { type: 'reconcile.progress' }>[] = [];
      const emit = (event: RunEvent): void => {
        if (event.type === 'reconcile.progress') told.push(event);
      };
      // Longer than a busy machine takes to show what it sent first: else everything is asked for anew.
      const settings = quick({ polling: { deadlineMs: 3_600_000 }, inDoubt: { quietMs: 1_500 } });
      await batch.run(service.url, { lookFirst, settings, emit });
      // Two look-ups of each row and one of its next attempt; all four attempts of the 13 smallest ids.
      const looks = 3 * ROWS + 3 * 13;
      expect(told.at(0)).toMatchObject({ done: ROWS, of: looks });
      expect(told.at(0)?.leftMs).toBeGreaterThan(0);
      expect(told.at(-1)).toMatchObject({ done: looks, of: looks, leftMs: 0 });
      const story = service.arrived.filter(({ path }) => path !== '/connect/token');
      const before = story.slice(
        0,
        story.findIndex(({ method }) => method === 'POST'),
      );
      const own = before.filter(({ query }) => batch.orders.has(query.get('Id') ?? ''));
      // The smallest ids are asked for once more just before the first of them leave.
      expect(own).toHaveLength(2 * ROWS + 13);
      // Attempts 3 to 5 of the 13 smallest ids, and up to 15 ids that nobody has.
      expect(before.length - own.length).toBeGreaterThanOrEqual(ROWS + 3 * 13);
      expect(before.length - own.length).toBeLessThanOrEqual(ROWS + 3 * 13 + 15);
    }));

  describe('where look-ups are late', () => {
    /** Whatever was sent by a ledger that was lost a moment ago, in full, to a service that shows an order so late. */
    async function lostJustNow(folder: string, lagMs: number) {
      const clock = fastClock();
      const takenAt = new Map<string, { readonly order: PaymentOrder; readonly at: number }>();
      const service = await handMadeService({
        onPost(order) {
          const id = order.originatorConversationId;
          takenAt.set(id, takenAt.get(id) ?? { order, at: clock.now() });
          return acceptanceOf(id);
        },
        onFind(id) {
          const taken = takenAt.get(id);
          return taken && clock.now() - taken.at >= lagMs ? paidRecordOf(taken.order) : undefined;
        },
      });
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(10) });
      const ledger = await open(batch.path, clock);
      const orders = await ledger.unsentOrders(batch.header.id, 10);
      await ledger.close();
      const url = `${service.url}/v1/payment-order/new-order`;
      await Promise.all(orders.map(({ body }) => fetch(url, { method: 'POST', body })));
      return { service, batch };
    }

    test('by less than a silence, it finds what was sent until the moment in which it began', () =>
      inTemporaryFolder(async (folder) => {
        const { service, batch } = await lostJustNow(folder, 7_500);
        const settings = quick({ inDoubt: { unknownGapMs: 1_000, quietMs: 10_000 }, polling: { deadlineMs: 100_000 } });
        const { counts } = await batch.run(service.url, { lookFirst, settings });
        expect(counts.completed).toBe(10);
        expect(service.posts()).toHaveLength(10);
      }));

    test('by more than a silence, it believes nothing that was looked up before its first payments were shown', () =>
      inTemporaryFolder(async (folder) => {
        const { service, batch } = await lostJustNow(folder, 7_500);
        const settings = quick({ inDoubt: { quietMs: 2_000 }, polling: { deadlineMs: 100_000 } });
        const { counts } = await batch.run(service.url, { lookFirst, settings });
        expect(counts.completed).toBe(10);
        // The first one leaves alone, and shows how late look-ups are.
        expect(service.posts()).toHaveLength(10 + 1);
      }));

    test('without an end, it sends no more than its first payment, and says so', () =>
      inTemporaryFolder(async (folder) => {
        const { service, batch } = await lostJustNow(folder, Number.POSITIVE_INFINITY);
        const { counts, result } = await batch.run(service.url, {
          lookFirst,
          settings: quick({ polling: { deadlineMs: 500 } }),
        });
        expect(result?.stop?.code).toBe('unseen');
        expect(counts.unsent).toBe(9);
        expect(service.posts()).toHaveLength(10 + 1);
      }));
  });

  test('looks everything up after the silence also where it asks again sooner, because one gets no clear answer', () =>
    inTemporaryFolder(async (folder) => {
      let [unclear, hasSent] = [3, false];
      const lastLook = new Map<string, number>();
      const batch = await planBatch(folder, { payees: ordinaryPayees(20) });
      const [stubborn] = batch.orders;
      const service = await handMadeService({
        onFind(id, response) {
          if (!hasSent && batch.orders.has(id)) lastLook.set(id, performance.now());
          if (id !== stubborn || unclear === 0) return undefined;
          unclear -= 1;
          sendJson(response, 500, { text: 'no' });
          return answered;
        },
        onPost() {
          hasSent = true;
        },
      });
      const quietMs = 1500;
      const settings = quick({ polling: { deadlineMs: 3_600_000 }, inDoubt: { quietMs, unknownGapMs: 10 } });
      const began = performance.now();
      const { counts } = await batch.run(service.url, { lookFirst, settings });
      expect(counts.completed).toBe(20);
      expect(lastLook.size).toBe(20);
      expect(Math.min(...lastLook.values()) - began).toBeGreaterThanOrEqual(quietMs);
    }));

  test('follows what it finds, and sends the rest', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(6) });
      const ledger = await open(batch.path, systemClock);
      const [first, second] = await ledger.unsentOrders(batch.header.id, 2);
      await ledger.close();
      for (const order of [first, second]) {
        await fetch(`${service.url}/v1/payment-order/new-order`, { method: 'POST', body: order?.body ?? '' });
      }
      const { counts } = await batch.run(service.url, { lookFirst, settings: patient });
      expect(counts.completed).toBe(6);
      expect(service.posts()).toHaveLength(6);
      expect(new Set(service.posts()).size).toBe(6);
    }));

  test('does not send what shows up at the service between the two look-ups', () =>
    inTemporaryFolder(async (folder) => {
      const bodies = new Map<string, string>();
      const late = new Set<string>();
      const service = await handMadeService({
        // Somebody else's submission arrives after the first look-up of it.
        async onFind(id) {
          const body = bodies.get(id);
          if (body === undefined) return undefined;
          if (late.has(id)) await until(() => service.taken.has(id));
          else void fetch(`${service.url}/v1/payment-order/new-order`, { method: 'POST', body });
          late.add(id);
          return undefined;
        },
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(4) });
      const ledger = await open(batch.path, systemClock);
      for (const { state, body } of await ledger.unsentOrders(batch.header.id, 10)) bodies.set(state.id, body);
      await ledger.close();
      const { counts } = await batch.run(service.url, { lookFirst });
      expect(counts.completed).toBe(4);
      expect(service.posts()).toHaveLength(4);
    }));

  test('stops without having sent anything when the look-ups say nothing', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({ onFind: () => ({ nothing: 'known' }) });
      const batch = await planBatch(folder, { payees: ordinaryPayees(3) });
      const settings = quick({ polling: { deadlineMs: 150 } });
      const { counts, result } = await batch.run(service.url, { lookFirst, settings });
      expect(counts.unsent).toBe(3);
      expect(result?.stop?.says).toContain('3 orders');
      expect(service.posts()).toEqual([]);
    }));

  test('finds bills that were paid, and pays those that it was told to', () =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService({ record: (held) => recordOf(held) });
      const { batch, ids } = await planStrict(folder, 'bill-payment', 3);
      const ledger = await open(batch.path, systemClock);
      const [first] = await ledger.unsentOrders(batch.header.id, 1);
      expect(await ledger.unverifiableRows(batch.header.id)).toBe(3);
      await ledger.close();
      await fetch(`${service.url}/v1/bill-payments`, { method: 'POST', body: first?.body ?? '' });
      const { counts } = await batch.run(service.url, { lookFirst });
      expect(counts.completed).toBe(3);
      expect(service.posts()).toHaveLength(3);
      expect(new Set(service.posts())).toEqual(new Set(ids));
    }));
});

describe('a run of a batch that is new, on a trusted ledger', () => {
  test('looks the 13 smallest ids up before each of the first three and before all others, which it does not look up', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const { counts } = await batch.run(service.url, { settings: quick({ inDoubt: { quietMs: 60_000 } }) });
      expect(counts.completed).toBe(ROWS);
      const story = service.arrived.filter(({ path }) => path !== '/connect/token');
      const firstPost = story.findIndex(({ method }) => method === 'POST');
      const asked = story.slice(0, firstPost).map(({ query }) => query.get('Id') ?? '');
      const smallest = [...batch.orders].toSorted().slice(0, 13);
      expect(asked.filter((id) => batch.orders.has(id)).toSorted()).toEqual(smallest);
      const ahead = service.posts().slice(0, 3);
      for (const id of batch.orders) {
        const sent = story.findIndex(({ method, body }) => method === 'POST' && body.includes(id));
        const looked = story.slice(firstPost, sent).filter(({ query }) => query.get('Id') === id);
        const place = ahead.indexOf(id);
        const times = place < 0 ? ahead.length : place;
        expect(looked).toHaveLength(smallest.includes(id) ? times : 0);
      }
    }));

  test('sends three of the smallest ids first, drawn by chance, and the others when the service shows these', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      await batch.run(service.url);
      const story = service.arrived.filter(({ path }) => path !== '/connect/token');
      const posts = story.filter(({ method }) => method === 'POST');
      const smallest = [...batch.orders].toSorted().slice(0, 13);
      for (const id of service.posts().slice(0, 3)) {
        expect(smallest).toContain(id);
        const [, , , fourth] = posts;
        const shown = story.slice(0, fourth && story.indexOf(fourth)).filter(({ query }) => query.get('Id') === id);
        // Once before it left, and once after.
        expect(shown.length).toBeGreaterThanOrEqual(2);
      }
    }));

  test('asks for everything in two rounds where one of them was sent, as a folder that was put back would have it', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const ledger = await open(batch.path, systemClock);
      const orders = await ledger.unsentOrders(batch.header.id, ROWS);
      await ledger.close();
      const sent = orders.filter((order, index) => index % 2 === 0 || isSmallest(order.state.id, batch.orders));
      for (const { body } of sent) await fetch(`${service.url}/v1/payment-order/new-order`, { method: 'POST', body });
      const notices: string[] = [];
      const { counts, result } = await batch.run(service.url, {
        settings: patient,
        emit: (event) => event.type === 'notice' && notices.push(event.code ?? ''),
      });
      expect(notices).toContain('ledger-behind');
      expect(result?.recovery).toBe('over');
      expect(counts.completed).toBe(ROWS);
      expect(service.posts()).toHaveLength(ROWS);
      expect(new Set(service.posts()).size).toBe(ROWS);
    }));

  test('doubts its ledger where the service says that it holds one of those that go ahead, and comes to its end', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({
        onPost(_order, response) {
          if (service.posts().length !== 2) return undefined;
          sendJson(response, 400, { errors: { OriginatorConversationId: ['duplicate originator conversation id'] } });
          return answered;
        },
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const notices: string[] = [];
      const { counts } = await batch.run(service.url, {
        settings: quick({ polling: { deadlineMs: 1_000 } }),
        emit: (event) => event.type === 'notice' && notices.push(event.code ?? ''),
      });
      expect(notices.filter((code) => code.startsWith('sighting'))).toEqual(['sighting', 'sighting-over']);
      expect(counts).toMatchObject({ completed: ROWS - 1, 'in-doubt': 1 });
      expect(new Set(service.posts()).size).toBe(service.posts().length);
    }));

  test('stops where the service shows a payment under another id than that of its acceptance', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({
        record: (record) => ({ ...record, conversationId: 'of somebody else' }),
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const { counts, result } = await batch.run(service.url);
      expect(result?.stop?.code).toBe('elsewhere');
      expect(service.posts()).toHaveLength(1);
      expect(counts.unsent).toBe(ROWS - 1);
    }));

  test.each([
    ['in capitals', (record: Json) => ({ ...record, conversationId: String(record['conversationId']).toUpperCase() })],
    ['not at all', ({ conversationId, ...record }: Json) => record],
  ])('goes on where the service shows that id %s', (_, record) =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({ record });
      const batch = await planBatch(folder, { payees: ordinaryPayees(6) });
      const { counts, result } = await batch.run(service.url);
      expect(result?.stop).toBeUndefined();
      expect(counts.completed).toBe(6);
    }),
  );

  test('goes on, and says so, where the service has no clear answer for what it does not hold', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({
        onFind(id, response) {
          if (service.taken.has(id)) return undefined;
          sendJson(response, 500, { text: 'Object reference not set to an instance of an object' });
          return answered;
        },
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(6) });
      const notices: string[] = [];
      const { counts } = await batch.run(service.url, {
        emit: (event) => event.type === 'notice' && notices.push(event.code ?? ''),
      });
      expect(counts.completed).toBe(6);
      expect(notices.filter((code) => code === 'no-unknown-form')).toHaveLength(1);
    }));
});

test('a run that goes on with a batch looks each order up just before it leaves', () =>
  inTemporaryFolder(async (folder) => {
    const service = await handMadeService();
    const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
    const stop = new AbortController();
    const emit = (): void => {
      if (service.posts().length >= 4) stop.abort();
    };
    await batch.run(service.url, { signal: stop.signal, emit });
    const before = service.arrived.length;
    const { counts } = await batch.run(service.url, { settings: patient });
    expect(counts.completed).toBe(ROWS);
    const story = service.arrived.slice(before);
    const posts = story.filter(({ method, path }) => method === 'POST' && path !== '/connect/token');
    expect(posts.length).toBeGreaterThan(0);
    for (const id of batch.orders) {
      const sent = story.findIndex(({ method, body }) => method === 'POST' && body.includes(id));
      if (sent === -1) continue;
      expect(story.slice(0, sent).filter(({ query }) => query.get('Id') === id).length).toBeGreaterThanOrEqual(1);
    }
  }));

/** Whether an id is among those of which three go ahead. */
const isSmallest = (id: string, orders: ReadonlySet<string>): boolean => [...orders].toSorted().indexOf(id) < 13;

describe('the rule for an order that this ledger never sent', () => {
  const planned = { ...claimedOrder(), phase: 'planned' as const, posts: 0, alarms: [] };

  test('leaves it to who sends the plan, and has it looked up where it pays again', () => {
    expect(nextStep(planned, policy, 5).do).toBe('nothing');
    expect(nextStep(planned, { ...policy, lookFirst }, 5).do).toBe('nothing');
    expect(mustLookFirst({ ...planned, attempt: 2 }, policy)).toBe(true);
  });

  test('asks for two look-ups and for silence since the run began, and for one where nothing is in doubt', () => {
    const doubtful = { ...policy, lookFirst };
    expect(provenUnsentAt(1_000_500, doubtful)).toBe(1_120_000);
    expect(provenUnsentAt(1_090_000, doubtful)).toBe(1_150_000);
    expect(provenUnsentAt(1_000_500, policy)).toBe(1_000_500);
  });

  test('does not trust a restored ledger that says that it never left', () => {
    const at = 1_001_000;
    const neverTransmitted = {
      ...planned,
      phase: 'in-doubt' as const,
      posts: 1,
      firstClaimedAt: 1,
      lastClaimedAt: 1,
      lastEndedAt: 2,
      answer: { tag: 'not-sent' as const, reason: 'ECONNREFUSED' },
    };
    expect(nextStep(neverTransmitted, policy, at).do).toBe('submit');
    expect(nextStep(neverTransmitted, { ...policy, lookFirst }, at).do).toBe('look-up');
    const unknown = { ...neverTransmitted, unknowns: 2, firstUnknownAt: 900_000, lastUnknownAt: 1_001_000 };
    expect(nextStep(unknown, { ...policy, lookFirst }, at).do).toBe('look-up');
    const proven = { ...unknown, lastUnknownAt: 1_120_000 };
    expect(nextStep(proven, { ...policy, lookFirst }, 1_120_000).do).toBe('submit');
  });

  test('does not send again on evidence from before the run, whatever the ledger', () => {
    const absent = {
      ...planned,
      phase: 'in-doubt' as const,
      posts: 1,
      firstClaimedAt: 500_000,
      lastClaimedAt: 500_000,
      lastEndedAt: 500_000,
      answer: { tag: 'ambiguous' as const, reason: 'HTTP 500' },
      unknowns: 2,
      firstUnknownAt: 560_000,
      lastUnknownAt: 620_000,
    };
    expect(nextStep(absent, policy, 1_000_001).do).toBe('look-up');
    expect(nextStep(absent, { ...policy, lookFirst }, 1_000_001).do).toBe('look-up');
  });
});
