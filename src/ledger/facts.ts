/** The facts as they are stored, read in the order in which they happened. */
import type { BatchFact, Fact } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import type { ChainedFact } from './chain.ts';
import { type Database, numberOf, type SqlRow, textOf } from './database.ts';
import { decodeFact } from './record-text.ts';

/** Facts held at a time while the ledger is read. */
const BLOCK_FACTS = 1000;

const COLUMNS = 'seq, batch, order_id, type, happened_at, data, prev_hash, hash';
const ALL = `SELECT ${COLUMNS} FROM fact WHERE seq > ? ORDER BY seq LIMIT ?`;
const OF_BATCH = `SELECT ${COLUMNS} FROM fact WHERE batch = ? AND seq > ? ORDER BY seq LIMIT ?`;

/** A fact with its place in the chain. */
export interface StoredFact {
  /** Place in the ledger, from 1. */
  readonly seq: number;
  readonly batch: BatchId;
  readonly fact: Fact | BatchFact;
  readonly prevHash: string;
  /** SHA-256 over the hash before and all other columns. */
  readonly hash: string;
}

/** The columns of a fact, not yet read as a fact: what the chain is computed over. */
export interface RawFact extends ChainedFact {
  readonly prevHash: string;
  readonly hash: string;
}

/** Facts of a batch, or of the whole ledger. */
export async function* facts(database: Database, batch?: BatchId): AsyncGenerator<StoredFact> {
  for await (const block of rawFacts(database, batch)) {
    for (const raw of block) {
      yield { seq: raw.seq, batch: raw.batch, fact: decodeFact(raw), prevHash: raw.prevHash, hash: raw.hash };
    }
  }
}

export async function* rawFacts(database: Database, batch?: BatchId): AsyncGenerator<readonly RawFact[]> {
  for (let after = 0; ; ) {
    const rows =
      batch === undefined
        ? await database.read(ALL, [after, BLOCK_FACTS])
        : await database.read(OF_BATCH, [batch, after, BLOCK_FACTS]);
    const block = rows.map(rawFact);
    const last = block.at(-1);
    if (!last) return;
    yield block;
    after = last.seq;
  }
}

const rawFact = (row: SqlRow): RawFact => ({
  seq: numberOf(row, 'seq'),
  batch: textOf(row, 'batch') as BatchId, // was stored as one
  order: (row['order_id'] as OrderId | null) ?? undefined,
  type: textOf(row, 'type'),
  at: numberOf(row, 'happened_at'),
  data: textOf(row, 'data'),
  prevHash: textOf(row, 'prev_hash'),
  hash: textOf(row, 'hash'),
});
