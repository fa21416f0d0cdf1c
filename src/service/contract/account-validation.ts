import { z } from 'zod';
import { tracedAcceptance } from './acceptance.ts';
import { defineOperation } from './operation.ts';

const text = z.string();
const maybeText = text.nullish();
/** A number that was also seen as text. */
const number = z.union([z.int(), text]);

/** Request of an account number validation, as the provider's pages describe it. */
const accountValidation = z.strictObject({
  /** 1: mobile wallet, 2: bank account. */
  type: z.int(),
  /** Unique. */
  systemTraceAuditNumber: text,
  primaryAccountNumber: text,
  /** Mobile network code or bank code. */
  institutionCode: text,
  /** Required, although the result can also be looked up. */
  callBackUrl: text,
  /** Format of the result that is sent there; `listen` reads JSON. */
  callBackFormat: z.enum(['JSON', 'XML']),
  /** ISO 4217 alphabetic. */
  ccy: text.optional(),
  /** ISO 3166 alpha-2; mainly for bank accounts. */
  countryCode: text.optional(),
});

export type AccountValidation = z.infer<typeof accountValidation>;

export const validateAccount = defineOperation({
  name: 'validate-account',
  summary: 'Asks who holds a wallet or bank account.',
  method: 'POST',
  path: '/v1/account/validate',
  body: accountValidation,
  /** Some answers already carry the account holder (`creditParty`). */
  reply: tracedAcceptance.extend({ creditParty: maybeText }),
  ownProblem: 'traced',
  spec: 'Operations that appear in the menu without shape',
  shape: 'published',
  repeatable: false,
});

/** Spec: "Account validation status record". It is also the body of the callback. */
export const accountValidationRecord = z.looseObject({
  validationType: number.nullish(),
  validationTypeDesc: maybeText,
  accountNumber: maybeText,
  accountNumberCCY: maybeText,
  institutionCode: maybeText,
  countryCode: maybeText,
  callbackURL: maybeText,
  status: number,
  statusDesc: maybeText,
  systemTraceAuditNumber: text,
  conversationID: maybeText,
  responseCode: maybeText,
  responseDesc: maybeText,
  resultCode: maybeText,
  resultDesc: maybeText,
  transactionID: maybeText,
  /** Holder of the account, as `254700000000 - JOHN DOE`; the number was seen to differ from the one that was asked about. */
  transactionCreditParty: maybeText,
  /** Published without a time zone. */
  createdDate: maybeText,
});

export type AccountValidationRecord = z.infer<typeof accountValidationRecord>;

export const findAccountValidation = defineOperation({
  name: 'find-account-validation',
  summary: 'Asks for the result of the validation of an account.',
  method: 'GET',
  path: '/v1/account/query',
  query: z.strictObject({ stan: text }),
  reply: accountValidationRecord,
  spec: 'Account validation status',
  shape: 'spec',
  repeatable: true,
});
