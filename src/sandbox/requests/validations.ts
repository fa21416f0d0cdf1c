/** Validations of persons (spec: "KYC request") and of accounts (observed). No money moves. */
import { currencyOf, currencyOfNumber } from '../../domain/currency.ts';
import { isRouteId } from '../catalogue.ts';
import {
  bound,
  checkFields,
  complain,
  type FieldErrors,
  hasErrors,
  isFields,
  namesOf,
  notAnObject,
  optional,
  required,
  textOf,
  wordOf,
} from '../fields.ts';
import type { RequestCheck } from './checked-request.ts';

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
  ...required('text', 'systemTraceAuditNumber', 'primaryAccountNumber', 'institutionCode', 'ccy', 'countryCode'),
  ...required('integer', 'type'),
  ...optional('web address', 'callBackUrl'),
  // Observed as "JSON" from one client and as 2 from another.
  ...optional('text or an integer', 'callBackFormat'),
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
  const { type } = fields;
  if (typeof type === 'number' && !validationTypes[type] && !errors['type']) {
    complain(errors, 'type', 'The type field must be 1 (mobile) or 2 (bank).');
  }
  const ccy = textOf(fields, 'ccy');
  if (ccy !== '' && !currencyOf(ccy)) complain(errors, 'ccy', `The ccy ${ccy} is not known.`);
  if (hasErrors(errors)) return { ok: false, errors };
  const trace = textOf(fields, 'systemTraceAuditNumber');
  const callbackUrl = textOf(fields, 'callBackUrl');
  return {
    ok: true,
    request: {
      kind: 'validate-account',
      id: trace,
      trace,
      ...(callbackUrl !== '' && { callbackUrl }),
      fields,
      parts: [{ payee: textOf(fields, 'primaryAccountNumber'), name: '' }],
    },
  };
}
