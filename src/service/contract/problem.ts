/** The error bodies of the service. Spec: "Errors". Only a body that fits one of these is a documented refusal. */
import { z } from 'zod';

const status = z.union([z.number(), z.string()]).nullish();

/** Errors 1: messages by field name. */
const validationProblem = z.looseObject({
  errors: z.record(z.string(), z.array(z.string())),
  type: z.string().nullish(),
  title: z.string().nullish(),
  status,
  traceId: z.string().nullish(),
});

/** Errors 3: payment order errors, as a list. */
const orderProblem = z.looseObject({
  appDomainName: z.string().nullish(),
  status,
  timestamp: z.string().nullish(),
  systemConversationId: z.string().nullish(),
  originatorConversationId: z.string().nullish(),
  errors: z.array(z.looseObject({ field: z.string().nullish(), message: z.string().nullish() })),
});

/** Errors 2: a single reason. */
const reasonProblem = z.looseObject({
  appDomainName: z.string().nullish(),
  timestamp: z.string().nullish(),
  reason: z.string(),
});

/** Published for account validations: what went wrong with the request of a trace number. */
const tracedProblem = z.looseObject({ systemTraceAuditNumber: z.string(), errorMessage: z.string() });

/** Observed answer to a look-up of an id that the service does not hold (404). */
const notFoundProblem = z.looseObject({ id: z.string().nullish(), idType: z.string(), message: z.string() });

/** Standard OAuth 2.0 error body of the token operation (RFC 6749 section 5.2). */
const oauthProblem = z.looseObject({ error: z.string(), error_description: z.string().nullish() });

/** One complaint of the service about one field; `field` is empty if the service names none. */
export interface Complaint {
  readonly field: string;
  readonly message: string;
}

export type ProblemShape = 'validation' | 'order' | 'reason' | 'traced' | 'not-found' | 'oauth';

export interface Problem {
  readonly shape: ProblemShape;
  readonly complaints: readonly Complaint[];
}

/** Reads an error body; `undefined` if it has none of the documented shapes. */
export function readProblem(body: unknown): Problem | undefined {
  const validation = validationProblem.safeParse(body);
  if (validation.success) {
    const complaints = Object.entries(validation.data.errors).flatMap(([field, messages]) =>
      messages.map((message) => ({ field, message })),
    );
    return { shape: 'validation', complaints };
  }
  const order = orderProblem.safeParse(body);
  if (order.success) {
    const complaints = order.data.errors.map(({ field, message }) => ({ field: field ?? '', message: message ?? '' }));
    return { shape: 'order', complaints };
  }
  const reason = reasonProblem.safeParse(body);
  if (reason.success) return { shape: 'reason', complaints: [{ field: '', message: reason.data.reason }] };
  const traced = tracedProblem.safeParse(body);
  if (traced.success) return { shape: 'traced', complaints: [{ field: '', message: traced.data.errorMessage }] };
  const notFound = notFoundProblem.safeParse(body);
  if (notFound.success) {
    return { shape: 'not-found', complaints: [{ field: notFound.data.idType, message: notFound.data.message }] };
  }
  const oauth = oauthProblem.safeParse(body);
  if (oauth.success) return { shape: 'oauth', complaints: [{ field: '', message: oauth.data.error }] };
  return undefined;
}
