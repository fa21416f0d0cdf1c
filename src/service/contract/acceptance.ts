import { z } from 'zod';

const text = z.string();

/** Fields of every acceptance. Spec: "Payment order acceptance response". */
export const acceptanceMessage = z.looseObject({
  appDomainName: text.nullish(),
  systemConversationId: text.nullish(),
  originatorConversationId: text,
  remarks: text.nullish(),
  timestamp: text.nullish(),
});

/** An acceptance: the request was taken, and no money has moved. */
export const acceptance = z.looseObject({ message: acceptanceMessage });

/** The acceptance of a request that is known by its trace number. Spec: "KYC request", acceptance response. */
export const tracedAcceptance = z.looseObject({ systemTraceAuditNumber: text, message: text.nullish() });
