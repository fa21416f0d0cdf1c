/**
 * Proof of one batch: its rows, its bodies, and the columns that find its orders are what its facts say. The facts of each
 * order are folded by the function that moved the order, and what they commit to is hashed again. Orders are read block by
 * block, so a batch of a million rows takes no more memory than one of a thousand.
 */

import { blocksOf, numberOf, type Reader, type SqlRow } from '../database/database.ts';
import type { BatchHeader, Tally } from '../domain/batch.ts';
import { counted } from '../domain/counted.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { BatchFact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { isSuperseded, outcomeOfLine } from '../domain/order.ts';
import { type Outcome, outcomes } from '../domain/outcome.ts';
import { leftText, ROW_COLUMNS, RowsHash, storedRowHash } from './commitment.ts';
import { decodeFact, rawFacts } from './facts.ts';
import type { FoundRow } from './payees.ts';
import {
  currentOrdersAt,
  feeOf,
  hasOwnTexts,
  isFolded,
  isPurgedOrder,
  type OrdersRead,
  otherColumns,
  type RecordedOrder,
  type RowOwner,
  recordedOrders,
  rowsOfOrders,
  saidOfRow,
} from './recorded-orders.ts';

/** Orders, or rows without an order, that are proven together. */
const BLOCK = 500;

const ORDERS = `WHERE o.batch = ? AND o.position > ? ORDER BY o.position LIMIT ${BLOCK}`;
const ROWS = `SELECT ${ROW_COLUMNS}, charge_minor, order_id, trace, outcome, fee_minor FROM payout
  WHERE batch = ? AND sheet_row > ?`;
const UNOWNED = `${ROWS} AND order_id IS NULL ORDER BY sheet_row LIMIT ${BLOCK}`;
const ALL = `SELECT ${ROW_COLUMNS} FROM payout WHERE batch = ? AND sheet_row > ? ORDER BY sheet_row LIMIT ${BLOCK}`;
const ROW_COUNT = 'SELECT COUNT(*) AS number FROM payout WHERE batch = ?';
const ORPHANS = `SELECT f.seq FROM fact f WHERE f.batch = ? AND f.type = 'order-planned'
  AND f.number > (SELECT MAX(begins_after) FROM batch WHERE id = ?)
  AND NOT EXISTS (SELECT 1 FROM pay_order o WHERE o.position = f.position AND o.batch = f.batch) ORDER BY f.seq`;

/** What the facts say about the batch in addition to its orders. */
interface BatchSaid {
  /** Rows that no order pays, by number, with the hash that their plan commits to. */
  readonly setAside: Map<number, { readonly hash: string; readonly isLeftOut: boolean }>;
  /** A hash over what a purge has left of its rows (`rowsLeft`); `undefined` if its people were not deleted. */
  left: string | undefined;
}

/** Totals of what was read so far. */
interface Seen {
  readonly tallied: Tallied;
  rows: number;
  payable: number;
  total: bigint;
}

/**
 * Yields everything about a batch that disagrees with its facts, which must be those of its chain. `tallied` counts every
 * row.
 */
export async function* batchDifferences(
  database: Reader,
  { id, rows, payable, total }: BatchHeader,
  tallied = new Tallied(),
): AsyncGenerator<string> {
  const said = await saidOf(database, id);
  const seen: Seen = { rows: 0, payable: 0, total: 0n, tallied };
  yield* orderDifferences(database, id, said, seen);
  yield* unownedDifferences(database, id, said, seen);
  for (const row of await database.read(ORPHANS, [id, id]))
    yield `the order that fact ${numberOf(row, 'seq')} has planned: is missing, but has facts`;
  const [count] = await database.read(ROW_COUNT, [id]);
  const found = count ? numberOf(count, 'number') : 0;
  if (found !== rows || seen.rows !== rows) yield `batch ${id}: has ${counted(found, 'row')} instead of ${rows}`;
  if (seen.payable !== payable || seen.total !== total.minor) yield `batch ${id}: its control totals differ`;
  if (said.left !== undefined && said.left !== (await rowsLeft(database, id)))
    yield `batch ${id}: its rows differ from what its purge left`;
}

async function saidOf(database: Reader, batch: BatchId): Promise<BatchSaid> {
  const said: BatchSaid = { setAside: new Map(), left: undefined };
  for await (const block of rawFacts(database, { batch, types: ['row-set-aside', 'batch-purged'] })) {
    for (const raw of block) {
      const fact = decodeFact(raw) as BatchFact; // it is about no order
      if (fact.type === 'batch-purged') said.left = fact.left;
      if (fact.type === 'row-set-aside')
        said.setAside.set(fact.row, { hash: fact.hash, isLeftOut: fact.leftOut === true });
    }
  }
  return said;
}

async function* orderDifferences(
  database: Reader,
  batch: BatchId,
  { left }: BatchSaid,
  seen: Seen,
): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const block = await recordedOrders(database, ORDERS, [batch, after]);
    const last = block.at(-1);
    if (!last) return;
    const orders = block.filter(isFolded);
    for (const one of block) if (!isFolded(one)) yield one.wrong;
    for (const order of orders) yield* orderDifference(order, left !== undefined);
    const owners = orders.flatMap(ownersIn);
    const rows = await rowsOfOrders(database, batch, orders);
    for (const owner of owners) {
      const wrong = rowDifference(rows.get(owner.line.row), owner.committed, owner, left !== undefined);
      if (wrong !== undefined) yield `row ${owner.line.row} of batch ${batch}: ${wrong}`;
      seen.payable += 1;
      seen.total += owner.line.amount.minor;
      seen.tallied.paid(owner);
    }
    seen.rows += owners.length;
    after = numberOf(last.row, 'position');
  }
}

function* orderDifference(order: RecordedOrder, isPurged: boolean): Generator<string> {
  const { id } = order.state;
  const columns = [...otherColumns(order)];
  if (isPurged ? !isPurgedOrder(order) : !hasOwnTexts(order)) columns.push('body');
  if (columns.length > 0) yield `order ${id}: differs from its facts in ${columns.join(', ')}`;
}

interface CommittedOwner extends RowOwner {
  /** The hash of the row that its plan commits to. */
  readonly committed: string | undefined;
}

/** Returns the rows that an order pays, without those that a later attempt pays instead. */
export function ownersIn({
  state,
  commitments,
}: Pick<RecordedOrder, 'state' | 'commitments'>): readonly CommittedOwner[] {
  return state.lines.flatMap((line, index) =>
    line.replacedBy
      ? []
      : [{ state, line, charge: commitments.charges[index] ?? null, committed: commitments.rows[index] }],
  );
}

/** Yields the differences of rows that no order pays. */
async function* unownedDifferences(
  database: Reader,
  batch: BatchId,
  { setAside, left }: BatchSaid,
  seen: Seen,
): AsyncGenerator<string> {
  const missing = new Set(setAside.keys());
  for await (const block of blocksOf(database, UNOWNED, [batch], 'sheet_row')) {
    for (const row of block) {
      const number = numberOf(row, 'sheet_row');
      const said = setAside.get(number);
      missing.delete(number);
      const wrong = said
        ? rowDifference(row, said.hash, said.isLeftOut ? 'left-out' : undefined, left !== undefined)
        : 'no fact has planned it';
      seen.tallied.setAside(said?.isLeftOut ? 'left-out' : 'invalid', row['amount_minor'] as bigint | null); // the type of the column
      if (wrong !== undefined) yield `row ${number} of batch ${batch}: ${wrong}`;
    }
    seen.rows += block.length;
  }
  for (const number of missing) yield `row ${number} of batch ${batch}: is missing, but has facts`;
}

/**
 * Yields the differences of these rows: each must be paid by the order that it is found under, and be as that order says. The
 * facts of the batch must be those of its chain.
 */
export async function* foundDifferences(
  read: OrdersRead,
  batch: BatchId,
  found: readonly FoundRow[],
): AsyncGenerator<string> {
  const orders = await currentOrdersAt(
    read,
    found.flatMap(({ position = [] }) => position),
  );
  const owners = new Map(orders.flatMap(ownersIn).map((owner) => [owner.line.row, owner]));
  const rows = await rowsOfOrders(read.database, batch, orders);
  for (const { row } of found) {
    const owner = owners.get(row);
    const wrong = owner
      ? rowDifference(rows.get(row), owner.committed, owner, false)
      : 'is not under the order that pays it';
    if (wrong !== undefined) yield `row ${row} of batch ${batch}: ${wrong}`;
  }
}

function rowDifference(
  row: SqlRow | undefined,
  committed: string | undefined,
  owner: RowOwner | 'left-out' | undefined,
  isPurged: boolean,
): string | undefined {
  if (!row) return 'is missing, but has facts';
  if (isPurged) {
    if (!isPurgedRow(row)) return 'has personal data that was purged';
  } else if (row['salt'] === null || storedRowHash(row) !== committed)
    return 'what the sheet said about it was changed';
  const said = owner === 'left-out' ? saidOfRow(undefined, true) : saidOfRow(owner, false);
  const wrong = Object.entries(said).flatMap(([column, value]) => (row[column] === value ? [] : [column]));
  return wrong.length > 0 ? `differs from its facts in ${wrong.join(', ')}` : undefined;
}

/** Reports whether nothing of a row is left that its plan commits to, except what `rowsLeft` covers. */
const isPurgedRow = ({ reference, name, payout, payee, salt, texts, issues }: SqlRow): boolean =>
  [reference, name, payout, payee, salt].every((value) => value === null) && texts === '[]' && issues === '[]';

/** Yields what the sheet said about the rows of a batch (`ROW_COLUMNS`), in sheet order, in blocks. */
export const sheetRows = (database: Reader, batch: BatchId): AsyncGenerator<readonly SqlRow[]> =>
  blocksOf(database, ALL, [batch], 'sheet_row');

/** Returns the hash over what is left of the rows of a batch when its people are deleted. */
export const rowsLeft = (database: Reader, batch: BatchId): Promise<string> => hashOfRows(database, batch, leftText);

/** Returns the hash over what the sheet said about the rows of a batch, to which its plan commits. */
export const rowsAsPlanned = (database: Reader, batch: BatchId): Promise<string> =>
  hashOfRows(database, batch, rowAsPlanned);

/** Returns the part of a row in the hash to which its plan commits (`rowsAsPlanned`). */
export const rowAsPlanned = (row: SqlRow): string => (row['salt'] === null ? 'deleted' : storedRowHash(row));

async function hashOfRows(database: Reader, batch: BatchId, said: (row: SqlRow) => string): Promise<string> {
  const hash = new RowsHash();
  for await (const block of sheetRows(database, batch)) for (const row of block) hash.add(said(row));
  return hash.value();
}

interface Sums {
  count: number;
  amount: bigint;
  fees: bigint;
  unread: number;
  superseded: number;
}

/** Counts rows by what became of them, as their facts say. */
export class Tallied {
  readonly #sums = new Map<Outcome, Sums>();

  /** Counts a row that an order pays. */
  paid({ state, line }: Pick<RowOwner, 'state' | 'line'>): void {
    const sums = this.#of(outcomeOfLine(state, line));
    sums.count += 1;
    sums.amount += line.amount.minor;
    sums.fees += feeOf(line) ?? 0n;
    if (isSuperseded(state)) sums.superseded += 1;
  }

  /** Counts a row that no order pays. `amount` is null if the row has none that can be read. */
  setAside(outcome: 'left-out' | 'invalid', amount: bigint | null): void {
    const sums = this.#of(outcome);
    sums.count += 1;
    sums.amount += amount ?? 0n;
    if (outcome === 'left-out' && amount === null) sums.unread += 1;
  }

  /** Returns the counts, in the order in which outcomes are reported. */
  list(currency: CurrencyCode): readonly Tally[] {
    const inOrder = [...this.#sums].toSorted(([one], [other]) => outcomes.indexOf(one) - outcomes.indexOf(other));
    return inOrder.map(([outcome, { count, amount, fees, unread, superseded }]) => ({
      outcome,
      count,
      amount: { minor: amount, currency },
      fees: { minor: fees, currency },
      ...(unread > 0 && { unread }),
      ...(superseded > 0 && { superseded }),
    }));
  }

  #of(outcome: Outcome): Sums {
    const sums = this.#sums.get(outcome) ?? { count: 0, amount: 0n, fees: 0n, unread: 0, superseded: 0 };
    this.#sums.set(outcome, sums);
    return sums;
  }
}
