/** Validations of persons and of accounts. Spec: "KYC validation", "Account validation status"; the latter's request is published. */
import { sha256 } from '../../domain/ids.ts';
import type { BookedRequest } from '../books/register.ts';
import { codeOf } from '../draw.ts';
import { textOf, textOrNull, wordOf } from '../fields.ts';
import { accountMagicOf, personMagicOf } from '../magic-endings.ts';
import { json, type Reply, zonelessTime } from '../reply.ts';
import { validationTypes } from '../requests/validations.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { findRequest, requestStatusAt } from './find-request.ts';
import { takeRequest, type Way } from './take-request.ts';

const TRANSACTION_ID_LENGTH = 10;
const ACCEPTED = 'Request accepted, awaiting processing';

const accept = ({ id }: BookedRequest): Reply => json(200, { systemTraceAuditNumber: id, message: ACCEPTED });

const personWay: Way = { kind: 'validate-kyc', idField: 'systemTraceAuditNumber', magic: personMagicOf, accept };
const accountWay: Way = { kind: 'validate-account', idField: 'systemTraceAuditNumber', magic: accountMagicOf, accept };

/** Spec: "KYC validation". */
export const validateKyc = (call: Call, context: ServiceContext): Reply => takeRequest(personWay, call, context);
/** Published request of an account number validation. */
export const validateAccount = (call: Call, context: ServiceContext): Reply => takeRequest(accountWay, call, context);

/** `00` says that the look-up succeeded; what came of the validation stands inside. */
export const findKyc = (call: Call, context: ServiceContext): Reply =>
  findRequest(
    {
      kind: 'validate-kyc',
      parameter: 'stan',
      what: 'KYC request',
      record: (request, at) => ({ status: '00', statusDesc: 'Success', kycRecordDto: personRecordOf(request, at) }),
    },
    call,
    context,
  );

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

/** Observed to be flat, with trace number, response and description. */
export function personCallbackOf(request: BookedRequest, at: number): object {
  const { code, says, text } = requestStatusAt(request, at);
  const known = { systemTraceAuditNumber: request.id, statusDesc: text, responseCode: code, responseDesc: says };
  return { ...personRecordOf(request, at), ...known };
}

/** Spec: "Account validation status". */
export const findAccountValidation = (call: Call, context: ServiceContext): Reply =>
  findRequest(
    { kind: 'validate-account', parameter: 'stan', what: 'account validation', record: accountRecordOf },
    call,
    context,
  );

/** Spec: "Account validation status record"; it is the body of the callback, too. */
export function accountRecordOf(request: BookedRequest, at: number): object {
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

/** A phone is told without its plus. */
const bareNumber = (account: string): string => account.replace(/^\+/, '');

/** The mobile operator's own identifier, with the day in it. */
const conversationOf = ({ serviceId, takenAt }: BookedRequest): string =>
  `AG_${zonelessTime(takenAt).slice(0, 10).replaceAll('-', '')}_${sha256(`conversation|${serviceId}`).slice(0, 20)}`;
