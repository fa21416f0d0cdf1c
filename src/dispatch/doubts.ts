/** Whether a run may rely on its ledger, and since when it may not. Each doubt is dealt with again (`reconciliation.ts`). */
import { behindNotice } from './stop-reasons.ts';
import type { DispatchDeps } from './task.ts';

export class Doubts {
  readonly #deps: Pick<DispatchDeps, 'ledger' | 'clock' | 'tell'>;
  #count: number;
  #since: number | undefined;
  #dealtAt = 0;

  constructor(atStart: boolean, deps: Pick<DispatchDeps, 'ledger' | 'clock' | 'tell'>) {
    this.#deps = deps;
    this.#count = atStart ? 1 : 0;
  }

  /** How often the ledger was found not to know all that was sent, before the run or in it. */
  get count(): number {
    return this.#count;
  }

  /** When the latest of them arose, in milliseconds of the run's steady clock; undefined: there was one from the start, or never. */
  get since(): number | undefined {
    return this.#since;
  }

  /** When the latest was dealt with, in milliseconds of the run's steady clock: what is waited for is waited for from then on. */
  get dealtAt(): number {
    return this.#dealtAt;
  }

  /** All was asked for that a lost ledger may have done. */
  areDealtWith(): void {
    this.#dealtAt = this.#deps.clock.now();
  }

  /** The ledger turns out not to know all that was sent: from now on nothing leaves without proof. */
  async arise(): Promise<void> {
    const { ledger, clock, tell } = this.#deps;
    const isNew = this.#count === 0;
    this.#count += 1;
    this.#since = clock.now();
    if (!isNew) return;
    tell(behindNotice);
    await ledger.suspect();
  }
}
