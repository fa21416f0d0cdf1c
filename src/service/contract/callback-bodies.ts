/**
 * What the service sends to a callback address. Spec: "Events". Bodies that the specification does not show are read as they
 * come. A callback says that something happened; it proves nothing on its own, because anybody could have sent it.
 */
import { z } from 'zod';
import { accountValidationRecord } from './account-validation.ts';
import { checkoutRecord } from './checkout.ts';

const text = z.string();
const maybeText = text.nullish();
const amount = z.union([z.number(), text]).nullish();

/** Spec: "Bill payment", callback body. */
const billCallback = z.looseObject({
  originatorConversationId: text,
  systemConversationId: maybeText,
  accountNumber: maybeText,
  amount,
  currencyCode: maybeText,
  billRequestOutcome: z.looseObject({
    /** 4: completed. */
    status: z.int(),
    statusDesc: maybeText,
    resultCode: maybeText,
    resultDesc: maybeText,
    thirdPartyPayload: z.looseObject({ reference: maybeText }).nullish(),
  }),
});

/** Not shown by the specification: only the identifier by which the request is known is required. */
const byConversation = z.looseObject({ originatorConversationId: text });
const byTrace = z.looseObject({ systemTraceAuditNumber: text });

/** Shape of the body for each topic that a callback can be about. */
export const callbackShapes = {
  checkout: checkoutRecord,
  bill: billCallback,
  airtime: byConversation,
  kyc: byTrace,
  account: accountValidationRecord,
  deposit: z.union([byConversation, z.looseObject({ OriginatorConversationId: text })]),
  order: byConversation,
} as const satisfies Record<string, z.ZodType>;

/** A topic that a callback can be about. */
export type CallbackTopic = keyof typeof callbackShapes;

/** Names of identifiers, in lower case. Spec: "Identifiers used across operations". */
export const callbackIdentifiers = {
  conversation: ['originatorconversationid'],
  trace: ['systemtraceauditnumber', 'stan'],
} as const;

/** How the bodies of a topic are told apart from others. */
export interface CallbackMarks {
  /** The kind of identifier by which the topic's requests are known. */
  readonly by: keyof typeof callbackIdentifiers;
  /** Names, in lower case, that a body has at its top level only if it is about this topic. */
  readonly marks: readonly string[];
  /** Set if the body of the topic is not documented; the marks are then those of its requests and queries. */
  readonly unshown?: true;
}

/** Every topic, with what tells its bodies apart from others. */
export const callbackMarks: Readonly<Record<CallbackTopic, CallbackMarks>> = {
  checkout: {
    by: 'conversation',
    marks: ['checkoutid', 'checkoutreference', 'checkoutoutcome', 'checkoutrequestlines'],
  },
  bill: { by: 'conversation', marks: ['billrequestoutcome', 'billservice'] },
  airtime: { by: 'conversation', marks: ['recipients'], unshown: true },
  kyc: {
    by: 'trace',
    marks: ['kycrecorddto', 'kycrequestnationalid', 'kycrequestfirstname', 'kycrequestcallbackurl'],
    unshown: true,
  },
  account: { by: 'trace', marks: ['validationtype', 'validationtypedesc', 'accountnumberccy'] },
  deposit: { by: 'conversation', marks: ['merchantrequestid', 'mpesareceiptnumber', 'thirdpartyreceiptnumber'] },
  order: { by: 'conversation', marks: ['orderlines'] },
};

/** The names of identifiers as the shapes spell them, by lower-case name. */
export const spelledIdentifiers: Readonly<Record<string, string>> = {
  originatorconversationid: 'originatorConversationId',
  systemtraceauditnumber: 'systemTraceAuditNumber',
};
