/** How many lines an order has changes what is posted, never what becomes of a row. */
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { expectTheBooksToAgree } from '../support/books.ts';
import { ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { practiceOnRealTime } from './practice-on-real-time.ts';
import { until } from './until.ts';

/** Endings of a line that do not touch the submission of its order, and are final. */
const ENDINGS = ['0001', '0002', '0008', '0777'];

/** Payees with every ending, scattered among ordinary ones, so that no grouping falls on their borders. */
const mixed: readonly string[] = ordinaryPayees(60).map((payee, index) => {
  const ending = index % 3 === 1 ? ENDINGS[Math.floor(index / 3) % ENDINGS.length] : undefined;
  return ending === undefined ? payee : `+25471${String(2000 + index).slice(-3)}${ending}`;
});

describe('a batch of mixed ends', () => {
  test('has the same outcome, fee and report for every row with 1, 2 and 50 lines for each order', () =>
    inTemporaryFolder(async (folder) => {
      const seen = [];
      for (const linesPerOrder of [1, 2, 50]) {
        const practice = await practiceOnRealTime('settle-min=5,settle-max=60');
        const batch = await planBatch(folder, { name: `lines-${linesPerOrder}`, payees: mixed, linesPerOrder });
        const report = await batch.run(practice.url, { settings: quick({ polling: { deadlineMs: 1_500 } }) });
        expect(report.error).toBeUndefined();
        expectTheBooksToAgree(practice.books(), report);
        expect(practice.books().orders).toHaveLength(Math.ceil(mixed.length / linesPerOrder));
        seen.push(
          report.rows.map(({ row, outcome, line }) => ({
            row,
            outcome,
            status: line?.report?.status,
            fee: line?.report?.feeAmount,
            code: line?.report?.resultCode,
            hasReceipt: line?.report?.receipt !== undefined,
          })),
        );
      }
      const [one, two, fifty] = seen;
      expect(two).toEqual(one);
      expect(fifty).toEqual(one);
      const outcomes = new Set(one?.map(({ outcome }) => outcome));
      expect(outcomes).toEqual(new Set(['completed', 'rejected', 'timed-out', 'failed']));
    }));
});

describe('a failed line of an order', () => {
  test('is failed only when the service has processed the whole order: a line that never ends keeps it in doubt', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime('settle-min=5,settle-max=60');
      const payees = [...ordinaryPayees(2), '+254712100008', '+254712100009'];
      const batch = await planBatch(folder, { payees, linesPerOrder: 4 });
      const { rows } = await batch.run(practice.url, { settings: quick({ polling: { deadlineMs: 700 } }) });
      expect(rows.map(({ outcome }) => outcome)).toEqual(['completed', 'completed', 'in-doubt', 'in-doubt']);
      const alone = await planBatch(folder, { name: 'alone', payees: payees.slice(2, 3) });
      expect((await alone.run(practice.url)).counts.failed).toBe(1);
    }));
});

describe('an order of many lines that is rejected half-way', () => {
  test('has exactly its pending and queued lines rejected, and ledger and rows say so', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime('settle-min=5,settle-max=40');
      // Ending 0003 stays pending for two minutes.
      const payees = ordinaryPayees(20).map((payee, index) => (index % 4 === 0 ? `+2547120${index + 10}0003` : payee));
      const batch = await planBatch(folder, { payees, linesPerOrder: 20 });
      const running = batch.run(practice.url, { settings: quick({ polling: { deadlineMs: 20_000 } }) });
      await until(() => (practice.books().orders[0]?.lines ?? []).filter(({ status }) => status === 4).length === 15);
      const [order] = practice.books().orders;
      // The second look-up from now on began after all that, and the run has heard of the fifteen.
      const asked = lookUps(practice);
      await until(() => lookUps(practice) > asked + 1);

      const token = await tokenOf(practice);
      const query = `OriginatorConversationId=${order?.id}`;
      const answer = await fetch(`${practice.url}/v1/payment-order/reject-order?${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      const { paymentOrderlines } = (await answer.json()) as { paymentOrderlines: { resultCode: string }[] };
      expect(paymentOrderlines.map(({ resultCode }) => resultCode)).toEqual(
        payees.map((payee) => (payee.endsWith('0003') ? '0' : '1')),
      );

      const report = await running;
      expect(report.error).toBeUndefined();
      expect(report.result?.alarms).toEqual([]);
      expect(report.rows.map(({ outcome }) => outcome)).toEqual(
        payees.map((payee) => (payee.endsWith('0003') ? 'rejected' : 'completed')),
      );
      expect(report.counts).toMatchObject({ completed: 15, rejected: 5 });
      expectTheBooksToAgree(practice.books(), report);
    }));
});

const lookUps = (practice: Pick<Sandbox, 'books'>): number => practice.books().requests['find-order'] ?? 0;

async function tokenOf({ url, clientId, clientSecret }: { url: string; clientId: string; clientSecret: string }) {
  const form = {
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    scope: 'service_api',
  };
  const answer = await fetch(`${url}/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  return ((await answer.json()) as { access_token: string }).access_token;
}
