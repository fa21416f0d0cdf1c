/** How far a run is with what it asks before it sends anything, for people who wait. */
import type { Clock } from '../domain/clock.ts';
import type { Tell } from '../domain/event.ts';

/** Look-ups of an order that was never sent: two of its own, and one of the attempt after it. */
const LOOKS_EACH = 3;

export class ReconcileProgress {
  readonly #clock: Clock;
  readonly #tell: Tell;
  #of = 0;
  #done = 0;
  #began = 0;
  /** Nothing leaves before, in milliseconds of the run's clock. */
  #silentUntil = 0;

  constructor(clock: Clock, tell: Tell) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** So many orders are to be asked for. */
  begin(orders: number, silentUntil: number): void {
    this.#of = orders * LOOKS_EACH;
    this.#done = 0;
    this.#began = this.#clock.now();
    this.#silentUntil = silentUntil;
  }

  /** A look-up was answered. */
  asked(): void {
    this.#done = Math.min(this.#done + 1, this.#of);
  }

  /** Tells how far it is; nothing where nothing is asked for. */
  say(): void {
    if (this.#of === 0) return;
    const now = this.#clock.now();
    const eachMs = this.#done === 0 ? 0 : Math.min(now - this.#began, this.#askingMs(now)) / this.#done;
    const leftMs = Math.max(this.#silentUntil - now, 0) + (this.#of - this.#done) * eachMs;
    this.#tell({ type: 'reconcile.progress', done: this.#done, of: this.#of, leftMs: Math.round(leftMs) });
  }

  /** Time in which it asked: it does nothing else until the first third is through. */
  #askingMs(now: number): number {
    return this.#done <= this.#of / LOOKS_EACH ? now - this.#began : Math.max(now - this.#silentUntil, 1);
  }
}
