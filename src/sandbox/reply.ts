/** The answers of the service as values, and its error bodies. Spec: "Errors". */
import type { Random } from '../domain/clock.ts';
import { isoTime } from '../domain/clock.ts';
import { freshGuid, hexText } from './draw.ts';
import type { FieldErrors } from './fields.ts';

export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection breaks instead of carrying the answer. */
  readonly dropped?: true;
}

/** Name of the environment, in every answer that accepts an order. Spec: "General conventions". */
export const APP_DOMAIN_NAME = 'SANDBOX';

export const json = (status: number, value: unknown): Reply => ({ status, body: JSON.stringify(value) });
export const text = (status: number, body: string): Reply => ({ status, body, contentType: 'text/plain' });
export const empty = (status: number, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  body: '',
  headers,
});
export const droppedReply: Reply = { status: 0, body: '', dropped: true };

/** Formats a time as the service writes it: UTC with seven digits after the point. */
export const serviceTime = (ms: number): string => isoTime(ms).replace('Z', '0000Z');

/** Formats a time as records of validations show it (published): UTC, without saying so, and with two digits after the point. */
export const zonelessTime = (ms: number): string => isoTime(ms).slice(0, -2);

/** Returns a validation error. Spec: "Errors" 1. */
export const validationReply = (errors: FieldErrors, random: Random): Reply =>
  json(400, {
    errors,
    type: 'https://tools.ietf.org/html/rfc7231#section-6.5.1',
    title: 'One or more validation errors occurred.',
    status: 400,
    traceId: `00-${hexText(random, 32)}-${hexText(random, 16)}-00`,
  });

/**
 * Returns an error about the parameters of a look-up (spec: "Errors" 3), or the refusal of an order that was read. The
 * refusal is observed, and published for identifiers that are used again, with a word as the status. The service's id in it
 * names only the refusal: nothing is kept under that id.
 */
export const orderErrorReply = (
  status: 400 | 'BadRequest',
  id: string,
  errors: FieldErrors,
  at: number,
  random: Random,
): Reply =>
  json(400, {
    appDomainName: APP_DOMAIN_NAME,
    status,
    timestamp: serviceTime(at),
    systemConversationId: freshGuid(random),
    originatorConversationId: id,
    errors: Object.entries(errors).flatMap(([field, messages]) => messages.map((message) => ({ field, message }))),
  });

/** Returns the observed answer to a look-up of something that the service does not hold. */
export const notFoundReply = (id: string, idType = 'OriginatorConversationId', what = 'payment order'): Reply =>
  json(404, { id, idType, message: `The ${what} ${id} was not found.` });

/** Returns an error with a reason. Spec: "Errors" 2. */
export const reasonReply = (reason: string, at: number): Reply =>
  json(400, { appDomainName: APP_DOMAIN_NAME, timestamp: serviceTime(at), reason });

/** Returns the observed answer to a missing, unknown or expired token: no body, and a header that says which. */
export const unauthorisedReply = (problem?: string): Reply =>
  empty(401, {
    'www-authenticate': problem === undefined ? 'Bearer' : `Bearer error="invalid_token", ${problem}`,
  });
