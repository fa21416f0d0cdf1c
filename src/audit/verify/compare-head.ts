/** Compares the head in a workbook with the ledger: a workbook that people already have contradicts a rewritten history. */
import type { BatchId } from '../../domain/ids.ts';
import type { LedgerHead } from '../../domain/ledger-head.ts';
import type { LedgerEvidence } from '../../ledger/evidence.ts';

export interface HeadComparison {
  /** Differences in plain words. */
  readonly differences: readonly string[];
  /** Number of formulas in the workbook without a result, because another program saved it like that; absent if there are none. */
  readonly unstoredResults?: number;
  /** Set if pictures were not compared, because this installation cannot draw them. */
  readonly withoutPictures?: true;
  /**
   * Set if the batch has continued since the workbook was made: the last fact that the workbook can know, and the latest fact
   * in the ledger.
   */
  readonly older?: { readonly workbook: number; readonly ledger: number };
}

/** Compares the head in a results workbook with a sound ledger. */
export async function compareHead(
  batch: BatchId,
  ledger: LedgerEvidence,
  said: LedgerHead | undefined,
): Promise<HeadComparison> {
  if (!said) return wrong('the workbook: contains no ledger head');
  const { seq } = (await ledger.head()) ?? { seq: 0 };
  if (!(await ledger.hasSigned(said))) return wrong('the workbook: its head was not signed with a key of this ledger');
  if (said.seq > seq) {
    return wrong(`the ledger: ends with fact ${seq}, and had fact ${said.seq} when the workbook was made`);
  }
  if ((await ledger.headAt(said.seq)).hash !== said.hash) {
    return wrong(`the ledger: its facts up to ${said.seq} have changed since the workbook was made`);
  }
  const last = await ledger.lastFactOf(batch);
  return { differences: [], ...(last > said.seq && { older: { workbook: said.seq, ledger: last } }) };
}

export const wrong = (difference: string): HeadComparison => ({ differences: [difference] });
