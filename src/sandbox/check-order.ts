/**
 * Reads the body of a payment order the way the service does: required fields must be there with the right type, fields
 * it does not know are ignored. Spec: "Payment order (request)".
 */
import { currencyOfNumber } from '../domain/currency.ts';
import { fromWire, type Money } from '../domain/money.ts';
import { isRouteId, type Rail, railOf } from './catalogue.ts';
import {
  bound,
  checkFields,
  complain,
  type FieldErrors,
  type Fields,
  fieldsOf,
  isFields,
  notAnObject,
  type Rule,
  textOf,
} from './fields.ts';
import {
  orderNames,
  orderRules,
  recipientRules,
  remitterRules,
  requireBank,
  requireWallet,
  transactionRules,
} from './order-rules.ts';

/** A line that can be booked. */
export interface CheckedLine {
  readonly remitter: Fields | undefined;
  readonly recipient: Fields;
  readonly rail: Rail;
  readonly trace: string;
  readonly amount: Money;
  /** Numeric currency code as sent. */
  readonly ccy: number;
  readonly name: string;
  /** `primaryAccountNumber`: a phone or an account number. */
  readonly payee: string;
  /** `institutionIdentifier`: till, paybill or bank. */
  readonly institution: string | null;
}

/** An order that can be booked. */
export interface CheckedOrder {
  readonly id: string;
  readonly notes: string;
  readonly lines: readonly CheckedLine[];
}

/** What was made of a body. */
export interface OrderCheck {
  /** Its identifier; empty when it has none. */
  readonly id: string;
  /** The order, when every line of it could be booked, whatever is complained of. */
  readonly order?: CheckedOrder;
  /** What is of another type than it must be: then the body is not read at all. */
  readonly mistyped: FieldErrors;
  /** What is missing, too long or wrong in itself: then it was read, and is not taken. */
  readonly errors: FieldErrors;
}

/** What is found wrong on the way. */
type Found = Pick<OrderCheck, 'mistyped' | 'errors'>;

/** Checks the whole order and reports every complaint, and gives it back as the books keep it. */
export function checkOrder(received: unknown): OrderCheck {
  const body = bound(received, orderNames);
  if (!isFields(body)) return { id: '', mistyped: notAnObject, errors: {} };
  const found: Found = { mistyped: {}, errors: {} };
  checkFields(body, orderRules, '', found.errors, found.mistyped);
  const lines = linesOf(body['paymentOrderLines'], found).map((line, index) =>
    checkLine(line, `paymentOrderLines[${index}].`, found),
  );
  const booked = lines.flatMap((line) => line ?? []);
  const id = textOf(body, 'originatorConversationId');
  if (booked.length === 0 || booked.length < lines.length) return { id, ...found };
  return { id, ...found, order: { id, notes: textOf(body, 'paymentNotes'), lines: booked } };
}

function linesOf(sent: unknown, { mistyped, errors }: Found): readonly unknown[] {
  if (Array.isArray(sent) && sent.length > 0) return sent;
  const isMissing = sent === undefined || sent === null || Array.isArray(sent);
  complain(
    isMissing ? errors : mistyped,
    'paymentOrderLines',
    isMissing ? 'The paymentOrderLines field is required.' : 'The paymentOrderLines field must be a list.',
  );
  return [];
}

function checkLine(line: unknown, path: string, { mistyped, errors }: Found): CheckedLine | undefined {
  const fields = isFields(line) ? line : {};
  const part = (name: string, rules: readonly Rule[], isNeeded: boolean): Fields | undefined => {
    const inner = fieldsOf(fields, name);
    if (fields[name] && !inner) complain(mistyped, `${path}${name}`, `The ${name} field must be an object.`);
    if (inner || isNeeded) checkFields(inner ?? {}, rules, `${path}${name}.`, errors, mistyped);
    return inner;
  };
  const remitter = part('remitter', remitterRules, false);
  const recipient = part('recipient', recipientRules, true) ?? {};
  const transaction = part('transaction', transactionRules, true) ?? {};
  checkMetaData(fields['metaDataList'], path, mistyped);
  const rail = checkRail(recipient, transaction, path, errors);
  if (rail?.needs.includes('remitter')) requireBank(remitter, recipient, path, errors);
  if (rail?.needs.includes('mccmnc')) requireWallet(recipient, path, errors);
  const amount = rail && checkAmount(recipient['ccy'], transaction['amount'], rail, path, errors);
  if (!rail || !amount) return undefined;
  return {
    remitter,
    recipient,
    rail,
    amount,
    trace: textOf(transaction, 'systemTraceAuditNumber'),
    ccy: Number(recipient['ccy']),
    name: textOf(recipient, 'name'),
    payee: textOf(recipient, 'primaryAccountNumber'),
    institution: textOf(recipient, 'institutionIdentifier') || null,
  };
}

function checkMetaData(list: unknown, path: string, errors: FieldErrors): void {
  if (list === undefined) return;
  const isPair = (pair: unknown): boolean =>
    isFields(pair) && typeof pair['key'] === 'string' && typeof pair['value'] === 'string';
  if (Array.isArray(list) && list.every(isPair)) return;
  complain(errors, `${path}metaDataList`, 'The metaDataList field must be a list of key and value.');
}

function checkRail(recipient: Fields, transaction: Fields, path: string, errors: FieldErrors): Rail | undefined {
  const { routeId, channelType } = transaction;
  if (typeof routeId !== 'string' || routeId === '' || typeof channelType !== 'number') return undefined;
  const rail = railOf(routeId, channelType);
  if (!rail) {
    const field = isRouteId(routeId) ? 'channelType' : 'routeId';
    complain(errors, `${path}transaction.${field}`, `The ${field} is not assigned to this client.`);
    return undefined;
  }
  if (rail.use !== 'submit-order') {
    complain(errors, `${path}transaction.channelType`, 'The channelType does not carry payment orders.');
    return undefined;
  }
  for (const name of rail.needs) {
    if (name === 'remitter' || name === 'mccmnc') continue; // each by rules of its own
    const [owner, fields] = name === 'accountNo' ? ['transaction', transaction] : ['recipient', recipient];
    if (textOf(fields, name) === '') complain(errors, `${path}${owner}.${name}`, `The ${name} field is required.`);
  }
  return rail;
}

function checkAmount(ccy: unknown, wire: unknown, rail: Rail, path: string, errors: FieldErrors): Money | undefined {
  if (typeof ccy !== 'number' || typeof wire !== 'number') return undefined;
  if (currencyOfNumber(ccy)?.code !== rail.scale.currency) {
    complain(errors, `${path}recipient.ccy`, `The ccy ${ccy} is not served by this route.`);
    return undefined;
  }
  const amount = fromWire(wire, rail.scale.currency);
  if (amount && amount.minor > 0n) return amount;
  complain(errors, `${path}transaction.amount`, `The amount ${wire} is not an amount of ${rail.scale.currency}.`);
  return undefined;
}
