/**
 * A payment order: one or more lines to wallets, tills, paybills and banks. It can be looked up and stopped by its own id.
 *
 * Evidence that contradicts what was sent (another amount, another payee, a line that was not sent) becomes an alarm, and the
 * line that it concerns is not believed. Spec: "Payment order (request)", "Payment order status record".
 */

import type { Fact, LineReport } from '../../domain/fact.ts';
import type { TraceNumber } from '../../domain/ids.ts';
import { decimalOf, fromWire, sameMoney, sizeFromWire } from '../../domain/money.ts';
import type { LineState, OrderState } from '../../domain/order.ts';
import { lineStatusOf } from '../../domain/order-line.ts';
import type { RouteSettings } from '../../domain/settings.ts';
import {
  findOrder,
  paymentOrder as orderBody,
  type PaymentOrder,
  type PaymentOrderLine,
  type Remitter,
  rejectOrder,
  type StatusLine,
  type StatusRecord,
  submitOrder,
} from '../contract/payment-order.ts';
import { alarmAbout, differs, given, kept, news, otherOrder, shown } from './evidence.ts';
import { lookUpBy, type Submission, stopBy } from './submission.ts';

/** What a kind writes for a payout: the line without what the plan adds (route, channel, trace number). */
export interface LineDraft {
  readonly remitter?: Remitter;
  readonly recipient: PaymentOrderLine['recipient'];
  readonly transaction: {
    readonly amount: number;
    /** Absent if the row has no reference; the plan then makes one from the trace number. */
    readonly reference?: string;
    readonly accountNo?: string;
  };
}

/** One line of a payment order, as a kind writes it. */
export interface PaymentOrderDraft {
  readonly submission: 'payment-order';
  readonly line: LineDraft;
}

/** A line with the rail that it uses, and the note of its row. */
export interface SettledLine extends PaymentOrderDraft {
  readonly route: Pick<RouteSettings, 'routeId' | 'channelType'>;
  readonly note?: string;
}

/** Characters of a trace number that replace a missing reference: enough to tell the rows of a batch apart. */
const MADE_REFERENCE_CHARACTERS = 13;

function lineOf({ line, route }: SettledLine, trace: TraceNumber): PaymentOrderLine {
  const { remitter, recipient, transaction } = line;
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

/** Returns the facts of one status record. `body` is the exact body that was sent. */
export function factsOfRecord(state: OrderState, body: string, record: StatusRecord, at: number): readonly Fact[] {
  const alarm = (reason: string): Fact => alarmAbout(state, at, reason);
  const other = otherOrder(state, record.originatorConversationId, at);
  if (other) return other;
  const { paymentOrderLines }: PaymentOrder = JSON.parse(body); // it was checked against this shape when it was rendered
  const sent = new Map(paymentOrderLines.map((line) => [line.transaction.systemTraceAuditNumber, line] as const));
  const planned = new Map(state.lines.map((line) => [line.trace as string, line] as const));
  const [reports, repeats]: [LineReport[], LineReport[]] = [[], []];
  const alarms: Fact[] = [];
  const seen = new Set<string>();
  for (const line of record.orderLines) {
    const trace = line.transaction?.systemTraceAuditNumber?.toLowerCase() ?? '';
    const plan = planned.get(trace);
    const original = sent.get(trace);
    if (!plan || !original) {
      alarms.push(alarm(`the order holds a line that was not sent (trace number ${shown(trace) || 'missing'})`));
      continue;
    }
    const heldName = differs(line.recipient?.name, original.recipient.name) ? line.recipient?.name : undefined;
    const stated = line.transactionOutcome
      ? [{ ...reportOf(plan.trace, line.transactionOutcome), ...given('heldName', heldName) }]
      : [];
    const contradiction = contradictionOf(line, plan, original);
    if (seen.has(trace)) {
      alarms.push(alarm(`row ${plan.row}: the order holds this line twice`));
      repeats.push(...stated);
    } else if (contradiction) alarms.push(alarm(`row ${plan.row}: ${contradiction}`));
    else reports.push(...stated);
    seen.add(trace);
  }
  const observed: Fact = {
    type: 'order-observed',
    order: state.id,
    at,
    processed: record.isProcessed === true,
    ...given('serviceId', record.conversationId),
    lines: reports,
    ...(repeats.length > 0 && { repeats }),
    ...(record.isProcessed === true && lackingIn(state.lines, seen)),
  };
  return [observed, ...news(state, alarms)];
}

/** Returns the lines that a record lacks although it has others of the order; a record that has none of them proves nothing. */
function lackingIn(
  lines: readonly LineState[],
  seen: ReadonlySet<string>,
): { readonly lacking?: readonly TraceNumber[] } {
  const lacking = lines.map(({ trace }) => trace).filter((trace) => !seen.has(trace));
  return lacking.length > 0 && lacking.length < lines.length ? { lacking } : {};
}

function contradictionOf(line: StatusLine, plan: LineState, sent: PaymentOrderLine): string | undefined {
  const { transaction, recipient } = line;
  if (typeof transaction?.amount === 'number' || typeof transaction?.amount === 'string') {
    const amount = fromWire(transaction.amount, plan.amount.currency);
    if (!amount || !sameMoney(amount, plan.amount))
      return `the service holds the amount ${shown(String(transaction.amount))}`;
  }
  if (recipient?.ccy && Number(recipient.ccy) !== sent.recipient.ccy)
    return `the service holds currency ${shown(String(recipient.ccy))}`;
  if (differs(recipient?.primaryAccountNumber, sent.recipient.primaryAccountNumber)) {
    return 'the service holds another account or phone number';
  }
  const unmeant = unmeantAmount(line, plan);
  if (unmeant !== undefined) return `the service says that it paid ${shown(unmeant)}`;
  if (differs(recipient?.institutionIdentifier, sent.recipient.institutionIdentifier)) {
    return 'the service holds another till, paybill or bank';
  }
  return undefined;
}

/**
 * Returns a paid amount that cannot be meant, next to a status that is not final. With a final status, `order-line.ts`
 * compares the amount with the line.
 */
function unmeantAmount({ transactionOutcome: stated }: StatusLine, { amount }: LineState): string | undefined {
  const status = stated && lineStatusOf(stated.transactionStatus);
  if (!stated || status === 'completed' || status === 'rejected') return undefined;
  const paid = sizeFromWire(stated.paymentAmount ?? 0, amount.currency);
  return paid >= 0 && paid <= Number(decimalOf(amount)) ? undefined : String(stated.paymentAmount);
}

type WireOutcome = NonNullable<StatusLine['transactionOutcome']>;

function reportOf(trace: TraceNumber, outcome: WireOutcome): LineReport {
  const receipt = outcome.thirdPartyPayload?.thirdPartyReceiptNumber;
  return {
    trace,
    status: outcome.transactionStatus,
    statusText: kept(outcome.transactionStatusDescription ?? ''),
    paidAmount: kept(String(outcome.paymentAmount ?? 0)),
    feeAmount: kept(String(outcome.feeAmount ?? 0)),
    ...given('resultCode', outcome.resultCode),
    ...given('resultText', outcome.resultCodeDescription),
    ...given('receipt', receipt),
    ...given('tracking', outcome.trackingNumber),
    ...given('date', outcome.transactionDate),
    ...given('creditParty', outcome.transactionCreditParty),
  };
}

/** A payment order is resendable: it can be looked up by its own id, and a callback is a reason to look it up. */
export const paymentOrder: Submission<'payment-order', PaymentOrderDraft, SettledLine> = {
  name: 'payment-order',
  protocol: 'resendable',
  operation: submitOrder,
  hasSeveralLines: true,
  namesCallback: false,
  settled(draft, { kind, note }, terms) {
    const { routeId, channelType } = terms.routeOf(kind);
    return { ...draft, route: { routeId, channelType }, ...(note !== undefined && { note }) };
  },
  unsettled: ({ submission, line }) => ({ submission, line }),
  bodyOf(id, lines, { notes }) {
    const [only, ...others] = lines;
    const order: PaymentOrder = {
      originatorConversationId: id,
      paymentNotes: others.length === 0 ? (only.draft.note ?? notes) : notes,
      paymentOrderLines: lines.map(({ draft, trace }) => lineOf(draft, trace)),
    };
    return orderBody.parse(order);
  },
  lookUp: lookUpBy(findOrder, (id) => ({ IdType: 'OriginatorConversationId' as const, Id: id }), factsOfRecord),
  stop: stopBy(rejectOrder, (id) => ({ OriginatorConversationId: id })),
};
