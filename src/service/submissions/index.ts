/** The ways of submitting money. Adding one takes one file and one line here, and its name and protocol in `domain/submission.ts`. */
import type { SubmissionName } from '../../domain/submission.ts';
import { airtime } from './airtime.ts';
import { billPayment } from './bill-payment.ts';
import { paymentOrder } from './payment-order.ts';
import type { Submission } from './submission.ts';

const table = {
  'payment-order': paymentOrder,
  airtime,
  'bill-payment': billPayment,
} as const satisfies {
  // biome-ignore lint/suspicious/noExplicitAny: each way has drafts of its own
  readonly [N in SubmissionName]: Submission<N, any, any>;
};

type Way = (typeof table)[SubmissionName];

/** One payout as its kind writes it. Ids, routes and what only the service knows are added when the order is planned. */
export type Draft = Parameters<Way['settled']>[0];

/** What a kind wrote for a payout, with where it goes: nothing is left to be asked. */
export type SettledDraft = Parameters<Way['unsettled']>[0];

/** Each way by its name. The way found by the name in a draft takes that draft. */
// biome-ignore lint/suspicious/noExplicitAny: which draft goes with which name, no type of a looked-up entry can say
export const submissions: Readonly<Record<SubmissionName, Submission<SubmissionName, any, any>>> = table;
