/** Rounds of look-ups over orders of which nothing was clear: when the next one begins, and when there is no use in another. */
import type { Run } from './run.ts';
import { unclearStop } from './stop-reasons.ts';

export class Rounds {
  readonly #run: Run;
  #unclear = 0;
  /** The latest answer that told nothing, in words. */
  #reason = '';
  #movedAt: number;

  constructor(run: Run) {
    this.#run = run;
    this.#movedAt = run.policy.startedAt;
  }

  /** A look-up told nothing. */
  isUnclear(reason = ''): void {
    this.#unclear += 1;
    this.#reason = reason;
  }

  /** Something was learnt. */
  hasMoved(): void {
    this.#movedAt = this.#run.deps.clock.now();
  }

  /**
   * Waits until another round can tell more: `nextAt`, or sooner for what is unclear; false when there is nothing more to learn.
   * Where nothing was learnt for as long as the run has patience, sending stops.
   */
  async again(nextAt?: number): Promise<boolean> {
    const unclear = this.#unclear;
    this.#unclear = 0;
    const { control, policy, deps } = this.#run;
    if (control.followSignal.aborted || (unclear === 0 && nextAt === undefined)) return false;
    const { polling } = policy;
    const now = deps.clock.now();
    const idleMs = now - this.#movedAt;
    if (nextAt === undefined && idleMs >= polling.deadlineMs) {
      control.stop(unclearStop(unclear, this.#reason));
      return false;
    }
    const soonMs = Math.min(Math.max(idleMs / 2, polling.firstMs), polling.maxMs);
    const waitMs =
      nextAt === undefined ? soonMs : Math.min(nextAt - now, unclear > 0 ? soonMs : Number.POSITIVE_INFINITY);
    await deps.clock.sleep(Math.max(waitMs, 1), control.followSignal);
    return !control.followSignal.aborted;
  }
}
