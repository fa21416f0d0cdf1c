/** Batches of airtime and bill payments, and a service of a few lines that takes them. */

import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { orderFrom } from '../../src/batch/order-origin.ts';
import type { KindName, PlannedOrder, PlannedRow } from '../../src/domain/batch.ts';
import { namedBatchKey, type OrderId, rowKeyOf } from '../../src/domain/ids.ts';
import { invariant } from '../../src/domain/invariant.ts';
import type { Money } from '../../src/domain/money.ts';
import { BILL_ROUTE_ID } from '../../src/sandbox/catalogue.ts';
import type { SettledDraft } from '../../src/service/submissions/index.ts';
import { systemClock } from '../../src/system.ts';
import { kes } from '../support/amounts.ts';
import { type Arrived, sendJson, serve } from '../support/loopback.ts';
import { Batch, headerOf, open } from '../support/run-harness.ts';

export type Strict = 'airtime' | 'bill-payment';
export type Json = Record<string, unknown>;

/** Nobody listens there: what a test wants told, it tells itself. */
const CALLBACK_URL = 'http://127.0.0.1:9/told';

/** Whole shillings: no two rows of a test have the same amount. */
const amountOf = (index: number): Money => kes(10_000n + BigInt(index) * 100n);

const draftOf = (submission: Strict, index: number, ending: string): SettledDraft => {
  const amount = 100 + index;
  const phone = `25471200${ending}`;
  const name = `Person ${index}`;
  if (submission === 'airtime')
    return { submission, recipient: { currencyCode: 'KES', phoneNumber: phone, amount, name } };
  const service = { routeId: BILL_ROUTE_ID, serviceId: '4201' };
  const payment = {
    accountNumber: `WTR-${ending}`,
    msisdn: phone,
    transactionDesc: 'November',
    amount,
    customerNames: name,
    countryCode: 'KE',
    currencyCode: 'KES',
  };
  return { submission, service, payment };
};

export interface StrictBatch {
  readonly batch: Batch;
  /** Ids of its orders, in sheet order. */
  readonly ids: readonly OrderId[];
}

/** Endings of phones and accounts that mean nothing to the practice service. */
const ordinaryEndings = (count: number): string[] => Array.from({ length: count }, (_, index) => String(1000 + index));

/** Records a batch of orders of one line, a number of them or one for each ending, in a new ledger in `folder`. */
export async function planStrict(
  folder: string,
  submission: Strict,
  chosen: number | readonly string[] = 1,
): Promise<StrictBatch> {
  const endings = typeof chosen === 'number' ? ordinaryEndings(chosen) : chosen;
  const key = namedBatchKey(submission);
  const identity = { namespace: 'acme', batchKey: key, attempt: 1 };
  const planned: PlannedRow[] = [];
  const orders: PlannedOrder[] = [];
  for (const [index, ending] of endings.entries()) {
    const amount = amountOf(index);
    const rowKey = rowKeyOf({ payee: `${index}`, amountMinor: amount.minor, currency: 'KES' }, 1);
    const row = index + 2;
    const lines = [{ rowKey, draft: draftOf(submission, index, ending) }];
    const order = orderFrom(identity, { notes: '', callbackUrl: CALLBACK_URL, lines }, [{ row, amount }]);
    const payout = { kind: 'some-kind' as KindName, name: 'P', destination: `${index}`, payee: `${index}`, amount };
    const [line] = order.lines;
    invariant(line, 'an order of one row has a line');
    orders.push(order);
    planned.push({ row, payout, order: order.id, trace: line.trace, texts: [], issues: [] });
  }
  const total = kes(planned.reduce((sum, { payout }) => sum + (payout?.amount.minor ?? 0n), 0n));
  const header = { ...headerOf(key, endings.length), total };
  const path = join(folder, 'state', `${submission}.db`);
  const ledger = await open(path, systemClock);
  await ledger.takeLease();
  await ledger.planBatch(header, [{ rows: planned, orders }]);
  await ledger.close();
  const ids = orders.map(({ id }) => id);
  return { batch: new Batch(header, path, new Set(ids)), ids };
}

export interface StrictHabits {
  /** True when it answered the submission itself; otherwise the order is taken. */
  readonly onPost?: (order: Json, response: ServerResponse) => unknown;
  /** The record of an order that was taken; none: the service says that it does not know it. */
  readonly record?: (order: Json) => Json | undefined;
}

export interface StrictService {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** Ids of the submissions that arrived, in order. */
  posts(): string[];
  /** Ids of the look-ups that arrived, in order. */
  finds(): string[];
}

/** Path of the airtime look-up, for a profile that knows one. */
export const AIRTIME_LOOK_UP = '/v1/airtime-purchase/find';

export const idOf = (order: Json): string => String(order['originatorConversationId']);

/** Answers every submission with this, and takes none. */
export const answering =
  (status: number, body: unknown): NonNullable<StrictHabits['onPost']> =>
  (_, response) => {
    sendJson(response, status, body);
    return true;
  };

/** Takes every submission, and knows what it took. */
export async function strictService(habits: StrictHabits = {}): Promise<StrictService> {
  const taken = new Map<string, Json>();
  const { url, arrived } = await serve(async (request, response) => {
    if (request.path === '/connect/token') return sendJson(response, 200, { access_token: 't', expires_in: 3600 });
    if (request.method === 'POST') {
      const order: Json = JSON.parse(request.body);
      if (await habits.onPost?.(order, response)) return;
      taken.set(idOf(order), order);
      const message = { originatorConversationId: idOf(order), systemConversationId: `s-${idOf(order)}` };
      return sendJson(response, 200, { message });
    }
    const id = request.query.get('OriginatorConversationId') ?? '';
    const order = taken.get(id);
    const record = order && habits.record?.(order);
    if (record) return sendJson(response, 200, record);
    sendJson(response, 404, { id, idType: 'OriginatorConversationId', message: `${id} not found` });
  });
  const isPost = ({ method, path }: Arrived): boolean => method === 'POST' && path !== '/connect/token';
  return {
    url,
    arrived,
    posts: () => arrived.filter(isPost).map(({ body }) => idOf(JSON.parse(body))),
    finds: () =>
      arrived.filter(({ method }) => method === 'GET').map(({ query }) => query.get('OriginatorConversationId') ?? ''),
  };
}

/** The record of a bill payment or an airtime purchase with this status, as observed. */
export function recordOf(order: Json, status = 4, over: Json = {}): Json {
  const [recipient] = (order['recipients'] as Json[] | undefined) ?? [];
  return {
    originatorConversationId: idOf(order),
    systemConversationId: `s-${idOf(order)}`,
    ...(recipient
      ? { phoneNumber: recipient['phoneNumber'], amount: recipient['amount'] }
      : { accountNumber: order['accountNumber'], amount: order['amount'] }),
    currencyCode: 'KES',
    status,
    transactionStatusDescription: `Status ${status}`,
    ...(status === 4 && { receiptNumber: 'SK71HX02QP', feeAmount: 3, resultCode: '0' }),
    ...over,
  };
}
