/**
 * What the answers to submissions show about the service: how many may be in flight, and whether the service is relied on.
 * Look-ups do not count: a service may well answer those and lose every payment.
 *
 *     closed ──(unreadable answers in a row)───────────────→ open ──(the pause is over, `admission.ts`)──→ half-open: one order, alone
 *       ↑                                                     ↑                                          │
 *       └────────────────────(understood)─────────────────────┼──────────────────────────────────────────┤
 *                                                             └──────────────(not understood)────────────┘
 *
 * A circuit that closed again is wary: until enough orders were accepted, none is claimed that would wait behind others.
 */

import type { AnswerTag } from '../domain/fact.ts';
import type { OrderId } from '../domain/ids.ts';
import type { Reply } from '../service/client/reply.ts';

/** Acceptances in a row after which one more submission may be in flight, and after which the service is relied on again. */
const ACCEPTED_TO_GROW = 32;
/** Unreadable answers in a row before sending pauses; one or two are a hiccup of something in between. */
const UNREAD_MAX = 3;
/** Rounds in a row that were throttled, or never left, before sending pauses; they leave little or no doubt. */
const ROUNDS_MAX = 5;

/** Submissions in a row that got no answer that was understood. */
export interface Trouble {
  /** When the first and the latest of them ended, in monotonic milliseconds. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** The result of the latest submission, and the reason in words. */
  readonly tag: Extract<AnswerTag, 'ambiguous' | 'throttled' | 'not-sent'>;
  readonly reason: string;
  /** How long the latest answer asked to be left alone, in milliseconds; absent if it did not say. */
  readonly askedMs?: number;
  /** Answers that could not be read. */
  readonly unread: number;
  /**
   * Rounds of submissions that were throttled, and that never left. Submissions in flight together meet the same trouble, and
   * are one round.
   */
  readonly throttled: number;
  readonly unreached: number;
  /** Orders that were sent alone since sending paused, and those of them whose answer could not be read. */
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
  /** Whether the latest answer refused a permission, and not the credentials. */
  readonly forbidden: boolean;
  /** Documented refusals in a row, and the latest in words. */
  readonly refused: number;
  readonly refusedReason: string;
  /** Refusals since the last acceptance that are about the form of our identifiers. */
  readonly refusedIds: number;
  readonly trouble?: Trouble;
  /** Whether sending has paused, and too few orders were taken since to rely on the service again. */
  readonly wary: boolean;
  /** The order that is sent alone while sending pauses. */
  readonly trial?: OrderId;
  /** When an answer of each kind was last counted, in monotonic milliseconds. */
  readonly countedAtMs: Readonly<Partial<Record<AnswerTag, number>>>;
}

/** The result of a submission. */
export interface Answer {
  readonly order: OrderId;
  readonly tag: Reply<unknown>['tag'];
  readonly reason: string;
  /** Whether the token was valid but does not permit the request. */
  readonly forbidden?: boolean;
  readonly retryAfterMs?: number;
  /** Whether the refusal is about the form of our identifiers. */
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

/** Reports whether the service is in such trouble that only a trial may leave. */
export const isPaused = ({ unread, throttled, unreached }: Trouble): boolean =>
  unread >= UNREAD_MAX || throttled >= ROUNDS_MAX || unreached >= ROUNDS_MAX;

export function circuitOf({ trouble, trial }: ServiceState): 'closed' | 'open' | 'half-open' {
  if (!trouble || !isPaused(trouble)) return 'closed';
  return trial === undefined ? 'open' : 'half-open';
}

/** Reports whether an order that was claimed has to go back, because sending paused before its turn came. */
export const holdsBack = (service: ServiceState, order: OrderId): boolean =>
  circuitOf(service) !== 'closed' && service.trial !== order;

/**
 * Returns the state of the service after an answer. Submissions that were in flight together meet the same trouble together,
 * one expired token for example; that counts once, except if each answer leaves its own doubt.
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
 * Returns the state of the service after other senders came or went. `concurrencyMax` is this sender's part. A smaller part
 * applies immediately; a larger one is grown into as after a throttling, because this run does not know what the service has
 * throttled in the meantime.
 */
export const sharing = (service: ServiceState, concurrencyMax: number): ServiceState => ({
  ...service,
  concurrency: Math.min(service.concurrency, concurrencyMax),
  concurrencyMax,
});

/** Halves the submissions in flight after each throttling, and allows one more after enough acceptances in a row. */
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
