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

type Route = Pick<RouteSettings, 'routeId' | 'channelType'>;

/** What the body of an order says beside its payouts. */
export interface BodyTerms {
  /** Goes with every payment order as `paymentNotes`. */
  readonly notes: string;
  /** Where the service reports; there whenever airtime or a bill is paid. */
  readonly callbackUrl?: string | undefined;
  routeOf(kind: KindName): Route;
  /** The bill service that a row names; there whenever a bill is paid. */
  billServiceOf?(named: string): BillServiceId;
}

/** What preflight settled with the service, and what every order carries. */
export interface OrderTerms extends BodyTerms {
  chargeOf(payout: Payout): Money;
}

type DraftOf<S extends SubmissionName> = Extract<Draft, { readonly submission: S }>;

/** What a kind wrote for a payout, and where it goes: nothing is left to be asked for. */
export type SettledDraft =
  | (DraftOf<'payment-order'> & { readonly route: Route; readonly note?: string })
  | DraftOf<'airtime'>
  | (Omit<DraftOf<'bill-payment'>, 'service'> & { readonly service: BillServiceId });

/** A draft with what preflight settled for it. */
export function settled(draft: Draft, { kind, note }: Payout, terms: BodyTerms): SettledDraft {
  switch (draft.submission) {
    case 'payment-order': {
      const { routeId, channelType } = terms.routeOf(kind);
      return { ...draft, route: { routeId, channelType }, ...(note !== undefined && { note }) };
    }
    case 'airtime':
      return draft;
    case 'bill-payment': {
      const service = terms.billServiceOf?.(draft.service);
      invariant(service, 'preflight settled the service of every bill');
      return { ...draft, service };
    }
    default:
      return unreachable(draft);
  }
}

/** The draft again, to be settled anew: a bill keeps the service that was found for it, whatever it is called by now. */
export function unsettled(draft: SettledDraft): Draft {
  switch (draft.submission) {
    case 'payment-order':
      return { submission: draft.submission, line: draft.line };
    case 'airtime':
      return draft;
    case 'bill-payment':
      return { ...draft, service: draft.service.serviceId };
    default:
      return unreachable(draft);
  }
}

/** Everything that a body says but its ids. */
export interface BodyParts extends Pick<BodyTerms, 'notes' | 'callbackUrl'> {
  readonly lines: readonly { readonly draft: SettledDraft }[];
}

/** Characters of a trace number that stand for a missing reference: enough to tell the rows of a batch apart. */
const MADE_REFERENCE_CHARACTERS = 13;

type Rendered = { readonly submission: SubmissionName; readonly body: string };

/** The body of an order of these parts, with a trace number for each line; several lines only in a payment order. */
export function renderBody(id: OrderId, traces: readonly TraceNumber[], parts: BodyParts): Rendered {
  const [first, ...others] = parts.lines;
  invariant(first, 'an order pays at least one row');
  const { draft } = first;
  const { submission } = draft;
  invariant(submission === 'payment-order' || others.length === 0, 'only payment orders have several lines');
  switch (submission) {
    case 'payment-order':
      return { submission, body: JSON.stringify(paymentOrder.parse(paymentOrderOf(id, traces, parts))) };
    case 'airtime': {
      const order = {
        originatorConversationId: id,
        callbackURL: callbackOf(parts),
        recipients: [draft.recipient],
      };
      return { submission, body: JSON.stringify(airtimePurchase.parse(order)) };
    }
    case 'bill-payment': {
      const order = {
        ...draft.service,
        ...draft.payment,
        transactionType: 2,
        originatorConversationId: id,
        saveBillerNumber: false,
        callBackUrl: callbackOf(parts),
      };
      return { submission, body: JSON.stringify(billPayment.parse(order)) };
    }
    default:
      return unreachable(draft);
  }
}

function callbackOf({ callbackUrl }: BodyParts): string {
  invariant(callbackUrl, 'preflight lets no order through that lacks its callback address');
  return callbackUrl;
}

function paymentOrderOf(id: OrderId, traces: readonly TraceNumber[], { lines, notes }: BodyParts): PaymentOrder {
  const drafts = lines.map(({ draft }) => {
    invariant(draft.submission === 'payment-order', 'the lines of a payment order are payment orders');
    return draft;
  });
  const [only, ...others] = drafts;
  return {
    originatorConversationId: id,
    paymentNotes: others.length === 0 ? (only?.note ?? notes) : notes,
    paymentOrderLines: drafts.map(({ line, route }, index) => {
      const trace = traces[index];
      invariant(trace, 'every line has a trace number');
      return lineOf(line, trace, route);
    }),
  };
}

function lineOf({ remitter, recipient, transaction }: LineDraft, trace: TraceNumber, route: Route): PaymentOrderLine {
  const { amount, reference, accountNo } = transaction;
  return {
    ...(remitter && { remitter }),
    recipient,
    transaction: {
      routeId: route.routeId,
      channelType: route.channelType,
      amount,
      reference: reference ?? trace.slice(0, MADE_REFERENCE_CHARACTERS),
      systemTraceAuditNumber: trace,
      ...(accountNo !== undefined && { accountNo }),
    },
  };
}
