/** Whom a ledger has paid, and whom it may still pay: looked up by payee and by reference, in groups. */
import type { CurrencyCode } from '../domain/currency.ts';
import type { EarlierPayment, MovedPayment, PayeesAsked, ReferredPayee, UnpaidRow } from '../domain/duplicate.ts';
import type { BatchId, BatchKey, OrderId, TraceNumber } from '../domain/ids.ts';
import type { AskedPerson, PaidRow } from '../domain/known-people.ts';
import { outcomes, outcomeTable } from '../domain/outcome.ts';
import { decodeDetails } from './commitment.ts';
import { type Database, minorOf, numberOf, type SqlRow, textOf } from './database.ts';

/** A part of `Ledger`, with its promises. */
export interface LedgerPayees {
  /** Those of the payees (`Payout.payee`) that a completed payout of this ledger paid, whatever its batch. */
  knownPayees(payees: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  /**
   * Payments to these payees (`Payout.payee`) that were made or may still be, of batches planned at `since` (wall-clock
   * milliseconds) or later. `scope` "planned": also those that failed for good.
   */
  paymentsTo(payees: readonly string[], since: number): Promise<readonly EarlierPayment[]>;
  /** Such payments under these references, to other payees than these; the latest batch first. */
  paymentsToOthers(asked: readonly ReferredPayee[], since: number): Promise<readonly MovedPayment[]>;
  /**
   * How many of these people batches planned at `since` or later paid, or may still pay: by payee, or by reference and name where the
   * payee is another one. The latest batch first. It only says where to look, so nothing of it is proven; `paidRows` is.
   */
  batchesPaying(people: readonly AskedPerson[], since: number): Promise<readonly BatchPaying[]>;
  /** The rows of a batch that were paid, or may still be, in sheet order, in blocks. */
  paidRows(batch: BatchId): AsyncIterable<readonly PaidRow[]>;
  /** Rows to these payees, or under these references to others, that such batches have orders for and have not paid. */
  unpaidRows(asked: PayeesAsked, since: number): Promise<readonly UnpaidRow[]>;
}

/** How many of the people that were asked about a batch pays. */
interface BatchPaying {
  readonly batch: BatchId;
  readonly people: number;
}

/** Rows of a batch that are read at a time. */
const BLOCK_ROWS = 500;

/** Values that are looked up by one statement. */
const GROUP_VALUES = 500;

const VALUES = Array(GROUP_VALUES).fill('?').join(', ');
const TRIPLES = Array(GROUP_VALUES).fill('(?, ?, ?)').join(', ');
const PAIRS = Array(GROUP_VALUES).fill('(?, ?)').join(', ');
const OUTCOME = 'COALESCE(p.outcome, o.outcome)';

/**
 * The outcomes that paid or may still pay. A row that was never sent is among them: whoever resumes its batch pays it. Only
 * definite failures and rows that were set aside are free to be paid from another sheet.
 */
export const STANDING = outcomes
  .filter((outcome) => outcome === 'unsent' || outcomeTable[outcome].payAgain !== 'yes')
  .map((outcome) => `'${outcome}'`)
  .join(', ');

/** The latest batch that paid each: of a stable payroll it is the same for nearly all. */
const COMPLETED = `SELECT p.payee, MAX(b.number) AS number FROM payout p CROSS JOIN batch b CROSS JOIN pay_order o
  WHERE b.id = p.batch AND o.id = p.order_id AND p.payee IN (${VALUES}) AND ${OUTCOME} = 'completed' GROUP BY p.payee`;
const BATCH = 'SELECT id FROM batch WHERE number = ?';

/** The payouts come first: the few that are found are then held against their batch and their order. */
const PAYOUTS = `payout p CROSS JOIN batch b CROSS JOIN pay_order o
  WHERE b.id = p.batch AND o.id = p.order_id AND b.planned_at >= ?`;
const MADE = `${PAYOUTS} AND ${OUTCOME} IN (${STANDING})`;
/** All that a batch has orders for and has not paid: also what failed for good, because a retry may pay it. */
const UNPAID = `${PAYOUTS} AND ${OUTCOME} <> 'completed'`;

/** The orders in which such a payout is found, whatever the tables say of its outcome: that is proven of these alone. */
const CANDIDATES = 'SELECT DISTINCT p.batch, o.position FROM';

const COLUMNS = 'b.id AS batch, b.batch_key, b.planned_at, p.payee, p.reference, p.amount_minor, p.currency';
const ROW = `${COLUMNS}, p.name, p.order_id, p.trace`;
const ASKED = `WITH asked (reference, payee) AS (VALUES ${PAIRS})`;
const OF_OTHERS = 'AND p.reference = asked.reference AND p.payee <> asked.payee';
const TO_PAYEES = `SELECT ${COLUMNS}, COUNT(*) AS number FROM ${MADE} AND p.payee IN (${VALUES})
  GROUP BY b.number, p.payee, p.reference, p.amount_minor, p.currency`;
const TO_OTHERS = `${ASKED} SELECT ${COLUMNS}, p.sheet_row, p.name, p.payout FROM asked CROSS JOIN ${MADE} ${OF_OTHERS} ORDER BY b.number DESC`;
/** `pay`: how a payout of a batch is known to be one to somebody who was asked about. */
const paying = (pay: string): string =>
  `SELECT b.id AS batch, b.number, asked.payee FROM asked CROSS JOIN ${MADE} AND ${pay}`;
const PAYING = `WITH asked (payee, reference, name) AS (VALUES ${TRIPLES})
  SELECT batch, COUNT(*) AS people FROM (${paying('p.payee = asked.payee')}
    UNION ${paying("p.reference = asked.reference AND asked.reference <> '' AND p.name = asked.name")}) AS found
  GROUP BY batch, number ORDER BY number DESC`;
const PAID_ROWS = `SELECT p.sheet_row, p.reference, p.name, p.payee, p.amount_minor, ${OUTCOME} AS outcome
  FROM payout p JOIN pay_order o ON o.id = p.order_id WHERE p.batch = ? AND p.sheet_row > ?
  AND p.payee IS NOT NULL AND ${OUTCOME} IN (${STANDING}) ORDER BY p.sheet_row LIMIT ${BLOCK_ROWS}`;
const CANDIDATES_TO_PAYEES = `${CANDIDATES} ${PAYOUTS} AND p.payee IN (${VALUES})`;
const CANDIDATES_TO_OTHERS = `${ASKED} ${CANDIDATES} asked CROSS JOIN ${PAYOUTS} ${OF_OTHERS}`;
const UNPAID_TO_PAYEES = `SELECT ${ROW} FROM ${UNPAID} AND p.payee IN (${VALUES})`;
const UNPAID_TO_OTHERS = `${ASKED} SELECT ${ROW} FROM asked CROSS JOIN ${UNPAID} ${OF_OTHERS}`;

/**
 * Those of the payees that have a completed payout. `prove` is asked about each batch whose word is taken, and of no other: that
 * nobody was paid before makes people look twice, so it needs no proof.
 */
export async function knownPayees(
  database: Database,
  payees: ReadonlySet<string>,
  prove: (batch: BatchId) => Promise<void>,
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const vouching = new Set<number>();
  for (const group of groupsOf([...payees])) {
    for (const row of await database.read(COMPLETED, group)) {
      known.add(textOf(row, 'payee'));
      vouching.add(numberOf(row, 'number'));
    }
  }
  for (const number of vouching) {
    for (const batch of await database.read(BATCH, [number])) await prove(textOf(batch, 'id') as BatchId); // stored as one
  }
  return known;
}

/** Proves orders, by position, in which payments were found, before what the tables say of them is taken. */
export type ProveCandidates = (found: ReadonlyMap<BatchId, readonly number[]>) => Promise<void>;

/** Payments to these payees, of batches planned since then. */
export async function paymentsTo(
  database: Database,
  payees: readonly string[],
  since: number,
  prove: ProveCandidates,
): Promise<readonly EarlierPayment[]> {
  const found: EarlierPayment[] = [];
  for (const group of groupsOf(payees)) {
    await prove(candidatesIn(await database.read(CANDIDATES_TO_PAYEES, [since, ...group])));
    for (const row of await database.read(TO_PAYEES, [since, ...group])) {
      found.push({ ...paymentOf(row), count: numberOf(row, 'number') });
    }
  }
  return found;
}

/** Such payments under these references, to other payees than these; the latest batch first. */
export async function paymentsToOthers(
  database: Database,
  asked: readonly ReferredPayee[],
  since: number,
  prove: ProveCandidates,
): Promise<readonly MovedPayment[]> {
  const found: MovedPayment[] = [];
  for (const group of groupsOf(asked)) {
    await prove(candidatesIn(await database.read(CANDIDATES_TO_OTHERS, [...pairsOf(group), since])));
    for (const row of await database.read(TO_OTHERS, [...pairsOf(group), since])) {
      const { destination } = decodeDetails(textOf(row, 'payout'));
      const place = { row: numberOf(row, 'sheet_row'), reference: textOf(row, 'reference') };
      found.push({ ...paymentOf(row), ...place, name: textOf(row, 'name'), destination });
    }
  }
  return found;
}

/** How many of these people each batch planned since then pays, the latest first. */
export async function batchesPaying(
  database: Database,
  people: readonly AskedPerson[],
  since: number,
): Promise<readonly BatchPaying[]> {
  const found = new Map<BatchId, number>();
  for (const group of groupsOf(people)) {
    const values = group.flatMap(({ payee, reference = '', name }) => [payee, reference, name]);
    for (const row of await database.read(PAYING, [...values, since, since])) {
      const batch = textOf(row, 'batch') as BatchId; // was stored as one
      found.set(batch, (found.get(batch) ?? 0) + numberOf(row, 'people'));
    }
  }
  return [...found].map(([batch, count]) => ({ batch, people: count }));
}

/** The rows of a batch that were paid, or may still be, in sheet order, in blocks. */
export async function* paidRows(database: Database, batch: BatchId): AsyncGenerator<readonly PaidRow[]> {
  for (let after = 0; ; ) {
    const rows = (await database.read(PAID_ROWS, [batch, after])).map(paidRow);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.row;
  }
}

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

/** Rows to these payees that are not paid, and rows under these references to others, of batches planned since then. */
export async function unpaidRows(
  database: Database,
  { payees, referred }: PayeesAsked,
  since: number,
  prove: ProveCandidates,
): Promise<readonly UnpaidRow[]> {
  const found: UnpaidRow[] = [];
  for (const group of groupsOf(payees)) {
    await prove(candidatesIn(await database.read(CANDIDATES_TO_PAYEES, [since, ...group])));
    found.push(...(await database.read(UNPAID_TO_PAYEES, [since, ...group])).map(unpaidRow));
  }
  for (const group of groupsOf(referred)) {
    await prove(candidatesIn(await database.read(CANDIDATES_TO_OTHERS, [...pairsOf(group), since])));
    found.push(...(await database.read(UNPAID_TO_OTHERS, [...pairsOf(group), since])).map(unpaidRow));
  }
  return found;
}

function candidatesIn(rows: readonly SqlRow[]): ReadonlyMap<BatchId, readonly number[]> {
  const byBatch = Map.groupBy(rows, (row) => textOf(row, 'batch') as BatchId); // was stored as one
  return new Map([...byBatch].map(([batch, its]) => [batch, its.map((row) => numberOf(row, 'position'))]));
}

const pairsOf = (group: readonly ReferredPayee[]): readonly string[] =>
  group.flatMap(({ reference, payee }) => [reference, payee]);

const unpaidRow = (row: SqlRow): UnpaidRow => ({
  ...paymentOf(row),
  name: textOf(row, 'name'),
  order: textOf(row, 'order_id') as OrderId, // was stored as one, like the next one
  trace: textOf(row, 'trace') as TraceNumber,
});

function paymentOf(row: SqlRow) {
  const reference = row['reference'] as string | null;
  return {
    batch: textOf(row, 'batch') as BatchId, // was stored as one, like the next ones
    key: textOf(row, 'batch_key') as BatchKey,
    plannedAt: numberOf(row, 'planned_at'),
    payee: textOf(row, 'payee'),
    ...(reference !== null && { reference }),
    amount: { minor: minorOf(row, 'amount_minor'), currency: textOf(row, 'currency') as CurrencyCode },
  };
}

/** Groups of one size, so that one prepared statement serves all: the last is filled up with its own first value. */
function* groupsOf<T>(values: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < values.length; from += GROUP_VALUES) {
    const group = values.slice(from, from + GROUP_VALUES);
    yield Array.from({ length: GROUP_VALUES }, (_, at) => group[at] ?? (group[0] as T)); // there is a first one
  }
}
