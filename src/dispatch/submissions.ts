/**
 * How each way of submitting is followed: the look-up that finds its orders, how a record becomes facts, and what a
 * callback counts for where nothing can be looked up. The operation that submits is in `contract/submission.ts`.
 */
import type { Client } from '../client/client.ts';
import type { Reply } from '../client/reply.ts';
import { findAirtime } from '../contract/airtime.ts';
import { findBillPayment } from '../contract/bills.ts';
import type { AnyOperation, QueryOf, ValueOf } from '../contract/operation.ts';
import { findOrder } from '../contract/payment-order.ts';
import type { CallbackPlace, Fact } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import type { OrderState } from '../domain/order.ts';
import type { SubmissionName } from '../domain/submission.ts';
import { factsOfRecord } from './observe.ts';
import { factsOfAirtime } from './observe-airtime.ts';
import { factsOfBill } from './observe-bill.ts';

/** The facts of a record that was found, for the order that it was looked up for and the body that was sent. */
export type FactsFound = (state: OrderState, body: string, at: number) => readonly Fact[];

export interface LookUpWay {
  readonly operation: AnyOperation;
  /** Asks for the record of an id. The signal ends the waiting for its turn. */
  ask(client: Client, id: OrderId, signal: AbortSignal): Promise<Reply<FactsFound>>;
}

interface SubmissionWay {
  readonly lookUp: LookUpWay;
  /**
   * The facts of a callback's body, where there is no look-up to ask instead. Missing: a callback is a reason to look the
   * order up, and proves nothing.
   */
  readonly factsOfCallback?: (
    state: OrderState,
    body: string,
    told: object,
    at: number,
    callback: CallbackPlace,
  ) => readonly Fact[];
}

function lookUpBy<O extends AnyOperation>(
  operation: O,
  query: (id: OrderId) => QueryOf<O>,
  factsOf: (state: OrderState, body: string, record: ValueOf<O>, at: number) => readonly Fact[],
): LookUpWay {
  return {
    operation,
    async ask(client, id, signal) {
      const reply = await client.call(operation, { query: query(id), signal });
      if (reply.tag !== 'accepted') return reply;
      return { ...reply, value: (state, body, at) => factsOf(state, body, reply.value, at) };
    },
  };
}

const byOriginator = (id: OrderId) => ({ OriginatorConversationId: id });

export const submissionWays: Readonly<Record<SubmissionName, SubmissionWay>> = {
  'payment-order': {
    lookUp: lookUpBy(findOrder, (id) => ({ IdType: 'OriginatorConversationId' as const, Id: id }), factsOfRecord),
  },
  airtime: {
    lookUp: lookUpBy(findAirtime, byOriginator, factsOfAirtime),
    factsOfCallback: factsOfAirtime,
  },
  'bill-payment': { lookUp: lookUpBy(findBillPayment, byOriginator, factsOfBill) },
};

/** Which ways have a look-up that this client knows the path of. */
export function lookUpsOf(client: Client): (submission: SubmissionName) => boolean {
  return (submission) => client.knows(submissionWays[submission].lookUp.operation);
}
