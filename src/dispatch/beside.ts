/**
 * Who else is at work on the ledger, and whether a person has stopped this batch. `sending.concurrency` and `ratePerSecond` are limits
 * of the service, so all who send from one ledger share them: each counts the leases that are held and show life, and takes its
 * part. A new sender begins with its smaller part; the others have theirs after one look more. Until then they are above the limit
 * together, by the part of the new one. One that is seen no more keeps its part for a while, because it may be between two batches.
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
  readonly ledger: Pick<Ledger, 'othersAtWork' | 'stopOf'>;
  readonly client: Pick<Client, 'share'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly control: Pick<RunControl, 'heed'>;
  readonly happened: (happening: Happening) => void;
}

export class Beside {
  readonly #deps: BesideDeps;
  #senders = 1;

  constructor(deps: BesideDeps) {
    this.#deps = deps;
  }

  /** Looks again and again until the run is over. */
  async keep(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await this.look();
      await this.#deps.clock.sleep(LOOK_MS, over);
    }
  }

  /** Takes the part of the limits that is this one's, by who is at work now. */
  async look(): Promise<void> {
    const { ledger, control, client, happened } = this.#deps;
    const { batch, settings } = this.#deps.task;
    control.heed(await ledger.stopOf(batch));
    const others = (await ledger.othersAtWork()).filter((lease) => lease.batch !== undefined);
    const senders = client.share(1 + new Set(others.map(senderOf)).size);
    if (senders === this.#senders) return;
    this.#senders = senders;
    happened({ type: 'shared', senders, concurrency: Math.max(1, Math.floor(settings.sending.concurrency / senders)) });
  }
}

/** One process may have several leases for one sending, and several sendings at once, which it calls differently. */
const senderOf = ({ holder: { host, machine, pid, description } }: HeldLease): string =>
  JSON.stringify([host, machine, pid, description]);
