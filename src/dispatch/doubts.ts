/** Whether a run may rely on its ledger, and since when it may not. Each doubt is dealt with again (`reconciliation.ts`). */
import { behindNotice, sightingNotice } from './stop-reasons.ts';
import type { DispatchDeps } from './task.ts';

/**
 * Why a ledger is doubted. `found`: the service shows what was never sent from it. `turned-up`: that was unknown, and is there now.
 * `held`: the service holds an order that left from here once. `late`: what a ledger in doubt had looked up came too late to count.
 */
export type DoubtCause = 'found' | 'turned-up' | 'held' | 'late';

interface DoubtsDeps extends Pick<DispatchDeps, 'ledger' | 'clock' | 'tell'> {
  /** The silence that follows, in milliseconds. */
  readonly quietMs: number;
}

export class Doubts {
  readonly #deps: DoubtsDeps;
  #count: number;
  #found = 0;
  #since: number | undefined;
  #dealtAt = 0;
  #hasMet = false;
  /** The ledger does not know all that was sent, and says so. */
  #isConfirmed: boolean;
  /** Somebody else was sighted, and what became of that is not known yet. */
  #isSighted = false;

  constructor(atStart: boolean, deps: DoubtsDeps) {
    this.#deps = deps;
    this.#count = atStart ? 1 : 0;
    this.#isConfirmed = atStart;
  }

  /** How often the ledger was found not to know all that was sent, before the run or in it. */
  get count(): number {
    return this.#count;
  }

  /** How often that was because of an order that the service showed. */
  get found(): number {
    return this.#found;
  }

  /** When the latest of them arose, in milliseconds of the run's steady clock; undefined: there was one from the start, or never. */
  get since(): number | undefined {
    return this.#since;
  }

  /** When the latest was dealt with, in milliseconds of the run's steady clock: what is waited for is waited for from then on. */
  get dealtAt(): number {
    return this.#dealtAt;
  }

  /** Whether there was a sign in this run that somebody else sends now: another one is no accident. */
  get hasMet(): boolean {
    return this.#hasMet;
  }

  /** Whether the latest sign of that was an order that the service holds already. */
  get isSighted(): boolean {
    return this.#isSighted;
  }

  /** All was asked for that a lost ledger may have done. */
  areDealtWith(): void {
    this.#dealtAt = this.#deps.clock.now();
    this.#isSighted = false;
  }

  /** The ledger may not know all that was sent: from now on nothing leaves without proof. */
  async arise(cause: DoubtCause = 'found'): Promise<void> {
    const { clock, tell, quietMs } = this.#deps;
    const wasSighted = this.#isSighted;
    this.#count += 1;
    this.#since = clock.now();
    if (cause === 'held' || cause === 'turned-up') this.#hasMet = true;
    if (cause === 'found' || cause === 'turned-up') {
      this.#found += 1;
      await this.confirm();
    }
    if (cause !== 'held') return;
    this.#isSighted = true;
    if (!wasSighted) tell(sightingNotice(quietMs));
  }

  /** The ledger does not know all that was sent, for certain: runs after this one are told as well. */
  async confirm(): Promise<void> {
    if (this.#isConfirmed) return;
    this.#isConfirmed = true;
    this.#deps.tell(behindNotice);
    await this.#deps.ledger.suspect();
  }
}
