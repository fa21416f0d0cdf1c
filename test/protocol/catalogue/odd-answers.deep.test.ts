/** Answers that no specification foresees, in the middle of a whole run: none of them is ever read as paid or as not paid. */
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { acceptanceOf, answered, handMadeService, type Json, paidRecordOf } from '../../dispatch/hand-made-service.ts';
import { sendJson } from '../../support/loopback.ts';
import { ordinaryPayees, planBatch, quick } from '../../support/run-harness.ts';
import { inTemporaryFolder } from '../../support/temporary-folder.ts';

const ROWS = 6;
const PAGE = '<html><body>Please sign in</body></html>';
const briefly = quick({ polling: { deadlineMs: 400 } });

const page = (response: ServerResponse, status: number, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(PAGE);
  return answered;
};

/** An answer that never comes. */
const dropped = (response: ServerResponse) => {
  response.destroy();
  return answered;
};

/**
 * Statuses that somebody between us and the service answers, or that no specification of it names: one for each order of a batch, and
 * so few in a batch that the run does not stop by itself.
 */
const strangeStatuses = [
  ['408, 409, 412, 423 and 425', [408, 409, 412, 423, 425]],
  ['451, 500, 502 and 504', [451, 500, 502, 504]],
] as const;

describe('a submission that is answered strangely', () => {
  // V05, V06, V23
  test.each(strangeStatuses)(
    'with %s although it was taken is found by its look-up, and is not sent again',
    (_, statuses) =>
      inTemporaryFolder(async (folder) => {
        const batch = await planBatch(folder, { payees: ordinaryPayees(statuses.length) });
        const held = new Map<string, object>();
        const left = [...statuses];
        const service = await handMadeService({
          onPost(order, response) {
            held.set(order.originatorConversationId, paidRecordOf(order));
            return page(response, left.shift() ?? 0);
          },
          onFind: (id) => held.get(id),
        });
        const { counts, result } = await batch.run(service.url);
        expect(counts.completed).toBe(statuses.length);
        expect(result?.alarms).toEqual([]);
        expect(service.posts()).toHaveLength(statuses.length);
      }),
  );

  test.each(strangeStatuses)('with %s and was not taken is never called refused', (_, statuses) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(statuses.length) });
      const left = [...statuses];
      const service = await handMadeService({ onPost: (_order, response) => page(response, left.shift() ?? 0) });
      const never = quick({ inDoubt: { resend: 'never' }, polling: { deadlineMs: 1_500 } });
      const { counts } = await batch.run(service.url, { settings: never });
      expect(counts).toMatchObject({ 'in-doubt': statuses.length, refused: 0, failed: 0, unsent: 0 });
      expect(service.posts()).toHaveLength(statuses.length);
    }),
  );
});

describe('somebody else who answers everything', () => {
  // V07, V10
  test.each([
    ['with a page', 200, {}],
    ['with a redirect', 302, { location: 'http://127.0.0.1:9/' }],
    ['with a redirect that keeps the body', 307, { location: 'http://127.0.0.1:9/' }],
  ] as const)(
    '%s leaves what was sent in doubt, sends nothing twice, and the real service settles it',
    (_name, status, headers) =>
      inTemporaryFolder(async (folder) => {
        const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
        const stranger = await handMadeService({
          onPost: (_order, response) => page(response, status, headers),
          onFind: (_id, response) => page(response, status, headers),
        });
        const { counts } = await batch.run(stranger.url, { settings: briefly });
        expect(counts).toMatchObject({ completed: 0, refused: 0, failed: 0, rejected: 0 });
        expect(counts['in-doubt'] + counts.unsent).toBe(ROWS);
        expect(new Set(stranger.posts()).size).toBe(stranger.posts().length);

        const service = await handMadeService();
        expect((await batch.run(service.url)).counts.completed).toBe(ROWS);
      }),
  );
});

describe('a duplicate that is told with an error of the service itself', () => {
  // V12
  test('at 400, 409 and 500 is looked up, and is neither sent again nor called refused', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const statuses = [400, 409, 500, 400, 409, 500];
      const service = await handMadeService({
        onPost(_order, response) {
          sendJson(response, statuses.shift() ?? 0, {
            errorCode: '500.002.1001',
            errorMessage: 'Duplicate OriginatorConversationID.',
          });
          return answered;
        },
      });
      const { counts } = await batch.run(service.url, { settings: briefly });
      expect(counts).toMatchObject({ 'in-doubt': ROWS, refused: 0 });
      await batch.run(service.url, { settings: briefly });
      expect(service.posts()).toHaveLength(ROWS);
    }));
});

describe('a documented refusal', () => {
  // V15
  test('of a body that was sent again refuses nothing: the first copy may still be on its way', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(2) });
      const service = await handMadeService({
        onPost({ originatorConversationId: id }, response) {
          const [first, ...others] = service.posts();
          // The other one is taken: beside it the first can be proven absent.
          if (id !== first) return undefined;
          if (!others.includes(id)) response.destroy();
          else sendJson(response, 400, { errors: { Amount: ['The Amount field is wrong.'] }, status: 400 });
          return answered;
        },
      });
      const settings = quick({ polling: { deadlineMs: 700 }, inDoubt: { maxResends: 1 } });
      const { counts } = await batch.run(service.url, { settings });
      expect(service.posts()).toHaveLength(3);
      expect(counts).toMatchObject({ 'in-doubt': 1, completed: 1, refused: 0 });
    }));
});

describe('a look-up', () => {
  // V31
  test.each([
    ['a page', (response: ServerResponse) => page(response, 200)],
    ['500', (response: ServerResponse) => page(response, 500)],
    ['401', (response: ServerResponse) => page(response, 401)],
    ['503', (response: ServerResponse) => page(response, 503)],
    ['nothing', dropped],
  ] as const)('that is answered with %s never counts as unknown: nothing is sent again', (_name, answer) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const service = await handMadeService({
        onPost: (_order, response) => dropped(response),
        onFind: (_id, response) => (service.posts().length > 0 ? answer(response) : undefined),
      });
      const { counts } = await batch.run(service.url, { settings: quick({ polling: { deadlineMs: 700 } }) });
      expect(counts['in-doubt']).toBe(1);
      expect(service.posts()).toHaveLength(1);
      expect(service.finds().length).toBeGreaterThan(1);
    }),
  );

  // V26
  test.each([
    ['a number that JSON does not have', (text: string) => text.replace('"feeAmount":5', '"feeAmount":NaN')],
    ['a comment', (text: string) => `/* */${text}`],
    ['brackets without end', () => '['.repeat(200_000)],
  ])('with %s tells nothing, and the order stays in doubt', (_name, spoil) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const held = new Map<string, string>();
      const service = await handMadeService({
        onPost(order) {
          held.set(order.originatorConversationId, JSON.stringify(paidRecordOf(order)));
        },
        onFind(id, response) {
          const record = held.get(id);
          if (record === undefined) return undefined;
          response.writeHead(200, { 'content-type': 'application/json' }).end(spoil(record));
          return answered;
        },
      });
      const { counts } = await batch.run(service.url, { settings: briefly });
      expect(counts['in-doubt']).toBe(1);
    }),
  );

  test('with names of the language itself is data, and changes no object', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const held = new Map<string, string>();
      const service = await handMadeService({
        onPost(order) {
          const text = JSON.stringify(paidRecordOf(order));
          held.set(order.originatorConversationId, text.replace('{', '{"__proto__":{"seen":1},"constructor":{"x":1},'));
        },
        onFind(id, response) {
          response.writeHead(200, { 'content-type': 'application/json' }).end(held.get(id));
          return answered;
        },
      });
      expect((await batch.run(service.url)).counts.completed).toBe(1);
      expect(({} as Record<string, unknown>)['seen']).toBeUndefined();
    }));
});

describe('a service that packs its answers without being asked', () => {
  const marked = (text: string): Buffer => Buffer.from(`\ufeff${text}`);

  // V27
  test.each([
    ['by gzip', 'gzip', gzipSync],
    ['by deflate', 'deflate', deflateSync],
    ['by br', 'br', brotliCompressSync],
    ['and begins them with a byte order mark', 'identity', marked],
  ] as const)('%s is understood: acceptances and status records count', (_name, encoding, pack) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const service = await handMadeService({
        send(response, status, value) {
          const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
          response.writeHead(status, headers).end(pack(JSON.stringify(value)));
        },
      });
      const { counts, rows } = await batch.run(service.url);
      expect(counts.completed).toBe(ROWS);
      expect(rows.every(({ state }) => state?.answer?.tag === 'accepted')).toBe(true);
      expect(service.posts()).toHaveLength(ROWS);
    }),
  );

  // V27
  test.each([
    ['is longer than is read once it is unpacked', (text: string) => gzipSync(text.padEnd(8_000_000))],
    ['cannot be unpacked', (text: string) => Buffer.from(text)],
    ['is cut off in the middle', (text: string) => gzipSync(text).subarray(0, -12)],
  ] as const)('with an acceptance that %s has accepted nothing: the order is looked up', (_name, pack) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const held = new Map<string, object>();
      const service = await handMadeService({
        onPost(order, response) {
          const id = order.originatorConversationId;
          held.set(id, paidRecordOf(order));
          const packed = pack(JSON.stringify(acceptanceOf(id)));
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed);
          return answered;
        },
        onFind: (id) => held.get(id),
      });
      const { counts, rows } = await batch.run(service.url);
      expect(counts.completed).toBe(ROWS);
      expect(rows.every(({ state }) => state?.answer?.tag === 'ambiguous')).toBe(true);
      expect(service.posts()).toHaveLength(ROWS);
    }),
  );
});

describe('figures that a service computed in floating point', () => {
  const noisy = (record: Json, factor: number): Json => ({
    ...record,
    orderLines: (record['orderLines'] as readonly Json[]).map((line) => {
      const { amount, ...transaction } = line['transaction'] as { readonly amount: number };
      const outcome = line['transactionOutcome'] as Json;
      return {
        ...line,
        transaction: { ...transaction, amount: amount * factor },
        transactionOutcome: { ...outcome, paymentAmount: amount * factor, feeAmount: 5 * factor },
      };
    }),
  });

  test('are the amounts that they are nearest to: everybody is paid, and nothing alarms', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      // 1500.25 becomes 1500.2500000000002.
      const service = await handMadeService({ record: (record) => noisy(record, 1 + Number.EPSILON) });
      const { counts, result, completed } = await batch.run(service.url);
      expect(counts.completed).toBe(ROWS);
      expect(result?.alarms).toEqual([]);
      expect(completed).toEqual(batch.header.total);
    }));

  test('that differ by a hundredth of a cent are another amount: that is an alarm, and nothing is called paid', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const service = await handMadeService({ record: (record) => noisy(record, 1 + 1e-7) });
      const { counts, result } = await batch.run(service.url);
      expect(counts.completed).toBe(0);
      expect(result?.alarms).toHaveLength(1);
    }));
});
