/** What a ledger does in whole runs about further attempts at its rows that another one made, which is lost. */
import { describe, expect, test } from 'vitest';
import { otherOrders } from '../../src/batch/other-orders.ts';
import type { Attempt, PlannedOrder } from '../../src/domain/batch.ts';
import type { RunEvent } from '../../src/domain/event.ts';
import { invariant } from '../../src/domain/invariant.ts';
import type { PaymentOrder } from '../../src/service/contract/payment-order.ts';
import { systemClock } from '../../src/system.ts';
import { type Batch, open, ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { answered, type Habits, type HandMadeService, handMadeService, type Json } from './hand-made-service.ts';
import { planStrict } from './send-once-batch.ts';

const ROWS = 4;
const FIRST_ROW = 2;
const lookFirst = true;

/** The attempt at a row of a batch. */
async function attemptAt(batch: Batch, number: number): Promise<Attempt & { readonly trace: string }> {
  const ledger = await open(batch.path, systemClock);
  try {
    const row = await ledger.findRow(batch.header.id, number);
    const order = row?.order && (await ledger.findOrder(batch.header.id, row.order));
    invariant(order && row.trace, 'the row is payable');
    return { ...order, row: row.row, trace: row.trace };
  } finally {
    await ledger.close();
  }
}

const firstRow = (batch: Batch) => attemptAt(batch, FIRST_ROW);

/** The further attempts at that row, in turn: the second one first. */
const attemptsAtFirstRow = async (batch: Batch): Promise<readonly PlannedOrder[]> =>
  otherOrders(await firstRow(batch), batch.header);

const send = async ({ url }: HandMadeService, { body }: Pick<PlannedOrder, 'body'>): Promise<void> =>
  void (await fetch(`${url}/v1/payment-order/new-order`, { method: 'POST', body }));

/** A service that loses every submission until it comes back. */
async function failingService(habits: Habits = {}) {
  let isDown = true;
  const service = await handMadeService({
    ...habits,
    onPost(_order, response) {
      if (!isDown) return undefined;
      response.destroy();
      return answered;
    },
  });
  const comeBack = (): void => {
    isDown = false;
  };
  return { service, comeBack };
}

/** The record of an order whose one line has this status, and was not paid. */
const recordOf =
  (transactionStatus: number, transactionStatusDescription: string) =>
  (record: Json, { paymentOrderLines: [line] }: PaymentOrder): Json => {
    const transactionOutcome = { paymentAmount: 0, feeAmount: 0, transactionStatus, transactionStatusDescription };
    return { ...record, orderLines: [{ ...line, transactionOutcome }] };
  };
const rejectedRecord = recordOf(7, 'Rejected');
const timedOutRecord = recordOf(8, 'Timed Out');

const noticesOf = (events: readonly RunEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));

describe('the further attempts at a row', () => {
  test.each(['airtime', 'bill-payment'] as const)('of %s say the same under other ids', (submission) =>
    inTemporaryFolder(async (folder) => {
      const { batch, ids } = await planStrict(folder, submission);
      const [id = ''] = ids;
      const first = await firstRow(batch);
      const later = await attemptsAtFirstRow(batch);
      expect(later.map(({ attempt }) => attempt)).toEqual([2, 3, 4, 5]);
      expect(new Set([id, ...later.map((order) => order.id)]).size).toBe(5);
      for (const order of later) {
        expect(order.submission).toBe(submission);
        expect(JSON.parse(order.body.replaceAll(order.id, id))).toEqual(JSON.parse(first.body));
      }
    }),
  );

  test('of a payment order differ in id and trace number alone', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const first = await firstRow(batch);
      for (const { id, body, lines } of await attemptsAtFirstRow(batch)) {
        const trace = lines[0]?.trace ?? '';
        const same = body.replaceAll(id, first.state.id).replaceAll(trace, first.trace);
        expect(JSON.parse(same.replaceAll(trace.slice(0, 13), first.trace.slice(0, 13)))).toEqual(
          JSON.parse(first.body),
        );
      }
    }));
});

describe('a ledger in recovery', () => {
  test('does not send a row of which the service holds attempt 3 alone, whatever its id, where it holds anything of the batch', () =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(20) });
      const all = await Promise.all(Array.from({ length: 20 }, (_, index) => attemptAt(batch, FIRST_ROW + index)));
      // Neither is among the 13 of which every attempt is asked for in any case.
      const [tried, begun] = all.toSorted((one, other) => (one.state.id < other.state.id ? 1 : -1));
      invariant(tried && begun, 'there are two rows');
      const held = otherOrders(tried, batch.header).find(({ attempt }) => attempt === 3);
      invariant(held, 'there is a third attempt');
      await send(service, begun);
      await send(service, held);

      const { result } = await batch.run(service.url, { lookFirst });

      expect(result?.alarms.join()).toContain(`the service holds attempt 3 at row ${tried.row}`);
      expect(service.posts()).not.toContain(tried.state.id);
    }));

  test.each([2, 3, 5])('does not send a row of which the service holds attempt %i alone', (number) =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const held = (await attemptsAtFirstRow(batch))[number - 2];
      invariant(held?.attempt === number, 'attempts are made in turn');
      // The attempts before were refused: nothing is left of them.
      await send(service, held);

      const { result, rows, differences } = await batch.run(service.url, { lookFirst });

      expect(result?.alarms).toEqual([
        expect.stringContaining(`attempt ${number} at row ${FIRST_ROW} (order ${held.id})`),
      ]);
      expect(rows[0]).toMatchObject({ row: FIRST_ROW, outcome: 'in-doubt' });
      expect(service.posts().filter((id) => id === held.id || id === rows[0]?.order)).toEqual([held.id]);
      expect(differences).toEqual([]);
    }),
  );

  test('does not send an order again of which another attempt is held', () =>
    inTemporaryFolder(async (folder) => {
      const { service, comeBack } = await failingService();
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const broken = await batch.run(service.url, { settings: quick({ polling: { deadlineMs: 0 } }) });
      expect(broken.counts['in-doubt']).toBe(ROWS);
      comeBack();
      const [held] = await attemptsAtFirstRow(batch);
      invariant(held, 'there is a second attempt');
      await send(service, held);

      const { result, rows } = await batch.run(service.url, { lookFirst });

      expect(result?.alarms).toEqual([expect.stringContaining(`order ${held.id}`)]);
      expect(service.taken.has(rows[0]?.order ?? '')).toBe(false);
    }));

  test.each([
    ['one row an order', 1, 3],
    ['two rows an order', 2, 3],
  ])('sends nothing of a batch that was sent with %s and is grouped otherwise now', (_, before, now) =>
    inTemporaryFolder(async (folder) => {
      const service = await handMadeService();
      const payees = ordinaryPayees(6);
      const lost = await planBatch(folder, { payees, linesPerOrder: before, name: 'wages' });
      const ledger = await open(lost.path, systemClock);
      const sent = await ledger.unsentOrders(lost.header.id, payees.length);
      await ledger.close();
      await inTemporaryFolder(async (other) => {
        const batch = await planBatch(other, { payees, linesPerOrder: now, name: 'wages' });
        // The first of them never arrived, so no order of this ledger has the id of one that did.
        for (const order of sent.filter(({ state }) => !batch.orders.has(state.id))) await send(service, order);
        const posts = service.posts().length;
        expect(posts).toBeGreaterThan(0);
        const { result } = await batch.run(service.url, { lookFirst });
        expect(result?.alarms).toEqual(
          expect.arrayContaining([expect.stringContaining('and this ledger did not make it')]),
        );
        expect(service.posts()).toHaveLength(posts);
      });
    }),
  );

  test.each(['for the first time', 'again'])(
    'sends nothing %s while the service does not tell of other attempts',
    (when) =>
      inTemporaryFolder(async (folder) => {
        const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
        const later = new Set((await attemptsAtFirstRow(batch)).map(({ id }) => id as string));
        const { service, comeBack } = await failingService({
          onFind: (id) => (later.has(id) ? { nothing: 'known' } : undefined),
        });
        // Long enough for the order itself to be proven absent, also on a busy machine.
        const settings = quick({ polling: { deadlineMs: 1000 } });
        if (when === 'again') {
          await batch.run(service.url, { settings: quick({ polling: { deadlineMs: 0 } }) });
          await batch.sayAbsent(FIRST_ROW);
        }
        comeBack();

        const { result, counts } = await batch.run(service.url, { lookFirst, settings });

        expect(result?.stop?.code).toBe('unclear');
        expect(counts.completed).toBe(0);
        expect(service.taken.size).toBe(0);
      }),
  );

  test('follows the attempt that is held after one that failed, and sends nothing', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const [second, third] = await attemptsAtFirstRow(batch);
      invariant(second && third, 'there are further attempts');
      const service = await handMadeService({
        record: (record, order) =>
          order.originatorConversationId === third.id ? record : rejectedRecord(record, order),
      });
      const events: RunEvent[] = [];
      const ledger = await open(batch.path, systemClock);
      const [first] = await ledger.unsentOrders(batch.header.id, 1);
      await ledger.close();
      invariant(first, 'the first attempt is planned');
      for (const order of [first, second, third]) await send(service, order);

      const { result, counts, rows, differences } = await batch.run(service.url, {
        lookFirst,
        emit: (event) => events.push(event),
      });

      expect(result).toEqual({ alarms: [], recovery: 'over' });
      expect(counts).toMatchObject({ completed: 1, rejected: 0 });
      expect(rows[0]).toMatchObject({ order: third.id, outcome: 'completed', state: { attempt: 3, posts: 0 } });
      expect(service.posts()).toHaveLength(3);
      expect(differences).toEqual([]);
      expect(noticesOf(events)).toContainEqual(expect.stringContaining('retried from an earlier ledger: 1'));
      const progress = events.findLast((event) => event.type === 'progress');
      expect(progress).toMatchObject({ done: 1, counts: { completed: 1, rejected: 0 } });
    }));

  test('stays in doubt while the service does not say whether it holds another attempt', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
      const later = new Set((await attemptsAtFirstRow(batch)).map(({ id }) => id as string));
      const service = await handMadeService({
        record: rejectedRecord,
        onFind: (id) => (later.has(id) ? { nothing: 'known' } : undefined),
      });
      const ledger = await open(batch.path, systemClock);
      const [first] = await ledger.unsentOrders(batch.header.id, 1);
      await ledger.close();
      invariant(first, 'the first attempt is planned');
      await send(service, first);
      const events: RunEvent[] = [];

      const { result, counts } = await batch.run(service.url, { lookFirst, emit: (event) => events.push(event) });

      expect(result).toEqual({ alarms: [], recovery: 'open' });
      expect(counts.rejected).toBe(1);
      expect(noticesOf(events)).toContainEqual(expect.stringContaining('Do not pay them by other means'));
    }));
});

test('a ledger in recovery raises an alarm about a row that timed out and of which the service holds another attempt', () =>
  inTemporaryFolder(async (folder) => {
    const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
    const { state, body } = await firstRow(batch);
    const [second] = await attemptsAtFirstRow(batch);
    invariant(second, 'there is a second attempt');
    const service = await handMadeService({
      record: (record, order) => (order.originatorConversationId === state.id ? timedOutRecord(record, order) : record),
    });
    for (const order of [{ body }, second]) await send(service, order);

    const { result, counts, differences } = await batch.run(service.url, { lookFirst });

    expect(result?.alarms).toEqual([expect.stringContaining(`the service holds attempt 2 at row ${FIRST_ROW}`)]);
    expect(counts).toMatchObject({ 'timed-out': 1, completed: 0 });
    expect(service.posts()).toHaveLength(2);
    expect(differences).toEqual([]);
  }));

test.each<[string, NonNullable<Habits['record']>]>([
  ['an open order', (record) => ({ ...record, isProcessed: false, orderLines: [] })],
  ['an order that timed out', timedOutRecord],
])('a ledger in recovery stays so while %s that it did not send shows itself to nobody', (_, record) =>
  inTemporaryFolder(async (folder) => {
    let isMute = false;
    const service = await handMadeService({ onFind: () => (isMute ? { nothing: 'known' } : undefined), record });
    const batch = await planBatch(folder, { payees: ordinaryPayees(1) });
    const settings = quick({ polling: { deadlineMs: 100 } });
    const sent = await batch.run(service.url, { lookFirst, settings });
    expect(sent).toMatchObject({ result: { alarms: [] }, counts: { unsent: 0, completed: 0 } });
    expect(sent.result?.recovery).toBe('over');
    isMute = true;
    const muted = await batch.run(service.url, { lookFirst, settings });
    expect(muted.result).toEqual({ alarms: [], recovery: 'open' });
  }),
);

test('a ledger that knows all that was sent asks for no further attempts', () =>
  inTemporaryFolder(async (folder) => {
    const service = await handMadeService({ record: rejectedRecord });
    const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
    const { counts } = await batch.run(service.url);
    expect(counts.rejected).toBe(ROWS);
    const others = new Set(service.finds().filter((id) => !batch.orders.has(id)));
    expect(service.finds()).toEqual(expect.arrayContaining([...batch.orders]));
    // Made up, to learn how the service says that it does not know one; further attempts would be more.
    expect(others.size).toBeLessThanOrEqual(5);
  }));
