import { z } from 'zod';
import { tracedAcceptance } from './acceptance.ts';
import { defineOperation } from './operation.ts';

const text = z.string();
const maybeText = text.nullish();
const optionalText = text.optional();
/** Declared as text in the field table, an integer in the samples. */
const textOrInteger = z.union([text, z.int()]);

/** Spec: "KYC request (identity validation)". */
const kycRequest = z.strictObject({
  routeId: text,
  kycRequestFirstName: text,
  kycRequestMiddleName: text,
  kycRequestLastName: text,
  kycRequestOtherNames: optionalText,
  kycRequestNationalID: text,
  serialNo: optionalText,
  /** The name of the table's field `serialNo` in the sample. */
  CustomerAccountSerialNo: optionalText,
  kycRequestPassportNo: optionalText,
  kycRequestServiceID: optionalText,
  kycRequestAlienID: optionalText,
  kycRequestTaxID: optionalText,
  /** ISO 8601. */
  kycRequestDateOfBirth: optionalText,
  kycRequestPostalBoxNo: optionalText,
  kycRequestPostalTown: optionalText,
  kycRequestTelephoneMobile: optionalText,
  kycRequestPhysicalAddress: optionalText,
  kycRequestPhysicalTown: optionalText,
  kycRequestPhysicalCountry: optionalText,
  kycRequestReportReason: textOrInteger,
  kycRequestCallBackURL: optionalText,
  deviceId: optionalText,
  /** Unique. */
  systemTraceAuditNumber: text,
  country: text,
  ccy: textOrInteger,
});

export const validateKyc = defineOperation({
  name: 'validate-kyc',
  summary: 'Asks for the validation of a person by name and national identity number.',
  method: 'POST',
  path: '/v1/kyc-request/validate',
  body: kycRequest,
  reply: tracedAcceptance,
  spec: 'KYC validation',
  shape: 'spec',
  repeatable: false,
});

export const findKyc = defineOperation({
  name: 'find-kyc',
  summary: 'Asks for the result of the validation of a person.',
  method: 'GET',
  path: '/v1/kyc-request/check-status',
  query: z.strictObject({ stan: text }),
  reply: z.looseObject({
    /** `00`: success. */
    status: text,
    statusDesc: maybeText,
    kycRecordDto: z
      .looseObject({
        status: z.int().nullish(),
        responseCode: maybeText,
        responseCodeDesc: maybeText,
        kycRequestFirstName: maybeText,
        kycRequestMiddleName: maybeText,
        kycRequestLastName: maybeText,
        kycRequestOtherNames: maybeText,
        kycRequestFullNames: maybeText,
        kycRequestNationalID: maybeText,
        kycRequestTelephoneMobile: maybeText,
        kycRequestReportReason: z.int().nullish(),
        kycRequestCallBackURL: maybeText,
        personalProfileNationalID: maybeText,
      })
      .nullish(),
  }),
  spec: 'KYC validation',
  shape: 'spec',
  repeatable: true,
});
