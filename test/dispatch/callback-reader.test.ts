/** Runs that read callbacks from a real inbox: a reason to look, and a final word only where nobody can be asked. */
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Inbox } from '../../src/callbacks/inbox.ts';
import type { Fact } from '../../src/domain/fact.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import { systemClock } from '../../src/system.ts';
import { deadUrl } from '../support/loopback.ts';
import { type Batch, open, ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { handMadeService, paidRecordOf } from './hand-made-service.ts';
import { answering, idOf, type Json, planStrict, recordOf, strictService } from './send-once-batch.ts';
import { until } from './until.ts';

/** A run that waited for this deadline would run into the time limit of its test. */
const patient = quick({ polling: { deadlineMs: 3_600_000 } });

/** For what never gets its final word. */
const brief = quick({ polling: { deadlineMs: 60 } });

async function inboxIn(folder: string): Promise<Inbox & { emit(body: Json, topic?: string): Promise<void> }> {
  const inbox = new Inbox(join(folder, 'state', 'inbox.db'));
  onTestFinished(() => inbox.close());
  let receivedAt = 1_000;
  return Object.assign(inbox, {
    async emit(body: Json, topic = 'airtime') {
      receivedAt += 1;
      await inbox.add({ topic, subject: idOf(body), receivedAt, body: JSON.stringify(body) });
    },
  });
}

async function factsOf(batch: Batch): Promise<readonly Fact[]> {
  const ledger = await open(batch.path, systemClock);
  const facts = (await Array.fromAsync(ledger.facts(batch.header.id))).map(({ fact }) => fact);
  await ledger.close();
  return facts.filter((fact): fact is Fact => 'order' in fact);
}

/** A batch of airtime purchases that were accepted, with its inbox and the bodies that were sent, by row. */
async function acceptedAirtime(folder: string, rows = 1) {
  const service = await strictService();
  const planned = await planStrict(folder, 'airtime', rows);
  expect((await planned.batch.run(service.url, { settings: patient })).counts.pending).toBe(rows);
  const ids: readonly string[] = planned.ids;
  const bodies = service.arrived
    .filter(({ method, path }) => method === 'POST' && path !== '/connect/token')
    .map(({ body }): Json => JSON.parse(body))
    .toSorted((a, b) => ids.indexOf(idOf(a)) - ids.indexOf(idOf(b)));
  const [sent = {}] = bodies;
  return { ...planned, service, sent, bodies, inbox: await inboxIn(folder) };
}

describe('the callback of an order that nobody can be asked about', () => {
  test('is its final word where its status and its result code decide', () =>
    inTemporaryFolder(async (folder) => {
      const words: readonly (readonly [number, Json, Outcome])[] = [
        [4, {}, 'completed'],
        [7, {}, 'rejected'],
        [8, { resultCode: '-1' }, 'timed-out'],
        [5, { resultCode: '6' }, 'failed'],
        [5, { resultCode: '13' }, 'pending'],
        [7, { resultCode: '22' }, 'pending'],
        [7, { resultCode: '-1' }, 'pending'],
        [4, { resultCode: '9' }, 'pending'],
        [0, {}, 'pending'],
      ];
      const { batch, service, bodies, inbox } = await acceptedAirtime(folder, words.length);
      for (const [row, [status, over]] of words.entries()) await inbox.emit(recordOf(bodies[row] ?? {}, status, over));
      const { rows, result, differences } = await batch.run(service.url, { settings: brief, callbacks: inbox });
      const said = rows.map(({ outcome }, row) => [...(words[row] ?? []).slice(0, 2), outcome]);
      expect(said).toEqual(words);
      expect(result?.alarms).toEqual([]);
      const observed = (await factsOf(batch)).filter(({ type }) => type === 'order-observed');
      const told = bodies.map((sent, row) => {
        const callback = { seq: row + 1, receivedAt: 1_001 + row };
        return expect.objectContaining({ order: idOf(sent), source: 'callback', callback });
      });
      expect(observed).toHaveLength(told.length);
      expect(observed).toEqual(expect.arrayContaining(told));
      expect(service.posts()).toHaveLength(words.length);
      expect(service.finds()).toEqual([]);
      expect(differences).toEqual([]);
    }));

  // Whichever is heard first, and whatever status stands beside the code.
  const repetition = (sent: Json, status: number): Json => recordOf(sent, status, { resultCode: '9' });

  test('tells only that the id is held with result code 9, whatever status stands beside it', () =>
    inTemporaryFolder(async (folder) => {
      const statuses = [4, 5, 7, 8];
      const { batch, service, bodies, inbox } = await acceptedAirtime(folder, statuses.length);
      const repeat = async (): Promise<void> => {
        for (const [row, status] of statuses.entries()) await inbox.emit(repetition(bodies[row] ?? {}, status));
      };
      await repeat();
      expect((await batch.run(service.url, { settings: brief, callbacks: inbox })).counts.pending).toBe(4);
      for (const sent of bodies) await inbox.emit(recordOf(sent));
      await repeat();
      const { counts, result, differences } = await batch.run(service.url, { settings: patient, callbacks: inbox });
      expect([counts.completed, result?.alarms, differences]).toEqual([4, [], []]);
      expect(service.posts()).toHaveLength(4);
    }));

  // A failure may be paid again, and which of two callbacks was sent first nobody knows.
  test('makes a failure uncertain again, with an alarm, when it is a rejection that decides nothing, or a time-out', () =>
    inTemporaryFolder(async (folder) => {
      const { batch, service, bodies, inbox } = await acceptedAirtime(folder, 2);
      for (const sent of bodies) await inbox.emit(recordOf(sent, 7, { resultCode: '18' }));
      const [first = {}, second = {}] = bodies;
      await inbox.emit(recordOf(first, 7, { resultCode: '22' }));
      await inbox.emit(recordOf(second, 8, { resultCode: '-1' }));
      const { rows, result, differences } = await batch.run(service.url, { settings: brief, callbacks: inbox });
      expect(rows.map((row) => row.outcome)).toEqual(['in-doubt', 'timed-out']);
      const said = 'the service said rejected and now';
      expect(result?.alarms).toEqual([expect.stringContaining(said), expect.stringContaining(said)]);
      expect(differences).toEqual([]);
    }));

  test('that comes late takes nothing back, and a failure stays one when it says pending, or that its id is held', () =>
    inTemporaryFolder(async (folder) => {
      const { batch, service, bodies, inbox } = await acceptedAirtime(folder, 3);
      const [paid = {}, failed = {}, other = {}] = bodies;
      await inbox.emit(recordOf(paid));
      await inbox.emit(recordOf(paid, 0));
      await inbox.emit(recordOf(paid, 8, { resultCode: '-1' }));
      await inbox.emit(recordOf(failed, 7, { resultCode: '18' }));
      await inbox.emit(recordOf(failed, 0));
      await inbox.emit(recordOf(other, 7, { resultCode: '18' }));
      await inbox.emit(recordOf(other, 7, { resultCode: '9' }));
      const { rows, result } = await batch.run(service.url, { settings: patient, callbacks: inbox });
      expect(rows.map((row) => row.outcome)).toEqual(['completed', 'rejected', 'rejected']);
      expect(result?.alarms).toEqual([]);
    }));

  test('is taken once, however often the order is resumed', () =>
    inTemporaryFolder(async (folder) => {
      const { batch, service, sent, inbox } = await acceptedAirtime(folder);
      await inbox.emit(recordOf(sent, 8, { resultCode: '-1' }));
      await inbox.emit(recordOf(sent));
      await batch.run(service.url, { settings: patient, callbacks: inbox });
      const facts = await factsOf(batch);
      for (let again = 0; again < 2; again++) {
        const { counts, result } = await batch.run(service.url, { settings: patient, callbacks: inbox });
        expect(counts.completed).toBe(1);
        expect(result?.alarms).toEqual([]);
      }
      expect(await factsOf(batch)).toEqual(facts);
    }));

  test('is taken from an inbox that was begun anew', () =>
    inTemporaryFolder(async (folder) => {
      const { batch, service, sent, inbox } = await acceptedAirtime(folder);
      await inbox.emit({ ...recordOf(sent, 0), note: 'filler' });
      await inbox.emit(recordOf(sent, 0));
      await batch.run(service.url, { settings: brief, callbacks: inbox });
      const [first] = await inbox.since(0, 1);
      const callbacks = {
        since: async (seq: number) =>
          seq > 0 || !first ? [] : [{ ...first, receivedAt: 5_000, body: JSON.stringify(recordOf(sent)) }],
      };
      const { counts } = await batch.run(service.url, { settings: patient, callbacks });
      expect(counts.completed).toBe(1);
    }));

  test('is waited for by the run that sent the order', () =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService();
      const { batch } = await planStrict(folder, 'airtime');
      const inbox = await inboxIn(folder);
      const bought = () => service.arrived.find(({ method, path }) => method === 'POST' && path !== '/connect/token');
      const running = batch.run(service.url, { settings: patient, callbacks: inbox });
      await until(() => bought() !== undefined);
      await inbox.emit(recordOf(JSON.parse(bought()?.body ?? '')));
      const { counts, error } = await running;
      expect(error).toBeUndefined();
      expect(counts.completed).toBe(1);
      expect(service.posts()).toHaveLength(1);
    }));

  test('is waited for no longer than the deadline, and not by a run that nobody could tell', () =>
    inTemporaryFolder(async (folder) => {
      const { batch, service, inbox } = await acceptedAirtime(folder);
      expect((await batch.run(service.url, { settings: brief, callbacks: inbox })).counts.pending).toBe(1);
      expect((await batch.run(service.url, { settings: patient })).counts.pending).toBe(1);
    }));

  test('with another amount, phone or currency is an alarm, and not believed', () =>
    inTemporaryFolder(async (folder) => {
      const others: readonly Json[] = [{ amount: 1 }, { phoneNumber: '254799999999' }, { currencyCode: 'UGX' }];
      const { batch, service, bodies, inbox } = await acceptedAirtime(folder, others.length);
      for (const [row, over] of others.entries()) await inbox.emit(recordOf(bodies[row] ?? {}, 4, over));
      const { counts, result } = await batch.run(service.url, { settings: patient, callbacks: inbox });
      expect(counts['in-doubt']).toBe(3);
      const alarms = others.map((_, row) => expect.stringMatching(new RegExp(`^row ${row + 2}: the service holds`)));
      expect(result?.alarms.toSorted()).toEqual(alarms);
    }));

  test('that says rejected after completed is an alarm', () =>
    inTemporaryFolder(async (folder) => {
      const { batch, service, sent, inbox } = await acceptedAirtime(folder);
      await inbox.emit(recordOf(sent));
      await inbox.emit(recordOf(sent, 7));
      const { counts, result } = await batch.run(service.url, { settings: patient, callbacks: inbox });
      expect(counts.completed).toBe(1);
      expect(result?.alarms).toHaveLength(1);
    }));

  test('whose body is no word about it leaves it pending', () =>
    inTemporaryFolder(async (folder) => {
      const texts = [
        '{"originatorConversationId":"$"}',
        '[{"originatorConversationId":"$","status":4,"amount":100}]',
        'status=4',
        '{"originatorConversationId":"$","status":7,"status":4,"amount":103}',
        '{"originatorConversationId":"$","status":4}',
      ];
      const { batch, ids, service, inbox } = await acceptedAirtime(folder, texts.length);
      for (const [row, subject] of ids.entries()) {
        const body = texts[row]?.replace('$', subject) ?? '';
        await inbox.add({ topic: 'airtime', subject, receivedAt: 1, body });
      }
      const { counts, result } = await batch.run(service.url, { settings: brief, callbacks: inbox });
      expect(counts).toMatchObject({ completed: 0, pending: texts.length });
      expect(result?.alarms).toEqual([]);
    }));

  test('resolves the doubt about an answer that was lost', () =>
    inTemporaryFolder(async (folder) => {
      const inbox = await inboxIn(folder);
      const service = await strictService({
        async onPost(order, response) {
          await inbox.emit(recordOf(order));
          response.destroy();
          return true;
        },
      });
      const { batch } = await planStrict(folder, 'airtime', 8);
      const { counts, differences } = await batch.run(service.url, { settings: patient, callbacks: inbox });
      expect(counts.completed).toBe(8);
      expect(service.posts()).toHaveLength(8);
      expect(differences).toEqual([]);
    }));

  test('is not missed when it comes while the last orders are looked at', () =>
    inTemporaryFolder(async (folder) => {
      const { batch, ids, service, sent } = await acceptedAirtime(folder);
      const [subject = ''] = ids;
      const message = { seq: 1, topic: 'airtime', subject, receivedAt: 1, body: JSON.stringify(recordOf(sent)) };
      let hasCome = false;
      const { counts } = await batch.run(service.url, {
        settings: patient,
        callbacks: { since: async (seq) => (hasCome && seq === 0 ? [message] : []) },
        through: (ledger) => ({
          ...ledger,
          nextDueAt(id) {
            hasCome = true;
            return ledger.nextDueAt(id);
          },
        }),
      });
      expect(counts.completed).toBe(1);
    }));

  test('that overtakes the acceptance waits until that is recorded', () =>
    inTemporaryFolder(async (folder) => {
      const inbox = await inboxIn(folder);
      let reads = 0;
      const callbacks: Pick<Inbox, 'since'> = {
        async since(seq, limit) {
          const found = await inbox.since(seq, limit);
          reads += 1;
          return found;
        },
      };
      const service = await strictService({
        async onPost(order) {
          await inbox.emit(recordOf(order));
          const before = reads;
          // The second reading from now on began after it was told.
          await until(() => reads > before + 1);
        },
      });
      const { batch } = await planStrict(folder, 'airtime', 20);
      const settings = { ...patient, sending: { ...patient.sending, concurrency: 5 } };
      const { counts, error, differences } = await batch.run(service.url, { settings, callbacks });
      expect(error).toBeUndefined();
      expect(counts.completed).toBe(20);
      expect(differences).toEqual([]);
    }));
});

describe('a callback about an order that this ledger never sent', () => {
  test('is believed where nobody can be asked, and the order is not sent', () =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService();
      const { batch } = await planStrict(folder, 'airtime');
      const ledger = await open(batch.path, systemClock);
      const [order] = await ledger.unsentOrders(batch.header.id, 1);
      await ledger.close();
      const inbox = await inboxIn(folder);
      await inbox.emit(recordOf(JSON.parse(order?.body ?? '')));
      const { counts } = await batch.run(service.url, { settings: patient, callbacks: inbox });
      expect(counts.completed).toBe(1);
      expect(service.posts()).toEqual([]);
    }));

  test('is an alarm when it says nothing else, and nothing is sent', () =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService();
      const { batch, ids } = await planStrict(folder, 'airtime', 5);
      const inbox = await inboxIn(folder);
      await inbox.emit({ originatorConversationId: ids[3] });
      for (let run = 0; run < 2; run++) {
        const { counts, result } = await batch.run(service.url, { settings: patient, callbacks: inbox });
        expect(result?.alarms).toEqual([expect.stringContaining('never sent')]);
        expect(counts).toMatchObject({ unsent: 4, 'in-doubt': 1 });
      }
      expect(service.posts()).toEqual([]);
    }));

  test('of which no byte left is an alarm too', () =>
    inTemporaryFolder(async (folder) => {
      const service = await strictService();
      const { batch, ids } = await planStrict(folder, 'airtime', 3);
      const first = await batch.run(await deadUrl(), { settings: quick({ polling: { deadlineMs: 200 } }) });
      expect(first.counts.unsent).toBe(3);
      const inbox = await inboxIn(folder);
      await inbox.emit({ originatorConversationId: ids[1] });
      const { counts, result } = await batch.run(service.url, { settings: patient, callbacks: inbox });
      expect(result?.alarms).toEqual([expect.stringContaining(String(ids[1]))]);
      expect(counts).toMatchObject({ unsent: 2, 'in-doubt': 1 });
      expect(service.posts()).toEqual([]);
    }));

  test('has it looked up where that can be done: what the service holds is not sent', () =>
    inTemporaryFolder(async (folder) => {
      const { batch, ids } = await planStrict(folder, 'bill-payment', 2);
      const ledger = await open(batch.path, systemClock);
      const [order] = await ledger.unsentOrders(batch.header.id, 1);
      await ledger.close();
      const service = await strictService({ record: (held) => recordOf(held) });
      await fetch(`${service.url}/v1/bill-payments`, { method: 'POST', body: order?.body ?? '' });
      const inbox = await inboxIn(folder);
      for (const id of ids) await inbox.emit({ originatorConversationId: id }, 'bill');
      const { counts } = await batch.run(service.url, { callbacks: inbox });
      expect(counts.completed).toBe(2);
      // The first by somebody else's request, the second by the run, which found that the service did not hold it.
      expect(service.posts()).toEqual(ids);
    }));
});

describe('the callback of an order that can be looked up', () => {
  test('is never proof: the look-up decides', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService({
        record: (record, order) => ({
          ...record,
          orderLines: paidRecordOf(order).orderLines.map((line) => ({
            ...line,
            transactionOutcome: { paymentAmount: 0, transactionStatus: 0 },
          })),
        }),
      });
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const inbox = await inboxIn(folder);
      const settings = quick({ polling: { deadlineMs: 300 } });
      await batch.run(service.url, { settings });
      for (const order of service.taken.values()) await inbox.emit(paidRecordOf(order), 'order');
      const { counts, result } = await batch.run(service.url, { settings, callbacks: inbox });
      expect(counts).toMatchObject({ completed: 0, pending: 1 });
      expect(result?.alarms).toEqual([]);
    }));

  test('makes it due at once, long before its time', () =>
    inTemporaryFolder(async (folder) => {
      const inbox = await inboxIn(folder);
      const { batch } = await planStrict(folder, 'bill-payment', 3);
      const service = await strictService({ record: (order) => recordOf(order) });
      // The first look-up of its own would come after the time limit of this test.
      const polling = { firstMs: 1_800_000, maxMs: 3_600_000, deadlineMs: 7_200_000 };
      const running = batch.run(service.url, { settings: quick({ polling }), callbacks: inbox });
      await until(() => service.posts().length === 3);
      // Nothing is asked for by itself: there is nothing that could be waited for.
      await systemClock.sleep(100);
      expect(service.finds()).toEqual([]);
      for (const id of service.posts()) await inbox.emit({ originatorConversationId: id }, 'bill');
      expect((await running).counts.completed).toBe(3);
      expect(service.finds()).toHaveLength(3);
    }));
});

test('callbacks are read after each block of orders that is looked at', () =>
  inTemporaryFolder(async (folder) => {
    const { batch } = await planStrict(folder, 'bill-payment', 140);
    let status = 0;
    const service = await strictService({ record: (order) => recordOf(order, status) });
    await batch.run(service.url, { settings: brief });
    status = 4;
    const before = service.finds().length;
    const asked: number[] = [];
    const callbacks = {
      since: async () => {
        asked.push(service.finds().length - before);
        return [];
      },
    };
    expect((await batch.run(service.url, { settings: patient, callbacks })).counts.completed).toBe(140);
    const between = asked.slice(1).map((finds, index) => finds - (asked[index] ?? 0));
    expect(asked.at(-1)).toBeGreaterThanOrEqual(140);
    expect(Math.max(...between)).toBeLessThanOrEqual(128);
  }));

test('callbacks about anything else change nothing', () =>
  inTemporaryFolder(async (folder) => {
    const service = await strictService({ onPost: answering(500, {}) });
    const { batch } = await planStrict(folder, 'airtime');
    const inbox = await inboxIn(folder);
    for (let index = 0; index < 300; index++) {
      await inbox.emit({ originatorConversationId: `other-${index}`, status: 4, amount: 100 }, 'checkout');
    }
    const { counts, result } = await batch.run(service.url, { settings: patient, callbacks: inbox });
    expect(counts['in-doubt']).toBe(1);
    expect(result?.alarms).toEqual([]);
  }));
