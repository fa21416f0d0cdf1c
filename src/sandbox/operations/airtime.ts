/**
 * Airtime purchases. Spec: "Airtime purchase". The section describes the request twice: nested with recipients, and flat for
 * one recipient. Both are accepted. The field table gives the flat request no identifier of its own, so it needs the
 * conversation's, too.
 */
import { currencyOf, currencyOfNumber } from '../../domain/currency.ts';
import { invariant } from '../../domain/invariant.ts';
import { add, type Money, toWire } from '../../domain/money.ts';
import { type BookedPart, type BookedRequest, shownPart } from '../books/booked.ts';
import { mostOf, railFor } from '../catalogue.ts';
import type { CheckedPart, RequestCheck } from '../checked-request.ts';
import {
  checkFields,
  complain,
  type FieldErrors,
  type Fields,
  formOf,
  hasErrors,
  isFields,
  notAnObject,
  positiveAmount,
  readForm,
  required,
  textOf,
  wordOf,
} from '../fields.ts';
import { paymentMagic, type ShownStatus } from '../settle.ts';
import { acceptanceOf, finding, requestStatusAt, type Way } from './requests.ts';

const recipientRules = [...required('text', 'currencyCode', 'phoneNumber', 'name'), ...required('number', 'amount')];
const nestedForm = formOf(
  [...required('text', 'originatorConversationId'), ...required('web address', 'callbackURL')],
  'recipients',
  ...recipientRules.map(({ name }) => name),
);
const flatForm = formOf([
  ...required('text', 'originatorConversationId', 'recipientName', 'recipientPhoneNumber', 'recipientccy'),
  ...required('integer', 'amount'),
  ...required('web address', 'callBackUrl'),
]);

/** Airtime purchases, which move no money when they are accepted. Spec: "Airtime purchase". */
export const airtimeWay: Way = {
  kind: 'buy-airtime',
  read: checkAirtime,
  tells: (request, at) => [airtimeRecordOf(request, at)],
  idField: 'originatorConversationId',
  currencyField: () => 'currencyCode',
  payeeField: 'phoneNumber',
  repeats: 'accept-then-9',
  magic: paymentMagic,
  accept: (booked, context) => acceptanceOf(booked, 'airtime purchase accepted', context),
};

/** Reads a purchase in either form. */
function checkAirtime(received: unknown): RequestCheck {
  if (!isFields(received)) return { ok: false, errors: notAnObject };
  const names = Object.keys(received).map((name) => name.toLowerCase());
  const isFlat = names.some((name) => /^recipient(name|phonenumber|ccy)$/.test(name)) && !names.includes('recipients');
  const { fields, errors } = readForm(received, isFlat ? flatForm : nestedForm);
  const parts = isFlat ? [flatPart(fields, errors)] : nestedParts(fields['recipients'], errors);
  if (hasErrors(errors)) return { ok: false, errors };
  return {
    ok: true,
    request: {
      kind: 'buy-airtime',
      id: textOf(fields, 'originatorConversationId'),
      callbackUrl: textOf(fields, isFlat ? 'callBackUrl' : 'callbackURL'),
      fields,
      parts: parts.filter((part) => part !== undefined),
    },
  };
}

function nestedParts(recipients: unknown, errors: FieldErrors): readonly (CheckedPart | undefined)[] {
  if (!Array.isArray(recipients) || recipients.length === 0) {
    complain(errors, 'recipients', 'The recipients field is required.');
    return [];
  }
  return recipients.map((recipient, index) => {
    const path = `recipients[${index}].`;
    const fields = isFields(recipient) ? recipient : {};
    checkFields(fields, recipientRules, path, errors);
    const currency = currencyOf(textOf(fields, 'currencyCode'))?.code ?? '';
    return partOf(fields, nestedNames, currency, path, errors);
  });
}

function flatPart(fields: Fields, errors: FieldErrors): CheckedPart | undefined {
  const sent = wordOf(fields, 'recipientccy');
  const currency = (/^\d+$/.test(sent) ? currencyOfNumber(sent) : currencyOf(sent))?.code ?? '';
  return partOf(fields, flatNames, currency, '', errors);
}

const PHONE = /^\+?\d{9,15}$/;
/** The fields of a recipient in both forms. */
const nestedNames = { currency: 'currencyCode', phone: 'phoneNumber', name: 'name' };
const flatNames = { currency: 'recipientccy', phone: 'recipientPhoneNumber', name: 'recipientName' };

function partOf(
  fields: Fields,
  names: typeof nestedNames,
  currency: string,
  path: string,
  errors: FieldErrors,
): CheckedPart | undefined {
  const rail = railFor('buy-airtime', currency);
  if (!rail) complain(errors, path + names.currency, 'No airtime is sold in this currency.');
  const phone = textOf(fields, names.phone);
  if (phone !== '' && !PHONE.test(phone)) complain(errors, path + names.phone, 'The phone number is not valid.');
  if (typeof fields['amount'] !== 'number') return undefined;
  const limits = { code: currency, ...(rail && { most: mostOf(rail.scale) }) };
  const amount = positiveAmount(fields['amount'], limits, `${path}amount`, errors);
  const name = textOf(fields, names.name);
  return rail && amount && { payee: phone, name, movement: { direction: 'out', amount, scale: rail.scale } };
}

/** Looks up a purchase by `OriginatorConversationId`, at a path of the practice service's own. */
export const findAirtime = finding({
  kind: 'buy-airtime',
  parameter: 'OriginatorConversationId',
  what: 'airtime purchase',
  record: airtimeRecordOf,
});

/**
 * Returns the record of a purchase. How a purchase is looked up is not published, so the record follows that of a bill
 * payment. With one recipient it is flat. With several it has the sums, the state of the recipient that holds the purchase
 * back, and each recipient.
 */
function airtimeRecordOf(request: BookedRequest, at: number): object {
  const { parts, serviceId, id } = request;
  const known = { systemConversationId: serviceId, originatorConversationId: id };
  const [only] = parts;
  if (parts.length === 1 && only) return { ...known, ...recipientRecord(request, only, at) };
  const total = parts.map(amountOf).reduce(add);
  const fees = parts.reduce((sum, { result }) => sum + (result?.fee ?? 0n), 0n);
  return {
    ...known,
    phoneNumber: null,
    amount: toWire(total),
    currencyCode: total.currency,
    ...statusFields(requestStatusAt(request, at)),
    receiptNumber: null,
    feeAmount: toWire({ minor: fees, currency: total.currency }),
    recipients: parts.map((part) => recipientRecord(request, part, at)),
  };
}

function recipientRecord(request: BookedRequest, part: BookedPart, at: number): object {
  const shown = shownPart(request, part, at);
  const amount = amountOf(part);
  return {
    phoneNumber: part.payee,
    amount: toWire(amount),
    currencyCode: amount.currency,
    ...statusFields(shown),
    receiptNumber: shown.receipt,
    feeAmount: toWire({ minor: shown.result?.fee ?? 0n, currency: amount.currency }),
  };
}

function amountOf({ movement }: BookedPart): Money {
  invariant(movement, 'airtime has an amount');
  return movement.amount;
}

const statusFields = ({ status, text, code, says }: ShownStatus): object => ({
  status,
  transactionStatusDescription: text,
  resultCode: code,
  resultDesc: says,
});
