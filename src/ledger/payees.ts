/** Payments that a ledger has made or may still make, looked up by payee and by reference, in groups of values. */

import { blocksOf, type Database, mappedBlocks, minorOf, numberOf, type SqlRow, textOf } from '../database/database.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { EarlierPayment, MovedPayment, PayeesAsked, ReferredPayee, UnpaidRow } from '../domain/duplicate.ts';
import type { BatchId, BatchKey, OrderId, TraceNumber } from '../domain/ids.ts';
import type { AskedPerson, PaidRow } from '../domain/known-people.ts';
import { type Outcome, outcomes, outcomeTable } from '../domain/outcome.ts';
import type { NamedAmount } from '../domain/staging.ts';
import { decodeDetails } from './commitment.ts';

/** The part of `Ledger` that answers who was paid before. */
export interface LedgerPayees {
  /** Returns those of the payees (`Payout.payee`) that a completed payout of any batch in this ledger has paid. */
  knownPayees(payees: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  /**
   * Returns the payments to these payees (`Payout.payee`) that were made or may still be made, of batches planned at `since`
   * (wall-clock milliseconds) or later.
   */
  paymentsTo(payees: readonly string[], since: number): Promise<readonly EarlierPayment[]>;
  /**
   * Returns the payments under these references to payees other than the given ones that were made or may still be made, of
   * batches planned at `since` or later; the latest batch first.
   */
  paymentsToOthers(asked: readonly ReferredPayee[], since: number): Promise<readonly MovedPayment[]>;
  /**
   * Counts, for each batch planned at `since` or later, how many of these people it paid or may still pay. A person is
   * matched by payee, or by reference and name if the payee differs. The latest batch comes first. The counts only say where
   * to look, so they are not proven; `paidRows` is.
   */
  batchesPaying(people: readonly AskedPerson[], since: number): Promise<readonly BatchPaying[]>;
  /** Yields the rows of a batch that were paid or may still be paid, in sheet order, in blocks. */
  paidRows(batch: BatchId): AsyncIterable<readonly PaidRow[]>;
  /**
   * Returns rows to these payees, or to other payees under these references, that batches planned at `since` or later have
   * orders for and have not paid.
   */
  unpaidRows(asked: PayeesAsked, since: number): Promise<readonly UnpaidRow[]>;
  /**
   * Returns the rows that a batch has orders for and has not paid, in sheet order; only those of the people whom `askedAmong`
   * returns. Every person of the batch is read.
   */
  unpaidIn(batch: BatchId, askedAmong: AskedAmong): Promise<readonly UnpaidRow[]>;
  /**
   * Reports whether a batch seems to have paid anybody, or may have: the service accepted one of its orders. This only says
   * where to look, so it is not proven; `paidRows` is.
   */
  seemsToHavePaid(batch: BatchId): Promise<boolean>;
}

/** A batch, and how many of the people in question it pays. */
interface BatchPaying {
  readonly batch: BatchId;
  readonly people: number;
}

/** Returns those of some people, each with an amount, who are asked for. */
type AskedAmong = <T extends NamedAmount>(people: readonly T[]) => readonly T[];

/** Rows of a batch that are read at a time. */
const BLOCK_ROWS = 500;

/** Values that one statement looks up. */
const GROUP_VALUES = 500;

const VALUES = Array(GROUP_VALUES).fill('?').join(', ');
const TRIPLES = Array(GROUP_VALUES).fill('(?, ?, ?)').join(', ');
const PAIRS = Array(GROUP_VALUES).fill('(?, ?)').join(', ');
const OUTCOME = 'COALESCE(p.outcome, o.outcome)';

/**
 * The outcomes of rows that were paid or may still be paid, as an SQL list. An unsent row is among them, because resuming
 * its batch pays it. Only rows that definitely failed or were set aside are free to be paid from another sheet.
 */
export const POSSIBLY_PAID = listed((outcome) => outcome === 'unsent' || outcomeTable[outcome].payAgain !== 'yes');

/** The outcomes of rows that the service accepted, as an SQL list. */
const ACCEPTED = listed((outcome) => outcomeTable[outcome].payAgain !== 'yes');

function listed(isMeant: (outcome: Outcome) => boolean): string {
  return outcomes
    .filter(isMeant)
    .map((outcome) => `'${outcome}'`)
    .join(', ');
}

/**
 * The latest batch that paid each payee. For a stable payroll this is the same batch for nearly all payees, so few batches
 * have to be proven.
 */
const COMPLETED = `SELECT p.payee, MAX(b.number) AS number FROM payout p CROSS JOIN batch b CROSS JOIN pay_order o
  WHERE b.id = p.batch AND o.id = p.order_id AND p.payee IN (${VALUES}) AND ${OUTCOME} = 'completed' GROUP BY p.payee`;
const BATCH = 'SELECT id FROM batch WHERE number = ?';

/** The payouts come first in the join, so that only the few that match are joined with their batch and their order. */
const PAYOUTS = `payout p CROSS JOIN batch b CROSS JOIN pay_order o
  WHERE b.id = p.batch AND o.id = p.order_id AND b.planned_at >= ?`;
const MADE = `${PAYOUTS} AND ${OUTCOME} IN (${POSSIBLY_PAID})`;
/** Everything that a batch has orders for and has not paid, including definite failures, because a retry may pay them. */
const UNPAID = `${PAYOUTS} AND ${OUTCOME} <> 'completed'`;

/**
 * The rows for these people, whatever the tables say about their orders and outcomes: only what the sheet said about a row is
 * proven by then.
 */
const FOUND = 'SELECT p.batch, p.sheet_row, o.position FROM';
const PLANNED = `payout p CROSS JOIN batch b LEFT JOIN pay_order o ON o.id = p.order_id
  WHERE b.id = p.batch AND b.planned_at >= ?`;

const COLUMNS = 'b.id AS batch, b.batch_key, b.planned_at, p.payee, p.reference, p.amount_minor, p.currency';
const ROW = `${COLUMNS}, p.sheet_row, p.name, p.order_id, p.trace, ${OUTCOME} AS outcome`;
const ASKED = `WITH asked (reference, payee) AS (VALUES ${PAIRS})`;
const OF_OTHERS = 'AND p.reference = asked.reference AND p.payee <> asked.payee';
const TO_PAYEES = `SELECT ${COLUMNS}, COUNT(*) AS number FROM ${MADE} AND p.payee IN (${VALUES})
  GROUP BY b.number, p.payee, p.reference, p.amount_minor, p.currency`;
const TO_OTHERS = `${ASKED} SELECT ${COLUMNS}, p.sheet_row, p.name, p.payout FROM asked CROSS JOIN ${MADE} ${OF_OTHERS} ORDER BY b.number DESC`;
/** Payouts to the people in question. `pay` is the condition under which a payout counts as one to a given person. */
const paying = (pay: string): string =>
  `SELECT b.id AS batch, b.number, asked.payee FROM asked CROSS JOIN ${MADE} AND ${pay}`;
const PAYING = `WITH asked (payee, reference, name) AS (VALUES ${TRIPLES})
  SELECT batch, COUNT(*) AS people FROM (${paying('p.payee = asked.payee')}
    UNION ${paying("p.reference = asked.reference AND asked.reference <> '' AND p.name = asked.name")}) AS found
  GROUP BY batch, number ORDER BY number DESC`;
const PAID_ROWS = `SELECT p.sheet_row, p.reference, p.name, p.payee, p.amount_minor, ${OUTCOME} AS outcome
  FROM payout p JOIN pay_order o ON o.id = p.order_id WHERE p.batch = ? AND p.sheet_row > ?
  AND p.payee IS NOT NULL AND ${OUTCOME} IN (${POSSIBLY_PAID}) ORDER BY p.sheet_row LIMIT ${BLOCK_ROWS}`;
const FOUND_TO_PAYEES = `${FOUND} ${PLANNED} AND p.payee IN (${VALUES})`;
const FOUND_TO_OTHERS = `${ASKED} ${FOUND} asked CROSS JOIN ${PLANNED} ${OF_OTHERS}`;
const UNPAID_TO_PAYEES = `SELECT ${ROW} FROM ${UNPAID} AND p.payee IN (${VALUES})`;
const UNPAID_TO_OTHERS = `${ASKED} SELECT ${ROW} FROM asked CROSS JOIN ${UNPAID} ${OF_OTHERS}`;
const FOUND_IN_BATCH = `${FOUND_TO_PAYEES} AND p.batch = ?`;
const UNPAID_IN_BATCH = `${UNPAID_TO_PAYEES} AND p.batch = ?`;
const SEEMS_PAID = `SELECT 1 AS found FROM batch WHERE id = ? AND (
  EXISTS (SELECT 1 FROM pay_order o WHERE o.batch = batch.id AND o.outcome IN (${ACCEPTED}))
  OR EXISTS (SELECT 1 FROM payout p WHERE p.batch = batch.id AND p.outcome IN (${ACCEPTED})))`;

/**
 * Returns those of the payees that have a completed payout. Calls `prove` for each batch that the answer relies on, and for
 * no other: a payee that wrongly counts as new makes people look twice, so that needs no proof.
 */
export async function knownPayees(
  database: Database,
  payees: ReadonlySet<string>,
  prove: (batch: BatchId) => Promise<void>,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const relied = new Set<number>();
  for (const group of groupsOf([...payees])) {
    for (const row of await database.read(COMPLETED, group)) {
      known.add(textOf(row, 'payee'));
      relied.add(numberOf(row, 'number'));
    }
  }
  for (const number of relied) {
    for (const batch of await database.read(BATCH, [number])) await prove(textOf(batch, 'id') as BatchId); // a column of batch ids
  }
  return known;
}

/** A row in which a payment was found. */
export interface FoundRow {
  readonly row: number;
  /** Position of the order that pays it, as the tables say; `undefined` if they name none. */
  readonly position: number | undefined;
}

/** Proves rows in which payments were found, before anything that the tables say about these payments is used. */
export type ProveFound = (found: ReadonlyMap<BatchId, readonly FoundRow[]>) => Promise<void>;

/** Returns the payments to these payees, of batches planned at `since` or later. */
export async function paymentsTo(
  database: Database,
  payees: readonly string[],
  since: number,
  prove: ProveFound,
): Promise<readonly EarlierPayment[]> {
  const found: EarlierPayment[] = [];
  for (const group of groupsOf(payees)) {
    const rows = await database.read(FOUND_TO_PAYEES, [since, ...group]);
    if (rows.length === 0) continue;
    await proveRows(rows, prove);
    for (const row of await database.read(TO_PAYEES, [since, ...group])) {
      found.push({ ...paymentOf(row), count: numberOf(row, 'number') });
    }
  }
  return found;
}

/** Returns the payments under these references to payees other than the given ones, the latest batch first. */
export async function paymentsToOthers(
  database: Database,
  asked: readonly ReferredPayee[],
  since: number,
  prove: ProveFound,
): Promise<readonly MovedPayment[]> {
  const found: MovedPayment[] = [];
  for (const group of groupsOf(asked)) {
    const rows = await database.read(FOUND_TO_OTHERS, [...pairsOf(group), since]);
    if (rows.length === 0) continue;
    await proveRows(rows, prove);
    for (const row of await database.read(TO_OTHERS, [...pairsOf(group), since])) {
      const { destination } = decodeDetails(textOf(row, 'payout'));
      const place = { row: numberOf(row, 'sheet_row'), reference: textOf(row, 'reference') };
      found.push({ ...paymentOf(row), ...place, name: textOf(row, 'name'), destination });
    }
  }
  return found;
}

/** Counts how many of these people each batch planned at `since` or later pays, the latest batch first. */
export async function batchesPaying(
  database: Database,
  people: readonly AskedPerson[],
  since: number,
): Promise<readonly BatchPaying[]> {
  const found = new Map<BatchId, number>();
  for (const group of groupsOf(people)) {
    const values = group.flatMap(({ payee, reference = '', name }) => [payee, reference, name]);
    for (const row of await database.read(PAYING, [...values, since, since])) {
      const batch = textOf(row, 'batch') as BatchId; // a column of batch ids
      found.set(batch, (found.get(batch) ?? 0) + numberOf(row, 'people'));
    }
  }
  return [...found].map(([batch, count]) => ({ batch, people: count }));
}

/** Reports whether the tables say that the service accepted an order of this batch. */
export const seemsToHavePaid = async (database: Database, batch: BatchId): Promise<boolean> =>
  (await database.read(SEEMS_PAID, [batch])).length > 0;

/** Yields the rows of a batch that were paid or may still be paid, in sheet order, in blocks. */
export const paidRows = (database: Database, batch: BatchId): AsyncGenerator<readonly PaidRow[]> =>
  mappedBlocks(blocksOf(database, PAID_ROWS, [batch], 'sheet_row'), paidRow);

/**
 * Returns the rows that a batch has orders for and has not paid, of the people who are asked for, in sheet order. `said`
 * yields what the sheet said about all rows of the batch, and proves it when the last block was used.
 */
export async function unpaidIn(
  database: Database,
  batch: BatchId,
  said: AsyncIterable<readonly SqlRow[]>,
  askedAmong: AskedAmong,
  prove: ProveFound,
): Promise<readonly UnpaidRow[]> {
  const asked = new Map<number, string>();
  for await (const block of said) {
    const people = block.filter(({ payee }) => payee !== null).map(rowOfPerson);
    for (const { row, payee } of askedAmong(people)) asked.set(row, payee);
  }
  const unpaid: UnpaidRow[] = [];
  for (const group of groupsOf([...new Set(asked.values())])) {
    await proveRows(await database.read(FOUND_IN_BATCH, [0, ...group, batch]), prove);
    unpaid.push(...(await database.read(UNPAID_IN_BATCH, [0, ...group, batch])).map(unpaidRow));
  }
  return unpaid.filter(({ row }) => asked.has(row)).toSorted((one, other) => one.row - other.row);
}

const rowOfPerson = (row: SqlRow) => ({
  row: numberOf(row, 'sheet_row'),
  name: textOf(row, 'name'),
  amount: { minor: minorOf(row, 'amount_minor'), currency: textOf(row, 'currency') as CurrencyCode }, // of its batch
  payee: textOf(row, 'payee'),
});

function paidRow(row: SqlRow): PaidRow {
  const reference = row['reference'] as string | null;
  return {
    row: numberOf(row, 'sheet_row'),
    ...(reference !== null && { reference }),
    name: textOf(row, 'name'),
    payee: textOf(row, 'payee'),
    minor: minorOf(row, 'amount_minor'),
    isPaid: row['outcome'] === 'completed',
  };
}

/**
 * Returns the unpaid rows to these payees, and the unpaid rows to other payees under these references, of batches planned at
 * `since` or later.
 */
export async function unpaidRows(
  database: Database,
  { payees, referred }: PayeesAsked,
  since: number,
  prove: ProveFound,
): Promise<readonly UnpaidRow[]> {
  const found: UnpaidRow[] = [];
  for (const group of groupsOf(payees)) {
    const rows = await database.read(FOUND_TO_PAYEES, [since, ...group]);
    if (rows.length === 0) continue;
    await proveRows(rows, prove);
    found.push(...(await database.read(UNPAID_TO_PAYEES, [since, ...group])).map(unpaidRow));
  }
  for (const group of groupsOf(referred)) {
    const rows = await database.read(FOUND_TO_OTHERS, [...pairsOf(group), since]);
    if (rows.length === 0) continue;
    await proveRows(rows, prove);
    found.push(...(await database.read(UNPAID_TO_OTHERS, [...pairsOf(group), since])).map(unpaidRow));
  }
  return found;
}

/**
 * Proves rows that were found. The caller asks for their payments after that, and not if there are none: the server searches
 * longer for payments than for rows.
 */
async function proveRows(rows: readonly SqlRow[], prove: ProveFound): Promise<void> {
  const byBatch = Map.groupBy(rows, (row) => textOf(row, 'batch') as BatchId); // a column of batch ids
  await prove(new Map([...byBatch].map(([batch, its]) => [batch, its.map(foundRow)])));
}

const foundRow = (row: SqlRow): FoundRow => ({
  row: numberOf(row, 'sheet_row'),
  position: row['position'] === null ? undefined : numberOf(row, 'position'),
});

const pairsOf = (group: readonly ReferredPayee[]): readonly string[] =>
  group.flatMap(({ reference, payee }) => [reference, payee]);

const unpaidRow = (row: SqlRow): UnpaidRow => ({
  ...paymentOf(row),
  row: numberOf(row, 'sheet_row'),
  name: textOf(row, 'name'),
  outcome: textOf(row, 'outcome') as Outcome, // columns of outcomes, order ids and trace numbers
  order: textOf(row, 'order_id') as OrderId,
  trace: textOf(row, 'trace') as TraceNumber,
});

function paymentOf(row: SqlRow) {
  const reference = row['reference'] as string | null;
  return {
    batch: textOf(row, 'batch') as BatchId, // columns of ids, keys and currency codes
    key: textOf(row, 'batch_key') as BatchKey,
    plannedAt: numberOf(row, 'planned_at'),
    payee: textOf(row, 'payee'),
    ...(reference !== null && { reference }),
    amount: { minor: minorOf(row, 'amount_minor'), currency: textOf(row, 'currency') as CurrencyCode },
  };
}

/**
 * Yields groups of one size, so that one prepared statement serves all of them. The last group is padded with its own first
 * value.
 */
function* groupsOf<T>(values: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < values.length; from += GROUP_VALUES) {
    const group = values.slice(from, from + GROUP_VALUES);
    yield Array.from({ length: GROUP_VALUES }, (_, at) => group[at] ?? (group[0] as T)); // a group has a first value
  }
}
