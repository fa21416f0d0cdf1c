/** What a worker gets from its caller, and what it reports. The run itself comes in here: a worker knows no way of sending. */
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { Emit, RunEvent } from '../domain/event.ts';
import type { BatchId } from '../domain/ids.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger, SharedLedger } from '../ledger/ledger.ts';

/** An event of a worker: one for each step. */
export type WorkerEvent = Extract<RunEvent, { readonly type: 'worker' }>;

/** Everything that a run of a batch needs, opened for one slice of work and closed after it. */
export interface OpenedBatch extends AsyncDisposable {
  readonly ledger: Ledger;
  readonly settings: Settings;
  /** Continues a batch as `paybatch resume` does, and ends in the same way. */
  goOn(batch: BatchHeader): Promise<RunEnd>;
}

export interface WorkSite {
  readonly clock: Clock;
  /** Aborted when the worker is to stop: nothing more is claimed, and requests in flight land. */
  readonly signal: AbortSignal;
  readonly reached: SharedLedger;
  /** Most batches that are worked on at the same time. */
  readonly batches: number;
  /** Whether the worker ends when nothing is left to do for now. */
  readonly once: boolean;
  /** Makes sure that everything can be opened, and that the service issues a token. Throws the Fault that prevents it. */
  readonly check: () => Promise<void>;
  /** Opens the ledger and the client for work on a batch. `signal` ends that work; `hear` receives its events. */
  readonly open: (batch: BatchId, signal: AbortSignal, hear: Emit) => Promise<OpenedBatch>;
  readonly emit: (event: WorkerEvent) => void;
  /** Logs what the engine of the queue says. */
  readonly log: (level: 'debug' | 'warn', message: string) => void;
}
