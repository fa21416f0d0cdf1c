/** Rounds of look-ups over orders of which nothing was clear: when the next one begins, and when there is no use in another. */
import type { Clock } from '../domain/clock.ts';
import type { Policy } from './decision.ts';
import type { RunControl } from './run-control.ts';
import { unclearStop } from './stop-reasons.ts';

export interface RoundsDeps extends Pick<Policy, 'polling'> {
  readonly clock: Clock;
  readonly control: RunControl;
}

export class Rounds {
  readonly #deps: RoundsDeps;
  #unclear = 0;
  /** The latest answer that told nothing, in words. */
  #reason = '';
  #movedAt: number;

  constructor(deps: RoundsDeps) {
    this.#deps = deps;
    this.#movedAt = deps.clock.now();
  }

  /** A look-up told nothing. */
  isUnclear(reason = ''): void {
    this.#unclear += 1;
    this.#reason = reason;
  }

  /** Something was learnt. */
  hasMoved(): void {
    this.#movedAt = this.#deps.clock.now();
  }

  /**
   * Waits until another round can tell more: `nextAt`, or sooner for what is unclear; false when there is nothing more to learn.
   * Where nothing was learnt for as long as the run has patience, sending stops.
   */
  async again(nextAt?: number): Promise<boolean> {
    const unclear = this.#unclear;
    this.#unclear = 0;
    const { control, polling, clock } = this.#deps;
    if (control.followSignal.aborted || (unclear === 0 && nextAt === undefined)) return false;
    const now = clock.now();
    const idleMs = now - this.#movedAt;
    if (nextAt === undefined && idleMs >= polling.deadlineMs) {
      control.stop(unclearStop(unclear, this.#reason));
      return false;
    }
    const soonMs = Math.min(Math.max(idleMs / 2, polling.firstMs), polling.maxMs);
    const waitMs =
      nextAt === undefined ? soonMs : Math.min(nextAt - now, unclear > 0 ? soonMs : Number.POSITIVE_INFINITY);
    await clock.sleep(Math.max(waitMs, 1), control.followSignal);
    return !control.followSignal.aborted;
  }
}
