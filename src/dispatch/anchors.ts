/**
 * The first payments of a run go ahead, and are waited for until the service shows them under the id of their own acceptance.
 * They are of the 13 smallest ids, drawn by chance (`send.ts`). So whatever a run that nobody remembers had sent of a batch that is new,
 * one of the smallest shows it; and two who begin in one moment are shown the ids of each other.
 *
 *     lead: claim, submit ──(refused, or no answer)──→ the next of them
 *              │     └──(the id is held)──→ the ledger is in doubt: somebody else may have sent it
 *              │ accepted
 *              ↓
 *           look up ──(its own id)──→ the others may follow
 *              ├──(another id)──→ stop: somebody else sends them
 *              └──(not shown in time)──→ tell, the others may follow
 *
 * A ledger in doubt rests on look-ups alone. So there they are waited for as long as the run has patience, and else sending
 * stops; where they were shown later than a silence lasts, whatever was looked up before counts no more.
 */
import type { StoredOrder } from '../ledger/orders.ts';
import { isSendOnce } from './decision.ts';
import type { Run } from './run.ts';
import { unseenNotice, unseenStop } from './stop-reasons.ts';

/** So many accepted payments go ahead: one may be slow to be shown. */
export const ANCHORS = 3;
/** So many are asked for, and tried, before the others: all of the first may have been refused. */
export const CANDIDATES = 13;
/** Longest wait for the service to show what it has accepted, in milliseconds; the patience of the run may be shorter. */
const SHOWN_MS_MAX = 30_000;

const MS_PER_SECOND = 1000;

export class Anchors {
  readonly #run: Run;
  #tried = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Whether the others may follow. */
  get areDone(): boolean {
    return this.#run.shown.accepted >= ANCHORS || this.#tried >= CANDIDATES;
  }

  /** Sends the first of these alone, and waits for them. Gives those that did not leave. `aheadMs`: as `Run.claim` takes it. */
  async lead(orders: readonly StoredOrder[], aheadMs: number): Promise<readonly StoredOrder[]> {
    const { policy, shown, doubts } = this.#run;
    let rest = orders;
    // Who slept while the first of them were waited for asks for the others again.
    while (!this.areDone && this.#run.maySend && (rest === orders || !this.#run.standstill.isLong)) {
      const ahead = rest.filter(({ state }) => !isSendOnce(state) && policy.hasLookUp(state.submission));
      if (ahead.length === 0) break;
      const claimed = await this.#run.claim(ahead.slice(0, ANCHORS - shown.accepted), aheadMs);
      if (claimed.length === 0) break;
      const gone = new Set(claimed.map(({ position }) => position));
      rest = rest.filter(({ position }) => !gone.has(position));
      this.#tried += claimed.length;
      shown.awaits(claimed.map(({ state }) => state.id));
      const { count } = doubts;
      await this.#run.submitAll(claimed);
      if (doubts.count > count) {
        shown.giveUp();
        return [];
      }
      if (!(await this.#areShownInTime())) return [];
    }
    return rest;
  }

  /** Waits for them; false where what was looked up before proves nothing. */
  async #areShownInTime(): Promise<boolean> {
    const { deps, doubts, control, admission, policy, shown } = this.#run;
    const { deadlineMs } = policy.polling;
    const { quietMs } = policy.inDoubt;
    const longestMs = policy.lookFirst ? Math.max(deadlineMs, quietMs) : Math.min(SHOWN_MS_MAX, deadlineMs);
    const began = deps.clock.now();
    while (shown.isWaiting && this.#run.maySend && deps.clock.now() < began + longestMs) {
      await admission.rest(began + longestMs - deps.clock.now(), control.sendSignal);
    }
    const isUnseen = shown.isWaiting && this.#run.maySend;
    // From here on they are looked up when any other order would be.
    shown.giveUp();
    const seconds = Math.ceil(longestMs / MS_PER_SECOND);
    if (isUnseen && policy.lookFirst) {
      control.stop(unseenStop(seconds));
      return false;
    }
    if (isUnseen) deps.tell(unseenNotice(seconds));
    if (!policy.lookFirst || deps.clock.now() - began <= quietMs) return true;
    await doubts.arise('late');
    return false;
  }
}
