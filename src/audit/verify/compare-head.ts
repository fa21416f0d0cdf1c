/** The head that a workbook says against the ledger: what people already have contradicts a history that was rewritten. */
import type { BatchId } from '../../domain/ids.ts';
import type { LedgerHead } from '../../domain/ledger-head.ts';
import type { LedgerEvidence } from '../../ledger/evidence.ts';

export interface HeadComparison {
  /** What does not agree, in plain words. */
  readonly differences: readonly string[];
  /** Formulas of the workbook that hold no result, because another program saved it so; missing when there are none. */
  readonly unstoredResults?: number;
  /** Its pictures were not looked at, because this installation has no part that draws them. */
  readonly withoutPictures?: true;
  /** The batch has gone on since: the last fact of it that the workbook can know, and the ledger's. */
  readonly older?: { readonly workbook: number; readonly ledger: number };
}

/** Holds the head that a results workbook says against a ledger that is sound. */
export async function compareHead(
  batch: BatchId,
  ledger: LedgerEvidence,
  said: LedgerHead | undefined,
): Promise<HeadComparison> {
  if (!said) return wrong('the workbook: says no head of a ledger');
  const { seq } = (await ledger.head()) ?? { seq: 0 };
  if (!(await ledger.hasSigned(said))) return wrong('the workbook: its head was not signed with a key of this ledger');
  if (said.seq > seq) {
    return wrong(`the ledger: ends with fact ${seq}, and had fact ${said.seq} when the workbook was made`);
  }
  if ((await ledger.headAt(said.seq)).hash !== said.hash) {
    return wrong(`the ledger: its facts up to ${said.seq} are other ones than when the workbook was made`);
  }
  const last = await ledger.lastFactOf(batch);
  return { differences: [], ...(last > said.seq && { older: { workbook: said.seq, ledger: last } }) };
}

export const wrong = (difference: string): HeadComparison => ({ differences: [difference] });
