/** What stops a run: an alarm, the operator, a service that cannot be reached or takes no credentials. */
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/system.ts';
import { fastClock } from '../support/fast-clock.ts';
import { deadUrl, sendJson, serve } from '../support/loopback.ts';
import { ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { acceptanceOf, answered, type HandMadeService, handMadeService, paidRecordOf } from './hand-made-service.ts';
import { practiceOnRealTime } from './practice-on-real-time.ts';
import { until } from './until.ts';

describe('a claim', () => {
  test('of an order is on disk before the order is posted, and names the body that is posted', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(30) });
      const wrong: unknown[] = [];
      const service = await handMadeService({
        onPost(order) {
          const ledger = new Sqlite(batch.path, { readonly: true });
          const row = ledger
            .prepare(
              `SELECT o.phase, b.body, (SELECT COUNT(*) FROM fact WHERE position = o.position AND type = 'order-claimed') AS claims
               FROM pay_order o JOIN order_body b ON b.position = o.position WHERE o.id = ?`,
            )
            .get(order.originatorConversationId) as {
            phase: string;
            claims: number;
            body: string;
          };
          ledger.close();
          const sound = row.phase === 'claimed' && row.claims === 1 && row.body === JSON.stringify(order);
          if (!sound) wrong.push(row);
        },
      });
      const report = await batch.run(service.url);
      expect(wrong).toEqual([]);
      expect(service.posts()).toHaveLength(30);
      expect(report.counts.completed).toBe(30);
    }));
});

describe('an alarm', () => {
  test.each([
    ['another amount', (transaction: object) => ({ ...transaction, amount: 1 })],
    ['a line that was not sent', (transaction: object) => ({ ...transaction, systemTraceAuditNumber: 'stranger' })],
  ])('stops sending at once: %s', (_name, lie) =>
    inTemporaryFolder(async (folder) => {
      let postsAtAlarm: number | undefined;
      const service = await handMadeService({
        // The liar answers one submission, and no other one before the alarm: many wait for their turn.
        async onPost() {
          if (service.posts().length > 1) await until(() => postsAtAlarm !== undefined);
        },
        record: (record) => ({
          ...record,
          orderLines: (record['orderLines'] as { transaction: object }[]).map((line) => ({
            ...line,
            transaction: lie(line.transaction),
          })),
        }),
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(100) });
      const settings = quick({ sending: { concurrency: 4 } });
      const { result, counts, differences } = await batch.run(service.url, {
        settings,
        emit(event) {
          if (event.type === 'notice' && event.level === 'alarm') postsAtAlarm ??= service.posts().length;
        },
      });
      expect(result?.alarms.length).toBeGreaterThan(0);
      expect(result?.stop?.says).toMatch(/contradicts/);
      expect(counts.completed).toBe(0);
      // What had left when the alarm was raised may still arrive; nothing else does.
      expect(service.posts().length).toBeLessThanOrEqual((postsAtAlarm ?? 0) + settings.sending.concurrency);
      expect(counts.unsent).toBe(100 - service.posts().length);
      expect(differences).toEqual([]);
    }),
  );

  test('follows the acceptance of another order, and the order is not believed', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({ onPost: () => acceptanceOf('somebody-else') });
      const batch = await planBatch(folder, { payees: ordinaryPayees(40) });
      const { result, counts } = await batch.run(service.url, { settings: quick({ sending: { concurrency: 1 } }) });
      expect(result?.alarms).toEqual([expect.stringContaining('somebody-else')]);
      expect(service.posts()).toHaveLength(1);
      expect(counts).toMatchObject({ 'in-doubt': 1, unsent: 39 });
    }));

  test('follows an acceptance from another environment than the first one, and that order is not believed', () =>
    inTemporaryFolder(async (folder) => {
      const names = ['LIVE', null, 'Live', 'SANDBOX'];
      const service = await handMadeService({
        onPost(order) {
          const { message } = acceptanceOf(order.originatorConversationId) as { readonly message: object };
          return { message: { ...message, appDomainName: names.shift() } };
        },
      });
      const batch = await planBatch(folder, { clock: fastClock(), payees: ordinaryPayees(40) });
      const { result, counts } = await batch.run(service.url, { settings: quick({ sending: { concurrency: 1 } }) });
      expect(result?.alarms).toEqual(['the acceptance comes from SANDBOX, and others came from LIVE']);
      expect(service.posts()).toHaveLength(4);
      expect(counts).toMatchObject({ completed: 0, unsent: 36 });
    }));

  test('follows status 4 with nothing paid, which is never called completed', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({
        record(record, order) {
          const [line] = paidRecordOf(order).orderLines;
          const outcome = { ...(line?.['transactionOutcome'] as object), paymentAmount: 0 };
          return { ...record, orderLines: [{ ...line, transactionOutcome: outcome }] };
        },
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const { result, counts } = await batch.run(service.url);
      expect(result?.alarms).toHaveLength(1);
      expect(counts).toMatchObject({ completed: 0, 'in-doubt': 1 });
    }));
});

describe('a batch with an alarm', () => {
  const lying = (record: object) => ({
    ...record,
    orderLines: (record as { orderLines: { transaction: object }[] }).orderLines.map((line) => ({
      ...line,
      transaction: { ...line.transaction, amount: 1 },
    })),
  });

  const openRecord = (record: Readonly<Record<string, unknown>>) => ({
    ...record,
    isProcessed: false,
    orderLines: (record['orderLines'] as readonly object[]).map((line) => ({
      ...line,
      transactionOutcome: { transactionStatus: 0 },
    })),
  });

  test('has nothing more sent by a later run, which raises the alarm before anything else', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(60) });
      const settings = quick({ sending: { concurrency: 1 } });
      let isRaised = false;
      const liar = await handMadeService({
        async onPost() {
          if (liar.posts().length > 1) await until(() => isRaised);
        },
        record: (record) => lying(record),
      });
      const first = await batch.run(liar.url, {
        settings,
        emit(event) {
          isRaised ||= event.type === 'notice' && event.level === 'alarm';
        },
      });
      expect(first.counts.unsent).toBeGreaterThan(0);
      const honest = await handMadeService();
      for (let again = 0; again < 2; again++) {
        const told: string[] = [];
        const { result, counts } = await batch.run(honest.url, {
          emit(event) {
            if (event.type === 'notice' && event.level === 'alarm') told.push(event.message);
          },
        });
        expect(honest.posts()).toEqual([]);
        expect(result?.alarms.toSorted()).toEqual(first.result?.alarms.toSorted());
        expect(result?.stop?.says).toMatch(/contradicts/);
        expect(told).toEqual(result?.alarms);
        expect(counts.unsent).toBe(first.counts.unsent);
      }
    }));

  test('of which every order is settled raises it again all the same', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const doubled = await handMadeService({
        record: (record, order) => ({
          ...record,
          orderLines: [...paidRecordOf(order).orderLines, ...paidRecordOf(order).orderLines],
        }),
      });
      const first = await batch.run(doubled.url);
      expect(first.counts.completed).toBe(1);
      expect(first.result?.alarms).toHaveLength(1);
      const asked = doubled.finds().length;
      const again = await batch.run(doubled.url);
      expect(again.result?.alarms).toEqual(first.result?.alarms);
      expect(doubled.finds()).toHaveLength(asked);
    }));

  test('still has its other orders followed to their end', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(4) });
      let liesAbout: string | undefined;
      const service = await handMadeService({
        // No order is final before all four have arrived; then the first one that is asked about is lied about.
        record(record, order) {
          if (service.posts().length < 4) return openRecord(record);
          liesAbout ??= order.originatorConversationId;
          return liesAbout === order.originatorConversationId ? (lying(record) as typeof record) : record;
        },
      });
      const first = await batch.run(service.url, { settings: quick({ sending: { concurrency: 4 } }) });
      expect(first.result?.alarms).toHaveLength(1);
      expect(service.posts()).toHaveLength(4);
      const { counts } = await batch.run(service.url);
      expect(counts).toMatchObject({ completed: 3, 'in-doubt': 1 });
    }));
});

describe('the operator', () => {
  test('stops claiming; what is in flight lands, and a second run sends the rest once', () =>
    inTemporaryFolder(async (folder) => {
      const stop = new AbortController();
      const practice = await practiceOnRealTime('settle-min=5,settle-max=40,slow=20');
      const batch = await planBatch(folder, { payees: ordinaryPayees(80) });
      const settings = quick({ sending: { concurrency: 4 } });
      const running = batch.run(practice.url, { settings, signal: stop.signal });
      await until(() => practice.books().orders.length >= 6);
      const sentAtStop = practice.books().orders.length;
      stop.abort('SIGINT');
      const first = await running;
      expect(first.error).toBeUndefined();
      const sent = practice.books().orders.length;
      expect(sent).toBeLessThanOrEqual(sentAtStop + settings.sending.concurrency);
      expect(first.counts.unsent).toBe(80 - sent);
      const second = await batch.run(practice.url);
      expect(second.counts.completed).toBe(80);
      expect(practice.books().orders.every(({ posts }) => posts === 1)).toBe(true);
    }));

  test('does not wait for a pause that the service asked for, and nothing is posted after it', () =>
    inTemporaryFolder(async (folder) => {
      const stop = new AbortController();
      const service = await handMadeService({
        onPost(_order, response) {
          response.writeHead(429, { 'retry-after': '600' }).end();
          return answered;
        },
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(20) });
      const running = batch.run(service.url, { signal: stop.signal, settings: quick({ sending: { concurrency: 2 } }) });
      await until(() => service.posts().length === 1);
      // So that the answer is read, mostly; it must end like this either way.
      await systemClock.sleep(30);
      stop.abort();
      const { counts, error } = await running;
      expect(error).toBeUndefined();
      expect(service.posts()).toHaveLength(1);
      expect(counts).toMatchObject({ 'in-doubt': 1, unsent: 19 });
    }));

  test('who stops before the beginning has nothing sent', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(5) });
      const { counts } = await batch.run(service.url, { signal: AbortSignal.abort() });
      expect(counts.unsent).toBe(5);
      expect(service.arrived).toEqual([]);
    }));
});

describe('an order that waits for its turn', () => {
  const settings = quick({
    sending: { concurrency: 2, requestTimeoutMs: 200 },
    polling: { firstMs: 700, maxMs: 700, deadlineMs: 10_000 },
    // A run that stands still for half of it asks again before it goes on.
    inDoubt: { quietMs: 4_000 },
  });

  /** Ids that were looked up between the first submission and their own; not the smallest, which are asked for more than once. */
  function lookedUpTooSoon(service: HandMadeService, ids: ReadonlySet<string>): string[] {
    const posted = new Set<string>();
    const orders = new Set([...ids].toSorted().slice(13));
    return service.arrived.flatMap(({ method, path, body, query }) => {
      const id = query.get('Id') ?? '';
      if (method === 'POST' && path !== '/connect/token') posted.add(JSON.parse(body).originatorConversationId);
      return method === 'GET' && posted.size > 0 && orders.has(id) && !posted.has(id) ? [id] : [];
    });
  }

  test('behind slow ones, for longer than any time limit of a request, is left alone until it has left', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({ onPost: async () => void (await systemClock.sleep(150)) });
      const batch = await planBatch(folder, { payees: ordinaryPayees(32) });
      const { counts, error } = await batch.run(service.url, { settings });
      expect(error).toBeUndefined();
      expect(counts.completed).toBe(32);
      expect(lookedUpTooSoon(service, batch.orders)).toEqual([]);
      expect(service.posts()).toHaveLength(32);
    }));

  test('because the service asked for a pause leaves once, when it is over', () =>
    inTemporaryFolder(async (folder) => {
      let isFirst = true;
      const service = await handMadeService({
        onPost(_order, response) {
          if (!isFirst) return undefined;
          isFirst = false;
          response.writeHead(429, { 'retry-after': '1' }).end();
          return answered;
        },
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(24) });
      const { counts, error } = await batch.run(service.url, { settings });
      expect(error).toBeUndefined();
      expect(counts.completed).toBe(24);
      expect(lookedUpTooSoon(service, batch.orders)).toEqual([]);
      // The one that was throttled is sent again once it is proven absent.
      expect(service.posts()).toHaveLength(25);
    }));
});

describe('a service that cannot be reached', () => {
  test('leaves every order unsent, not in doubt, and the run says why it stopped', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(10) });
      const settings = quick({ polling: { deadlineMs: 600 } });
      const { counts, result } = await batch.run(await deadUrl(), { settings });
      expect(result?.stop?.says).toMatch(/ECONNREFUSED/);
      expect(counts.unsent).toBe(10);
    }));
});

describe('credentials', () => {
  test('that are refused stop sending, and what never left stays unsent', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime('settle-min=5,settle-max=20');
      const refusing = await serve((_request, response) => sendJson(response, 401, { error: 'invalid_client' }));
      const batch = await planBatch(folder, { payees: ordinaryPayees(50) });
      const { counts, result } = await batch.run(refusing.url);
      expect(result?.stop?.says).toMatch(/HTTP 401: invalid_client/);
      expect(counts.unsent).toBe(50);
      expect(refusing.arrived.every(({ path }) => path === '/connect/token')).toBe(true);
      expect((await batch.run(practice.url)).counts.completed).toBe(50);
    }));

  test('of which one token expires for many requests in flight do not stop a run', () =>
    inTemporaryFolder(async (folder) => {
      let refuse = true;
      let waiting = 0;
      const service = await handMadeService({
        async onPost(_order, response) {
          // After those that go ahead.
          if (!refuse || service.posts().length <= 3) return undefined;
          waiting += 1;
          await until(() => waiting >= 8);
          refuse = false;
          response.writeHead(401).end();
          return answered;
        },
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(40) });
      const { counts, result } = await batch.run(service.url);
      expect(result?.stop?.says).toBeUndefined();
      expect(counts.completed).toBe(40);
    }));
});
