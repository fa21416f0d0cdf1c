/**
 * Keeps checked rows in a temporary SQLite file that vanishes when it is closed, so that no sheet is ever held in memory.
 * One plain table has a row for each row of the sheet.
 */

import { minorOf, numberOf, type SqlRow, type SqlValue, textOf } from '../database/database.ts';
import { type Connection, openTemporary } from '../database/sqlite.ts';
import type { Payout } from '../domain/batch.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import { invariant } from '../domain/invariant.ts';
import type { Issue } from '../domain/issue.ts';
import type { Money } from '../domain/money.ts';
import { comparedName, type StagedFor, type StagedPayment, type StagedRow, type Staging } from '../domain/staging.ts';
import { openKnownPeople } from './known-people.ts';
import * as repetitions from './repetitions.ts';

/** Rows of a block, which are read and planned together. Which rows share an order depends on this number. */
const BLOCK_ROWS = 500;

/**
 * Table `staged` has the values that rows are compared by, and the rest of each row as JSON, which a check without a run leaves out.
 * A row that cannot be paid has no payee; the view `payable` has all others. Table `repeated` has payments that an earlier
 * row makes too, with the occurrence that each of them is. Table `noted` has what was found wrong; row 0 means the sheet as
 * a whole.
 */
const CREATE = `CREATE TABLE staged (
  sheet_row INTEGER PRIMARY KEY,
  reference TEXT,
  name TEXT,
  compared_name TEXT,
  identity TEXT,
  payee TEXT,
  destination TEXT,
  amount_minor BIGINT,
  currency TEXT,
  rest TEXT
);
CREATE VIEW payable AS SELECT * FROM staged WHERE payee IS NOT NULL;
CREATE TABLE repeated (sheet_row INTEGER PRIMARY KEY, occurrence INTEGER NOT NULL);
CREATE TABLE noted (
  sheet_row INTEGER NOT NULL,
  place INTEGER NOT NULL,
  issue TEXT NOT NULL,
  PRIMARY KEY (sheet_row, place)
) WITHOUT ROWID`;

const INSERT = `INSERT INTO staged (sheet_row, reference, name, compared_name, identity, payee, destination, amount_minor, currency, rest)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const ROWS = 'SELECT * FROM staged WHERE sheet_row > ? ORDER BY sheet_row LIMIT ?';
const NUMBER_REPEATED = `INSERT OR IGNORE INTO repeated (sheet_row, occurrence) SELECT sheet_row, occurrence FROM (
  SELECT sheet_row, ROW_NUMBER() OVER (PARTITION BY payee, amount_minor, currency ORDER BY sheet_row) AS occurrence FROM payable
) AS numbered WHERE occurrence > 1`;
const PAYMENTS = `SELECT p.sheet_row, reference, name, payee, destination, amount_minor, currency, COALESCE(occurrence, 1) AS occurrence
  FROM payable p LEFT JOIN repeated r ON r.sheet_row = p.sheet_row WHERE p.sheet_row > ? ORDER BY p.sheet_row LIMIT ?`;
/** Made when the first name is asked for: most sheets are compared with no earlier batch. */
const INDEX_NAMES = `CREATE INDEX IF NOT EXISTS staged_name ON staged (compared_name, amount_minor, currency)
  WHERE payee IS NOT NULL`;
/** Names that one statement looks up. */
const NAMES_AT_ONCE = 256;
const OF_NAMES = `SELECT DISTINCT compared_name, amount_minor, currency FROM payable
  WHERE compared_name IN (${Array(NAMES_AT_ONCE).fill('?').join(', ')}) AND compared_name <> ''`;
const INSERT_NOTED = 'INSERT INTO noted (sheet_row, place, issue) VALUES (?, ?, ?)';
const NOTED = `SELECT sheet_row, place, issue FROM noted WHERE (sheet_row, place) > (?, ?)
  ORDER BY sheet_row, place LIMIT ?`;

/** Opens an empty staging; `close` deletes everything in it. */
export function openStaging(use: StagedFor = 'plan'): Staging {
  const connection = openTemporary();
  connection.exec(CREATE);
  let noted = 0;
  let isNumbered = false;
  let hasNames = false;
  return {
    keepsRows: use === 'plan',
    add(rows) {
      isNumbered = false;
      connection.run('BEGIN', []);
      for (const row of rows) connection.run(INSERT, valuesOf(row, use));
      connection.run('COMMIT', []);
    },
    blocks() {
      invariant(use === 'plan', 'rows of a mere check are not read back');
      return blocksOf(connection, ROWS, rowOf);
    },
    payments() {
      if (!isNumbered) connection.run(NUMBER_REPEATED, []);
      isNumbered = true;
      return blocksOf(connection, PAYMENTS, paymentOf);
    },
    repeatedReferences: () => repetitions.references(connection),
    identicalRows: () => repetitions.identicalRows(connection),
    repeatedPayees: () => repetitions.payees(connection),
    rowsOfReference: (repetition) => repetitions.rowsOfReference(connection, repetition),
    rowsOfPayment: (repetition) => repetitions.rowsOfPayment(connection, repetition),
    unusualAmounts: (factor, rowsMin, most) => repetitions.unusualAmounts(connection, factor, rowsMin, most),
    payeesWithNames: (most) => repetitions.payeesWithNames(connection, most),
    namesWithPayees: (most) => repetitions.namesWithPayees(connection, most),
    identitiesWithNames: (most, mayBeEmployers) => repetitions.identitiesWithNames(connection, most, mayBeEmployers),
    paidAmong(people) {
      if (!hasNames) connection.exec(INDEX_NAMES);
      hasNames = true;
      const compared = people.map(({ name }) => comparedName(name));
      const found = new Set<string>();
      for (let from = 0; from < compared.length; from += NAMES_AT_ONCE) {
        const names = Array.from({ length: NAMES_AT_ONCE }, (_, index) => compared[from + index] ?? '');
        for (const { compared_name, amount_minor, currency } of connection.all(OF_NAMES, names))
          found.add(`${amount_minor} ${currency} ${compared_name}`);
      }
      return people.filter(({ amount: { minor, currency } }, index) =>
        found.has(`${minor} ${currency} ${compared[index]}`),
      );
    },
    knownPeople: (currency) => openKnownPeople(connection, currency),
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

/** The values that only the column `rest` holds. */
type Rest = Omit<StagedRow, 'row' | 'reference' | 'identity' | 'payout' | 'leftOut'> & {
  readonly payout?: Omit<Payout, keyof Compared>;
  /** Why the sheet leaves the row out. */
  readonly reason?: string;
};

/** The values of a payout that have columns of their own. */
type Compared = Pick<Payout, 'reference' | 'name' | 'payee' | 'destination' | 'amount'>;

function valuesOf(
  { row, payout, leftOut, reference, identity, ...others }: StagedRow,
  use: StagedFor,
): readonly SqlValue[] {
  if (!payout) {
    const { minor = null, currency = null } = leftOut?.amount ?? {};
    const rest: Rest = { ...others, ...(leftOut && { reason: leftOut.reason }) };
    return [row, reference ?? null, null, null, null, null, null, minor, currency, textOfRest(rest, use)];
  }
  const { reference: own = null, name, payee, destination, amount, ...ofPayout } = payout;
  const rest = textOfRest({ ...others, payout: ofPayout }, use);
  return [
    row,
    own,
    name,
    comparedName(name),
    identity ?? null,
    payee,
    destination,
    amount.minor,
    amount.currency,
    rest,
  ];
}

const textOfRest = (rest: Rest, use: StagedFor): string | null => (use === 'plan' ? JSON.stringify(rest) : null);

function rowOf(stored: SqlRow): StagedRow {
  const row = numberOf(stored, 'sheet_row');
  const { payout, reason, ...others }: Rest = JSON.parse(textOf(stored, 'rest')); // written by `textOfRest`
  if (payout) return { row, payout: { ...payout, ...comparedOf(stored) }, ...others };
  if (reason === undefined) return { row, ...referenceOf(stored), ...others };
  return { row, leftOut: { reason, ...(stored['currency'] !== null && { amount: amountOf(stored) }) }, ...others };
}

const paymentOf = (stored: SqlRow): StagedPayment => ({
  row: numberOf(stored, 'sheet_row'),
  ...comparedOf(stored),
  occurrence: numberOf(stored, 'occurrence'),
});

const comparedOf = (stored: SqlRow): Compared => ({
  ...referenceOf(stored),
  name: textOf(stored, 'name'),
  payee: textOf(stored, 'payee'),
  destination: textOf(stored, 'destination'),
  amount: amountOf(stored),
});

const referenceOf = ({ reference }: SqlRow): { readonly reference?: string } =>
  typeof reference === 'string' ? { reference } : {};

const amountOf = (stored: SqlRow): Money => ({
  minor: minorOf(stored, 'amount_minor'),
  currency: textOf(stored, 'currency') as CurrencyCode, // a column of currency codes
});

/** Yields rows in sheet order, a block at a time. */
function* blocksOf<T>(connection: Connection, sql: string, read: (stored: SqlRow) => T): Generator<readonly T[]> {
  for (let after = 0; ; ) {
    const block = connection.all(sql, [after, BLOCK_ROWS]);
    const last = block.at(-1);
    if (!last) return;
    yield block.map(read);
    after = numberOf(last, 'sheet_row');
  }
}

function* notedIssues(connection: Connection): Generator<Issue> {
  for (let after = [-1, 0]; ; ) {
    const block = connection.all(NOTED, [...after, BLOCK_ROWS]);
    const last = block.at(-1);
    if (!last) return;
    for (const row of block) yield JSON.parse(textOf(row, 'issue')) as Issue; // only paybatch's own issues are stored
    after = [numberOf(last, 'sheet_row'), numberOf(last, 'place')];
  }
}
