/** A batch that a person stopped: nobody claims anything of it until somebody takes it back. */
import type { BatchId } from './ids.ts';

/** Who stopped a batch, when and why, while that is in force. */
export interface BatchStop {
  readonly batch: BatchId;
  /** Place of the fact that says so among the facts of the batch: which stop is taken back. */
  readonly number: number;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** User and machine. */
  readonly by: string;
  readonly reason: string;
}

/** Longest reason that is recorded, in characters: it is kept for ever, and shown wherever the batch is. */
export const STOP_REASON_MAX = 300;

/** Says it of a batch in a clause. */
export const batchStopText = ({ by, reason }: Pick<BatchStop, 'by' | 'reason'>): string =>
  `${by} stopped the batch (${reason})`;
