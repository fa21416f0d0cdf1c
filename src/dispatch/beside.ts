/**
 * Who else is at work on the ledger, and what they have found. `sending.concurrency` and `ratePerSecond` are limits of the service, so
 * all who send from one ledger share them: each counts the leases that are held and show life, and takes its part. A new sender
 * begins with its smaller part; the others have theirs after one look more. Until then they are above the limit together, by
 * the part of the new one. What holds for a whole batch is read from the ledger while others send that batch as well; then
 * each of them overshoots by one block at most, the one that it has claimed already.
 */
import type { Client } from '../client/client.ts';
import type { Clock } from '../domain/clock.ts';
import type { BatchId } from '../domain/ids.ts';
import type { HeldLease, Ledger } from '../ledger/ledger.ts';
import type { RunControl } from './run-control.ts';
import type { Happening } from './run-state.ts';
import type { DispatchSettings } from './task.ts';

/** How often it is looked who else is at work, in milliseconds: so long two senders may both believe that they are alone. */
export const LOOK_MS = 5000;

export interface BesideDeps {
  readonly task: { readonly batch: BatchId; readonly settings: Pick<DispatchSettings, 'sending'> };
  readonly ledger: Pick<Ledger, 'othersAtWork' | 'stopOf' | 'tallies' | 'alarms'>;
  readonly client: Pick<Client, 'share'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly control: Pick<RunControl, 'heed' | 'raise'>;
  readonly happened: (happening: Happening) => void;
}

export class Beside {
  readonly #deps: BesideDeps;
  #senders = 1;
  /** Another process sends this very batch. */
  #isShared = false;
  #lookedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: BesideDeps) {
    this.#deps = deps;
  }

  /** Looks again and again until the run is over. */
  async keep(over: AbortSignal): Promise<void> {
    for (;;) {
      await this.#deps.clock.sleep(LOOK_MS, over);
      if (over.aborted) return;
      await this.look();
    }
  }

  /**
   * Asked before each claim: may this batch still be claimed? A stop of a person or an alarm ends the sending of this run, and the
   * figures of the batch become those of all who send it. A run that is alone asks for nothing.
   */
  async beforeClaim(): Promise<void> {
    const { clock, ledger, control, happened } = this.#deps;
    const { batch } = this.#deps.task;
    if (clock.monotonicMs() - this.#lookedAtMs >= LOOK_MS) await this.look();
    if (!this.#isShared) return;
    control.heed(await ledger.stopOf(batch));
    control.raise(await ledger.alarms(batch));
    happened({ type: 'counted', tallies: await ledger.tallies(batch) });
  }

  /** Takes the part of the limits that is this one's, by who is at work now. */
  async look(): Promise<void> {
    const { ledger, clock, control, client, happened } = this.#deps;
    const { batch, settings } = this.#deps.task;
    this.#lookedAtMs = clock.monotonicMs();
    control.heed(await ledger.stopOf(batch));
    const others = (await ledger.othersAtWork()).filter((lease) => lease.batch !== undefined);
    this.#isShared = others.some((lease) => lease.batch === batch);
    const senders = 1 + new Set(others.map(senderOf)).size;
    if (senders === this.#senders) return;
    this.#senders = senders;
    client.share(senders);
    happened({ type: 'shared', senders, concurrency: Math.max(1, Math.floor(settings.sending.concurrency / senders)) });
  }
}

/** One process may have several leases for one sending, and several sendings at once, which it calls differently. */
const senderOf = ({ holder: { host, machine, pid, startedAt, description } }: HeldLease): string =>
  JSON.stringify([host, machine, pid, startedAt, description]);
