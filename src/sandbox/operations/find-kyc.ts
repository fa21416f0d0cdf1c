import type { BookedRequest } from '../books/register.ts';
import { textOf, textOrNull, wordOf } from '../fields.ts';
import type { Reply } from '../reply.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { findRequest, requestStatusAt } from './find-request.ts';

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

/** Spec: "KYC request". */
export function personRecordOf(request: BookedRequest, at: number): object {
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
