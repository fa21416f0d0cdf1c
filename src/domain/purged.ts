/** Batches whose people were deleted from the ledger. */
import type { Payout } from './batch.ts';
import { localDate } from './clock.ts';
import type { BatchId } from './ids.ts';

/** Replaces a name, a phone, an account or words of the service that were deleted. */
export const PURGED = '(purged)';

/** Reports whether the person of a payout was deleted: only the way of paying and the amount are left then. */
export const isPurged = ({ payee }: Pick<Payout, 'payee'>): boolean => payee === '';

/** When the people of a batch were deleted, and by whom. */
export interface PurgeRecord {
  readonly batch: BatchId;
  /** Number of the fact in the ledger that records the deletion. */
  readonly seq: number;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** User and machine. */
  readonly by: string;
}

/** Returns the clause about the deletion for people who are shown what is left of the batch. */
export const purgedText = ({ at }: Pick<PurgeRecord, 'at'>, timezone: string): string =>
  `names, phones and accounts were purged on ${localDate(at, timezone)}`;

/**
 * Reports whether what is known under an identifier since `at` (wall-clock milliseconds) is to be deleted: the identifier is
 * an order of a batch whose people were deleted, or belongs to no batch and is old enough.
 */
export type Forgets = (id: string, at: number) => Promise<boolean>;
