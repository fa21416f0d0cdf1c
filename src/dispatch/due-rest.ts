/** The rest of the loop that looks at what is due (`follow.ts`): until the next order is, or sooner where one falls due sooner. */
import type { Clock } from '../domain/clock.ts';

/** Longest wait between two reads of what is due, in milliseconds. */
const REST_MS_MAX = 15_000;

export class DueRest {
  readonly #clock: Clock;
  #news = new AbortController();
  #until = Number.NEGATIVE_INFINITY;
  /** When the first of what was recorded since the last read is due. */
  #soonest = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What is due is about to be read: what is recorded from here on may not be in it. */
  begins(): void {
    this.#soonest = Number.POSITIVE_INFINITY;
  }

  /** It is on record that an order is due then, in milliseconds of the run's steady clock; null: not any more. */
  note(dueAt: number | null): void {
    if (dueAt === null) return;
    this.#soonest = Math.min(this.#soonest, dueAt);
    // Null is a reason: without one each would make an error, with its stack.
    if (this.#soonest < this.#until) this.#news.abort(null);
  }

  /** Waits until `nextAt`, when the first order that was read of is due, but never long; undefined: none was read of. */
  async rest(nextAt: number | undefined, signal: AbortSignal, longestMs: number = REST_MS_MAX): Promise<void> {
    const now = this.#clock.now();
    this.#until = Math.min(nextAt ?? Number.POSITIVE_INFINITY, this.#soonest, now + longestMs);
    this.#news = new AbortController();
    await this.#clock.sleep(Math.max(this.#until - now, 1), AbortSignal.any([signal, this.#news.signal]));
    this.#until = Number.NEGATIVE_INFINITY;
  }
}
