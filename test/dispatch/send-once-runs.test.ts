/** Runs of airtime and bill payments, which are sent once: anything but a clean acceptance stays in doubt. */
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/system.ts';
import { deadUrl } from '../support/loopback.ts';
import { open, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import {
  AIRTIME_LOOK_UP,
  answering,
  type Json,
  planStrict,
  recordOf,
  type Strict,
  type StrictHabits,
  strictService,
} from './send-once-batch.ts';

const both = ['airtime', 'bill-payment'] as const satisfies readonly Strict[];

/** A run that waited for this deadline would run into the time limit of its test. */
const patient = quick({ polling: { deadlineMs: 3_600_000 } });
/** Looks a few times and gives up. */
const brief = quick({ polling: { firstMs: 10, maxMs: 40, deadlineMs: 150 } });

describe('an airtime purchase that was accepted', () => {
  test('is pending, not asked about and not waited for: its final word comes by callback', () =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService();
      const { batch, ids } = await planStrict(folder, 'airtime', 20);
      const { counts, result, differences } = await batch.run(service.url, { settings: patient });
      expect(result).toEqual({ alarms: [] });
      expect(counts.pending).toBe(20);
      expect(service.finds()).toEqual([]);
      await batch.run(service.url, { settings: patient });
      expect(service.posts().toSorted()).toEqual(ids.toSorted());
      expect(differences).toEqual([]);
    }));

  test('is followed to its end when the profile knows a look-up', () =>
    inTemporaryFolder(async (folder) => {
      let looks = 0;
      const record = (order: Json): Json => {
        looks += 1;
        return recordOf(order, looks > 3 ? 4 : 0);
      };
      const service = await strictService({ record });
      const { batch, ids } = await planStrict(folder, 'airtime');
      const paths = { 'find-airtime': AIRTIME_LOOK_UP };
      const { rows, differences } = await batch.run(service.url, { settings: patient, paths });
      expect(rows[0]).toMatchObject({
        outcome: 'completed',
        line: { report: { receipt: 'SK71HX02QP', feeAmount: '3' } },
      });
      expect(new Set(service.finds())).toEqual(new Set(ids));
      expect(
        service.arrived.filter(({ method }) => method === 'GET').every(({ path }) => path === AIRTIME_LOOK_UP),
      ).toBe(true);
      expect(differences).toEqual([]);
    }));

  test.each<[string, Json | ((order: Json) => Json)]>([
    ['that names the order and nothing else', ({ originatorConversationId }) => ({ originatorConversationId })],
    ['that says completed without an amount', (order) => ({ ...recordOf(order), amount: null })],
    ['that says completed with an amount that nobody can read', (order) => recordOf(order, 4, { amount: 'KES 100' })],
    ['that does not name the order', { status: 4, amount: 100 }],
    ['whose status is a word', (order) => recordOf(order, 4, { status: 'Completed' })],
  ])('is not believed to be paid by a record %s', (_, record) =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService({ record: typeof record === 'function' ? record : () => record });
      const { batch } = await planStrict(folder, 'airtime');
      const paths = { 'find-airtime': AIRTIME_LOOK_UP };
      const { result, counts } = await batch.run(service.url, { settings: brief, paths });
      expect(result?.alarms).toEqual([]);
      expect(counts).toMatchObject({ completed: 0, 'in-doubt': 1 });
    }),
  );
});

describe('a bill payment that was accepted', () => {
  test.each([
    [4, {}, 'completed'],
    [7, {}, 'rejected'],
    [8, { resultCode: '-1' }, 'timed-out'],
    [5, { resultCode: '6' }, 'failed'],
    [5, { resultCode: '13' }, 'in-doubt'],
    [6, {}, 'in-doubt'],
    [1, {}, 'in-doubt'],
    [0, { resultCode: '6' }, 'in-doubt'],
  ])('and found with status %d and %j ends there', (status, over, outcome) =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService({ record: (order) => recordOf(order, status, over) });
      const { batch } = await planStrict(folder, 'bill-payment');
      const { rows, completed, differences } = await batch.run(service.url, { settings: brief });
      expect(rows.map((row) => row.outcome)).toEqual([outcome]);
      expect(completed.minor).toBe(outcome === 'completed' ? 10_000n : 0n);
      expect(differences).toEqual([]);
    }),
  );

  test.each<[string, Json]>([
    ['another amount', { amount: 1 }],
    ['another account', { accountNumber: 'WTR-9999' }],
    ['another currency', { currencyCode: 'UGX' }],
    ['another currency by number', { currencyCode: '800' }],
    ['another order', { originatorConversationId: 'somebody-else' }],
  ])('and is held with %s is an alarm, and not believed', (_, over) =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService({ record: (order) => recordOf(order, 4, over) });
      const { batch } = await planStrict(folder, 'bill-payment', 3);
      const { result, counts } = await batch.run(service.url, { settings: quick({ sending: { concurrency: 1 } }) });
      expect(result?.alarms.length).toBeGreaterThan(0);
      expect(counts.completed).toBe(0);
    }),
  );

  test.each<[string, Json]>([
    ['the account written otherwise', { accountNumber: 'wtr 1000' }],
    ['the amount as text', { amount: '100.00' }],
    ['the currency by number', { currencyCode: '404' }],
    ['no account and no currency', { accountNumber: null, currencyCode: null }],
  ])('and is held with %s is completed', (_, over) =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService({ record: (order) => recordOf(order, 4, over) });
      const { batch } = await planStrict(folder, 'bill-payment');
      const { result, counts } = await batch.run(service.url);
      expect(result?.alarms).toEqual([]);
      expect(counts.completed).toBe(1);
    }),
  );
});

const tooHigh = { title: 'One or more errors', status: 400, errors: { amount: ['The amount is too high.'] } };

const answers: readonly [string, NonNullable<StrictHabits['onPost']>][] = [
  ['a documented refusal', answering(400, tooHigh)],
  ['"this id exists"', answering(400, { errors: { originatorConversationId: ['must be unique'] } })],
  ['a refused token', answering(401, {})],
  ['throttling', answering(429, {})],
  ['an error', answering(500, {})],
  ['an acceptance without an id', answering(200, { message: {} })],
  ['an acceptance that cannot be read', answering(200, 'accepted')],
  ['a broken connection', (_, response) => Boolean(response.destroy())],
];

describe.each(both)('a submission of %s', (submission) => {
  test.each(answers)('that is answered by %s is in doubt, and is never sent again', (_, onPost) =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService({ onPost });
      const { batch, ids } = await planStrict(folder, submission);
      const first = await batch.run(service.url, { settings: brief });
      expect(first.error).toBeUndefined();
      expect(first.counts['in-doubt']).toBe(1);
      const second = await batch.run(service.url, { settings: brief });
      expect(second.counts['in-doubt']).toBe(1);
      expect(service.posts()).toEqual(ids);
      expect(second.differences).toEqual([]);
    }),
  );

  test('whose run died after the claim is in doubt, and is not sent', () =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService();
      const { batch } = await planStrict(folder, submission);
      const ledger = await open(batch.path, systemClock);
      const epoch = await ledger.takeLease(batch.header.id);
      await ledger.claim(await ledger.unsentOrders(batch.header.id, 1), systemClock.now(), epoch, null);
      await ledger.close();
      const { counts } = await batch.run(service.url, { settings: brief });
      expect(counts['in-doubt']).toBe(1);
      expect(service.posts()).toEqual([]);
    }));

  test('of which no byte left is unsent, and is sent once by a later run', () =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService({ record: (order) => recordOf(order) });
      const { batch, ids } = await planStrict(folder, submission, 5);
      const first = await batch.run(await deadUrl(), { settings: quick({ polling: { deadlineMs: 200 } }) });
      expect(first.counts.unsent).toBe(5);
      const second = await batch.run(service.url, { settings: patient });
      expect(second.counts.unsent).toBe(0);
      expect(service.posts().toSorted()).toEqual(ids.toSorted());
    }));

  test('that is accepted as another order is an alarm', () =>
    inTemporaryFolder(async (folder) => {
      const onPost = answering(200, { message: { originatorConversationId: 'somebody-else' } });
      const service = await strictService({ onPost });
      const { batch } = await planStrict(folder, submission, 9);
      const settings = quick({ sending: { concurrency: 1 } });
      const { result, counts } = await batch.run(service.url, { settings });
      expect(result?.alarms).toEqual([expect.stringContaining('somebody-else')]);
      expect(counts).toMatchObject({ 'in-doubt': 1, unsent: 8 });
    }));
});

test('a bill payment whose answer was lost is found by its look-up', () =>
  inTemporaryFolder(async (folder) => {
    const service = await strictService({ record: (order) => recordOf(order) });
    const lossy = await strictService({
      async onPost(order, response) {
        await fetch(`${service.url}/v1/bill-payments`, { method: 'POST', body: JSON.stringify(order) });
        response.destroy();
        return true;
      },
    });
    const { batch, ids } = await planStrict(folder, 'bill-payment');
    expect((await batch.run(lossy.url, { settings: brief })).counts['in-doubt']).toBe(1);
    const { counts } = await batch.run(service.url);
    expect(counts.completed).toBe(1);
    expect(service.posts()).toEqual(ids);
  }));
