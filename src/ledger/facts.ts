/** The facts as they are stored, written and read in the order in which they happened. */
import type { BatchFact, Fact } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { decodeRecord, encodeRecord } from '../domain/json.ts';
import type { ChainedFact } from './chain.ts';
import { type NewSalt, tagged } from './commitment.ts';
import { bytesOf, hexOf, numberOf, type Reader, type SqlRow, type Statement, textOf } from './database.ts';
import { type KeptText, putTogether, takeApart } from './fact-text.ts';
import { TOLD } from './told-facts.ts';

/** Facts held at a time while the ledger is read. */
const BLOCK_FACTS = 1000;

const INSERT_FACT = `INSERT INTO fact (seq, batch, number, position, type, happened_at, data, hash, text, salt)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/**
 * The id of an order stands with the order alone, and a fact has its position. The hash of the fact is over the id, so an id that was
 * changed is found. Hashes are read as digits: bytes are an object of their own in memory, which costs more than all else of a row.
 */
const FACTS = `SELECT f.seq, f.batch, f.number, f.position, o.id AS order_id, f.type, f.happened_at, f.data,
  lower(hex(f.hash)) AS hash, f.text, f.salt FROM fact f LEFT JOIN pay_order o ON o.position = f.position`;
const ALL = `${FACTS} WHERE f.seq > ? AND f.seq <= ? ORDER BY f.seq LIMIT ?`;
const OF_BATCHES = `${FACTS} WHERE ${TOLD} AND f.seq > ? AND f.seq <= ? ORDER BY f.seq LIMIT ?`;
const OF_BATCH = `${FACTS} WHERE f.batch = ? AND f.seq > ? AND f.seq <= ?`;
/** Positions in one question. Each question has as many places, so that it is prepared once. */
const POSITIONS_AT_ONCE = 128;
export const POSITION_PLACES = Array(POSITIONS_AT_ONCE).fill('?').join(', ');
const OF_ORDERS = `${FACTS} WHERE f.position IN (${POSITION_PLACES}) ORDER BY f.position, f.seq`;

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
  /** Position of the order that it is about; missing: it is about a batch as a whole. */
  readonly position: number | undefined;
  readonly hash: string;
  /** What may name people, and the salt under which `data` commits to it (`fact-text.ts`); missing: nothing, or it was deleted. */
  readonly text: string | undefined;
  readonly salt: string | undefined;
}

/** Facts of a batch, or of the whole ledger. */
export async function* facts(database: Reader, batch?: BatchId): AsyncGenerator<StoredFact> {
  yield* stored(rawFacts(database, { ...(batch !== undefined && { batch }) }));
}

/** Those of batches as wholes that came after this one. */
export async function* toldSince(database: Reader, after: number): AsyncGenerator<StoredFact> {
  yield* stored(toldFacts(database, { after, to: Number.MAX_SAFE_INTEGER }));
}

async function* stored(blocks: AsyncIterable<readonly RawFact[]>): AsyncGenerator<StoredFact> {
  for await (const block of blocks) {
    for (const raw of block) {
      const { seq, number, hash } = raw;
      yield { seq, batch: raw.batch, number, fact: decodeFact(raw), hash };
    }
  }
}

/** Which facts are read: of one batch, if it is named; after one fact and up to another one. */
interface FactRange {
  readonly batch?: BatchId;
  /** Of these types alone. */
  readonly types?: readonly string[];
  readonly after?: number;
  readonly to?: number;
}

/** Those that are told of batches as wholes (`told-facts.ts`). */
export async function* toldFacts(
  database: Reader,
  { after: from, to }: { readonly after: number; readonly to: number },
): AsyncGenerator<readonly RawFact[]> {
  yield* inBlocks((after) => database.read(OF_BATCHES, [after, to, BLOCK_FACTS]), from);
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
      : database.read(ofBatch, [batch, after, to, ...types, BLOCK_FACTS]);
  yield* inBlocks(read, from);
}

/** The facts of the orders at these positions, by position, in the order in which they happened; an order without any is missing. */
export async function factsOfOrders(
  database: Reader,
  positions: readonly number[],
): Promise<ReadonlyMap<number, readonly RawFact[]>> {
  const found = new Map<number, RawFact[]>();
  for (const asked of inPlaces(positions)) {
    for (const row of await database.read(OF_ORDERS, asked)) {
      const position = numberOf(row, 'position');
      const facts = found.get(position) ?? [];
      facts.push(rawFact(row));
      found.set(position, facts);
    }
  }
  return found;
}

/** Positions question by question; the last one is filled up with its own first position. */
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
  position: row['position'] === null ? undefined : numberOf(row, 'position'),
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
export function factStatement(fact: Omit<RawFact, 'order'>): Statement {
  const { seq, batch, number, position, type, at, data, hash, text, salt } = fact;
  const kept = [bytesOf(hash), text ?? null, salt === undefined ? null : bytesOf(salt)];
  return { sql: INSERT_FACT, values: [seq, batch, number, position ?? null, type, at, data, ...kept], expect: 1 };
}

/** What a fact says beyond what has a column of its own, and apart from it what may name people (`fact-text.ts`). */
export function encodeFact(
  fact: Fact | BatchFact,
  newSalt: NewSalt,
): { readonly data: string; readonly kept?: KeptText } {
  if (fact.type === 'batch-planned') return { data: encodeRecord({ header: fact.header, account: fact.account }) };
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

/** The columns from which a fact is read back. */
interface FactColumns {
  readonly batch: BatchId;
  readonly order: OrderId | undefined;
  readonly type: string;
  readonly at: number;
  readonly data: string;
  /** What was taken out of it; undefined: nothing, or it was deleted. */
  readonly text?: string | undefined;
}

export function decodeFact({ batch, order, type, at, data, text }: FactColumns): Fact | BatchFact {
  const said = putTogether(type, decodeRecord<Record<string, unknown>>(data), text);
  const fact = order === undefined ? { type, batch, at, ...said } : { type, order, at, ...said };
  return fact as Fact | BatchFact; // only `encodeFact` wrote it, and the chain vouches for it
}

/** A fact of a batch that is about none of its orders, as a row with `type`, `happened_at`, `data` and `text` has it. */
export const batchFactIn = (row: SqlRow, batch: BatchId): BatchFact =>
  decodeFact({
    batch,
    order: undefined,
    type: textOf(row, 'type'),
    at: numberOf(row, 'happened_at'),
    data: textOf(row, 'data'),
    text: (row['text'] as string | null) ?? undefined,
  }) as BatchFact; // it names no order
