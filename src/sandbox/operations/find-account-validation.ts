/** Spec: "Account validation status". */
import { sha256 } from '../../domain/ids.ts';
import type { BookedRequest } from '../books/register.ts';
import { codeOf } from '../draw.ts';
import { textOf, textOrNull } from '../fields.ts';
import { type Reply, zonelessTime } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { findRequest, requestStatusAt } from './find-request.ts';

const TRANSACTION_ID_LENGTH = 10;

/** What kind of account is validated, by its number. */
export const validationTypes: Readonly<Record<number, string>> = { 1: 'Mobile', 2: 'Bank' };

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
