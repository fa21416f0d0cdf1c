/** Validations of persons (spec: "KYC request") and of accounts (published by the provider). No money moves. */
import { currencyOf, currencyOfNumber } from '../../domain/currency.ts';
import { isRouteId } from '../catalogue.ts';
import {
  bound,
  checkFields,
  complain,
  type FieldErrors,
  type Fields,
  hasErrors,
  isFields,
  namesOf,
  notAnObject,
  optional,
  required,
  textOf,
  wordOf,
} from '../fields.ts';
import type { CheckedRequest, RequestCheck } from './checked-request.ts';

const personRules = [
  ...required('text', 'routeId', 'kycRequestFirstName', 'kycRequestMiddleName', 'kycRequestLastName'),
  ...required('text', 'kycRequestNationalID', 'systemTraceAuditNumber', 'country'),
  ...required('text or an integer', 'kycRequestReportReason', 'ccy'),
  ...optional('text', 'kycRequestOtherNames', 'serialNo', 'CustomerAccountSerialNo', 'kycRequestPassportNo'),
  ...optional('text', 'kycRequestServiceID', 'kycRequestAlienID', 'kycRequestTaxID', 'kycRequestPostalBoxNo'),
  ...optional('text', 'kycRequestPostalTown', 'kycRequestTelephoneMobile', 'kycRequestPhysicalAddress'),
  ...optional('text', 'kycRequestPhysicalTown', 'kycRequestPhysicalCountry', 'deviceId'),
  ...optional('time in ISO 8601', 'kycRequestDateOfBirth'),
  ...optional('web address', 'kycRequestCallBackURL'),
];
const personNames = namesOf(personRules);

/** Reads the validation of a person. */
export function checkPerson(received: unknown): RequestCheck {
  const fields = bound(received, personNames);
  if (!isFields(fields)) return { ok: false, errors: notAnObject };
  const errors: FieldErrors = {};
  checkFields(fields, personRules, '', errors);
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
      trace,
      ...(callbackUrl !== '' && { callbackUrl }),
      fields,
      parts: [{ payee: textOf(fields, 'kycRequestNationalID'), name }],
    },
  };
}

const accountRules = [
  ...required('text', 'systemTraceAuditNumber', 'primaryAccountNumber', 'institutionCode', 'callBackFormat'),
  ...required('integer', 'type'),
  ...required('web address', 'callBackUrl'),
  ...optional('text', 'ccy', 'countryCode'),
];
const accountNames = namesOf(accountRules);

/** What kind of account is validated, by its number. */
export const validationTypes: Readonly<Record<number, string>> = { 1: 'Mobile', 2: 'Bank' };

/** Reads the validation of an account. */
export function checkAccount(received: unknown): RequestCheck {
  const fields = bound(received, accountNames);
  if (!isFields(fields)) return { ok: false, errors: notAnObject };
  const errors: FieldErrors = {};
  checkFields(fields, accountRules, '', errors);
  checkFormat(fields, errors);
  const { type } = fields;
  if (typeof type === 'number' && !validationTypes[type] && !errors['type']) {
    complain(errors, 'type', 'The type field must be 1 (mobile) or 2 (bank).');
  }
  const ccy = textOf(fields, 'ccy');
  if (ccy !== '' && !currencyOf(ccy)) complain(errors, 'ccy', `The ccy ${ccy} is not known.`);
  const trace = textOf(fields, 'systemTraceAuditNumber');
  const callbackUrl = textOf(fields, 'callBackUrl');
  const request: CheckedRequest = {
    kind: 'validate-account',
    id: trace,
    trace,
    ...(callbackUrl !== '' && { callbackUrl }),
    fields,
    parts: [{ payee: textOf(fields, 'primaryAccountNumber'), name: '' }],
  };
  // Once neither the address nor the format of callbacks was asked for.
  return hasErrors(errors) ? { ok: false, errors: asPublished(errors), held: request } : { ok: true, request };
}

/** The pages of the provider name JSON and XML; what the latter looks like is on none of them. */
function checkFormat(fields: Fields, errors: FieldErrors): void {
  const format = textOf(fields, 'callBackFormat');
  if (format === '' || format.toUpperCase() === 'JSON') return;
  const wrong = format.toUpperCase() === 'XML' ? 'is not written by the practice service' : 'must be JSON or XML';
  complain(errors, 'callBackFormat', `The callBackFormat ${format.slice(0, 20)} ${wrong}.`);
}

/** In its errors the provider calls the account otherwise than in the request. */
const asPublished = ({ primaryAccountNumber, ...others }: FieldErrors): FieldErrors => ({
  ...others,
  ...(primaryAccountNumber && {
    AccountNumber: primaryAccountNumber.map((message) => message.replaceAll('primaryAccountNumber', 'AccountNumber')),
  }),
});
