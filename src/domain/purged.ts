/** Batches of which the ledger has forgotten whom they paid. */
import type { BatchId } from './ids.ts';

/** Stands where a name, a phone, an account or the words of the service were. */
export const PURGED = '(purged)';

/** When the people of a batch were deleted, and who did that. */
export interface PurgeRecord {
  readonly batch: BatchId;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** User and machine. */
  readonly by: string;
}
