/**
 * What a status record says of an order, as facts. Evidence that contradicts what was sent (another amount, another
 * payee, a line nobody asked for) becomes an alarm, and the line it concerns is not believed. Spec: "Payment order
 * status record".
 */
import { type PaymentOrderLine, paymentOrder, type StatusLine, type StatusRecord } from '../contract/payment-order.ts';
import type { Fact, LineReport } from '../domain/fact.ts';
import type { TraceNumber } from '../domain/ids.ts';
import { lineStatusOf } from '../domain/line-status.ts';
import { decimalOf, fromWire, sameMoney } from '../domain/money.ts';
import type { LineState, OrderState } from '../domain/order.ts';
import { alarmAbout, differs, given, kept, news, otherOrder, shown } from './evidence.ts';

/** The facts of one status record. `body` is the exact body that was sent. */
export function factsOfRecord(state: OrderState, body: string, record: StatusRecord, at: number): readonly Fact[] {
  const alarm = (reason: string): Fact => alarmAbout(state, at, reason);
  const other = otherOrder(state, record.originatorConversationId, at);
  if (other) return other;
  const sent = new Map(
    paymentOrder
      .parse(JSON.parse(body))
      .paymentOrderLines.map((line) => [line.transaction.systemTraceAuditNumber, line] as const),
  );
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
    const told = line.transactionOutcome
      ? [{ ...reportOf(plan.trace, line.transactionOutcome), ...given('heldName', heldName) }]
      : [];
    const contradiction = contradictionOf(line, plan, original);
    if (seen.has(trace)) {
      alarms.push(alarm(`row ${plan.row}: the order holds this line twice`));
      repeats.push(...told);
    } else if (contradiction) alarms.push(alarm(`row ${plan.row}: ${contradiction}`));
    else reports.push(...told);
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
  };
  return [observed, ...news(state, alarms)];
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

/** An amount that nobody can mean, beside a status that is no end: where it is one, the line itself is held against it. */
function unmeantAmount({ transactionOutcome: told }: StatusLine, { amount }: LineState): string | undefined {
  const status = told && lineStatusOf(told.transactionStatus);
  if (!told || status === 'completed' || status === 'rejected') return undefined;
  const paid = Number(told.paymentAmount ?? 0);
  return paid >= 0 && paid <= Number(decimalOf(amount)) ? undefined : String(told.paymentAmount);
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
