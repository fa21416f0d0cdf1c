/** How many processes share the limits of the service with this one, by what was seen of them. */
import type { Clock } from '../../domain/clock.ts';

/** A sender that has not been seen for so long, in milliseconds, is gone: between two batches it has no lease to be seen by. */
const GONE_MS = 15_000;

export class Senders {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #count = 1;
  /** Since when fewer senders were seen than count. */
  #fewerSinceMs: number | undefined;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** By how many the limits are parted, this one among them. */
  get count(): number {
    return this.#count;
  }

  /** So many were seen, this one among them. Gives how many count from now on: more do at once, fewer when no more were seen for a while. */
  share(seen: number): number {
    const nowMs = this.#clock.monotonicMs();
    this.#fewerSinceMs = seen < this.#count ? (this.#fewerSinceMs ?? nowMs) : undefined;
    const areGone = this.#fewerSinceMs !== undefined && nowMs - this.#fewerSinceMs >= GONE_MS;
    if (areGone) this.#fewerSinceMs = undefined;
    if (areGone || seen > this.#count) this.#count = seen;
    return this.#count;
  }
}
