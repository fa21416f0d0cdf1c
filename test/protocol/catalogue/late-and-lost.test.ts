/** A service and a network that are late, forget, or do not know the time. */

import { describe, expect, test } from 'vitest';
import type { PaymentOrder } from '../../../src/service/contract/payment-order.ts';
import { acceptanceOf, answered, handMadeService, paidRecordOf } from '../../dispatch/hand-made-service.ts';
import { until } from '../../dispatch/until.ts';
import { sendJson } from '../../support/loopback.ts';
import { ordinaryPayees, planBatch, quick } from '../../support/run-harness.ts';
import { inTemporaryFolder } from '../../support/temporary-folder.ts';

const ROWS = 6;

describe('a submission that waits in the network and arrives after its order was proven absent', () => {
  // V63
  test('carries the same id and the same bytes, so that a service which knows ids pays once', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const paid = new Map<string, PaymentOrder>();
      const refused: string[] = [];
      const waiting = new Set<string>();
      const service = await handMadeService({
        onPost(order, response) {
          const id = order.originatorConversationId;
          // The last one comes through: beside it the others can be proven absent.
          if (!waiting.has(id) && waiting.size < ROWS - 1) {
            waiting.add(id);
            response.destroy();
            return answered;
          }
          paid.set(id, order);
          // The first copy arrives now: the service knows the id.
          if (waiting.has(id)) refused.push(id);
          return acceptanceOf(id);
        },
        onFind: (id) => {
          const order = paid.get(id);
          return order && paidRecordOf(order);
        },
      });

      const { counts } = await batch.run(service.url);

      expect(counts.completed).toBe(ROWS);
      expect(refused.toSorted()).toEqual([...waiting].toSorted());
      expect(refused).toHaveLength(ROWS - 1);
      for (const id of waiting) {
        const bodies = service.arrived.filter(({ method, body }) => method === 'POST' && body.includes(id));
        expect(bodies).toHaveLength(2);
        expect(new Set(bodies.map(({ body }) => body)).size).toBe(1);
      }
    }));
});

describe('a service that forgets an order that it took', () => {
  // V29, V62
  test('has it in doubt and never sent again, by this run or a later one', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const service = await handMadeService({
        onFind(id, response) {
          sendJson(response, 404, { id, idType: 'OriginatorConversationId', message: `${id} not found` });
          return answered;
        },
      });
      const settings = quick({ polling: { deadlineMs: 500 } });
      for (let run = 0; run < 2; run++) {
        const { counts } = await batch.run(service.url, { settings });
        expect(counts).toMatchObject({ 'in-doubt': ROWS, refused: 0, unsent: 0 });
      }
      expect(service.posts()).toHaveLength(ROWS);
    }));
});

describe('a service whose clock is wrong', () => {
  // V60
  test.each(['1970-01-01T00:00:00Z', '2999-12-31T23:59:59Z', 'yesterday', ''])('%j decides nothing', (date) =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const service = await handMadeService({
        record: (record, order) => ({
          ...record,
          timestamp: date,
          orderLines: paidRecordOf(order).orderLines.map((line) => ({
            ...line,
            transactionOutcome: { ...(line['transactionOutcome'] as object), transactionDate: date },
          })),
        }),
      });
      const { counts, result } = await batch.run(service.url);
      expect(counts.completed).toBe(ROWS);
      expect(result?.alarms).toEqual([]);
    }),
  );
});

describe('a permission that is taken away under way', () => {
  // V17, V18
  test('stops sending after a few; those are in doubt, all others are unsent, and a later run pays each once', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(40) });
      let isForbidden = true;
      const service = await handMadeService({
        onPost(_order, response) {
          if (!isForbidden) return undefined;
          response.writeHead(403).end();
          return answered;
        },
      });
      const settings = quick({ sending: { concurrency: 2 }, polling: { deadlineMs: 600 } });
      const { counts, result } = await batch.run(service.url, { settings });
      expect(result?.stop?.says).toBe(
        'the service accepts the token, but does not permit this account to send payments',
      );
      expect(service.posts().length).toBeLessThanOrEqual(12);
      expect(counts).toMatchObject({ 'in-doubt': service.posts().length, unsent: 40 - service.posts().length });
      isForbidden = false;
      expect((await batch.run(service.url)).counts.completed).toBe(40);
      await until(() => service.taken.size === 40);
    }));

  test('proves nothing of what was sent: it is looked up, and what was taken all the same is not sent again', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const taken = new Map<string, PaymentOrder>();
      const service = await handMadeService({
        onPost(order, response) {
          taken.set(order.originatorConversationId, order);
          // Somebody between refuses the answer on its way back.
          response.writeHead(403, { 'content-type': 'text/html' }).end('<html>Request blocked</html>');
          return answered;
        },
        onFind: (id) => {
          const order = taken.get(id);
          return order && paidRecordOf(order);
        },
      });
      const settings = quick({ sending: { concurrency: 1 } });
      let { counts } = await batch.run(service.url, { settings });
      for (let run = 0; counts.completed < ROWS && run < ROWS; run += 1) {
        ({ counts } = await batch.run(service.url, { settings }));
      }
      expect(counts).toMatchObject({ completed: ROWS, refused: 0 });
      expect(service.posts().toSorted()).toEqual([...taken.keys()].toSorted());
    }));
});
