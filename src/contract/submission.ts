/**
 * How each way of submitting money is written: its operation, and what a kind hands over for one payout. Ids, routes and
 * what only the service knows are put in when the order is planned (`batch/plan-orders.ts`).
 */
import type { SubmissionName } from '../domain/submission.ts';
import { type AirtimePurchase, buyAirtime } from './airtime.ts';
import { type BillPayment, payBill } from './bills.ts';
import type { Operation } from './operation.ts';
import { type LineDraft, submitOrder } from './payment-order.ts';

/** What every submission is answered with: taken, not paid. */
interface Accepted {
  readonly message: {
    readonly originatorConversationId: string;
    readonly systemConversationId?: string | null | undefined;
  };
}

// biome-ignore lint/suspicious/noExplicitAny: each submission has a body of its own
type SubmitOperation = Operation<any, any, Accepted>;

export const submitOperations = {
  'payment-order': submitOrder,
  airtime: buyAirtime,
  'bill-payment': payBill,
} as const satisfies Record<SubmissionName, SubmitOperation>;

/** One payout as its kind writes it. */
export type Draft =
  | { readonly submission: 'payment-order'; readonly line: LineDraft }
  | { readonly submission: 'airtime'; readonly recipient: AirtimePurchase['recipients'][number] }
  | {
      readonly submission: 'bill-payment';
      /** Identifier or name of a bill service, as the sheet has it; the service's own list resolves it. */
      readonly service: string;
      readonly payment: Omit<
        BillPayment,
        'originatorConversationId' | 'routeId' | 'serviceId' | 'transactionType' | 'saveBillerNumber' | 'callBackUrl'
      >;
    };
