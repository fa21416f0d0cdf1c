/**
 * What a flat record says about an order that is one payment: a bill payment that was looked up, or an airtime purchase that
 * was looked up or reported by a callback. No such record is documented, so it is read as it comes: names in any case, fields
 * where they were seen, and anything that does not fit proves nothing.
 */
import { currencyOf, currencyOfNumber } from '../../domain/currency.ts';
import type { CallbackPlace, Fact, LineReport } from '../../domain/fact.ts';
import { decimalOf, fromWire, type Money, sameMoney } from '../../domain/money.ts';
import type { LineState, OrderState } from '../../domain/order.ts';
import { lineStatusOf, phaseSaid, unsettles } from '../../domain/order-line.ts';
import { leavesOpen } from '../../domain/result-code.ts';
import { alarmAbout, given, kept, news, otherOrder } from './evidence.ts';

/** A record whose fields are not trusted. */
export class LooseRecord {
  readonly #fields: ReadonlyMap<string, unknown>;
  /** Whether two names that differ only in case have different values, so that it is not known which one is meant. */
  readonly contradictsItself: boolean;

  constructor(record: object) {
    const fields = Object.entries(record).map(([name, value]): [string, unknown] => [name.toLowerCase(), value]);
    this.#fields = new Map(fields);
    this.contradictsItself = fields.some(([name, value]) => this.#fields.get(name) !== value);
  }

  /** Returns the first of these fields that holds a text or a number, as text. */
  text(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.#fields.get(name.toLowerCase());
      if ((typeof value === 'string' && value.trim() !== '') || typeof value === 'number') return String(value).trim();
    }
    return undefined;
  }

  integer(name: string): number | undefined {
    const text = this.text(name);
    return text !== undefined && /^-?\d{1,6}$/.test(text) ? Number(text) : undefined;
  }
}

export interface SingleEvidence {
  readonly record: LooseRecord;
  /** What contradicts the payee that was sent, in plain words; undefined if nothing does. */
  readonly otherPayee: string | undefined;
  /** The callback that brought the record; absent if a look-up did. */
  readonly callback?: CallbackPlace;
}

/** Returns the facts of a flat record; none if it contradicts itself, or does not name the order or its state. */
export function factsOfSingle(
  state: OrderState,
  { record, otherPayee, callback }: SingleEvidence,
  at: number,
): readonly Fact[] {
  const [line] = state.lines;
  const named = record.text('originatorConversationId');
  // A flat record cannot say which of several lines it means.
  if (named === undefined || line === undefined || state.lines.length > 1 || record.contradictsItself) return [];
  const other = otherOrder(state, named, at);
  if (other) return other;
  const amount = amountOf(record, line);
  const contradiction = otherPayee ?? otherMoney(record, line, amount);
  const report = contradiction === undefined ? reportOf(record, line, amount) : undefined;
  if (contradiction === undefined && record.integer('status') === undefined) return [];
  if (callback && report && isLate(report, line)) return [];
  const serviceId = record.text('systemConversationId', 'conversationId');
  const observed: Fact = {
    type: 'order-observed',
    order: state.id,
    at,
    // A flat record does not say whether it is processed: one with a result, or with the status of a completed payment, is.
    processed: report !== undefined && (report.resultCode !== undefined || lineStatusOf(report.status) === 'completed'),
    ...given('serviceId', serviceId),
    lines: report ? [report] : [],
    ...(callback && { source: 'callback', callback }),
  };
  const alarms = contradiction === undefined ? [] : [alarmAbout(state, at, `row ${line.row}: ${contradiction}`)];
  return [observed, ...news(state, alarms)];
}

/**
 * Reports whether a callback comes too late to count. Callbacks overtake each other: one that was sent before the final
 * outcome and comes after it takes nothing back. But a row that failed may be paid again, and it is not known which of two
 * callbacks was sent first, so one that makes the failure uncertain is heard.
 */
function isLate(report: LineReport, { phase }: LineState): boolean {
  if (phase === 'open') return false;
  if (phase === 'rejected' || phase === 'failed') return !unsettles(report, true);
  const said = phaseSaid(report, true);
  return said === 'open' || said === 'timed-out';
}

/** Returns the payer's amount in the currency that was sent; `undefined` if it is absent or cannot be read. */
export function amountOf(record: LooseRecord, { amount }: LineState): Money | undefined {
  const text = record.text('amount');
  return text === undefined ? undefined : fromWire(text, amount.currency);
}

function otherMoney(record: LooseRecord, line: LineState, amount: Money | undefined): string | undefined {
  const text = record.text('currencyCode', 'currency', 'ccy');
  const currency = text === undefined ? undefined : (currencyOf(text) ?? currencyOfNumber(text));
  if (currency && currency.code !== line.amount.currency) return `the service holds currency ${currency.code}`;
  if (amount && !sameMoney(amount, line.amount)) return `the service holds the amount ${decimalOf(amount)}`;
  return undefined;
}

/**
 * Returns the result code of a record. Its `statusCode` is not known to be one: read as one, it could make a payment failed
 * that is not, or paid with a contradiction. So it counts only if it keeps a payment open that its status would end.
 */
function resultCodeOf(record: LooseRecord, isPaid: boolean): string | undefined {
  const statusCode = record.text('statusCode');
  return record.text('resultCode') ?? (!isPaid && leavesOpen(statusCode) ? statusCode : undefined);
}

/**
 * Returns the report of a record; `undefined` if it has no status. A completed payment without its amount does not prove that
 * this amount was paid, so it has no report either.
 */
function reportOf(record: LooseRecord, { trace }: LineState, amount: Money | undefined): LineReport | undefined {
  const status = record.integer('status');
  if (status === undefined) return undefined;
  const paid = lineStatusOf(status) === 'completed';
  if (paid && !amount) return undefined;
  return {
    trace,
    status,
    statusText: given('text', record.text('transactionStatusDescription', 'statusDesc')).text ?? '',
    paidAmount: paid && amount ? decimalOf(amount) : '0',
    feeAmount: kept(record.text('feeAmount') ?? '0'),
    ...given('resultCode', resultCodeOf(record, paid)),
    ...given('resultText', record.text('resultDesc', 'resultCodeDescription', 'statusDescription')),
    ...given('receipt', record.text('receiptNumber', 'thirdPartyReceiptNumber')),
    ...given('date', record.text('transactionDate', 'datePaymentReceived')),
  };
}
