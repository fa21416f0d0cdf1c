/**
 * The table in which staged rows are compared with one another, and what is asked of it. It holds what can stand in an answer:
 * the rows of which a reference, payee or name seems to be there twice, or all payable ones for those of earlier batches.
 */
import type { CurrencyCode } from '../domain/currency.ts';
import { moneyText } from '../domain/money.ts';
import {
  type Contrast,
  comparedName,
  type ReferredRow,
  type RepeatedReference,
  type Repetition,
  type Some,
} from '../domain/staging.ts';
import { minorOf, numberOf, type SqlRow, textOf } from './database.ts';
import type { Connection } from './sqlite.ts';
import { BLOCK_ROWS, type ComparedRow, type Referred } from './staging-blocks.ts';

/** More rows than these are not named to a person; the count says how many there are. */
const NAMED_ROWS = 50;

const CREATE = `CREATE TABLE staged (
  sheet_row INTEGER PRIMARY KEY,
  reference TEXT,
  name TEXT NOT NULL,
  compared_name TEXT NOT NULL,
  payee TEXT NOT NULL,
  destination TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  currency TEXT NOT NULL
)`;
const CREATE_REFERRED = 'CREATE TABLE referred (sheet_row INTEGER PRIMARY KEY, reference TEXT NOT NULL)';
const INSERT_REFERRED = 'INSERT OR IGNORE INTO referred (sheet_row, reference) VALUES (?, ?)';
const INSERT = `INSERT OR IGNORE INTO staged (sheet_row, reference, name, compared_name, payee, destination, amount_minor, currency)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Groups of rows with the same columns, in one sort: the first rows of each group of two and more. */
const repeatedBy = (columns: string, where: string): string => `SELECT * FROM (
  SELECT sheet_row, reference, destination, amount_minor, currency,
    COUNT(*) OVER (PARTITION BY ${columns}) AS number,
    MIN(sheet_row) OVER (PARTITION BY ${columns}) AS first_row,
    ROW_NUMBER() OVER (PARTITION BY ${columns} ORDER BY sheet_row) AS place
  FROM staged WHERE ${where}
) AS grouped WHERE number > 1 AND place <= ${NAMED_ROWS} ORDER BY first_row, place`;

/** The rows of the group of one row, beyond the first ones: a column that holds one text can have any number of them. */
const restOf = (columns: readonly string[], where: string): string => `SELECT later.sheet_row FROM staged AS first
  JOIN staged AS later ON ${columns.map((column) => `later.${column} = first.${column}`).join(' AND ')}
  WHERE first.sheet_row = ? AND later.sheet_row > ? AND later.${where}
  ORDER BY later.sheet_row LIMIT ${BLOCK_ROWS}`;
/** What lets a group be found by its first row; made when it is first asked for. */
const INDEX_REFERENCES = `CREATE INDEX IF NOT EXISTS staged_by_reference ON staged (reference, sheet_row);
  CREATE INDEX IF NOT EXISTS referred_by_reference ON referred (reference, sheet_row)`;
const INDEX_PAYEES = 'CREATE INDEX IF NOT EXISTS staged_by_payee ON staged (payee, amount_minor, sheet_row)';
const SAME_PAYMENT = restOf(['payee', 'amount_minor', 'currency'], 'reference IS NULL');

/** References of all rows, of which those with errors are in a table of their own: in the other one they would be people. */
const EVERY_REFERENCE = `SELECT sheet_row, reference, 1 AS paid FROM staged WHERE reference IS NOT NULL
  UNION ALL SELECT sheet_row, reference, 0 AS paid FROM referred`;
const REFERENCES = `SELECT * FROM (
  SELECT sheet_row, reference,
    COUNT(*) OVER same AS number, SUM(paid) OVER same AS payable, MIN(sheet_row) OVER same AS first_row,
    ROW_NUMBER() OVER (PARTITION BY reference ORDER BY sheet_row) AS place
  FROM (${EVERY_REFERENCE}) AS every WINDOW same AS (PARTITION BY reference)
) AS grouped WHERE number > 1 AND place <= ${NAMED_ROWS} ORDER BY first_row, place`;
const SAME_REFERENCE = `SELECT sheet_row, paid FROM (${EVERY_REFERENCE}) AS every
  WHERE reference = ? AND sheet_row > ? ORDER BY sheet_row LIMIT ${BLOCK_ROWS}`;
const IDENTICAL = repeatedBy('payee, amount_minor, currency', 'reference IS NULL');
const PAYEES = repeatedBy('payee', 'TRUE');

/**
 * For each group of rows with the same `key`, its first row whose `other` is not that of the group's first row. One
 * sort of the narrow columns; the texts are looked up for the few rows that are named.
 */
const contrastsOf = (key: string, other: string): string => `SELECT later.sheet_row, later.name, later.destination,
  earlier.sheet_row AS first_row, earlier.name AS first_name, earlier.destination AS first_destination, number
FROM (
  SELECT MIN(sheet_row) AS later_row, earlier_row, COUNT(*) OVER () AS number FROM (
    SELECT sheet_row, ${key} AS same, ${other} AS differing,
      FIRST_VALUE(sheet_row) OVER grouped AS earlier_row, FIRST_VALUE(${other}) OVER grouped AS usual
    FROM staged WHERE ${key} <> ''
    WINDOW grouped AS (PARTITION BY ${key} ORDER BY sheet_row)
  ) AS compared WHERE differing <> usual GROUP BY same, earlier_row ORDER BY later_row LIMIT ?
) AS pairs
JOIN staged AS later ON later.sheet_row = later_row
JOIN staged AS earlier ON earlier.sheet_row = earlier_row
ORDER BY later.sheet_row`;

const NAMES = contrastsOf('payee', 'compared_name');
const PAYEES_OF_NAME = contrastsOf('compared_name', 'payee');

/** Numbers identical payments; made when it is first asked for. */
const CREATE_OCCURRENCE = `CREATE TABLE IF NOT EXISTS occurrence (sheet_row INTEGER PRIMARY KEY, number INTEGER NOT NULL);
  INSERT OR IGNORE INTO occurrence (sheet_row, number)
    SELECT sheet_row, ROW_NUMBER() OVER (PARTITION BY payee, amount_minor, currency ORDER BY sheet_row) FROM staged`;
const OCCURRENCES = 'SELECT sheet_row, number FROM occurrence WHERE number > 1 AND sheet_row BETWEEN ? AND ?';

export class StagedRepetitions {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.exec(CREATE);
    connection.exec(CREATE_REFERRED);
  }

  /** Puts rows in; those that are there stay as they are. */
  add(rows: Iterable<ComparedRow>): void {
    this.#connection.run('BEGIN', []);
    for (const { row, reference = null, name, payee, destination, amount } of rows) {
      const { minor, currency } = amount;
      this.#connection.run(INSERT, [row, reference, name, comparedName(name), payee, destination, minor, currency]);
    }
    this.#connection.run('COMMIT', []);
  }

  /** Puts rows with errors in. */
  addReferred(rows: Iterable<Referred>): void {
    this.#connection.run('BEGIN', []);
    for (const [row, reference] of rows) this.#connection.run(INSERT_REFERRED, [row, reference]);
    this.#connection.run('COMMIT', []);
  }

  references(): readonly RepeatedReference[] {
    const found: { value: string; rows: number[]; count: number; payable: number }[] = [];
    for (const row of this.#connection.all(REFERENCES)) {
      const [number, value] = [numberOf(row, 'sheet_row'), textOf(row, 'reference')];
      const before = found.at(-1);
      if (before?.value === value) before.rows.push(number);
      else found.push({ value, rows: [number], count: numberOf(row, 'number'), payable: numberOf(row, 'payable') });
    }
    return found;
  }

  identical(): readonly Repetition[] {
    return repetitions(this.#connection, IDENTICAL, payment);
  }

  payees(): readonly Repetition[] {
    return repetitions(this.#connection, PAYEES, (row) => textOf(row, 'destination'));
  }

  *rowsOfReference({ value }: RepeatedReference): Generator<ReferredRow> {
    this.#connection.exec(INDEX_REFERENCES);
    for (let after = 0; ; ) {
      const block = this.#connection.all(SAME_REFERENCE, [value, after]);
      for (const found of block) yield { row: numberOf(found, 'sheet_row'), isPayable: numberOf(found, 'paid') === 1 };
      const last = block.at(-1);
      if (!last) return;
      after = numberOf(last, 'sheet_row');
    }
  }

  rowsOfPayment(repetition: Repetition): Iterable<number> {
    return everyRow(this.#connection, repetition, INDEX_PAYEES, SAME_PAYMENT);
  }

  payeesWithNames(most: number): Some<Contrast> {
    return contrasts(this.#connection, NAMES, most, (row) => textOf(row, 'first_name'));
  }

  namesWithPayees(most: number): Some<Contrast> {
    return contrasts(this.#connection, PAYEES_OF_NAME, most, (row) => textOf(row, 'first_destination'));
  }

  /** Of rows from one to another: which of the identical payments each is, where it is not the first. */
  occurrences(first: number, last: number): ReadonlyMap<number, number> {
    this.#connection.exec(CREATE_OCCURRENCE);
    const found = this.#connection.all(OCCURRENCES, [first, last]);
    return new Map(found.map((row) => [numberOf(row, 'sheet_row'), numberOf(row, 'number')]));
  }
}

function repetitions(connection: Connection, sql: string, nameOf: (row: SqlRow) => string): readonly Repetition[] {
  const found: { value: string; rows: number[]; count: number }[] = [];
  for (const row of connection.all(sql)) {
    const number = numberOf(row, 'sheet_row');
    if (numberOf(row, 'place') === 1)
      found.push({ value: nameOf(row), rows: [number], count: numberOf(row, 'number') });
    else found.at(-1)?.rows.push(number);
  }
  return found;
}

/** Every row of a group: those that are named, and then the others in blocks. */
function* everyRow(
  connection: Connection,
  { rows, count }: Repetition,
  index: string,
  rest: string,
): Generator<number> {
  yield* rows;
  if (count === rows.length) return;
  connection.exec(index);
  for (let after = rows.at(-1) ?? 0; ; ) {
    const block = connection.all(rest, [rows[0] ?? 0, after]).map((row) => numberOf(row, 'sheet_row'));
    yield* block;
    const last = block.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

function contrasts(
  connection: Connection,
  sql: string,
  most: number,
  firstOf: (row: SqlRow) => string,
): Some<Contrast> {
  const rows = connection.all(sql, [most]);
  const found = rows.map((row) => ({
    row: numberOf(row, 'sheet_row'),
    name: textOf(row, 'name'),
    payee: textOf(row, 'destination'),
    first: firstOf(row),
    firstRow: numberOf(row, 'first_row'),
  }));
  return { found, count: rows[0] ? numberOf(rows[0], 'number') : 0 };
}

/** What a person recognises the payment by: `+254712345678 KES 500.00`. */
const payment = (row: SqlRow): string =>
  `${textOf(row, 'destination')} ${moneyText({
    minor: minorOf(row, 'amount_minor'),
    currency: textOf(row, 'currency') as CurrencyCode, // was stored as one
  })}`;
