/** Reads what the ledger says about batches and their rows, always from what is committed. */

import { minorOf, numberOf, type Reader, type SqlRow, textOf } from '../database/database.ts';
import type { BatchHeader, KindName, Payout, ResultRow, Tally } from '../domain/batch.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import { type BatchId, comparedBatchName, namedBatchKey, type OrderId, type TraceNumber } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { decodeRecord } from '../domain/json.ts';
import type { LeftOut } from '../domain/left-out.ts';
import { isSuperseded, type LineState, type OrderState, outcomeOfLine } from '../domain/order.ts';
import { isDefiniteFailure, type Outcome, outcomes } from '../domain/outcome.ts';
import { PURGED } from '../domain/purged.ts';
import { decodeDetails, decodeReason } from './commitment.ts';
import { changed } from './proof-faults.ts';
import { currentOrders, type OrdersRead, type RowOwner } from './recorded-orders.ts';

/** Rows that are held in memory at a time while a batch is read. */
const BLOCK_ROWS = 500;

const HEADERS = 'SELECT header FROM batch';
/** The outcome of a row `p` with its order `o`. */
const OUTCOME = 'COALESCE(p.outcome, o.outcome)';
const PAYOUTS = 'payout p LEFT JOIN pay_order o ON o.id = p.order_id';
const TALLIES = `SELECT ${OUTCOME} AS outcome, COUNT(*) AS number, SUM(p.amount_minor) AS amount,
  SUM(p.fee_minor) AS fees, SUM(CASE WHEN p.amount_minor IS NULL THEN 1 ELSE 0 END) AS unread,
  COALESCE(SUM(o.superseded), 0) AS superseded_rows FROM ${PAYOUTS} WHERE p.batch = ? GROUP BY ${OUTCOME}`;
/**
 * Leaves out what is not needed here and would be built for every row: the salt itself, and the columns of the order, which
 * many rows share.
 */
const ROWS = `SELECT sheet_row, kind, reference, name, amount_minor, payout, payee, currency, charge_minor, order_id, trace, outcome,
  CASE WHEN salt IS NULL THEN 0 ELSE 1 END AS salted, texts, issues FROM payout
  WHERE batch = ? AND sheet_row > ? ORDER BY sheet_row LIMIT ?`;
const ORDERS = 'WHERE o.id IN (SELECT order_id FROM payout WHERE batch = ? AND sheet_row > ? AND sheet_row <= ?)';

const SINCE = `SELECT b.id AS batch FROM batch b WHERE b.id <> ? AND EXISTS (SELECT 1 FROM fact f
  WHERE f.batch = b.id AND f.seq > (SELECT MIN(seq) FROM fact WHERE batch = ?)) ORDER BY b.number`;
const SMALLEST = 'SELECT id FROM pay_order WHERE batch = ? AND attempt = 1 ORDER BY id LIMIT ?';
const ALARMED = 'WHERE o.batch = ? AND o.alarmed = 1';

export const findBatch = async (database: Reader, id: BatchId): Promise<BatchHeader | undefined> =>
  (await database.read(`${HEADERS} WHERE id = ?`, [id])).map(headerOf)[0];

/** Returns the smallest ids among the orders of the first attempt. */
export const smallestOrders = async (database: Reader, batch: BatchId, limit: number): Promise<readonly OrderId[]> =>
  (await database.read(SMALLEST, [batch, limit])).map((row) => textOf(row, 'id') as OrderId); // a column of order ids

/** Finds the batch that a person means: by its name, as names are compared, or by its id if it has no name. */
export const findBatchCalled = async (database: Reader, called: string): Promise<BatchHeader | undefined> =>
  (
    await database.read(`${HEADERS} WHERE batch_key = ? OR id = ?`, [namedBatchKey(called), comparedBatchName(called)])
  ).map(headerOf)[0];

export const latestBatch = async (database: Reader): Promise<BatchHeader | undefined> =>
  (await database.read(`${HEADERS} ORDER BY number DESC LIMIT 1`)).map(headerOf)[0];

/** Returns the other batches about which something was recorded since this one was planned. */
export const batchesSince = async (database: Reader, batch: BatchId): Promise<readonly BatchId[]> =>
  (await database.read(SINCE, [batch, batch])).map((row) => textOf(row, 'batch') as BatchId); // a column of batch ids

/** Returns all batches, the latest first. */
export const batches = async (database: Reader): Promise<BatchHeader[]> =>
  (await database.read(`${HEADERS} ORDER BY number DESC`)).map(headerOf);

/** Returns count, amount and fees of every outcome that occurs, in the order in which outcomes are reported. */
export async function tallies(database: Reader, batch: BatchId): Promise<readonly Tally[]> {
  const header = await findBatch(database, batch);
  invariant(header, `batch ${batch} is in the ledger`);
  const { currency } = header;
  const found = (await database.read(TALLIES, [batch])).map(
    (row): Tally => ({
      outcome: textOf(row, 'outcome') as Outcome, // the schema admits no other
      count: numberOf(row, 'number'),
      amount: { minor: minorOf(row, 'amount'), currency },
      fees: { minor: minorOf(row, 'fees'), currency },
      ...(row['outcome'] === 'left-out' && numberOf(row, 'unread') > 0 && { unread: numberOf(row, 'unread') }),
      ...(numberOf(row, 'superseded_rows') > 0 && { superseded: numberOf(row, 'superseded_rows') }),
    }),
  );
  return found.toSorted((a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome));
}

/** Yields every row of the sheet with everything that became of it, in sheet order, in blocks. */
export async function* resultRows(reading: OrdersRead, batch: BatchId): AsyncGenerator<readonly ResultRow[]> {
  const earlier = await earlierAlarms(reading, batch);
  for (let after = 0; ; ) {
    const rows = await rowsAfter(reading, batch, after, BLOCK_ROWS);
    const last = rows.at(-1);
    if (!last) return;
    yield withEarlier(rows, earlier);
    after = last.row;
  }
}

/** Finds one row of the sheet, with everything that became of it. */
export async function findRow(reading: OrdersRead, batch: BatchId, row: number): Promise<ResultRow | undefined> {
  const rows = await rowsAfter(reading, batch, row - 1, 1);
  if (rows[0]?.row !== row) return undefined;
  return withEarlier(rows, await earlierAlarms(reading, batch))[0];
}

async function rowsAfter(reading: OrdersRead, batch: BatchId, after: number, most: number): Promise<ResultRow[]> {
  const rows = await reading.database.read(ROWS, [batch, after, most]);
  const last = rows.at(-1);
  if (!last) return [];
  const owners = await ownersOf(reading, batch, after, numberOf(last, 'sheet_row'));
  return rows.map((row) => resultRow(row, owners));
}

const withEarlier = (rows: readonly ResultRow[], earlier: ReadonlyMap<number, Earlier>): readonly ResultRow[] =>
  earlier.size === 0 ? rows : rows.map((row) => ({ ...row, ...earlier.get(row.row) }));

/** Lines of the orders of a block of rows, by trace number. Each order is read and folded once for all of its rows. */
type Owners = ReadonlyMap<string, RowOwner>;

async function ownersOf(reading: OrdersRead, batch: BatchId, after: number, upTo: number): Promise<Owners> {
  const owners = new Map<string, RowOwner>();
  for (const { state, commitments } of await currentOrders(reading, ORDERS, [batch, after, upTo])) {
    for (const [index, line] of state.lines.entries()) {
      owners.set(line.trace, { state, line, charge: commitments.charges[index] ?? null });
    }
  }
  return owners;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

type Earlier = Pick<ResultRow, 'earlierAlarms' | 'earlierLines'>;

/** Returns the alarms of replaced orders, by the number of the row that another order pays now. */
async function earlierAlarms(reading: OrdersRead, batch: BatchId): Promise<ReadonlyMap<number, Earlier>> {
  const found = new Map<number, Earlier>();
  for (const { state } of await currentOrders(reading, ALARMED, [batch])) {
    const { lines, alarms } = state;
    for (const line of lines) {
      if (!line.replacedBy) continue;
      const { earlierAlarms = [], earlierLines = [] } = found.get(line.row) ?? {};
      found.set(line.row, { earlierAlarms: [...earlierAlarms, ...alarms], earlierLines: [...earlierLines, line] });
    }
  }
  return found;
}

/**
 * Builds a result row. What became of the row is taken from the facts of its order, not from the columns of the row.
 * Fields are set one by one for speed: a row has a dozen of them, and a sheet may have a hundred thousand rows.
 */
function resultRow(row: SqlRow, owners: Owners): ResultRow {
  const number = numberOf(row, 'sheet_row');
  const order = row['order_id'] as OrderId | null;
  const trace = row['trace'] as TraceNumber | null;
  const owner = trace === null ? undefined : owners.get(trace);
  if (order === null ? trace !== null : owner?.state.id !== order || owner.line.row !== number) {
    throw changed(`row ${number} of the sheet: is not in its order`);
  }
  const result: Writable<ResultRow> = {
    row: number,
    texts: JSON.parse(textOf(row, 'texts')),
    issues: row['issues'] === '[]' ? [] : JSON.parse(textOf(row, 'issues')),
    outcome: owner ? outcomeOfLine(owner.state, owner.line) : (row['outcome'] as Outcome), // the schema admits no row without one
  };
  if (result.outcome === 'left-out') result.leftOut = leftOutIn(row);
  const payout = result.leftOut ? undefined : payoutIn(row);
  if (payout) result.payout = payout;
  if (!owner || order === null || trace === null) return result;
  const { state, line, charge } = owner;
  if (charge !== null) result.charge = { minor: BigInt(charge), currency: textOf(row, 'currency') as CurrencyCode };
  result.order = order;
  result.trace = trace;
  result.state = state;
  result.line = line;
  const superseded = supersededAs(result.outcome, state, line);
  if (superseded) result.superseded = superseded;
  return result;
}

/** Returns the payout of a row. If its person was deleted, only the way of paying and the amount are left. */
function payoutIn(row: SqlRow): ResultRow['payout'] {
  const { payout, reference, amount_minor } = row;
  if (payout === null && (numberOf(row, 'salted') === 1 || amount_minor === null)) return undefined;
  const kind = textOf(row, 'kind') as KindName; // a column of kinds; the next one holds currency codes
  const amount = { minor: minorOf(row, 'amount_minor'), currency: textOf(row, 'currency') as CurrencyCode };
  if (payout === null) return { kind, name: PURGED, destination: PURGED, payee: '', amount };
  const { destination, network, note } = decodeDetails(textOf(row, 'payout'));
  const found: Writable<Payout> = { kind, name: textOf(row, 'name'), destination, payee: textOf(row, 'payee'), amount };
  if (reference !== null) found.reference = textOf(row, 'reference');
  if (network !== undefined) found.network = network;
  if (note !== undefined) found.note = note;
  return found;
}

/** Returns why a row was left out. If its person was deleted, only the amount is left. */
function leftOutIn(row: SqlRow): LeftOut {
  const { payout, amount_minor } = row;
  const reason = payout === null ? PURGED : decodeReason(textOf(row, 'payout'));
  if (amount_minor === null) return { reason };
  return { reason, amount: { minor: minorOf(row, 'amount_minor'), currency: textOf(row, 'currency') as CurrencyCode } };
}

/**
 * Returns whether a row is superseded, and by which batch. Unsent rows are superseded together with their order; a failed
 * row is superseded on its own, and `retry` leaves it to the later batch.
 */
function supersededAs(outcome: Outcome, state: OrderState, { supersededBy }: LineState): ResultRow['superseded'] {
  const held = supersededBy !== undefined && { batch: supersededBy };
  if (isDefiniteFailure(outcome)) return held || undefined;
  const isWaiting = outcome === 'unsent' || outcome === 'in-doubt';
  return isWaiting && isSuperseded(state) ? held || {} : undefined;
}

const headerOf = (row: SqlRow): BatchHeader => decodeRecord<BatchHeader>(textOf(row, 'header'));
