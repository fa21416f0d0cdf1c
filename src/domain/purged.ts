/** Batches of which the ledger has forgotten whom they paid. */
import { localDate } from './clock.ts';
import type { BatchId } from './ids.ts';

/** Stands where a name, a phone, an account or the words of the service were. */
export const PURGED = '(purged)';

/** When the people of a batch were deleted, and who did that. */
export interface PurgeRecord {
  readonly batch: BatchId;
  /** Place of the fact that says so in the ledger. */
  readonly seq: number;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** User and machine. */
  readonly by: string;
}

/** Says it of a batch, to whoever is shown what is left of it. */
export const purgedText = ({ at }: Pick<PurgeRecord, 'at'>, timezone: string): string =>
  `names, phones and accounts were purged on ${localDate(at, timezone)}`;

/**
 * Whether what is known under an identifier since a time (wall-clock milliseconds) is to be forgotten: an order of a batch whose
 * people were deleted, or something that belongs to no batch and is old enough.
 */
export type Forgets = (id: string, at: number) => Promise<boolean>;
