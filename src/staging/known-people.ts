/** Recognises the people of a staged sheet in earlier batches, on the temporary file of the staging, one batch at a time. */

import { minorOf, numberOf, type SqlRow, textOf } from '../database/database.ts';
import type { Connection } from '../database/sqlite.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { NamedOf, NamedRow, Sum } from '../domain/duplicate.ts';
import type { BatchId } from '../domain/ids.ts';
import type { AskedPerson, KnownPeople, PaidElsewhere, PaidRow } from '../domain/known-people.ts';
import type { Money } from '../domain/money.ts';
import { comparedName } from '../domain/staging.ts';

/**
 * Table `earlier` has the rows of one batch. Table `known` has a row of the sheet, and the row of the batch in which its
 * person is recognised; `age` counts batches from the latest one, which is 1.
 */
const CREATE = `DROP TABLE IF EXISTS earlier;
DROP TABLE IF EXISTS known;
CREATE TABLE earlier (
  earlier_row INTEGER PRIMARY KEY,
  reference TEXT,
  name TEXT NOT NULL,
  compared_name TEXT NOT NULL,
  payee TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  is_paid INTEGER NOT NULL
);
CREATE INDEX earlier_by_reference ON earlier (reference) WHERE reference IS NOT NULL;
CREATE TABLE known (
  sheet_row INTEGER NOT NULL,
  age INTEGER NOT NULL,
  earlier_row INTEGER NOT NULL,
  payee TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  is_paid INTEGER NOT NULL,
  PRIMARY KEY (sheet_row, age)
) WITHOUT ROWID;
CREATE UNIQUE INDEX known_by_earlier ON known (age, earlier_row)`;
const FORGET = 'DELETE FROM earlier';
const INSERT = `INSERT INTO earlier (earlier_row, reference, name, compared_name, payee, amount_minor, is_paid)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

const KNOWN = 'INSERT OR IGNORE INTO known (sheet_row, age, earlier_row, payee, amount_minor, is_paid)';
const TAKEN = 'e.earlier_row, e.payee, e.amount_minor, e.is_paid';
/**
 * A reference counts only if payee or name agree too: sheets that number their rows give each number to another person every
 * month.
 */
const BY_REFERENCE = `${KNOWN} SELECT s.sheet_row, ?, ${TAKEN}
  FROM payable s JOIN earlier e ON e.reference = s.reference AND (e.payee = s.payee OR e.compared_name = s.compared_name)`;

const UNKNOWN = 'NOT EXISTS (SELECT 1 FROM known k WHERE k.sheet_row = payable.sheet_row AND k.age = ?)';
const LEFT_OVER = 'NOT EXISTS (SELECT 1 FROM known k WHERE k.earlier_row = earlier.earlier_row AND k.age = ?)';

/**
 * Pairs the rows that are left on both sides and have the same values in these columns: the first with the first, the second
 * with the second.
 */
const knownBy = (...columns: readonly string[]): string => {
  const place = (row: string): string =>
    `ROW_NUMBER() OVER (PARTITION BY ${columns.join(', ')} ORDER BY ${row}) AS place`;
  const same = columns.map((column) => `e.${column} = s.${column}`).join(' AND ');
  return `${KNOWN} SELECT s.sheet_row, ?, ${TAKEN}
FROM (SELECT sheet_row, ${columns.join(', ')}, ${place('sheet_row')} FROM payable
  WHERE ${columns[0]} <> '' AND ${UNKNOWN}) AS s
JOIN (SELECT *, ${place('earlier_row')} FROM earlier WHERE ${LEFT_OVER}) AS e
ON ${same} AND e.place = s.place`;
};

/**
 * The ways to recognise a person, from the surest to the least sure. Each is applied to the rows that those before it have
 * left.
 */
const WAYS = [knownBy('payee', 'amount_minor'), knownBy('payee'), knownBy('reference'), knownBy('compared_name')];

const ROWS = 'SELECT COUNT(*) AS number FROM payable';
const SAMPLE = `SELECT payee, reference, name FROM
  (SELECT payee, reference, name, sheet_row, ROW_NUMBER() OVER (ORDER BY sheet_row) - 1 AS place FROM payable) AS numbered
  WHERE place % ? = 0 ORDER BY sheet_row`;
const SHARED = `SELECT COUNT(*) AS number FROM payable WHERE payee IN (SELECT payee FROM earlier)
  OR compared_name IN (SELECT compared_name FROM earlier WHERE compared_name <> '')`;

/** The first rows of a set, each with the number of rows in the set and the sum of their amounts. */
const firstOf = (row: string, from: string): string => `SELECT ${row} AS row, name, amount_minor,
  COUNT(*) OVER () AS number, SUM(amount_minor) OVER () AS sum FROM ${from} ORDER BY ${row} LIMIT ?`;
const NEW = firstOf('sheet_row', `payable WHERE ${UNKNOWN}`);
const GONE = firstOf('earlier_row', `earlier WHERE ${LEFT_OVER}`);
const PAID = 'SELECT COUNT(*) AS number, COALESCE(SUM(amount_minor), 0) AS sum FROM earlier';

const OTHER_AMOUNTS = `SELECT s.sheet_row AS row, s.name, s.amount_minor, k.amount_minor AS was,
  COUNT(*) OVER () AS number,
  SUM(MAX(s.amount_minor - k.amount_minor, 0)) OVER () AS more,
  SUM(MAX(k.amount_minor - s.amount_minor, 0)) OVER () AS less
  FROM known k JOIN payable s ON s.sheet_row = k.sheet_row WHERE k.age = ? AND k.amount_minor <> s.amount_minor
  ORDER BY ABS(s.amount_minor - k.amount_minor) DESC, s.sheet_row LIMIT ?`;

const ELSEWHERE = `SELECT k.sheet_row, k.age, k.earlier_row FROM known k JOIN payable s ON s.sheet_row = k.sheet_row
  WHERE k.sheet_row BETWEEN ? AND ? AND k.payee <> s.payee
  AND k.age = (SELECT MIN(age) FROM known WHERE sheet_row = k.sheet_row)`;

const FAR = `WITH history AS (SELECT sheet_row, amount_minor,
    ROW_NUMBER() OVER (PARTITION BY sheet_row ORDER BY amount_minor) AS place,
    COUNT(*) OVER (PARTITION BY sheet_row) AS payments FROM known WHERE is_paid = 1)
  SELECT s.sheet_row AS row, s.name, s.amount_minor, h.amount_minor AS usual, h.payments, COUNT(*) OVER () AS number
  FROM history h JOIN payable s ON s.sheet_row = h.sheet_row
  WHERE h.payments >= ? AND h.place = h.payments / 2 + 1
    AND (s.amount_minor > ? * h.amount_minor OR ? * s.amount_minor < h.amount_minor)
  ORDER BY s.sheet_row LIMIT ?`;

/** Starts to recognise people on the file of a staging, with empty tables. */
export function openKnownPeople(connection: Connection, currency: CurrencyCode): KnownPeople {
  connection.exec(CREATE);
  const batches: BatchId[] = [];
  const money = (row: SqlRow | undefined, column: string): Money => ({
    minor: row ? minorOf(row, column) : 0n,
    currency,
  });
  const named = (row: SqlRow): NamedRow => ({
    row: numberOf(row, 'row'),
    name: textOf(row, 'name'),
    amount: money(row, 'amount_minor'),
  });
  const someOf = (rows: readonly SqlRow[]): Sum & NamedOf<NamedRow> => ({
    count: countIn(rows),
    amount: money(rows[0], 'sum'),
    rows: rows.map(named),
  });
  return {
    sample: (most) => sampleOf(connection, most),
    begin() {
      connection.run(FORGET, []);
    },
    add(rows) {
      connection.run('BEGIN', []);
      for (const row of rows) connection.run(INSERT, valuesOf(row));
      connection.run('COMMIT', []);
    },
    shared: () => ({ count: countIn(connection.all(SHARED)), of: countIn(connection.all(ROWS)) }),
    know(batch) {
      const age = batches.push(batch);
      connection.run('BEGIN', []);
      connection.run(BY_REFERENCE, [age]);
      for (const way of WAYS) connection.run(way, [age, age, age]);
      connection.run('COMMIT', []);
    },
    difference(most) {
      const age = batches.length;
      const paid = connection.all(PAID);
      const others = connection.all(OTHER_AMOUNTS, [age, most]);
      return {
        paid: { count: countIn(paid), amount: money(paid[0], 'sum') },
        newPeople: someOf(connection.all(NEW, [age, most])),
        gonePeople: someOf(connection.all(GONE, [age, most])),
        changedAmounts: {
          count: countIn(others),
          rows: others.map((row) => ({ ...named(row), was: money(row, 'was') })),
          more: money(others[0], 'more'),
          less: money(others[0], 'less'),
        },
      };
    },
    paidElsewhere: (first, last) => elsewhere(connection, batches, first, last),
    farAmounts({ paymentsMin, factor }, most) {
      const found = connection.all(FAR, [paymentsMin, factor, factor, most]);
      const rows = found.map((row) => ({
        ...named(row),
        usual: money(row, 'usual'),
        payments: numberOf(row, 'payments'),
      }));
      return { count: countIn(found), rows };
    },
  };
}

function sampleOf(connection: Connection, most: number): readonly AskedPerson[] {
  const stride = Math.max(1, Math.ceil(countIn(connection.all(ROWS)) / most));
  const people = new Map<string, AskedPerson>();
  for (const row of connection.all(SAMPLE, [stride])) {
    const reference = row['reference'];
    const payee = textOf(row, 'payee');
    people.set(payee, { payee, name: textOf(row, 'name'), ...(typeof reference === 'string' && { reference }) });
  }
  return [...people.values()];
}

const valuesOf = ({ row, reference, name, payee, minor, isPaid }: PaidRow) => [
  row,
  reference ?? null,
  name,
  comparedName(name),
  payee,
  minor,
  isPaid ? 1 : 0,
];

function elsewhere(connection: Connection, batches: readonly BatchId[], first: number, last: number) {
  const found = new Map<number, PaidElsewhere>();
  for (const row of connection.all(ELSEWHERE, [first, last])) {
    const batch = batches[numberOf(row, 'age') - 1];
    if (batch !== undefined) found.set(numberOf(row, 'sheet_row'), { batch, row: numberOf(row, 'earlier_row') });
  }
  return found;
}

const countIn = ([first]: readonly SqlRow[]): number => (first ? numberOf(first, 'number') : 0);
