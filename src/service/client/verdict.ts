/**
 * Turns what came back into a Reply, in one pure function. The order of its tests matters: if two replies could apply, the
 * one that leaves more open wins.
 */

import { shown } from '../../domain/shown-text.ts';
import type { AnyOperation, ValueOf } from '../contract/operation.ts';
import { type Problem, type ProblemShape, readProblem } from '../contract/problem.ts';
import { answerJson } from './answer-json.ts';
import { failureWords } from './failure-words.ts';
import type { Reply } from './reply.ts';
import type { Exchange } from './transport.ts';

/** Longest excerpt of an answer that is kept in a reason, in characters. */
const EXCERPT_CHARACTERS_MAX = 200;

/**
 * Codes of errors after which no byte of a request can have left: those that prove it only while connecting, and those that
 * always do.
 */
const notSentWhileConnecting = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET']);
const notSentAlways = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Codes of connections that ended in the middle, on either side. Any other failure will occur again. */
const cutOff = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'TimeoutError',
]);

/** Names of the fields that carry our ids: an error about one of them may mean that the service already holds the id. */
const ID_FIELDS = /originatorconversationid|systemtraceauditnumber|checkoutreference/i;
/** Words about the form of a text, which say nothing about the text being held already. */
const FORM_WORDS =
  /\b(?:(?:in)?valid|formats?|formatted|length|long|short|characters?|chars?|digits?|letters?|alphanumeric|numeric|pattern|uuid|guid|uppercase|lowercase|hyphens?|dash(?:es)?)\b/i;
const DUPLICATE_WORDS = /duplicate|already|exists|unique/i;

export function judge<O extends AnyOperation>(operation: O, exchange: Exchange): Reply<ValueOf<O>> {
  if (exchange.tag === 'failed') return judgeFailure(exchange);
  const { status } = exchange;
  const body = isWhole(exchange) ? answerJson(exchange.body) : undefined;
  const isTaken = status === 200 || status === 201 || status === 202;
  const problem = isTaken && operation.ownProblem === undefined ? undefined : readProblem(body);
  if (isTaken && (!problem || problem.shape !== operation.ownProblem)) return judgeSuccess(operation, exchange, body);
  return judgeTrouble(operation, exchange, body, problem);
}

type Answered = Extract<Exchange, { tag: 'answered' }>;

/** Reports whether the whole answer could be read: anything less is neither an acceptance nor a refusal. */
const isWhole = ({ oversized, unread }: Answered): boolean => !oversized && unread === undefined;

/** Returns the reply for an answer that is not an acceptance. */
function judgeTrouble(
  operation: AnyOperation,
  exchange: Answered,
  body: unknown,
  problem: Problem | undefined,
): Reply<never> {
  const { status } = exchange;
  const reason = `HTTP ${status}${problem ? `: ${complaintsText(problem)}` : beginning(operation, exchange)}`;
  // Some services say "duplicate" in their own JSON body, with any status.
  if (
    !operation.repeatable &&
    (problem ? namesAnId(problem) : body !== undefined && DUPLICATE_WORDS.test(exchange.body))
  ) {
    return { tag: 'exists', status, reason };
  }
  if (problem && isRefusal(operation, status, problem)) {
    return { tag: 'refused', status, reason, problem, ...(refusesFormOfId(problem) && { aboutIds: true }) };
  }
  if (status === 401 || status === 403) {
    // Only a request that carried a token can be refused because the token lacks a permission.
    const forbidden = status === 403 && operation.authorised;
    return { tag: 'unauthorised', status, reason, ...(forbidden && { forbidden }) };
  }
  if (status === 429 || status === 503) {
    const retryAfterMs = retryAfterMsOf(exchange);
    return { tag: 'throttled', status, reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  return { tag: 'ambiguous', status, reason, ...(isPassing(status) && { passing: true }) };
}

/** Reports whether a status means that the service, or something in front of it, has a bad moment: RFC 9110 and 8470. */
const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 425;

/** Returns the reply for an answer with a status of success: only one that can be read is an acceptance. */
function judgeSuccess<O extends AnyOperation>(operation: O, exchange: Answered, body: unknown): Reply<ValueOf<O>> {
  const { status } = exchange;
  const value = operation.reply.safeParse(operation.answers === 'text' && isWhole(exchange) ? exchange.body : body);
  if (value.success) return { tag: 'accepted', value: value.data, status };
  const reason = `HTTP ${status} with an answer that cannot be read${beginning(operation, exchange)}`;
  // A page of something in between, or half an answer, may be gone in a moment; a service with its own form will keep to it.
  return { tag: 'ambiguous', status, reason, ...(body === undefined && { passing: true }) };
}

/** Returns the beginning of an answer that was not foreseen; nothing for the token operation, whose answer may hold a secret. */
const beginning = ({ host }: AnyOperation, { body, unread }: Pick<Answered, 'body' | 'unread'>): string => {
  if (unread !== undefined) return `: ${unread}`;
  return host === 'token' ? '' : `: ${excerpt(body)}`;
};

/** Shapes of error bodies that are not about a submission. */
const foreignToSubmissions: readonly ProblemShape[] = ['oauth', 'not-found', 'traced'];

/**
 * Reports whether an answer is a refusal. Of a submission, only its own documented refusal may ever become final: HTTP 400
 * with a body of the service itself.
 */
function isRefusal({ repeatable, ownProblem }: AnyOperation, status: number, { shape }: Problem): boolean {
  if (shape === ownProblem) return status < 500 && !isAboutTheCaller(status);
  if (repeatable) return shape !== 'traced' && (status === 400 || status === 404);
  return status === 400 && !foreignToSubmissions.includes(shape);
}

/** Reports whether a status refuses who asks, or how often, and not the request. */
const isAboutTheCaller = (status: number): boolean => status === 401 || status === 403 || status === 429;

function judgeFailure({ code, syscall, at }: Extract<Exchange, { tag: 'failed' }>): Reply<never> {
  const bare = syscall ? `${code} (${syscall})` : code;
  const reasons = at === undefined ? { reason: bare } : failureWords(code, syscall, at);
  const connecting = syscall === 'connect' || syscall === 'getaddrinfo';
  const unsent = notSentAlways.has(code) || (connecting && notSentWhileConnecting.has(code));
  if (unsent) return { tag: 'not-sent', ...reasons };
  return { tag: 'ambiguous', ...reasons, ...(cutOff.has(code) && { passing: true }) };
}

/**
 * Reports whether an error may mean that the service already has an identifier: it speaks of a duplicate, or it is about an
 * identifier and not about its form.
 */
const namesAnId = ({ complaints }: Problem): boolean =>
  complaints.some(
    ({ field, message }) =>
      DUPLICATE_WORDS.test(message) || (isAboutId({ field, message }) && !FORM_WORDS.test(message)),
  );

const isAboutId = ({ field, message }: Problem['complaints'][number]): boolean =>
  ID_FIELDS.test(field) || ID_FIELDS.test(message);

const refusesFormOfId = ({ complaints }: Problem): boolean => complaints.some(isAboutId);

const complaintsText = ({ complaints }: Problem): string =>
  excerpt(complaints.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; '));

/**
 * Returns how long the service asks to wait, in milliseconds; `undefined` if it names no time to come. No wait at all counts as
 * not said, because whoever waits for exactly as long as asked would ask a service that throttles again at once, without end.
 * A date is compared with the service's own clock, which the answer shows, never with ours.
 */
function retryAfterMsOf({
  retryAfter,
  date,
}: {
  readonly retryAfter?: string;
  readonly date?: string;
}): number | undefined {
  if (retryAfter === undefined) return undefined;
  const isSeconds = /^\d{1,6}$/.test(retryAfter.trim());
  const waitMs = isSeconds ? Number(retryAfter) * 1000 : httpDate(retryAfter) - httpDate(date);
  return waitMs > 0 ? waitMs : undefined;
}

/** Parses a date in the one form in which dates are written today; NaN for anything else. RFC 9110, "Date/Time Formats". */
const httpDate = (text: string | undefined): number =>
  text?.trim().match(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/)
    ? Date.parse(text)
    : Number.NaN;

/** Returns the beginning of an answer, made safe for a record or a terminal. */
const excerpt = (text: string): string =>
  shown(text.slice(0, EXCERPT_CHARACTERS_MAX).replace(/[\p{Cc}\s]+/gu, ' ')).trim() || 'no body';
