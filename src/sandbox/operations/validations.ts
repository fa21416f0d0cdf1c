/** Validations of accounts and of persons. No money moves. Spec: "Account validation status", "KYC validation", "KYC request". */

import { currencyOf, currencyOfNumber } from '../../domain/currency.ts';
import { sha256 } from '../../domain/ids.ts';
import type { BookedRequest } from '../books/booked.ts';
import { isRouteId } from '../catalogue.ts';
import type { CheckedRequest, RequestCheck } from '../checked-request.ts';
import { codeOf } from '../draw.ts';
import {
  complain,
  type FieldErrors,
  type Fields,
  formOf,
  hasErrors,
  optional,
  readForm,
  required,
  textOf,
  textOrNull,
  wordOf,
} from '../fields.ts';
import { json, type Reply, zonelessTime } from '../reply.ts';
import { accountMagic, personMagic } from '../settle.ts';
import { finding, requestStatusAt, type Way } from './requests.ts';

const ACCEPTED = 'Request accepted, awaiting processing';

/** The answer to both validations. */
const validationAccepted = ({ id }: BookedRequest): Reply =>
  json(200, { systemTraceAuditNumber: id, message: ACCEPTED });

const TRANSACTION_ID_LENGTH = 10;

/** Kinds of accounts that can be validated, by number. */
const validationTypes: Readonly<Record<number, string>> = { 1: 'Mobile', 2: 'Bank' };

/** Looks up the validation of an account. Spec: "Account validation status". */
export const findAccountValidation = finding({
  kind: 'validate-account',
  parameter: 'stan',
  what: 'account validation',
  record: accountRecordOf,
});

/**
 * Returns the record of an account validation, which is also the body of its callback. Spec: "Account validation status
 * record".
 */
function accountRecordOf(request: BookedRequest, at: number): object {
  const { fields, parts, number } = request;
  const shown = requestStatusAt(request, at);
  const isKnown = parts.some(({ result }) => result?.end === 'completed');
  const type = Number(fields['type']);
  return {
    validationType: type,
    validationTypeDesc: validationTypes[type] ?? null,
    accountNumber: textOf(fields, 'primaryAccountNumber'),
    accountNumberCCY: textOrNull(fields, 'ccy'),
    institutionCode: textOf(fields, 'institutionCode'),
    countryCode: textOrNull(fields, 'countryCode'),
    callbackURL: textOrNull(fields, 'callBackUrl'),
    status: shown.status,
    statusDesc: shown.text,
    systemTraceAuditNumber: request.id,
    conversationID: conversationOf(request),
    responseCode: shown.code,
    responseDesc: shown.says,
    resultCode: shown.code,
    resultDesc: shown.says,
    transactionID: isKnown ? codeOf(number, TRANSACTION_ID_LENGTH) : null,
    transactionCreditParty: isKnown
      ? `${bareNumber(textOf(fields, 'primaryAccountNumber'))} - ${request.holder}`
      : null,
    createdDate: zonelessTime(request.takenAt),
  };
}

/** Returns an account without its plus, as the service reports phones. */
const bareNumber = (account: string): string => account.replace(/^\+/, '');

/** Returns the mobile operator's own identifier, which contains the day. */
const conversationOf = ({ serviceId, takenAt }: BookedRequest): string =>
  `AG_${zonelessTime(takenAt).slice(0, 10).replaceAll('-', '')}_${sha256(`conversation|${serviceId}`).slice(0, 20)}`;

const accountForm = formOf([
  ...required('text', 'systemTraceAuditNumber', 'primaryAccountNumber', 'institutionCode', 'callBackFormat'),
  ...required('integer', 'type'),
  ...required('web address', 'callBackUrl'),
  ...optional('text', 'ccy', 'countryCode'),
]);

/** Validations of account numbers (published). */
export const accountWay: Way = {
  kind: 'validate-account',
  read: checkAccount,
  tells: (request, at) => [accountRecordOf(request, at)],
  idField: 'systemTraceAuditNumber',
  magic: accountMagic,
  accept: validationAccepted,
};

/** Reads the validation of an account. */
function checkAccount(received: unknown): RequestCheck {
  const { fields, errors } = readForm(received, accountForm);
  checkFormat(fields, errors);
  const { type } = fields;
  if (typeof type === 'number' && !validationTypes[type]) {
    complain(errors, 'type', 'The type field must be 1 (mobile) or 2 (bank).');
  }
  const ccy = textOf(fields, 'ccy');
  if (ccy !== '' && !currencyOf(ccy)) complain(errors, 'ccy', `The ccy ${ccy} is not known.`);
  const trace = textOf(fields, 'systemTraceAuditNumber');
  const callbackUrl = textOf(fields, 'callBackUrl');
  const request: CheckedRequest = {
    kind: 'validate-account',
    id: trace,
    traces: [trace],
    ...(callbackUrl !== '' && { callbackUrl }),
    fields,
    parts: [{ payee: textOf(fields, 'primaryAccountNumber'), name: '' }],
  };
  // The address and the format of callbacks were not always required, so older books hold requests without them.
  return hasErrors(errors) ? { ok: false, errors: asPublished(errors), held: request } : { ok: true, request };
}

/** Checks the format of callbacks. The provider's pages name JSON and XML, and none of them shows the XML. */
function checkFormat(fields: Fields, errors: FieldErrors): void {
  const format = textOf(fields, 'callBackFormat');
  if (format === '' || format.toUpperCase() === 'JSON') return;
  const wrong = format.toUpperCase() === 'XML' ? 'is not written by the practice service' : 'must be JSON or XML';
  complain(errors, 'callBackFormat', `The callBackFormat ${format.slice(0, 20)} ${wrong}.`);
}

/** Renames the account in errors, because there the provider calls it by another name than in the request. */
const asPublished = ({ primaryAccountNumber, ...others }: FieldErrors): FieldErrors => ({
  ...others,
  ...(primaryAccountNumber && {
    AccountNumber: primaryAccountNumber.map((message) => message.replaceAll('primaryAccountNumber', 'AccountNumber')),
  }),
});

/** Looks up the validation of a person. `00` says that the look-up succeeded; the result of the validation is inside. */
export const findKyc = finding({
  kind: 'validate-kyc',
  parameter: 'stan',
  what: 'KYC request',
  record: (request, at) => ({ status: '00', statusDesc: 'Success', kycRecordDto: personRecordOf(request, at) }),
});

/** Returns the record of a person's validation. Spec: "KYC request". */
function personRecordOf(request: BookedRequest, at: number): object {
  const { fields } = request;
  const shown = requestStatusAt(request, at);
  const names = ['kycRequestFirstName', 'kycRequestMiddleName', 'kycRequestOtherNames', 'kycRequestLastName'];
  const isFound = request.parts.some(({ result }) => result?.end === 'completed');
  return {
    status: shown.status,
    responseCode: shown.code,
    responseCodeDesc: shown.says,
    kycRequestFirstName: textOf(fields, 'kycRequestFirstName'),
    kycRequestMiddleName: textOf(fields, 'kycRequestMiddleName'),
    kycRequestLastName: textOf(fields, 'kycRequestLastName'),
    kycRequestOtherNames: textOrNull(fields, 'kycRequestOtherNames'),
    kycRequestFullNames: names
      .map((name) => textOf(fields, name))
      .filter(Boolean)
      .join(' '),
    kycRequestNationalID: textOf(fields, 'kycRequestNationalID'),
    kycRequestTelephoneMobile: textOrNull(fields, 'kycRequestTelephoneMobile'),
    kycRequestReportReason: Number(wordOf(fields, 'kycRequestReportReason')),
    kycRequestCallBackURL: textOrNull(fields, 'kycRequestCallBackURL'),
    personalProfileNationalID: isFound ? textOf(fields, 'kycRequestNationalID') : null,
  };
}

const personForm = formOf([
  ...required('text', 'routeId', 'kycRequestFirstName', 'kycRequestMiddleName', 'kycRequestLastName'),
  ...required('text', 'kycRequestNationalID', 'systemTraceAuditNumber', 'country'),
  ...required('text or an integer', 'kycRequestReportReason', 'ccy'),
  ...optional('text', 'kycRequestOtherNames', 'serialNo', 'CustomerAccountSerialNo', 'kycRequestPassportNo'),
  ...optional('text', 'kycRequestServiceID', 'kycRequestAlienID', 'kycRequestTaxID', 'kycRequestPostalBoxNo'),
  ...optional('text', 'kycRequestPostalTown', 'kycRequestTelephoneMobile', 'kycRequestPhysicalAddress'),
  ...optional('text', 'kycRequestPhysicalTown', 'kycRequestPhysicalCountry', 'deviceId'),
  ...optional('time in ISO 8601', 'kycRequestDateOfBirth'),
  ...optional('web address', 'kycRequestCallBackURL'),
]);

/** Validations of persons. Spec: "KYC validation". */
export const personWay: Way = {
  kind: 'validate-kyc',
  read: checkPerson,
  tells: (request, at) => [personCallbackOf(request, at)],
  idField: 'systemTraceAuditNumber',
  magic: personMagic,
  accept: validationAccepted,
};

/** Reads the validation of a person. */
function checkPerson(received: unknown): RequestCheck {
  const { fields, errors } = readForm(received, personForm);
  const routeId = textOf(fields, 'routeId');
  if (routeId !== '' && !isRouteId(routeId)) complain(errors, 'routeId', 'The routeId is not assigned to this client.');
  const ccy = wordOf(fields, 'ccy');
  if (ccy !== '' && !/^\d{1,3}$/.test(ccy)) complain(errors, 'ccy', 'The ccy is not a numeric currency code.');
  else if (ccy !== '' && !currencyOfNumber(ccy)) complain(errors, 'ccy', `The ccy ${ccy} is not known.`);
  const reason = wordOf(fields, 'kycRequestReportReason');
  if (reason !== '' && !/^\d{1,9}$/.test(reason)) {
    complain(errors, 'kycRequestReportReason', 'The kycRequestReportReason is not a whole number.');
  }
  if (hasErrors(errors)) return { ok: false, errors };
  const trace = textOf(fields, 'systemTraceAuditNumber');
  const callbackUrl = textOf(fields, 'kycRequestCallBackURL');
  const name = ['kycRequestFirstName', 'kycRequestLastName'].map((field) => textOf(fields, field)).join(' ');
  return {
    ok: true,
    request: {
      kind: 'validate-kyc',
      id: trace,
      traces: [trace],
      ...(callbackUrl !== '' && { callbackUrl }),
      fields,
      parts: [{ payee: textOf(fields, 'kycRequestNationalID'), name }],
    },
  };
}

/** Returns the callback body, which was observed to be flat, with trace number, response and description. */
function personCallbackOf(request: BookedRequest, at: number): object {
  const { code, says, text } = requestStatusAt(request, at);
  const known = { systemTraceAuditNumber: request.id, statusDesc: text, responseCode: code, responseDesc: says };
  return { ...personRecordOf(request, at), ...known };
}
