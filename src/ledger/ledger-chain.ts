/**
 * The ledger's own chain: the facts about batches as wholes, such as plans, runs and their ends, stops, purges and changes
 * of keys. They are few, and every start reads all of them. What happened to single orders is proven with their batch.
 */

import { hexOf, numberOf, type Reader, textOf } from '../database/database.ts';
import { type BatchId, sha256 } from '../domain/ids.ts';
import { type BatchEnd, type ChainedFact, factHash } from './chain.ts';
import { endsAt } from './signed-head.ts';

/**
 * Reports whether a fact is about a batch as a whole. A row that is set aside is not: there may be as many of them as the
 * sheet has rows, so they are proven with their batch.
 */
const isOfLedger = ({ order, type }: Pick<ChainedFact, 'order' | 'type'>): boolean =>
  order === undefined && type !== 'row-set-aside';

/** The condition for facts about batches as wholes, for which there is an index (`schema.ts`). */
export const LEDGER_FACTS = `f.position IS NULL AND f.type <> 'row-set-aside'`;
/**
 * The condition for those of one batch. An empty text is joined to the name of the batch, because for a plain column SQLite
 * would choose the index over all facts of the batch, and read past everything that happened to its orders.
 */
export const LEDGER_FACTS_OF_BATCH = `${LEDGER_FACTS} AND f.batch || '' = ?`;

/** Returns the hash with which the ledger's own chain begins. No two ledgers share it. */
export const ledgerChainStart = (ledgerUuid: string): string => sha256(`PB1:${ledgerUuid}:told`);

/** Returns the end of the ledger's own chain after a fact, which moves it only if it is about a batch as a whole. */
export const ledgerChainAfter = (before: string, fact: ChainedFact): string =>
  isOfLedger(fact) ? factHash(before, fact) : before;

/** Reads the ends of all chains at a fact, or now, unproven. */
export async function readEnds(
  database: Reader,
  seq = Number.MAX_SAFE_INTEGER,
): Promise<ReadonlyMap<BatchId, BatchEnd>> {
  const rows = await endsAt(database, seq);
  return new Map(
    rows.map((row) => {
      const end = { number: numberOf(row, 'number'), hash: hexOf(row, 'hash') };
      return [textOf(row, 'batch') as BatchId, end] as const; // a column of batch ids
    }),
  );
}
