/** Checked rows on a temporary file that vanishes when it is closed, so that no sheet is ever held in memory. */
import type { CurrencyCode } from '../domain/currency.ts';
import type { Issue } from '../domain/issue.ts';
import { decodeRecord, encodeRecord } from '../domain/json.ts';
import { moneyText } from '../domain/money.ts';
import {
  type Contrast,
  comparedName,
  type Repetition,
  type Some,
  type StagedPayment,
  type StagedRow,
  type Staging,
  type UnusualAmounts,
} from '../domain/staging.ts';
import { minorOf, numberOf, type SqlRow, type SqlValue, textOf } from './database.ts';
import { openKnownPeople } from './known-people.ts';
import { decodePayout, encodePayout } from './record-text.ts';
import { type Connection, openTemporary } from './sqlite.ts';

/** Rows held at a time while they are read back. */
const BLOCK_ROWS = 500;

/** More rows than these are not named to a person; the count says how many there are. */
const NAMED_ROWS = 50;

const CREATE = `CREATE TABLE staged (
  sheet_row INTEGER PRIMARY KEY,
  reference TEXT,
  name TEXT,
  compared_name TEXT,
  payee TEXT,
  destination TEXT,
  amount_minor BIGINT,
  currency TEXT,
  payout TEXT,
  draft TEXT,
  texts TEXT NOT NULL,
  issues TEXT NOT NULL
)`;
const INSERT = `INSERT INTO staged (sheet_row, reference, name, compared_name, payee, destination, amount_minor, currency,
  payout, draft, texts, issues) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const BLOCK = `SELECT sheet_row, payout, draft, texts, issues FROM staged WHERE sheet_row > ? ORDER BY sheet_row LIMIT ?`;

/** Made when it is first asked for: sheets that are refused do without. */
const CREATE_OCCURRENCE = `CREATE TABLE IF NOT EXISTS occurrence (sheet_row INTEGER PRIMARY KEY, number INTEGER NOT NULL);
  INSERT OR IGNORE INTO occurrence (sheet_row, number)
    SELECT sheet_row, ROW_NUMBER() OVER (PARTITION BY payee, amount_minor, currency ORDER BY sheet_row)
    FROM staged WHERE payout IS NOT NULL`;
const PAYMENTS = `SELECT s.sheet_row, name, reference, payee, destination, amount_minor, currency, o.number AS occurrence
  FROM occurrence o JOIN staged s ON s.sheet_row = o.sheet_row
  WHERE o.sheet_row > ? ORDER BY o.sheet_row LIMIT ?`;

/** The sheet as a whole has the row 0. */
const CREATE_NOTED = `CREATE TABLE noted (
  sheet_row INTEGER NOT NULL,
  place INTEGER NOT NULL,
  issue TEXT NOT NULL,
  PRIMARY KEY (sheet_row, place)
) WITHOUT ROWID`;
const INSERT_NOTED = 'INSERT INTO noted (sheet_row, place, issue) VALUES (?, ?, ?)';
const NOTED = `SELECT sheet_row, place, issue FROM noted WHERE (sheet_row, place) > (?, ?)
  ORDER BY sheet_row, place LIMIT ?`;

/** Groups of payable rows with the same columns, in one sort: the first rows of each group of two and more. */
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
  WHERE first.sheet_row = ? AND later.sheet_row > ? AND later.payout IS NOT NULL AND later.${where}
  ORDER BY later.sheet_row LIMIT ${BLOCK_ROWS}`;
/** What lets a group be found by its first row; made when it is first asked for. */
const INDEX_REFERENCES = 'CREATE INDEX IF NOT EXISTS staged_by_reference ON staged (reference, sheet_row)';
const INDEX_PAYEES = 'CREATE INDEX IF NOT EXISTS staged_by_payee ON staged (payee, amount_minor, sheet_row)';
const SAME_REFERENCE = restOf(['reference'], 'reference IS NOT NULL');
const SAME_PAYMENT = restOf(['payee', 'amount_minor', 'currency'], 'reference IS NULL');

const REFERENCES = repeatedBy('reference', 'payout IS NOT NULL AND reference IS NOT NULL');
const IDENTICAL = repeatedBy('payee, amount_minor, currency', 'payout IS NOT NULL AND reference IS NULL');
const PAYEES = repeatedBy('payee', 'payout IS NOT NULL');

const PAID = 'SELECT COUNT(*) AS number FROM staged WHERE payout IS NOT NULL';
const MEDIAN = `SELECT amount_minor FROM staged WHERE payout IS NOT NULL ORDER BY amount_minor LIMIT 1 OFFSET ?`;
const ABOVE = `SELECT sheet_row, amount_minor, COUNT(*) OVER () AS number
  FROM staged WHERE payout IS NOT NULL AND amount_minor > ? ORDER BY sheet_row LIMIT ?`;

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
    FROM staged WHERE payout IS NOT NULL AND ${key} <> ''
    WINDOW grouped AS (PARTITION BY ${key} ORDER BY sheet_row)
  ) AS compared WHERE differing <> usual GROUP BY same, earlier_row ORDER BY later_row LIMIT ?
) AS pairs
JOIN staged AS later ON later.sheet_row = later_row
JOIN staged AS earlier ON earlier.sheet_row = earlier_row
ORDER BY later.sheet_row`;

const NAMES = contrastsOf('payee', 'compared_name');
const PAYEES_OF_NAME = contrastsOf('compared_name', 'payee');

/** Opens an empty staging; `close` deletes all that is in it. */
export function openStaging(): Staging {
  const connection = openTemporary();
  connection.exec(CREATE);
  connection.exec(CREATE_NOTED);
  let noted = 0;
  return {
    add: (rows) => addRows(connection, rows),
    blocks: () => blocks(connection),
    payments: () => payments(connection),
    repeatedReferences: () => repetitions(connection, REFERENCES, (row) => textOf(row, 'reference')),
    identicalRows: () => repetitions(connection, IDENTICAL, payment),
    repeatedPayees: () => repetitions(connection, PAYEES, (row) => textOf(row, 'destination')),
    rowsOfReference: (repetition) => everyRow(connection, repetition, INDEX_REFERENCES, SAME_REFERENCE),
    rowsOfPayment: (repetition) => everyRow(connection, repetition, INDEX_PAYEES, SAME_PAYMENT),
    unusualAmounts: (factor, rowsMin, most) => unusualAmounts(connection, factor, rowsMin, most),
    payeesWithNames: (most) => contrasts(connection, NAMES, most, (row) => textOf(row, 'first_name')),
    knownPeople: () => openKnownPeople(connection),
    namesWithPayees: (most) => contrasts(connection, PAYEES_OF_NAME, most, (row) => textOf(row, 'first_destination')),
    note(issues) {
      connection.run('BEGIN', []);
      for (const found of issues) {
        noted += 1;
        connection.run(INSERT_NOTED, [found.row ?? 0, noted, JSON.stringify(found)]);
      }
      connection.run('COMMIT', []);
    },
    issues: () => ({ [Symbol.iterator]: () => notedIssues(connection) }),
    close: () => connection.close(),
  };
}

function addRows(connection: Connection, rows: readonly StagedRow[]): void {
  connection.run('BEGIN', []);
  for (const { row, payout, draft, texts, issues } of rows) {
    const values: SqlValue[] = [
      row,
      payout?.reference ?? null,
      payout?.name ?? null,
      payout ? comparedName(payout.name) : null,
      payout?.payee ?? null,
      payout?.destination ?? null,
      payout?.amount.minor ?? null,
      payout?.amount.currency ?? null,
      payout ? encodePayout(payout) : null,
      draft === undefined ? null : encodeRecord(draft),
      JSON.stringify(texts),
      JSON.stringify(issues),
    ];
    connection.run(INSERT, values);
  }
  connection.run('COMMIT', []);
}

function* blocks(connection: Connection): Generator<readonly StagedRow[]> {
  for (let after = 0; ; ) {
    const block = connection.all(BLOCK, [after, BLOCK_ROWS]).map(stagedRow);
    const last = block.at(-1);
    if (!last) return;
    yield block;
    after = last.row;
  }
}

function* payments(connection: Connection): Generator<readonly StagedPayment[]> {
  connection.exec(CREATE_OCCURRENCE);
  for (let after = 0; ; ) {
    const block = connection.all(PAYMENTS, [after, BLOCK_ROWS]).map(stagedPayment);
    const last = block.at(-1);
    if (!last) return;
    yield block;
    after = last.row;
  }
}

function stagedPayment(row: SqlRow): StagedPayment {
  const reference = row['reference'] as string | null;
  return {
    row: numberOf(row, 'sheet_row'),
    name: textOf(row, 'name'),
    ...(reference !== null && { reference }),
    payee: textOf(row, 'payee'),
    destination: textOf(row, 'destination'),
    amount: { minor: minorOf(row, 'amount_minor'), currency: textOf(row, 'currency') as CurrencyCode },
    occurrence: numberOf(row, 'occurrence'),
  };
}

function* notedIssues(connection: Connection): Generator<Issue> {
  for (let after = [-1, 0]; ; ) {
    const block = connection.all(NOTED, [...after, BLOCK_ROWS]);
    const last = block.at(-1);
    if (!last) return;
    for (const row of block) yield JSON.parse(textOf(row, 'issue')) as Issue; // only our own issues are stored
    after = [numberOf(last, 'sheet_row'), numberOf(last, 'place')];
  }
}

const stagedRow = (row: SqlRow): StagedRow => ({
  row: numberOf(row, 'sheet_row'),
  ...(row['payout'] !== null && { payout: decodePayout(textOf(row, 'payout')) }),
  ...(row['draft'] !== null && { draft: decodeRecord<unknown>(textOf(row, 'draft')) }),
  texts: JSON.parse(textOf(row, 'texts')),
  issues: JSON.parse(textOf(row, 'issues')),
});

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

function unusualAmounts(connection: Connection, factor: number, rowsMin: number, most: number): UnusualAmounts {
  const [counted] = connection.all(PAID);
  const paid = counted ? numberOf(counted, 'number') : 0;
  const [middle] = paid < rowsMin ? [] : connection.all(MEDIAN, [Math.floor(paid / 2)]);
  if (!middle) return { median: 0n, found: [], count: 0 };
  const median = minorOf(middle, 'amount_minor');
  const rows = connection.all(ABOVE, [median * BigInt(factor), most]);
  const found = rows.map((row) => ({ row: numberOf(row, 'sheet_row'), minor: minorOf(row, 'amount_minor') }));
  return { median, found, count: rows[0] ? numberOf(rows[0], 'number') : 0 };
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
