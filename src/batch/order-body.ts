/** The exact body of an order, by the way in which it is submitted, held against the contract before it is stored. */
import { airtimePurchase } from '../contract/airtime.ts';
import { billPayment } from '../contract/bills.ts';
import { type LineDraft, type PaymentOrder, type PaymentOrderLine, paymentOrder } from '../contract/payment-order.ts';
import type { Draft } from '../contract/submission.ts';
import type { OrderId, TraceNumber } from '../domain/ids.ts';
import { invariant, unreachable } from '../domain/invariant.ts';
import type { Money } from '../domain/money.ts';
import type { KindName, Payout } from '../domain/payout.ts';
import type { RouteSettings } from '../domain/settings.ts';
import type { SubmissionName } from '../domain/submission.ts';

/** A bill service as its payments name it. Spec: "Bill payment". */
export interface BillServiceId {
  readonly serviceId: string;
  readonly routeId: string;
}

/** What the body of an order says beside its payouts. */
export interface BodyTerms {
  /** Goes with every payment order as `paymentNotes`. */
  readonly notes: string;
  /** Where the service reports; there whenever airtime or a bill is paid. */
  readonly callbackUrl?: string;
  routeOf(kind: KindName): Pick<RouteSettings, 'routeId' | 'channelType'>;
  /** The bill service that a row names; there whenever a bill is paid. */
  billServiceOf?(named: string): BillServiceId;
}

/** What preflight settled with the service, and what every order carries. */
export interface OrderTerms extends BodyTerms {
  chargeOf(payout: Payout): Money;
}

/** One payout of an order. */
export interface OrderDraft {
  readonly row: { readonly payout: Payout; readonly trace: TraceNumber };
  readonly draft: Draft;
}

/** Characters of a trace number that stand for a missing reference: enough to tell the rows of a batch apart. */
const MADE_REFERENCE_CHARACTERS = 13;

/** The reference of a row that has none. */
export const madeReference = (trace: TraceNumber): string => trace.slice(0, MADE_REFERENCE_CHARACTERS);

type Rendered = { readonly submission: SubmissionName; readonly body: string };

/** The body of an order of these payouts; more than one of them only in a payment order. */
export function renderBody(id: OrderId, drafts: readonly OrderDraft[], terms: BodyTerms): Rendered {
  const [first, ...others] = drafts;
  invariant(first, 'an order pays at least one row');
  const { draft } = first;
  const { submission } = draft;
  invariant(submission === 'payment-order' || others.length === 0, 'only payment orders have several lines');
  switch (submission) {
    case 'payment-order':
      return { submission, body: JSON.stringify(paymentOrder.parse(paymentOrderOf(id, drafts, terms))) };
    case 'airtime': {
      const order = {
        originatorConversationId: id,
        callbackURL: callbackOf(terms),
        recipients: [draft.recipient],
      };
      return { submission, body: JSON.stringify(airtimePurchase.parse(order)) };
    }
    case 'bill-payment': {
      const settled = terms.billServiceOf?.(draft.service);
      invariant(settled, 'preflight settled the service of every bill');
      const order = {
        ...settled,
        ...draft.payment,
        transactionType: 2,
        originatorConversationId: id,
        saveBillerNumber: false,
        callBackUrl: callbackOf(terms),
      };
      return { submission, body: JSON.stringify(billPayment.parse(order)) };
    }
    default:
      return unreachable(draft);
  }
}

function callbackOf({ callbackUrl }: BodyTerms): string {
  invariant(callbackUrl, 'preflight lets no order through that lacks its callback address');
  return callbackUrl;
}

function paymentOrderOf(id: OrderId, drafts: readonly OrderDraft[], terms: BodyTerms): PaymentOrder {
  const [only, ...others] = drafts;
  return {
    originatorConversationId: id,
    paymentNotes: others.length === 0 ? (only?.row.payout.note ?? terms.notes) : terms.notes,
    paymentOrderLines: drafts.map(({ row: { payout, trace }, draft }) => {
      invariant(draft.submission === 'payment-order', 'the lines of a payment order are payment orders');
      return lineOf(draft.line, trace, terms.routeOf(payout.kind));
    }),
  };
}

function lineOf(
  { remitter, recipient, transaction }: LineDraft,
  trace: TraceNumber,
  route: Pick<RouteSettings, 'routeId' | 'channelType'>,
): PaymentOrderLine {
  const { amount, reference, accountNo } = transaction;
  return {
    ...(remitter && { remitter }),
    recipient,
    transaction: {
      routeId: route.routeId,
      channelType: route.channelType,
      amount,
      reference: reference ?? madeReference(trace),
      systemTraceAuditNumber: trace,
      ...(accountNo !== undefined && { accountNo }),
    },
  };
}
