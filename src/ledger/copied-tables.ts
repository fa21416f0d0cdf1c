/**
 * Copies all rows of a ledger into another database, table by table. Tables and columns are read from the ledger, so nothing
 * here names a column.
 */
import { numberOf, type Reader, type SqlRow, type SqlValue, type Statement, textOf } from '../database/database.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key, in order. */
  readonly key: readonly string[];
}

/** Rows that are read, and inserted, at a time: a body of an order may have a hundred lines. */
const BLOCK = 200;

/** The tables in the order in which they were created: what a table refers to comes before it. */
const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid`;
const COLUMNS = 'SELECT name, pk FROM pragma_table_info(?) ORDER BY cid';

/** Returns the tables of a ledger on SQLite. */
export async function tablesOf(sqlite: Reader): Promise<readonly Table[]> {
  const tables: Table[] = [];
  for (const row of await sqlite.read(TABLES)) {
    const name = textOf(row, 'name');
    const columns = await sqlite.read(COLUMNS, [name]);
    const key = columns.filter((column) => numberOf(column, 'pk') > 0);
    tables.push({
      name,
      columns: columns.map((column) => textOf(column, 'name')),
      key: key.toSorted((a, b) => numberOf(a, 'pk') - numberOf(b, 'pk')).map((column) => textOf(column, 'name')),
    });
  }
  return tables;
}

/** Returns names quoted as both databases accept them. */
export const named = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Yields the rows of a table in the order of its key, in blocks. */
async function* rowsOf(reader: Reader, { name, columns, key }: Table): AsyncGenerator<readonly SqlRow[]> {
  const begin = `SELECT ${named(columns)} FROM "${name}"`;
  const end = `ORDER BY ${named(key)} LIMIT ${BLOCK}`;
  const further = `${begin} WHERE (${named(key)}) > (${key.map(() => '?').join(', ')}) ${end}`;
  for (let last: SqlRow | undefined; ; ) {
    const from = last;
    const rows = from
      ? await reader.read(
          further,
          key.map((column) => from[column] as SqlValue),
        ) // a column of this very table
      : await reader.read(`${begin} ${end}`);
    last = rows.at(-1);
    if (!last) return;
    yield rows;
  }
}

/** Yields statements that put the rows of all tables into a database that has these tables, all empty. */
export async function* copying(from: Reader, tables: readonly Table[]): AsyncGenerator<readonly Statement[]> {
  for (const table of tables) {
    const { name, columns } = table;
    const row = `(${columns.map(() => '?').join(', ')})`;
    for await (const rows of rowsOf(from, table)) {
      const values = rows.flatMap((one) => columns.map((column) => one[column] as SqlValue)); // a column of this very table
      const sql = `INSERT INTO "${name}" (${named(columns)}) VALUES ${rows.map(() => row).join(', ')}`;
      yield [{ sql, values, expect: rows.length }];
    }
  }
}
