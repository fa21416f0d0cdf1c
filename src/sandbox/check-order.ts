/**
 * Reads the body of a payment order the way the service does: required fields must be there with the right type, fields
 * it does not know are ignored. Spec: "Payment order (request)".
 */
import { currencyOfNumber } from '../domain/currency.ts';
import { fromWire, type Money } from '../domain/money.ts';
import { isRouteId, type Rail, railOf } from './catalogue.ts';

/** A JSON object whose fields are not trusted. */
export type Fields = Readonly<Record<string, unknown>>;

/** Field names with their complaints. Spec: "Errors" 1. */
export type FieldErrors = Record<string, string[]>;

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

export interface CheckedOrder {
  readonly id: string;
  readonly notes: string;
  readonly lines: readonly CheckedLine[];
}

export type OrderCheck =
  | { readonly ok: true; readonly order: CheckedOrder }
  | { readonly ok: false; readonly errors: FieldErrors };

type Shape = 'text' | 'integer' | 'number' | 'network-code';
interface Rule {
  readonly name: string;
  readonly shape: Shape;
  readonly required?: true;
  readonly nullable?: true;
}

const texts = (...names: readonly string[]): readonly Rule[] => names.map((name) => ({ name, shape: 'text' }));
const required = (shape: Shape, ...names: readonly string[]): readonly Rule[] =>
  names.map((name) => ({ name, shape, required: true }));

const orderRules = required('text', 'originatorConversationId', 'paymentNotes');
const remitterRules: readonly Rule[] = [
  ...texts('name', 'address', 'phoneNumber', 'idType', 'idNumber', 'dateOfBirth', 'country', 'nationality'),
  ...texts('financialInstitution', 'sourceOfFunds', 'principalActivity'),
  { name: 'ccy', shape: 'integer' },
];
const recipientRules: readonly Rule[] = [
  ...required('text', 'name', 'primaryAccountNumber', 'purpose'),
  ...required('integer', 'ccy'),
  ...texts('address', 'emailAddress', 'phoneNumber', 'idType', 'idNumber', 'country'),
  { name: 'financialInstitution', shape: 'text', nullable: true },
  { name: 'institutionIdentifier', shape: 'text', nullable: true },
  { name: 'mccmnc', shape: 'network-code' },
];
const transactionRules: readonly Rule[] = [
  ...required('text', 'routeId', 'reference', 'systemTraceAuditNumber'),
  ...required('integer', 'channelType'),
  ...required('number', 'amount'),
  ...texts('accountNo'),
];

const fits: Readonly<Record<Shape, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  'network-code': (value) => typeof value === 'string' || Number.isInteger(value),
};

/** Checks the whole order and reports every complaint, or gives it back as the books keep it. */
export function checkOrder(body: unknown): OrderCheck {
  const errors: FieldErrors = {};
  if (!isFields(body)) return { ok: false, errors: { $: ['A JSON object is required.'] } };
  checkFields(body, orderRules, '', errors);
  const sent = body['paymentOrderLines'];
  const lines: CheckedLine[] = [];
  if (!Array.isArray(sent) || sent.length === 0) {
    complain(errors, 'paymentOrderLines', 'The paymentOrderLines field is required.');
  } else {
    for (const [index, line] of sent.entries()) {
      const checked = checkLine(line, `paymentOrderLines[${index}].`, errors);
      if (checked) lines.push(checked);
    }
  }
  for (const _ in errors) return { ok: false, errors };
  return {
    ok: true,
    order: { id: textOf(body, 'originatorConversationId'), notes: textOf(body, 'paymentNotes'), lines },
  };
}

function checkLine(line: unknown, path: string, errors: FieldErrors): CheckedLine | undefined {
  const fields = isFields(line) ? line : {};
  const remitter = fieldsOf(fields, 'remitter');
  const recipient = fieldsOf(fields, 'recipient') ?? {};
  const transaction = withChannelType(fieldsOf(fields, 'transaction') ?? {});
  if (fields['remitter'] && !remitter) complain(errors, `${path}remitter`, 'The remitter field must be an object.');
  if (remitter) checkFields(remitter, remitterRules, `${path}remitter.`, errors);
  checkFields(recipient, recipientRules, `${path}recipient.`, errors);
  checkFields(transaction, transactionRules, `${path}transaction.`, errors);
  checkMetaData(fields['metaDataList'], path, errors);
  const rail = checkRail(recipient, transaction, path, errors);
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

function checkFields(fields: Fields, rules: readonly Rule[], path: string, errors: FieldErrors): void {
  for (const { name, shape, required: needed, nullable } of rules) {
    const value = fields[name];
    if (value === undefined || value === '' || (value === null && (needed || nullable))) {
      if (needed) complain(errors, path + name, `The ${name} field is required.`);
    } else if (!fits[shape](value)) {
      complain(errors, path + name, `The ${name} field must be a ${shape}.`);
    }
  }
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
  for (const name of rail.needs) {
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

/** One sample of the specification spells the name `ChannelType`. */
function withChannelType(transaction: Fields): Fields {
  if (transaction['ChannelType'] === undefined || transaction['channelType'] !== undefined) return transaction;
  return { ...transaction, channelType: transaction['ChannelType'] };
}

function complain(errors: FieldErrors, field: string, message: string): void {
  errors[field] = [...(errors[field] ?? []), message];
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsOf = (fields: Fields, name: string): Fields | undefined => {
  const value = fields[name];
  return isFields(value) ? value : undefined;
};

/** The text of a field, or the empty text when it holds none. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}
