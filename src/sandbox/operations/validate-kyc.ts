/** Spec: "KYC validation", "KYC request". No money moves. */
import { currencyOfNumber } from '../../domain/currency.ts';
import type { BookedRequest } from '../books/register.ts';
import { isRouteId } from '../catalogue.ts';
import type { RequestCheck } from '../checked-request.ts';
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
import { personMagicOf } from '../magic-endings.ts';
import type { Reply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { personRecordOf } from './find-kyc.ts';
import { requestStatusAt } from './find-request.ts';
import { takeRequest, type Way } from './take-request.ts';
import { validationAccepted } from './validation-acceptance.ts';

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

/** What sets it apart from the other requests. */
export const personWay: Way = {
  kind: 'validate-kyc',
  read: checkPerson,
  tells: (request, at) => [personCallbackOf(request, at)],
  idField: 'systemTraceAuditNumber',
  magic: personMagicOf,
  accept: validationAccepted,
};

/** Spec: "KYC validation". */
export const validateKyc = (call: Call, context: ServiceContext): Reply => takeRequest(personWay, call, context);

/** Reads the validation of a person. */
function checkPerson(received: unknown): RequestCheck {
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

/** Observed to be flat, with trace number, response and description. */
function personCallbackOf(request: BookedRequest, at: number): object {
  const { code, says, text } = requestStatusAt(request, at);
  const known = { systemTraceAuditNumber: request.id, statusDesc: text, responseCode: code, responseDesc: says };
  return { ...personRecordOf(request, at), ...known };
}
