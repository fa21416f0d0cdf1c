/** Pace: when the service asks for a pause, all requests wait for it, and a rate limit spreads requests evenly. */
import type { Clock, Random } from '../../domain/clock.ts';
import type { Senders } from './senders.ts';

/** Longest pause that a service can ask for, in milliseconds; a longer one would look like a hang. */
const PAUSE_MS_MAX = 900_000;
/** Longest wait that is not worth reporting, in milliseconds. */
const UNSTATED_MS_MAX = 10_000;
/** First and longest pause when the service throttles without saying for how long, in milliseconds. */
const BACK_OFF_MS_FIRST = 500;
const BACK_OFF_MS_MAX = 60_000;

export interface PaceDeps {
  readonly senders?: Pick<Senders, 'count'>;
  /** Called once for each long wait that the service asks for, with that wait and the pause that follows from it, in milliseconds. */
  readonly askedToWait?: ((waitMs: number, pauseMs: number) => void) | undefined;
}

export class Pace {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #intervalMs: number;
  readonly #senders: Pick<Senders, 'count'>;
  readonly #askedToWait: PaceDeps['askedToWait'];
  #resumeAtMs = 0;
  #nextSlotMs = 0;
  #throttledInARow = 0;

  /** `ratePerSecond` 0 means no limit of our own. */
  constructor(
    clock: Clock,
    random: Random,
    ratePerSecond: number,
    { senders = { count: 1 }, askedToWait }: PaceDeps = {},
  ) {
    this.#senders = senders;
    this.#askedToWait = askedToWait;
    this.#clock = clock;
    this.#random = random;
    this.#intervalMs = ratePerSecond > 0 ? 1000 / ratePerSecond : 0;
  }

  /** Whether the next request has to wait for its turn (`ready`). */
  get isSlow(): boolean {
    return this.#intervalMs > 0 || this.#clock.monotonicMs() < this.#resumeAtMs;
  }

  /** Resolves when the next request may go out, or when the signal is aborted. */
  async ready(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      await this.#until(() => this.#resumeAtMs, signal);
      if (this.#intervalMs === 0) return;
      const slotMs = Math.max(this.#clock.monotonicMs(), this.#nextSlotMs);
      this.#nextSlotMs = slotMs + this.#intervalMs * this.#senders.count;
      await this.#until(() => slotMs, signal);
      // A pause that began in the meantime costs the slot: otherwise all requests would leave at the same time after it.
      if (this.#clock.monotonicMs() >= this.#resumeAtMs) return;
    }
  }

  /** Waits until a time, which may move later in the meantime. */
  async #until(atMs: () => number, signal?: AbortSignal): Promise<void> {
    for (let now = this.#clock.monotonicMs(); now < atMs() && !signal?.aborted; now = this.#clock.monotonicMs()) {
      await this.#clock.sleep(atMs() - now, signal);
    }
  }

  /** Notes that the service throttled: all requests wait for as long as it asked, or for a growing time with jitter. */
  throttled(retryAfterMs: number | undefined): void {
    const nowMs = this.#clock.monotonicMs();
    // Requests that were in flight together are throttled together: that counts once, and is reported once.
    const isNews = nowMs >= this.#resumeAtMs;
    if (isNews) this.#throttledInARow += 1;
    const ceiling = Math.min(BACK_OFF_MS_FIRST * 2 ** this.#throttledInARow, BACK_OFF_MS_MAX);
    const pauseMs = Math.min(retryAfterMs ?? ceiling * (0.5 + this.#random() / 2), PAUSE_MS_MAX);
    this.#resumeAtMs = Math.max(this.#resumeAtMs, nowMs + pauseMs);
    if (isNews && retryAfterMs !== undefined && retryAfterMs > UNSTATED_MS_MAX)
      this.#askedToWait?.(retryAfterMs, pauseMs);
  }

  answered(): void {
    this.#throttledInARow = 0;
  }
}
