/**
 * Forgets whom a batch paid. Names, phones, accounts and the words of the service are deleted with their salts; ids, hashes,
 * amounts, receipts and outcomes stay, and a fact says that it was done and what is left. Facts, head and chain prove each other as
 * before, because they have only ever held hashes of what is deleted.
 *
 * A batch is purged in one transaction, so a crash leaves it whole or purged. What SQLite still has of it in the file is overwritten
 * by `Database.compact`, which may be repeated as often as one likes.
 */
import type { BatchHeader } from '../domain/batch.ts';
import type { Fact } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { advance, isSuperseded, type OrderState, openAlarms } from '../domain/order.ts';
import type { PurgeRecord } from '../domain/purged.ts';
import { RowsLeft } from './commitment.ts';
import { type Database, numberOf, type Reader, type SqlRow, type Statement, textOf } from './database.ts';
import type { Append } from './ending.ts';
import { decodeFact } from './fact-record.ts';
import { rawFacts } from './facts.ts';
import { leaseOf, PLANNING } from './lease.ts';
import type { Moving } from './moving.ts';
import { orderOutcomeOf } from './order-columns.ts';
import { stateSeal } from './order-seal.ts';
import { encodeState } from './record-text.ts';

/** A part of `Ledger`, with its promises. */
export interface LedgerRetention {
  /** The batches of which the people were deleted. */
  purges(): Promise<ReadonlyMap<BatchId, PurgeRecord>>;
  /** Throws a Fault `usage` when the people of a batch were deleted: nothing can be sent, asked or recorded of it any more. */
  requireKept(batch: BatchId): Promise<void>;
  /** When the last fact of a batch was recorded, in wall-clock milliseconds. */
  lastFactAt(batch: BatchId): Promise<number>;
  /** The batch of an order; undefined: this ledger has no such order. */
  batchOf(order: string): Promise<BatchId | undefined>;
  /** Lease of planning. Deletes the people of a batch that is through. Whoever calls makes sure that nothing of it is open. */
  purge(batch: BatchHeader, by: string): Promise<void>;
  /** Lease. Leaves no byte of what was deleted in the files of the ledger. Fault `ledger-held` while somebody reads them. */
  compact(): Promise<void>;
}

const LAST_AT = 'SELECT MAX(happened_at) AS at FROM fact WHERE batch = ?';
const BATCH_OF = 'SELECT batch FROM pay_order WHERE id = ?';

export const lastFactAt = async (database: Reader, batch: BatchId): Promise<number> =>
  numberOf((await database.read(LAST_AT, [batch]))[0] ?? {}, 'at');

export const batchOf = async (database: Reader, order: string): Promise<BatchId | undefined> =>
  (await database.read(BATCH_OF, [order])).map((row) => textOf(row, 'batch') as BatchId)[0]; // stored as one

/** Says why nothing goes on with a batch whose people were deleted. */
export const purgedFault = ({ batch, at }: PurgeRecord): Fault =>
  new Fault(
    'usage',
    `The names, phones and accounts of batch ${batch} were deleted on ${new Date(at).toISOString().slice(0, 10)} (purge), and with them what could be sent, asked or tried again. Nothing was sent.`,
    `What became of it: \`paybatch report ${batch}\`. Pay what is still owed with a new sheet and a batch name of its own.`,
  );

/** Rows and orders that are read at a time. */
const BLOCK = 500;

const ROWS = `SELECT sheet_row, kind, amount_minor, currency FROM payout WHERE batch = ? AND sheet_row > ?
  ORDER BY sheet_row LIMIT ${BLOCK}`;
const ORDERS = `SELECT position, id, version, phase, outcome, alarmed, superseded FROM pay_order
  WHERE batch = ? AND position > ? ORDER BY position LIMIT ${BLOCK}`;

const FORGET_FACTS = 'UPDATE fact SET text = NULL, salt = NULL WHERE batch = ? AND text IS NOT NULL';
const FORGET_BODIES = `UPDATE order_body SET body = NULL, origin = NULL, salt = NULL
  WHERE position IN (SELECT position FROM pay_order WHERE batch = ?)`;
const FORGET_ROWS = `UPDATE payout SET reference = NULL, name = NULL, payout = NULL, payee = NULL, texts = '[]', issues = '[]',
  salt = NULL WHERE batch = ?`;
const FORGET_STATE = 'UPDATE pay_order SET state = ?, lines = ? WHERE position = ? AND version = ?';

/** Deletes the people of a batch, or nothing; it is proven before, so that what is deleted was what the facts say. */
export async function purgeBatch(
  database: Database,
  { writer, proof }: Moving,
  { id }: BatchHeader,
  { at, by }: Pick<PurgeRecord, 'at' | 'by'>,
): Promise<void> {
  await proof.batchUnderLease(id);
  const left = await rowsLeft(database, id);
  const states = await statesWithoutTexts(database, id);
  await writer.stream({ under: [PLANNING, leaseOf(id)] }, async function* statements(append: Append) {
    yield [
      append(id, { type: 'batch-purged', batch: id, at, by, left: left.value() }),
      ...[FORGET_FACTS, FORGET_BODIES, FORGET_ROWS].map((sql): Statement => ({ sql, values: [id] })),
    ];
    yield* forgottenStates(database, id, states, append);
  });
  proof.purged({ batch: id, at, by });
}

async function rowsLeft(database: Reader, batch: BatchId): Promise<RowsLeft> {
  const left = new RowsLeft();
  for await (const rows of blocks(database, ROWS, batch, 'sheet_row')) for (const row of rows) left.add(row);
  return left;
}

/** Where the facts bring each order when nobody knows the words in them. */
async function statesWithoutTexts(database: Reader, batch: BatchId): Promise<ReadonlyMap<string, OrderState>> {
  const states = new Map<string, OrderState>();
  for await (const block of rawFacts(database, { batch })) {
    for (const raw of block) {
      if (raw.order === undefined) continue;
      const fact = decodeFact({ ...raw, text: undefined }) as Fact; // it names an order
      states.set(raw.order, advance(states.get(raw.order), fact));
    }
  }
  return states;
}

async function* forgottenStates(
  database: Reader,
  batch: BatchId,
  states: ReadonlyMap<string, OrderState>,
  { seals }: Append,
): AsyncGenerator<readonly Statement[]> {
  for await (const orders of blocks(database, ORDERS, batch, 'position')) {
    await seals.load(orders.map((order) => numberOf(order, 'position')));
    yield orders.map((order): Statement => {
      const state = states.get(textOf(order, 'id'));
      invariant(
        state && standsWhereItStood(state, order),
        'an order stands where it stood, without the words about it',
      );
      const texts = encodeState(state);
      const [position, version] = [numberOf(order, 'position'), numberOf(order, 'version')];
      seals.moved(position, { version, state: stateSeal(texts) });
      return { sql: FORGET_STATE, values: [texts.state, texts.lines, position, version], expect: 1 };
    });
  }
}

const standsWhereItStood = (state: OrderState, order: SqlRow): boolean =>
  state.phase === order['phase'] &&
  orderOutcomeOf(state) === order['outcome'] &&
  numberOf(order, 'alarmed') === (openAlarms(state).length > 0 ? 1 : 0) &&
  numberOf(order, 'superseded') === (isSuperseded(state) ? 1 : 0);

async function* blocks(database: Reader, sql: string, batch: BatchId, key: string): AsyncGenerator<readonly SqlRow[]> {
  for (let after = 0; ; ) {
    const rows = await database.read(sql, [batch, after]);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = numberOf(last, key);
  }
}
