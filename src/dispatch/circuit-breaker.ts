/**
 * What the answers to submissions show of the service: how many may be in flight, and whether it is relied on. Look-ups have
 * no say: a service may well answer those and lose every payment.
 *
 *     closed ──(answers in a row that nobody understands)──→ open ──(the pause is over, `admission.ts`)──→ half-open: one order, alone
 *       ↑                                                     ↑                                          │
 *       └────────────────────(understood)─────────────────────┼──────────────────────────────────────────┤
 *                                                             └──────────────(not understood)────────────┘
 *
 * Closed again it is wary: until enough were accepted, no order is claimed that would wait behind others.
 */

import type { AnswerTag } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import type { Reply } from '../service/client/reply.ts';

/** Acceptances in a row after which one more submission is let into flight again, and a service is relied on again. */
const ACCEPTED_TO_GROW = 32;
/** Answers in a row that nobody can read before sending pauses: one or two are a hiccup of somebody between. */
const UNREAD_MAX = 3;
/** Rounds in a row that were throttled, or never left, before sending pauses; they leave little or no doubt. */
const ROUNDS_MAX = 5;

/** Submissions in a row without an answer that was understood. */
export interface Trouble {
  /** When the first and the latest of them ended, monotonic milliseconds. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** What the latest came to, and in which words. */
  readonly tag: Extract<AnswerTag, 'ambiguous' | 'throttled' | 'not-sent'>;
  readonly reason: string;
  /** For how long the latest asked to be left alone, in milliseconds; missing: it did not say. */
  readonly askedMs?: number;
  /** Answers that nobody can read. */
  readonly unread: number;
  /** Rounds of submissions that were throttled, or never left: those in flight together meet the same trouble together. */
  readonly throttled: number;
  readonly unreached: number;
  /** Orders that were sent alone since sending paused, and those of them whose answer nobody can read. */
  readonly trials: number;
  readonly unreadTrials: number;
}

export interface ServiceState {
  /** Submissions that may be in flight now, and at most. */
  readonly concurrency: number;
  readonly concurrencyMax: number;
  readonly acceptedInARow: number;
  /** Rounds of refused credentials in a row. */
  readonly unauthorised: number;
  /** The latest of them refused a permission and not the credentials. */
  readonly forbidden: boolean;
  /** Documented refusals in a row, and the latest in words. */
  readonly refused: number;
  readonly refusedReason: string;
  /** Those of them that are about the form of our identifiers. */
  readonly refusedIds: number;
  readonly trouble?: Trouble;
  /** Sending has paused, and not enough was taken since to rely on the service again. */
  readonly wary: boolean;
  /** The order that is out alone while sending pauses. */
  readonly trial?: OrderId;
  /** When an answer of each sort was last counted, in monotonic milliseconds. */
  readonly countedAtMs: Readonly<Partial<Record<AnswerTag, number>>>;
}

/** What a submission came to. */
export interface Answer {
  readonly order: OrderId;
  readonly tag: Reply<unknown>['tag'];
  readonly reason: string;
  /** The token was good, and what it may do does not reach so far. */
  readonly forbidden?: boolean;
  readonly retryAfterMs?: number;
  /** The refusal is about the form of our identifiers. */
  readonly aboutIds?: boolean;
  /** When the submission began and ended, in monotonic milliseconds. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export const closedCircuit = (concurrency: number): ServiceState => ({
  concurrency,
  concurrencyMax: concurrency,
  acceptedInARow: 0,
  unauthorised: 0,
  forbidden: false,
  refused: 0,
  refusedReason: '',
  refusedIds: 0,
  wary: false,
  countedAtMs: {},
});

/** Whether the service is in such trouble that nothing but a trial may leave. */
export const isPaused = ({ unread, throttled, unreached }: Trouble): boolean =>
  unread >= UNREAD_MAX || throttled >= ROUNDS_MAX || unreached >= ROUNDS_MAX;

export function circuitOf({ trouble, trial }: ServiceState): 'closed' | 'open' | 'half-open' {
  if (!trouble || !isPaused(trouble)) return 'closed';
  return trial === undefined ? 'open' : 'half-open';
}

/** Whether an order that was claimed has to go back: sending paused before its turn came. */
export const holdsBack = (service: ServiceState, order: OrderId): boolean =>
  circuitOf(service) !== 'closed' && service.trial !== order;

/**
 * Submissions that were in flight together meet the same trouble together, one expired token for example; that counts once,
 * except where each answer leaves its own doubt.
 */
export function afterAnswer(service: ServiceState, answer: Answer): ServiceState {
  const { tag, reason, forbidden = false, aboutIds = false, startedAtMs, endedAtMs } = answer;
  const isNew = startedAtMs >= (service.countedAtMs[tag] ?? 0);
  const isTaken = tag === 'accepted' || tag === 'exists';
  const { trouble: before, ...others } = service;
  const trouble =
    isTaken || tag === 'refused' ? undefined : tag === 'unauthorised' ? before : worse(service, answer, tag, isNew);
  const after: ServiceState = {
    ...others,
    ...(trouble && { trouble }),
    countedAtMs: isNew ? { ...service.countedAtMs, [tag]: endedAtMs } : service.countedAtMs,
    unauthorised: tag === 'unauthorised' ? service.unauthorised + (isNew ? 1 : 0) : 0,
    forbidden,
    refused: tag === 'refused' ? service.refused + 1 : isTaken ? 0 : service.refused,
    refusedIds: isTaken ? 0 : service.refusedIds + (aboutIds ? 1 : 0),
    refusedReason: tag === 'refused' ? reason : service.refusedReason,
    wary: service.wary || (trouble !== undefined && isPaused(trouble)),
  };
  return adapted(after, tag, isNew);
}

function worse(
  { trouble, trial }: ServiceState,
  { order, reason, endedAtMs, retryAfterMs }: Answer,
  tag: Trouble['tag'],
  isNew: boolean,
): Trouble {
  const before = trouble ?? { ...noTrouble, sinceMs: endedAtMs };
  const isTrial = trial === order;
  const round = isNew ? 1 : 0;
  const unread = tag === 'ambiguous' ? 1 : 0;
  return {
    tag,
    reason,
    ...(retryAfterMs !== undefined && { askedMs: retryAfterMs }),
    sinceMs: before.sinceMs,
    lastMs: endedAtMs,
    unread: before.unread + unread,
    throttled: before.throttled + (tag === 'throttled' ? round : 0),
    unreached: before.unreached + (tag === 'not-sent' ? round : 0),
    trials: before.trials + (isTrial ? 1 : 0),
    unreadTrials: before.unreadTrials + (isTrial ? unread : 0),
  };
}

const noTrouble = { unread: 0, throttled: 0, unreached: 0, trials: 0, unreadTrials: 0 };

/**
 * Other senders came or went: so many at once are this one's part. Less counts at once; more is grown into as after a throttling,
 * because nobody knows here what the service has throttled meanwhile.
 */
export const sharing = (service: ServiceState, concurrencyMax: number): ServiceState => ({
  ...service,
  concurrency: Math.min(service.concurrency, concurrencyMax),
  concurrencyMax,
});

/** Fewer at once after each throttling, one more after enough acceptances in a row. */
function adapted(service: ServiceState, tag: Answer['tag'], isNew: boolean): ServiceState {
  const { concurrencyMax, wary } = service;
  const isThrottled = tag === 'throttled' && isNew;
  const concurrency = isThrottled ? Math.max(1, Math.floor(service.concurrency / 2)) : service.concurrency;
  const acceptedInARow = tag === 'accepted' ? service.acceptedInARow + 1 : 0;
  const grows = acceptedInARow >= ACCEPTED_TO_GROW;
  return {
    ...service,
    acceptedInARow: grows ? 0 : acceptedInARow,
    wary: wary && !grows,
    concurrency: grows ? Math.min(concurrency + 1, concurrencyMax) : concurrency,
  };
}
