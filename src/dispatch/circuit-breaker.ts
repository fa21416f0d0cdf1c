/**
 * What the answers to submissions add up to: how many may be in flight, and how the service stands for the rule that lets
 * orders be claimed (`admit.ts`). Look-ups have no say: a service may well answer those and lose every payment.
 */
import type { Reply } from '../client/reply.ts';
import type { Clock } from '../domain/clock.ts';
import type { OrderId } from '../domain/ids.ts';
import { isPaused, type ServiceState, type Trouble } from './admit.ts';

/** Acceptances in a row after which one more submission is let into flight again, and a service is relied on again. */
const ACCEPTED_TO_GROW = 32;

/** An answer to a submission, as far as it concerns the breaker. */
export interface Noted {
  readonly tag: Reply<unknown>['tag'];
  readonly reason: string;
  /** The token was good, and what it may do does not reach so far. */
  readonly forbidden?: boolean;
}

export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #concurrencyMax: number;
  #concurrency: number;
  #acceptedInARow = 0;
  #unauthorised = 0;
  #forbidden = false;
  #refused = 0;
  #refusedReason = '';
  #trouble: Trouble | undefined;
  #wary = false;
  /** The order that is out alone while sending pauses. */
  #probe: OrderId | undefined;
  /** When an answer of each sort was last counted. */
  readonly #countedAtMs = new Map<Noted['tag'], number>();

  constructor(clock: Clock, concurrency: number) {
    this.#clock = clock;
    this.#concurrencyMax = concurrency;
    this.#concurrency = concurrency;
  }

  /** Submissions that may be in flight now. */
  get concurrency(): number {
    return this.#concurrency;
  }

  get state(): ServiceState {
    return {
      unauthorised: this.#unauthorised,
      forbidden: this.#forbidden,
      refused: this.#refused,
      refusedReason: this.#refusedReason,
      ...(this.#trouble && { trouble: this.#trouble }),
      concurrency: this.#concurrency,
      wary: this.#wary,
    };
  }

  /** Lets one order leave while sending pauses. */
  sendAhead(order: OrderId): void {
    this.#probe = order;
  }

  /** Whether an order that was claimed has to go back: sending paused before its turn came. */
  holdsBack(order: OrderId): boolean {
    return this.#trouble !== undefined && isPaused(this.#trouble) && this.#probe !== order;
  }

  /** The submission of an order is over, whether or not it left. */
  isBack(order: OrderId): void {
    if (this.#probe === order) this.#probe = undefined;
  }

  /**
   * Takes note of what the submission of an order came to that began at `startedAtMs` (monotonic). Submissions that were in
   * flight together meet the same trouble together, one expired token for example; that counts once, except where each
   * answer leaves its own doubt.
   */
  note({ tag, reason, forbidden = false }: Noted, startedAtMs: number, order: OrderId): void {
    const isNew = startedAtMs >= (this.#countedAtMs.get(tag) ?? 0);
    if (isNew) this.#countedAtMs.set(tag, this.#clock.monotonicMs());
    if (tag !== 'unauthorised') this.#unauthorised = 0;
    else if (isNew) this.#unauthorised += 1;
    this.#forbidden = forbidden;
    if (tag === 'refused') {
      this.#refused += 1;
      this.#refusedReason = reason;
    } else if (tag === 'accepted' || tag === 'exists') this.#refused = 0;
    if (tag === 'accepted' || tag === 'exists' || tag === 'refused') this.#trouble = undefined;
    else if (tag !== 'unauthorised') this.#trouble = this.#worse(tag, reason, isNew, order);
    this.#wary ||= this.#trouble !== undefined && isPaused(this.#trouble);
    this.#adapt(tag, isNew);
  }

  #worse(tag: Trouble['tag'], reason: string, isNew: boolean, order: OrderId): Trouble {
    const lastMs = this.#clock.monotonicMs();
    const before = this.#trouble ?? { ...noTrouble, sinceMs: lastMs };
    const isProbe = this.#probe === order;
    const round = isNew ? 1 : 0;
    const unread = tag === 'ambiguous' ? 1 : 0;
    return {
      tag,
      reason,
      sinceMs: before.sinceMs,
      lastMs,
      unread: before.unread + unread,
      throttled: before.throttled + (tag === 'throttled' ? round : 0),
      unreached: before.unreached + (tag === 'not-sent' ? round : 0),
      probes: before.probes + (isProbe ? 1 : 0),
      unreadProbes: before.unreadProbes + (isProbe ? unread : 0),
    };
  }

  #adapt(tag: Noted['tag'], isNew: boolean): void {
    if (tag === 'throttled' && isNew) this.#concurrency = Math.max(1, Math.floor(this.#concurrency / 2));
    this.#acceptedInARow = tag === 'accepted' ? this.#acceptedInARow + 1 : 0;
    if (this.#acceptedInARow < ACCEPTED_TO_GROW) return;
    this.#acceptedInARow = 0;
    this.#wary = false;
    this.#concurrency = Math.min(this.#concurrency + 1, this.#concurrencyMax);
  }
}

const noTrouble = { unread: 0, throttled: 0, unreached: 0, probes: 0, unreadProbes: 0 };
