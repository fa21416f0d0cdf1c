import { z } from 'zod';
import { tracedAcceptance } from './acceptance.ts';
import { defineOperation } from './operation.ts';

const text = z.string();
const maybeText = text.nullish();

/** Observed request of an account number validation. */
const accountValidation = z.strictObject({
  /** 1: mobile wallet, 2: bank account. */
  type: z.int(),
  /** Unique. */
  systemTraceAuditNumber: text,
  primaryAccountNumber: text,
  /** Mobile network code or bank code. */
  institutionCode: text,
  callBackUrl: text.optional(),
  callBackFormat: text.optional(),
  /** ISO 4217 alphabetic. */
  ccy: text,
  /** ISO 3166 alpha-2. */
  countryCode: text,
});

export type AccountValidation = z.infer<typeof accountValidation>;

export const validateAccount = defineOperation({
  name: 'validate-account',
  summary: 'Asks whose a wallet or bank account is.',
  method: 'POST',
  path: '/v1/account/validate',
  host: 'api',
  body: accountValidation,
  /** Some answers carry the account holder already (`creditParty`). */
  reply: tracedAcceptance.extend({ creditParty: maybeText }),
  spec: 'Operations that appear in the menu without shape',
  shape: 'observed',
  repeatable: false,
  authorised: true,
});

/** Spec: "Account validation status record". It is the body of the callback, too. */
export const accountValidationRecord = z.looseObject({
  validationType: z.int().nullish(),
  validationTypeDesc: maybeText,
  accountNumber: maybeText,
  accountNumberCCY: maybeText,
  institutionCode: maybeText,
  countryCode: maybeText,
  callbackURL: maybeText,
  status: z.int(),
  statusDesc: maybeText,
  systemTraceAuditNumber: text,
  conversationID: maybeText,
  responseCode: maybeText,
  responseDesc: maybeText,
  resultCode: maybeText,
  resultDesc: maybeText,
  transactionID: maybeText,
  /** Details of the validated account: whose it is. */
  transactionCreditParty: maybeText,
  createdDate: maybeText,
});

export type AccountValidationRecord = z.infer<typeof accountValidationRecord>;

export const findAccountValidation = defineOperation({
  name: 'find-account-validation',
  summary: 'Asks what came of the validation of an account.',
  method: 'GET',
  path: '/v1/account/query',
  host: 'api',
  query: z.strictObject({ stan: text }),
  reply: accountValidationRecord,
  spec: 'Account validation status',
  shape: 'spec',
  repeatable: true,
  authorised: true,
});
