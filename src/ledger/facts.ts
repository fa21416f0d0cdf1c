/** The facts as they are stored, written and read in the order in which they happened. */
import type { BatchFact, Fact } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import type { ChainedFact } from './chain.ts';
import { bytesOf, hexOf, numberOf, type Reader, type SqlRow, type Statement, textOf } from './database.ts';
import { decodeFact } from './fact-record.ts';
import { everyOrder, type OrderRange, within } from './order-ranges.ts';
import { TOLD } from './told-facts.ts';

/** Facts held at a time while the ledger is read. */
const BLOCK_FACTS = 1000;

const COLUMNS = 'seq, batch, number, order_id, type, happened_at, data, hash, text, salt';
const INSERT_FACT = `INSERT INTO fact (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** Read as digits: bytes are an object of their own in memory, which costs more than all else of a row. */
const READ = COLUMNS.replace('hash', 'lower(hex(hash)) AS hash');
const ALL = `SELECT ${READ} FROM fact WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`;
const OF_BATCHES = `SELECT ${READ} FROM fact WHERE ${TOLD} AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`;
const OF_BATCH = `SELECT ${READ} FROM fact WHERE batch = ? AND seq > ? AND seq <= ?`;

/** A fact with its place in the chain. */
export interface StoredFact {
  /** Place in the ledger, from 1. */
  readonly seq: number;
  readonly batch: BatchId;
  readonly fact: Fact | BatchFact;
  /** Place among the facts of its batch, from 1. */
  readonly number: number;
  /** SHA-256 over the hash of the fact before it in its batch, and all that it says itself (`chain.ts`). */
  readonly hash: string;
}

/** The columns of a fact, not yet read as a fact: what the chain is computed over. */
export interface RawFact extends ChainedFact {
  readonly seq: number;
  readonly hash: string;
  /** What may name people, and the salt under which `data` commits to it (`fact-text.ts`); missing: nothing, or it was deleted. */
  readonly text: string | undefined;
  readonly salt: string | undefined;
}

/** Facts of a batch, or of the whole ledger. */
export async function* facts(database: Reader, batch?: BatchId): AsyncGenerator<StoredFact> {
  for await (const block of rawFacts(database, { ...(batch !== undefined && { batch }) })) {
    for (const raw of block) {
      const { seq, number, hash } = raw;
      yield { seq, batch: raw.batch, number, fact: decodeFact(raw), hash };
    }
  }
}

/** Which facts are read: of one batch, if it is named, and some of its orders; after one fact and up to another one. */
interface FactRange {
  readonly batch?: BatchId;
  readonly orders?: OrderRange;
  /** Of these types alone. */
  readonly types?: readonly string[];
  readonly after?: number;
  readonly to?: number;
}

/** Those that are told of batches as wholes (`told-facts.ts`). */
export async function* toldFacts(database: Reader, to: number): AsyncGenerator<readonly RawFact[]> {
  yield* inBlocks((after) => database.read(OF_BATCHES, [after, to, BLOCK_FACTS]), 0);
}

export async function* rawFacts(
  database: Reader,
  { batch, orders = everyOrder, types = [], after: from = 0, to = Number.MAX_SAFE_INTEGER }: FactRange = {},
): AsyncGenerator<readonly RawFact[]> {
  const { sql, values } = within('order_id', orders);
  const only = types.length === 0 ? '' : ` AND type IN (${types.map(() => '?').join(', ')})`;
  const ofBatch = `${OF_BATCH}${sql}${only} ORDER BY seq LIMIT ?`;
  const read = (after: number) =>
    batch === undefined
      ? database.read(ALL, [after, to, BLOCK_FACTS])
      : database.read(ofBatch, [batch, after, to, ...values, ...types, BLOCK_FACTS]);
  yield* inBlocks(read, from);
}

async function* inBlocks(
  read: (after: number) => Promise<readonly SqlRow[]>,
  from: number,
): AsyncGenerator<readonly RawFact[]> {
  for (let after = from; ; ) {
    const block = (await read(after)).map(rawFact);
    const last = block.at(-1);
    if (!last) return;
    yield block;
    after = last.seq;
  }
}

const rawFact = (row: SqlRow): RawFact => ({
  seq: numberOf(row, 'seq'),
  batch: textOf(row, 'batch') as BatchId, // was stored as one
  number: numberOf(row, 'number'),
  order: (row['order_id'] as OrderId | null) ?? undefined,
  type: textOf(row, 'type'),
  at: numberOf(row, 'happened_at'),
  // A fact always says something, so the chain finds bytes in the place of a text as it finds any other change.
  data: typeof row['data'] === 'string' ? row['data'] : '',
  hash: textOf(row, 'hash'),
  text: (row['text'] as string | null) ?? undefined,
  salt: row['salt'] === null ? undefined : hexOf(row, 'salt'),
});

/** The statement that appends a fact. */
export function factStatement({ seq, batch, number, order, type, at, data, hash, text, salt }: RawFact): Statement {
  const kept = [bytesOf(hash), text ?? null, salt === undefined ? null : bytesOf(salt)];
  return { sql: INSERT_FACT, values: [seq, batch, number, order ?? null, type, at, data, ...kept], expect: 1 };
}
