/**
 * What makes sending slow down or stop: a service that cannot be reached, that throttles, or that no longer takes the
 * credentials. Following orders that were sent goes on whatever the brake says.
 */
import type { ReplyTag } from '../client/reply.ts';
import type { Clock } from '../domain/clock.ts';

/** Rounds in a row in which requests never left before sending pauses. */
const UNREACHED_MAX = 5;
/** Rounds of refused credentials in a row, each after a fresh token, before sending stops. */
const UNAUTHORISED_MAX = 3;
/** First and longest pause of an unreachable service, in milliseconds. */
const PAUSE_MS_FIRST = 500;
const PAUSE_MS_MAX = 30_000;
/** Acceptances in a row after which one more submission is let into flight again. */
const ACCEPTED_TO_GROW = 32;

export class Brake {
  readonly #clock: Clock;
  readonly #concurrencyMax: number;
  readonly #outageMs: number;
  #concurrency: number;
  #unreached = 0;
  #unreachedSinceMs: number | undefined;
  #unauthorised = 0;
  #acceptedInARow = 0;
  /** When an answer of each sort was last counted. */
  readonly #countedAtMs = new Map<ReplyTag, number>();
  #stopped: string | undefined;

  /** `outageMs`: how long the service may stay unreachable before sending stops for this run. */
  constructor(clock: Clock, concurrency: number, outageMs: number) {
    this.#clock = clock;
    this.#concurrencyMax = concurrency;
    this.#concurrency = concurrency;
    this.#outageMs = outageMs;
  }

  /** Why nothing more is sent in this run; undefined while sending goes on. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** Submissions that may be in flight now. */
  get concurrency(): number {
    return this.#concurrency;
  }

  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  /**
   * Takes note of what a submission came to that began at `startedAtMs` (monotonic). Submissions that were in flight
   * together meet the same trouble together, one expired token for example; that counts once.
   */
  note(tag: ReplyTag, startedAtMs: number): void {
    const counts = startedAtMs >= (this.#countedAtMs.get(tag) ?? 0);
    if (counts) this.#countedAtMs.set(tag, this.#clock.monotonicMs());
    this.#noteReach(tag === 'not-sent', counts);
    if (tag !== 'unauthorised') this.#unauthorised = 0;
    else if (counts) this.#unauthorised += 1;
    if (this.#unauthorised >= UNAUTHORISED_MAX) this.stop('the service no longer accepts the credentials');
    if (tag === 'throttled') {
      if (counts) this.#concurrency = Math.max(1, Math.floor(this.#concurrency / 2));
      this.#acceptedInARow = 0;
    } else if (tag === 'accepted') {
      this.#acceptedInARow += 1;
      if (this.#acceptedInARow >= ACCEPTED_TO_GROW && this.#concurrency < this.#concurrencyMax) {
        this.#concurrency += 1;
        this.#acceptedInARow = 0;
      }
    }
  }

  #noteReach(unreached: boolean, counts: boolean): void {
    if (!unreached) {
      this.#unreached = 0;
      this.#unreachedSinceMs = undefined;
      return;
    }
    const now = this.#clock.monotonicMs();
    if (counts) this.#unreached += 1;
    this.#unreachedSinceMs ??= now;
    if (now - this.#unreachedSinceMs >= this.#outageMs) this.stop('the service could not be reached');
  }

  /** Waits while the service is unreachable; each further failure waits longer. */
  async ready(signal: AbortSignal): Promise<void> {
    const excess = this.#unreached - UNREACHED_MAX;
    if (excess < 0) return;
    await this.#clock.sleep(Math.min(PAUSE_MS_FIRST * 2 ** Math.min(excess, 10), PAUSE_MS_MAX), signal);
  }
}
