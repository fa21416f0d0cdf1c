/** What a worker is given by whoever starts it, and what it tells. The run itself comes in here: a worker knows no way of sending. */
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { RunEvent, Tell } from '../domain/event.ts';
import type { BatchId } from '../domain/ids.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger, SharedLedger } from '../ledger/ledger.ts';

/** What of a worker is told: one event, one step. */
export type WorkerEvent = Extract<RunEvent, { readonly type: 'worker' }>;

/** All that a run of a batch needs, opened for one slice of work and closed behind it. */
export interface OpenedBatch extends AsyncDisposable {
  readonly ledger: Ledger;
  readonly settings: Settings;
  /** Goes on with a batch as `paybatch resume` does, and ends as that does. */
  goOn(batch: BatchHeader): Promise<RunEnd>;
}

export interface WorkSite {
  readonly clock: Clock;
  /** Aborted when the worker is to stop: nothing more is claimed, what is on its way lands. */
  readonly signal: AbortSignal;
  readonly reached: SharedLedger;
  /** Batches that are worked on at once. */
  readonly batches: number;
  /** Ends when nothing is left to do now. */
  readonly once: boolean;
  /** This computer, as leases name it. */
  readonly machine: string | undefined;
  /** Makes sure that everything can be opened, and that the service gives a token. Throws the Fault that says otherwise. */
  readonly check: () => Promise<void>;
  /** Opens the ledger and the client for work on a batch. `signal`: ends that work; `hear`: is told what happens in it. */
  readonly open: (batch: BatchId, signal: AbortSignal, hear: Tell) => Promise<OpenedBatch>;
  readonly tell: (event: WorkerEvent) => void;
  /** What the engine of the queue says, for the log. */
  readonly log: (level: 'debug' | 'warn', message: string) => void;
}
