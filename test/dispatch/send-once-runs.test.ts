/** Runs of airtime and bill payments, which are sent once: anything but a clean acceptance stays in doubt. */
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/domain/outcome.ts';
import { systemClock } from '../../src/system.ts';
import { deadUrl } from '../support/loopback.ts';
import { open, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import {
  AIRTIME_LOOK_UP,
  answering,
  idOf,
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

/** Which row of the sheet an order is of, from 0. */
const rowOf = (ids: readonly string[], order: Json): number => ids.indexOf(idOf(order));

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

  test('is not believed to be paid by a record that is no record of it', () =>
    inTemporaryFolder(async (folder) => {
      const records: readonly ((order: Json) => Json)[] = [
        // One that names the order and nothing else.
        ({ originatorConversationId }) => ({ originatorConversationId }),
        // Completed without an amount, or with one that nobody can read.
        (order) => ({ ...recordOf(order), amount: null }),
        (order) => recordOf(order, 4, { amount: 'KES 100' }),
        // One that does not name the order.
        () => ({ status: 4, amount: 103 }),
        (order) => recordOf(order, 4, { status: 'Completed' }),
      ];
      const { batch, ids } = await planStrict(folder, 'airtime', records.length);
      const service = await strictService({ record: (order) => records[rowOf(ids, order)]?.(order) });
      const paths = { 'find-airtime': AIRTIME_LOOK_UP };
      const { result, counts } = await batch.run(service.url, { settings: brief, paths });
      expect(result?.alarms).toEqual([]);
      expect(counts).toMatchObject({ completed: 0, 'in-doubt': records.length });
    }));
});

describe('a bill payment that was accepted', () => {
  test('and found with a status and a result code ends there', () =>
    inTemporaryFolder(async (folder) => {
      const words: readonly (readonly [number, Json, Outcome])[] = [
        [4, {}, 'completed'],
        [7, {}, 'rejected'],
        [8, { resultCode: '-1' }, 'timed-out'],
        [5, { resultCode: '6' }, 'failed'],
        [5, { resultCode: '13' }, 'in-doubt'],
        [6, {}, 'in-doubt'],
        [1, {}, 'in-doubt'],
        [0, { resultCode: '6' }, 'in-doubt'],
      ];
      const { batch, ids } = await planStrict(folder, 'bill-payment', words.length);
      const record = (order: Json): Json => {
        const [status, over] = words[rowOf(ids, order)] ?? [];
        return recordOf(order, status, over);
      };
      const service = await strictService({ record });
      const { rows, completed, differences } = await batch.run(service.url, { settings: brief });
      expect(rows.map(({ outcome }, row) => [...(words[row] ?? []).slice(0, 2), outcome])).toEqual(words);
      expect(completed.minor).toBe(10_000n);
      expect(differences).toEqual([]);
    }));

  test('and is held with another amount, account, currency or order is an alarm, and not believed', () =>
    inTemporaryFolder(async (folder) => {
      const others: readonly Json[] = [
        { amount: 1 },
        { accountNumber: 'WTR-9999' },
        { currencyCode: 'UGX' },
        { currencyCode: '800' },
        { originatorConversationId: 'somebody-else' },
      ];
      const { batch, ids } = await planStrict(folder, 'bill-payment', others.length);
      let isPending = true;
      const record = (order: Json): Json =>
        isPending ? recordOf(order, 0) : recordOf(order, 4, others[rowOf(ids, order)]);
      const service = await strictService({ record });
      expect((await batch.run(service.url, { settings: brief })).counts.pending).toBe(others.length);
      isPending = false;
      const { result, counts } = await batch.run(service.url, { settings: brief });
      expect(result?.alarms).toHaveLength(others.length);
      expect(counts).toMatchObject({ completed: 0, 'in-doubt': others.length });
    }));

  test('and is held with the same account, amount or currency written otherwise, or without, is completed', () =>
    inTemporaryFolder(async (folder) => {
      const others: readonly Json[] = [
        { accountNumber: 'wtr 1000' },
        { amount: '101.00' },
        { currencyCode: '404' },
        { accountNumber: null, currencyCode: null },
      ];
      const { batch, ids } = await planStrict(folder, 'bill-payment', others.length);
      const service = await strictService({ record: (order) => recordOf(order, 4, others[rowOf(ids, order)]) });
      const { result, counts } = await batch.run(service.url);
      expect(result?.alarms).toEqual([]);
      expect(counts.completed).toBe(others.length);
    }));
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
