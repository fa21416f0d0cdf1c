/** How many processes share the limits of the service with this one, as far as they were seen. */
import type { Clock } from '../../domain/clock.ts';

/** Time after which a sender that is no longer seen is gone, in milliseconds: between two batches it has no lease to be seen by. */
const GONE_MS = 15_000;

export class Senders {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #count = 1;
  /** Since when fewer senders were seen than are counted, in monotonic milliseconds. */
  #fewerSinceMs: number | undefined;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Number of senders that the limits are divided by, including this one. */
  get count(): number {
    return this.#count;
  }

  /**
   * Takes note of how many senders were seen, including this one. Returns how many count from now on: more count immediately,
   * fewer only when no more were seen for a while.
   */
  share(seen: number): number {
    const nowMs = this.#clock.monotonicMs();
    this.#fewerSinceMs = seen < this.#count ? (this.#fewerSinceMs ?? nowMs) : undefined;
    const areGone = this.#fewerSinceMs !== undefined && nowMs - this.#fewerSinceMs >= GONE_MS;
    if (areGone) this.#fewerSinceMs = undefined;
    if (areGone || seen > this.#count) this.#count = seen;
    return this.#count;
  }
}
