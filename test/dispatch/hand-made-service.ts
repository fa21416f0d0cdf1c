/** A service of a few lines that a test can make lie, stall or look over the client's shoulder. */
import type { ServerResponse } from 'node:http';
import type { PaymentOrder } from '../../src/service/contract/payment-order.ts';
import { type Arrived, sendJson, serve } from '../support/loopback.ts';

export type Json = Record<string, unknown>;

export interface Habits {
  /** Before a submission is taken. What it gives, if anything, is the answer, and the order is not taken. */
  readonly onPost?: (order: PaymentOrder, response: ServerResponse) => unknown;
  /** Before a look-up is answered. What it gives, if anything, is the answer. */
  readonly onFind?: (id: string, response: ServerResponse) => unknown;
  /** Changes the status record that a look-up gives. */
  readonly record?: (record: Json, order: PaymentOrder) => Json;
  /** How its answers are written; as JSON when it is missing. */
  readonly send?: (response: ServerResponse, status: number, value: unknown) => void;
}

export interface HandMadeService {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  readonly taken: ReadonlyMap<string, PaymentOrder>;
  /** Ids of the submissions that arrived, in order. */
  posts(): string[];
  /** Ids of the look-ups that arrived, in order. */
  finds(): string[];
}

/** Takes every order and pays it at once. */
export async function handMadeService(habits: Habits = {}): Promise<HandMadeService> {
  const taken = new Map<string, PaymentOrder>();
  const { send: write = sendJson } = habits;
  const send = (response: ServerResponse, answer: unknown): void => {
    if (answer !== answered) write(response, 200, answer);
  };
  const { url, arrived } = await serve(async (request, response) => {
    if (request.path === '/connect/token') return send(response, { access_token: 't', expires_in: 3600 });
    if (request.method === 'POST') {
      const order: PaymentOrder = JSON.parse(request.body);
      const answer = await habits.onPost?.(order, response);
      if (answer === undefined) taken.set(order.originatorConversationId, order);
      return send(response, answer ?? acceptanceOf(order.originatorConversationId));
    }
    const id = request.query.get('Id') ?? '';
    const answer = await habits.onFind?.(id, response);
    if (answer !== undefined) return send(response, answer);
    const order = taken.get(id);
    if (!order) return write(response, 404, { id, idType: 'OriginatorConversationId', message: `${id} not found` });
    const record = paidRecordOf(order);
    return send(response, habits.record?.(record, order) ?? record);
  });
  return {
    url,
    arrived,
    taken,
    posts: () => arrived.filter(isPost).map(({ body }) => JSON.parse(body).originatorConversationId),
    finds: () => arrived.filter(({ method }) => method === 'GET').map(({ query }) => query.get('Id') ?? ''),
  };
}

const isPost = ({ method, path }: Arrived): boolean => method === 'POST' && path !== '/connect/token';

/** Answered by the habit itself. */
export const answered = Symbol('answered');

export const acceptanceOf = (id: string): Json => ({
  message: { appDomainName: 'SANDBOX', systemConversationId: `s-${id}`, originatorConversationId: id },
});

export const paidRecordOf = (order: PaymentOrder): Json & { orderLines: Json[] } => ({
  originatorConversationId: order.originatorConversationId,
  conversationId: `s-${order.originatorConversationId}`,
  isProcessed: true,
  orderLines: order.paymentOrderLines.map((line) => ({
    recipient: line.recipient,
    transaction: line.transaction,
    transactionOutcome: {
      paymentAmount: line.transaction.amount,
      feeAmount: 5,
      transactionStatus: 4,
      transactionStatusDescription: 'Completed',
      resultCode: '0',
      thirdPartyPayload: { thirdPartyReceiptNumber: 'R1' },
    },
  })),
});
