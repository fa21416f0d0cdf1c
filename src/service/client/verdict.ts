/**
 * One pure function turns what came back into a Reply. The order of its tests matters: the answer that leaves most
 * open wins whenever two could apply.
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

/** Connection errors after which no byte of a request can have left, by system call. */
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

/** Connections that ended in the middle, by either side; everything else will end so again. */
const cutOff = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'TimeoutError',
]);

/** Fields that carry our ids: an error about one of them may mean "I have this already". */
const ID_FIELDS = /originatorconversationid|systemtraceauditnumber|checkoutreference/i;
/** What is said of the form of a text, and of no text that is held already. */
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

/** Whether all that was answered could be read: nothing else is an acceptance or a refusal. */
const isWhole = ({ oversized, unread }: Answered): boolean => !oversized && unread === undefined;

/** An answer that is no acceptance. */
function judgeTrouble(
  operation: AnyOperation,
  exchange: Answered,
  body: unknown,
  problem: Problem | undefined,
): Reply<never> {
  const { status } = exchange;
  const reason = `HTTP ${status}${problem ? `: ${complaintsText(problem)}` : beginning(operation, exchange)}`;
  // Some services say "duplicate" in a JSON body of their own, with any status.
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
    // Only a request that carried a token can be told that the token does not reach so far.
    const forbidden = status === 403 && operation.authorised;
    return { tag: 'unauthorised', status, reason, ...(forbidden && { forbidden }) };
  }
  if (status === 429 || status === 503) {
    const retryAfterMs = retryAfterMsOf(exchange);
    return { tag: 'throttled', status, reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  return { tag: 'ambiguous', status, reason, ...(isPassing(status) && { passing: true }) };
}

/** Statuses of a service, or of somebody before it, that has a bad moment: RFC 9110 and 8470. */
const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 425;

/** Only an answer that can be read is an acceptance. */
function judgeSuccess<O extends AnyOperation>(operation: O, exchange: Answered, body: unknown): Reply<ValueOf<O>> {
  const { status } = exchange;
  const value = operation.reply.safeParse(operation.answers === 'text' && isWhole(exchange) ? exchange.body : body);
  if (value.success) return { tag: 'accepted', value: value.data, status };
  const reason = `HTTP ${status} with an answer that cannot be read${beginning(operation, exchange)}`;
  // A page of somebody between, or half an answer, may be gone in a moment; a service that speaks a form of its own will go on so.
  return { tag: 'ambiguous', status, reason, ...(body === undefined && { passing: true }) };
}

/** The beginning of an answer nobody foresaw; nothing of the token operation's, which may hold a secret. */
const beginning = ({ host }: AnyOperation, { body, unread }: Pick<Answered, 'body' | 'unread'>): string => {
  if (unread !== undefined) return `: ${unread}`;
  return host === 'token' ? '' : `: ${excerpt(body)}`;
};

/** Error bodies that are about something else than a submission. */
const foreignToSubmissions: readonly ProblemShape[] = ['oauth', 'not-found', 'traced'];

/** Only a submission's own documented refusal may ever become final: HTTP 400 with a body of the service itself. */
function isRefusal({ repeatable, ownProblem }: AnyOperation, status: number, { shape }: Problem): boolean {
  if (shape === ownProblem) return status < 500 && !isAboutTheCaller(status);
  if (repeatable) return shape !== 'traced' && (status === 400 || status === 404);
  return status === 400 && !foreignToSubmissions.includes(shape);
}

/** Who asks, or how often, was refused, and not what was asked for. */
const isAboutTheCaller = (status: number): boolean => status === 401 || status === 403 || status === 429;

function judgeFailure({ code, syscall, at }: Extract<Exchange, { tag: 'failed' }>): Reply<never> {
  const bare = syscall ? `${code} (${syscall})` : code;
  const told = at === undefined ? { reason: bare } : failureWords(code, syscall, at);
  const connecting = syscall === 'connect' || syscall === 'getaddrinfo';
  const unsent = notSentAlways.has(code) || (connecting && notSentWhileConnecting.has(code));
  if (unsent) return { tag: 'not-sent', ...told };
  return { tag: 'ambiguous', ...told, ...(cutOff.has(code) && { passing: true }) };
}

/** Whether an error may mean that the service has an identifier already: it names one, and does not speak of its form alone. */
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

/** Seconds, or a moment by the service's own clock, which the answer shows: no clock of ours is held against it. */
function retryAfterMsOf({
  retryAfter,
  date,
}: {
  readonly retryAfter?: string;
  readonly date?: string;
}): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,6}$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const waitMs = httpDate(retryAfter) - httpDate(date);
  return waitMs >= 0 ? waitMs : undefined;
}

/** NaN for anything else than the one form in which dates are written today. RFC 9110, "Date/Time Formats". */
const httpDate = (text: string | undefined): number =>
  text?.trim().match(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/)
    ? Date.parse(text)
    : Number.NaN;

/** The beginning of an answer, so that it can stand in a record or a terminal. */
const excerpt = (text: string): string =>
  shown(text.slice(0, EXCERPT_CHARACTERS_MAX).replace(/[\p{Cc}\s]+/gu, ' ')).trim() || 'no body';
