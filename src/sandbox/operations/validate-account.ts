/** Published request of an account number validation. No money moves. */
import { currencyOf } from '../../domain/currency.ts';
import type { CheckedRequest, RequestCheck } from '../checked-request.ts';
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
} from '../fields.ts';
import { accountMagicOf } from '../magic-endings.ts';
import type { Reply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { accountRecordOf, validationTypes } from './find-account-validation.ts';
import { takeRequest, type Way } from './take-request.ts';
import { validationAccepted } from './validation-acceptance.ts';

const accountRules = [
  ...required('text', 'systemTraceAuditNumber', 'primaryAccountNumber', 'institutionCode', 'callBackFormat'),
  ...required('integer', 'type'),
  ...required('web address', 'callBackUrl'),
  ...optional('text', 'ccy', 'countryCode'),
];
const accountNames = namesOf(accountRules);

/** What sets it apart from the other requests. */
export const accountWay: Way = {
  kind: 'validate-account',
  read: checkAccount,
  tells: (request, at) => [accountRecordOf(request, at)],
  idField: 'systemTraceAuditNumber',
  magic: accountMagicOf,
  accept: validationAccepted,
};

/** Published request of an account number validation. */
export const validateAccount = (call: Call, context: ServiceContext): Reply => takeRequest(accountWay, call, context);

/** Reads the validation of an account. */
function checkAccount(received: unknown): RequestCheck {
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
