/**
 * Facts that are told of batches as wholes: plans, runs and their ends, stops, purges, changes of keys. They are few, and a start reads
 * all of them, so they have a hash of their own beside the chains. What happened to single orders is proven with their batch.
 */
import { type BatchId, sha256 } from '../domain/ids.ts';
import { type BatchEnd, type ChainedFact, factHash, headHash } from './chain.ts';
import { hexOf, numberOf, type Reader, textOf } from './database.ts';
import { endsAt, type RecordedHead } from './signed-head.ts';

/** A row that is set aside is one of as many as the sheet has, and is proven with its batch. */
const isTold = ({ order, type }: Pick<ChainedFact, 'order' | 'type'>): boolean =>
  order === undefined && type !== 'row-set-aside';

/** Those facts, as a condition: an index has them (`schema.ts`). */
export const TOLD = `f.position IS NULL AND f.type <> 'row-set-aside'`;

/** The hash before any of them: no two ledgers share one. */
export const toldOfNone = (ledgerUuid: string): string => sha256(`PB1:${ledgerUuid}:told`);

/** The hash after a fact; of any other fact it stays. */
export const toldAfter = (before: string, fact: ChainedFact): string =>
  isTold(fact) ? factHash(before, fact) : before;

/** The ends of all chains at a head, as the tables have them; undefined when they are not those of the head. */
export async function endsOf(
  database: Reader,
  ledgerUuid: string,
  { seq, hash }: NonNullable<RecordedHead['head']>,
): Promise<ReadonlyMap<BatchId, BatchEnd> | undefined> {
  const ends = await readEnds(database, seq);
  return headHash(ledgerUuid, ends) === hash ? ends : undefined;
}

/** Ends of chains that nothing vouches for yet, in the order in which the batches began. */
export async function readEnds(database: Reader, seq: number): Promise<ReadonlyMap<BatchId, BatchEnd>> {
  const rows = await endsAt(database, seq);
  return new Map(
    rows.map((row) => {
      const end = { number: numberOf(row, 'number'), hash: hexOf(row, 'hash') };
      return [textOf(row, 'batch') as BatchId, end] as const; // stored as one
    }),
  );
}
