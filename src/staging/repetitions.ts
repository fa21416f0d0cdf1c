/** Finds what staged rows have in common, by SQL on the tables of the staging (`staging.ts`), once all rows are there. */

import { minorOf, numberOf, type SqlRow, type SqlValue, textOf } from '../database/database.ts';
import type { Connection } from '../database/sqlite.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { NamedOf } from '../domain/duplicate.ts';
import { moneyText } from '../domain/money.ts';
import type { Contrast, ReferredRow, RepeatedReference, Repetition, UnusualAmounts } from '../domain/staging.ts';

/** The most rows of a group that are named to a person. The count says how many there are in all. */
const NAMED_ROWS = 50;

/** Rows of a group that are read at a time. All rows of a sheet may have the same text. */
const BLOCK_ROWS = 500;

/**
 * Indexes that are created when rows are first compared: keeping them in order while rows are added takes longer than
 * sorting once.
 */
const INDEXES = `CREATE INDEX IF NOT EXISTS staged_by_reference ON staged (reference);
  CREATE INDEX IF NOT EXISTS staged_by_payee ON staged (payee);
  CREATE INDEX IF NOT EXISTS staged_by_name ON staged (compared_name);
  CREATE INDEX IF NOT EXISTS staged_by_identity ON staged (identity) WHERE identity IS NOT NULL`;

/** Groups of two or more rows with the same reference, in the order of their first rows. */
const REFERENCES = `SELECT reference, COUNT(*) AS number, COUNT(payee) AS payable, MIN(sheet_row) AS first_row
  FROM staged WHERE reference IS NOT NULL GROUP BY reference HAVING number > 1 ORDER BY first_row`;
/** A column that is not grouped by has the value of the first row: SQLite guarantees that for a query with a single `MIN`. */
const groupsBy = (columns: string, where: string): string =>
  `SELECT payee, destination, amount_minor, currency, COUNT(*) AS number, MIN(sheet_row) AS first_row
  FROM payable WHERE ${where} GROUP BY ${columns} HAVING number > 1 ORDER BY first_row`;
const PAYMENTS = groupsBy('payee, amount_minor, currency', 'reference IS NULL');
const PAYEES = groupsBy('payee', 'TRUE');

/** The rows of a group after a given row. */
const rowsWhere = (where: string): string =>
  `SELECT sheet_row, payee FROM staged WHERE ${where} AND sheet_row > ? ORDER BY sheet_row LIMIT ?`;
const ROWS_OF_REFERENCE = rowsWhere('reference = ?');
const ROWS_OF_PAYEE = rowsWhere('payee = ?');
/** The rows of a payment, which is identified by its first row. */
const ROWS_OF_PAYMENT = rowsWhere(`reference IS NULL
  AND (payee, amount_minor, currency) = (SELECT payee, amount_minor, currency FROM staged WHERE sheet_row = ?)`);

const COUNT = 'SELECT COUNT(*) AS number FROM payable';
const MIDDLE = 'SELECT amount_minor FROM payable ORDER BY amount_minor LIMIT 1 OFFSET ?';
const ABOVE = `SELECT sheet_row, amount_minor, COUNT(*) OVER () AS number FROM payable WHERE amount_minor > ?
  ORDER BY sheet_row LIMIT ?`;

/**
 * For each group of rows with the same `key`, the first row whose `other` differs from that of the group's first row. There are
 * none unless `when` holds.
 */
const contrastsOf = (key: string, other: string, when = 'TRUE'): string => `
SELECT later.sheet_row, later.name, later.destination, earlier.sheet_row AS first_row,
  earlier.name AS first_name, earlier.destination AS first_destination, number
FROM (
  SELECT MIN(sheet_row) AS later_row, earlier_row, COUNT(*) OVER () AS number FROM (
    SELECT sheet_row, ${key} AS same, ${other} AS differing,
      FIRST_VALUE(sheet_row) OVER grouped AS earlier_row, FIRST_VALUE(${other}) OVER grouped AS usual
    FROM payable WHERE ${when} AND ${key} IN
      (SELECT ${key} FROM payable WHERE ${key} <> '' GROUP BY ${key} HAVING MIN(${other}) <> MAX(${other}))
    WINDOW grouped AS (PARTITION BY ${key} ORDER BY sheet_row)
  ) AS compared WHERE differing <> usual GROUP BY same, earlier_row ORDER BY later_row LIMIT ?
) AS pairs
JOIN staged AS later ON later.sheet_row = later_row
JOIN staged AS earlier ON earlier.sheet_row = earlier_row
ORDER BY later.sheet_row`;
const NAMES = contrastsOf('payee', 'compared_name');
const PAYEES_OF_NAME = contrastsOf('compared_name', 'payee');
const NAMES_OF_IDENTITY = contrastsOf('identity', 'compared_name');
/** A register number that every row states, of at least this many, is the employer's: `TIN` beside every name. */
const EMPLOYER_ROWS_MIN = 5;
const NAMES_OF_REGISTERED = contrastsOf(
  'identity',
  'compared_name',
  `(SELECT COUNT(*) < ${EMPLOYER_ROWS_MIN} OR COUNT(*) > COUNT(identity) OR MIN(identity) <> MAX(identity) FROM payable)`,
);

/** Returns the repeated references of all rows, including rows with errors. */
export function references(connection: Connection): readonly RepeatedReference[] {
  return compared(connection, REFERENCES).map((group) => {
    const reference = textOf(group, 'reference');
    const found = repetition(connection, group, reference, ROWS_OF_REFERENCE, reference);
    return { ...found, payable: numberOf(group, 'payable') };
  });
}

export const identicalRows = (connection: Connection): readonly Repetition[] =>
  compared(connection, PAYMENTS).map((group) =>
    repetition(connection, group, payment(group), ROWS_OF_PAYMENT, numberOf(group, 'first_row')),
  );

export const payees = (connection: Connection): readonly Repetition[] =>
  compared(connection, PAYEES).map((group) =>
    repetition(connection, group, textOf(group, 'destination'), ROWS_OF_PAYEE, textOf(group, 'payee')),
  );

export function* rowsOfReference(connection: Connection, { value }: RepeatedReference): Generator<ReferredRow> {
  for (const row of everyRow(connection, ROWS_OF_REFERENCE, value)) {
    yield { row: numberOf(row, 'sheet_row'), isPayable: row['payee'] !== null };
  }
}

export function* rowsOfPayment(connection: Connection, { rows: [first = 0] }: Repetition): Generator<number> {
  for (const row of everyRow(connection, ROWS_OF_PAYMENT, first)) yield numberOf(row, 'sheet_row');
}

export function unusualAmounts(connection: Connection, factor: number, rowsMin: number, most: number): UnusualAmounts {
  const payable = countIn(connection.all(COUNT));
  const [middle] = connection.all(MIDDLE, [Math.floor(payable / 2)]);
  if (!middle || payable < rowsMin) return { median: 0n, rows: [], count: 0 };
  const median = minorOf(middle, 'amount_minor');
  const above = connection.all(ABOVE, [median * BigInt(factor), most]);
  const rows = above.map((row) => ({ row: numberOf(row, 'sheet_row'), minor: minorOf(row, 'amount_minor') }));
  return { median, rows, count: countIn(above) };
}

export const payeesWithNames = (connection: Connection, most: number): NamedOf<Contrast> =>
  contrasts(connection, NAMES, most, (row) => textOf(row, 'first_name'));

export const namesWithPayees = (connection: Connection, most: number): NamedOf<Contrast> =>
  contrasts(connection, PAYEES_OF_NAME, most, (row) => textOf(row, 'first_destination'));

export const identitiesWithNames = (connection: Connection, most: number, mayBeEmployers: boolean): NamedOf<Contrast> =>
  contrasts(connection, mayBeEmployers ? NAMES_OF_REGISTERED : NAMES_OF_IDENTITY, most, (row) =>
    textOf(row, 'first_name'),
  );

function compared(connection: Connection, sql: string, values: readonly SqlValue[] = []): readonly SqlRow[] {
  connection.exec(INDEXES);
  return connection.all(sql, values);
}

/** Returns a group with its first rows. `key` is the value by which its rows are found. */
function repetition(connection: Connection, group: SqlRow, value: string, rows: string, key: SqlValue): Repetition {
  const first = connection.all(rows, [key, 0, NAMED_ROWS]);
  return { value, rows: first.map((row) => numberOf(row, 'sheet_row')), count: numberOf(group, 'number') };
}

function* everyRow(connection: Connection, sql: string, key: SqlValue): Generator<SqlRow> {
  for (let after = 0; ; ) {
    const block = connection.all(sql, [key, after, BLOCK_ROWS]);
    yield* block;
    const last = block.at(-1);
    if (!last) return;
    after = numberOf(last, 'sheet_row');
  }
}

function contrasts(
  connection: Connection,
  sql: string,
  most: number,
  firstOf: (row: SqlRow) => string,
): NamedOf<Contrast> {
  const found = compared(connection, sql, [most]);
  const rows = found.map((row) => ({
    row: numberOf(row, 'sheet_row'),
    name: textOf(row, 'name'),
    payee: textOf(row, 'destination'),
    first: firstOf(row),
    firstRow: numberOf(row, 'first_row'),
  }));
  return { count: countIn(found), rows };
}

const countIn = ([first]: readonly SqlRow[]): number => (first ? numberOf(first, 'number') : 0);

/** Returns the text by which a person recognises a payment: `+254712345678 KES 500.00`. */
const payment = (row: SqlRow): string =>
  `${textOf(row, 'destination')} ${moneyText({
    minor: minorOf(row, 'amount_minor'),
    currency: textOf(row, 'currency') as CurrencyCode, // a column of currency codes
  })}`;
