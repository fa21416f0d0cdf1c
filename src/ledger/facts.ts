/** Writes facts, and reads them in the order in which they happened. */

import { bytesOf, hexOf, numberOf, type Reader, type SqlRow, type Statement, textOf } from '../database/database.ts';
import type { BatchFact, Fact } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { decodeRecord, encodeRecord } from '../domain/json.ts';
import type { ChainedFact } from './chain.ts';
import { type NewSalt, tagged } from './commitment.ts';
import { type KeptText, putTogether, takeApart } from './fact-text.ts';
import { LEDGER_FACTS } from './ledger-chain.ts';

/** Facts held at a time while the ledger is read. */
const BLOCK_FACTS = 1000;

const INSERT_FACT = `INSERT INTO fact (seq, batch, number, position, type, happened_at, data, hash, text, salt)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** Hashes are read as digits: bytes would be a separate object in memory, which costs more than the rest of a row. */
const COLUMNS = `f.seq, f.batch, f.number, f.position, f.type, f.happened_at, f.data, lower(hex(f.hash)) AS hash, f.text,
  f.salt`;
/**
 * The id of an order is stored only with the order, and a fact has the order's position. The hash of the fact covers the id,
 * so an id that was changed is found.
 */
const FACTS = `SELECT ${COLUMNS}, o.id AS order_id FROM fact f LEFT JOIN pay_order o ON o.position = f.position`;
const ALL = `${FACTS} WHERE f.seq > ? AND f.seq <= ? ORDER BY f.seq LIMIT ?`;
const OF_BATCHES = `${FACTS} WHERE ${LEDGER_FACTS} AND f.seq > ? ORDER BY f.seq LIMIT ?`;
/** What an interrupted planning left under the same id comes before the facts of the batch, and is never read as one of them. */
const OF_BATCH = `${FACTS} WHERE f.batch = ? AND f.seq > ? AND f.seq <= ?
  AND f.number > (SELECT COALESCE(MAX(begins_after), 0) FROM batch WHERE id = ?)`;
/** Positions in one query. Every query has this number of placeholders, so that it is prepared once. */
const POSITIONS_AT_ONCE = 128;
export const POSITION_PLACES = Array(POSITIONS_AT_ONCE).fill('?').join(', ');
const OF_ORDERS = `SELECT ${COLUMNS} FROM fact f WHERE f.position IN (${POSITION_PLACES}) ORDER BY f.position, f.seq`;

/** A fact with its place in the chain. */
export interface StoredFact {
  /** Place in the ledger, from 1. */
  readonly seq: number;
  readonly batch: BatchId;
  readonly fact: Fact | BatchFact;
  /** Place among the facts of its batch, from 1. */
  readonly number: number;
  /** SHA-256 over the hash of the fact before it in its batch, and everything that the fact itself says (`chain.ts`). */
  readonly hash: string;
}

/** The columns of a fact that is not decoded yet: what the chain is computed over. */
export interface RawFact extends ChainedFact {
  readonly seq: number;
  /** Position of the order that the fact is about; `undefined` if it is about a batch as a whole. */
  readonly position: number | undefined;
  readonly hash: string;
  /**
   * Text that may name people, and `salt`, under which `data` commits to it (`fact-text.ts`); `undefined` if there is none,
   * or it was deleted.
   */
  readonly text: string | undefined;
  readonly salt: string | undefined;
}

/** Yields the facts of a batch, or of the whole ledger. */
export async function* facts(database: Reader, batch?: BatchId): AsyncGenerator<StoredFact> {
  yield* stored(rawFacts(database, { ...(batch !== undefined && { batch }) }));
}

/** Yields the facts about batches as wholes that came after the fact `after`. */
export async function* ledgerFactsSince(database: Reader, after: number): AsyncGenerator<StoredFact> {
  yield* stored(ledgerFacts(database, after));
}

async function* stored(blocks: AsyncIterable<readonly RawFact[]>): AsyncGenerator<StoredFact> {
  for await (const block of blocks) {
    for (const raw of block) {
      const { seq, number, hash } = raw;
      yield { seq, batch: raw.batch, number, fact: decodeFact(raw), hash };
    }
  }
}

/** Which facts are read: those of one batch, if it is named; those after one fact and up to another. */
interface FactRange {
  readonly batch?: BatchId;
  /** Only facts of these types; all types if it is empty or absent. Applies only together with `batch`. */
  readonly types?: readonly string[];
  readonly after?: number;
  readonly to?: number;
}

/** Yields the facts about batches as wholes (`ledger-chain.ts`) that came after the fact `from`, in blocks. */
export async function* ledgerFacts(database: Reader, from: number): AsyncGenerator<readonly RawFact[]> {
  yield* inBlocks((after) => database.read(OF_BATCHES, [after, BLOCK_FACTS]), from);
}

export async function* rawFacts(
  database: Reader,
  { batch, types = [], after: from = 0, to = Number.MAX_SAFE_INTEGER }: FactRange = {},
): AsyncGenerator<readonly RawFact[]> {
  const only = types.length === 0 ? '' : ` AND f.type IN (${types.map(() => '?').join(', ')})`;
  const ofBatch = `${OF_BATCH}${only} ORDER BY f.seq LIMIT ?`;
  const read = (after: number) =>
    batch === undefined
      ? database.read(ALL, [after, to, BLOCK_FACTS])
      : database.read(ofBatch, [batch, after, to, batch, ...types, BLOCK_FACTS]);
  yield* inBlocks(read, from);
}

/**
 * Returns the facts of orders, by position, in the order in which they happened. `orders` are rows with the position and the
 * id of each order. An order without facts is absent.
 */
export async function factsOfOrders(
  database: Reader,
  orders: readonly SqlRow[],
): Promise<ReadonlyMap<number, readonly RawFact[]>> {
  const ids = new Map(orders.map((row) => [numberOf(row, 'position'), textOf(row, 'id') as OrderId])); // a column of order ids
  const found = new Map<number, RawFact[]>();
  for (const asked of inPlaces([...ids.keys()])) {
    for (const row of await database.read(OF_ORDERS, asked)) {
      const position = numberOf(row, 'position');
      const facts = found.get(position) ?? [];
      facts.push(rawFact(row, ids.get(position)));
      found.set(position, facts);
    }
  }
  return found;
}

/** Yields positions query by query. The last group is padded with its own first position. */
export function* inPlaces(positions: readonly number[]): Generator<readonly number[]> {
  for (let from = 0; from < positions.length; from += POSITIONS_AT_ONCE) {
    const asked = positions.slice(from, from + POSITIONS_AT_ONCE);
    yield Array.from({ length: POSITIONS_AT_ONCE }, (_, index) => asked[index] ?? asked[0] ?? 0);
  }
}

async function* inBlocks(
  read: (after: number) => Promise<readonly SqlRow[]>,
  from: number,
): AsyncGenerator<readonly RawFact[]> {
  for (let after = from; ; ) {
    const block = (await read(after)).map((row) => rawFact(row, (row['order_id'] as OrderId | null) ?? undefined));
    const last = block.at(-1);
    if (!last) return;
    yield block;
    if (block.length < BLOCK_FACTS) return;
    after = last.seq;
  }
}

const rawFact = (row: SqlRow, order: OrderId | undefined): RawFact => ({
  seq: numberOf(row, 'seq'),
  batch: textOf(row, 'batch') as BatchId, // a column of batch ids
  number: numberOf(row, 'number'),
  position: row['position'] === null ? undefined : numberOf(row, 'position'),
  order,
  type: textOf(row, 'type'),
  at: numberOf(row, 'happened_at'),
  // Data is never empty, so the chain finds bytes instead of a text as it finds any other change.
  data: typeof row['data'] === 'string' ? row['data'] : '',
  hash: textOf(row, 'hash'),
  text: (row['text'] as string | null) ?? undefined,
  salt: row['salt'] === null ? undefined : hexOf(row, 'salt'),
});

/** Returns the statement that appends a fact. */
export function factStatement(fact: Omit<RawFact, 'order'>): Statement {
  const { seq, batch, number, position, type, at, data, hash, text, salt } = fact;
  const kept = [bytesOf(hash), text ?? null, salt === undefined ? null : bytesOf(salt)];
  return { sql: INSERT_FACT, values: [seq, batch, number, position ?? null, type, at, data, ...kept], expect: 1 };
}

/** Encodes what a fact says beyond its columns, and apart from that the text that may name people (`fact-text.ts`). */
export function encodeFact(
  fact: Fact | BatchFact,
  newSalt: NewSalt,
): { readonly data: string; readonly kept?: KeptText } {
  if (fact.type === 'batch-planned')
    return {
      data: encodeRecord({
        header: fact.header,
        account: fact.account,
        rows: fact.rows,
        beginsAfter: fact.beginsAfter,
      }),
    };
  if (fact.type === 'order-planned') {
    const { order, at, type, ...data } = fact;
    return { data: JSON.stringify({ ...data, lines: data.lines.map(tagged) }) };
  }
  const { data, kept } = takeApart(fact.type, saidIn(fact), newSalt);
  return { data: JSON.stringify(data), ...(kept && { kept }) };
}

function saidIn(fact: Fact | BatchFact): object {
  if ('order' in fact) {
    const { order, at, type, ...said } = fact;
    return said;
  }
  const { batch, at, type, ...said } = fact;
  return said;
}

/** The columns from which a fact is decoded. */
interface FactColumns {
  readonly batch: BatchId;
  readonly order: OrderId | undefined;
  readonly type: string;
  readonly at: number;
  readonly data: string;
  /** The text that was taken out of the fact; `undefined` if there is none, or it was deleted. */
  readonly text?: string | undefined;
}

export function decodeFact({ batch, order, type, at, data, text }: FactColumns): Fact | BatchFact {
  const said = putTogether(type, decodeRecord<Record<string, unknown>>(data), text);
  const fact = order === undefined ? { type, batch, at, ...said } : { type, order, at, ...said };
  return fact as Fact | BatchFact; // only `encodeFact` wrote it, and the chain vouches for it
}

/** Decodes a fact about a batch, and not about one of its orders, from a row with `type`, `happened_at`, `data` and `text`. */
export const batchFactIn = (row: SqlRow, batch: BatchId): BatchFact =>
  decodeFact({
    batch,
    order: undefined,
    type: textOf(row, 'type'),
    at: numberOf(row, 'happened_at'),
    data: textOf(row, 'data'),
    text: (row['text'] as string | null) ?? undefined,
  }) as BatchFact; // it names no order
