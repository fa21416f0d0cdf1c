/** The duplicate guard: the batch in the ledger that a sheet would repeat. */
import type { BatchHeader } from '../domain/batch.ts';
import type { BatchId } from '../domain/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';

export interface Intent {
  readonly id: BatchId;
  readonly fingerprint: string;
  /** Why the same content may be paid again under another name. */
  readonly allowDuplicate?: string;
  /** A rehearsal may be repeated under another name as often as one likes. */
  readonly sandbox: boolean;
}

/** A batch of the same id, or, live, one with the same content; undefined when nothing stands in the way. */
export async function earlierBatch(
  ledger: Ledger,
  { id, fingerprint, allowDuplicate, sandbox }: Intent,
): Promise<BatchHeader | undefined> {
  const named = await ledger.findBatch(id);
  if (named || sandbox || allowDuplicate !== undefined) return named;
  const [same] = await ledger.findBatchesByFingerprint(fingerprint);
  return same;
}
