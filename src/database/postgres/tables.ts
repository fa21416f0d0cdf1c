/**
 * The tables of a ledger on PostgreSQL: created once, in their own schema, and at every opening compared with how they
 * were created.
 */
import { Fault } from '../../domain/fault.ts';
import { sha256 } from '../../domain/ids.ts';
import { numberOf, textOf } from '../database.ts';
import { migrationsFrom, othersTables, requireVersion, type Schema } from '../tables-version.ts';
import { type PostgresAddress, shownAddress } from './address.ts';
import type { PostgresConnection } from './connection.ts';
import { tableText } from './dialect.ts';
import { forbidden } from './faults.ts';

/**
 * How the tables were created: their version; a hash of the statements that create that version in a new ledger (`made_of`);
 * and a hash of what the server had after they were run (`made`).
 */
const TABLES = `CREATE TABLE tables (
  only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
  version BIGINT NOT NULL,
  made_of TEXT NOT NULL,
  made TEXT NOT NULL
)`;
const INSERT = 'INSERT INTO tables (only_row, version, made_of, made) VALUES (1, ?, ?, ?)';
const UPDATE = 'UPDATE tables SET version = ?, made_of = ?, made = ? WHERE only_row = 1';
const RECORDED = 'SELECT version, made_of, made FROM tables WHERE only_row = 1';

/** Whether the schema exists, and whether a ledger is in it. */
const FOUND = `SELECT (SELECT COUNT(*) FROM pg_class c WHERE c.relnamespace = n.oid) AS relations,
  (SELECT COUNT(*) FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = 'tables') AS ours,
  has_schema_privilege(n.oid, 'USAGE')::text AS usable
  FROM pg_namespace n WHERE n.nspname = ?`;

/** A lock for creating tables, so that two programs that open a new ledger at the same time create only one. */
const ALONE = "SELECT pg_advisory_xact_lock(hashtext('paybatch tables'))";

/** Begins a transaction in which every reading is of the same moment. */
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * What the server has in the schema, one line each: columns with type, collation and nullability; constraints; indexes;
 * triggers, rules and policies, of which a ledger has none; and whether a crash would empty a table. An update of the server
 * changes none of these lines.
 */
const MADE = `WITH ours AS (SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?)
  SELECT line FROM (
  SELECT 'relation ' || relname || ' ' || relkind::text || ' ' || relpersistence::text || ' ' || relrowsecurity::text AS line FROM ours
  UNION ALL SELECT 'column ' || o.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' '
    || a.attnotnull::text || ' ' || COALESCE(c.collname::text, '') || ' ' || a.atthasdef::text || a.attgenerated::text
    FROM ours o JOIN pg_attribute a ON a.attrelid = o.oid LEFT JOIN pg_collation c ON c.oid = a.attcollation
    WHERE o.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT 'constraint ' || o.relname || ' ' || k.conname || ' ' || k.contype::text || ' ' || k.condeferred::text || ' '
    || k.convalidated::text FROM ours o JOIN pg_constraint k ON k.conrelid = o.oid WHERE k.contype IN ('c', 'f', 'p', 'u')
  UNION ALL SELECT 'trigger ' || o.relname || ' ' || t.tgname FROM ours o JOIN pg_trigger t ON t.tgrelid = o.oid WHERE NOT t.tgisinternal
  UNION ALL SELECT 'disabled ' || o.relname || ' ' || t.tgname FROM ours o JOIN pg_trigger t ON t.tgrelid = o.oid
    WHERE t.tgisinternal AND t.tgenabled <> 'O'
  UNION ALL SELECT 'rule ' || o.relname || ' ' || r.rulename FROM ours o JOIN pg_rewrite r ON r.ev_class = o.oid
  ) AS lines ORDER BY line COLLATE "C"`;

/** Object ids that differ in every copy of the tables, wherever the copy is put, even if it replaces the original. */
const NUMBERS = `SELECT n.oid::bigint AS schema, c.oid::bigint AS facts FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ? AND c.relname = 'tables'`;

/**
 * Creates the tables of a new ledger. Throws a Fault `ledger-unsafe` unless the tables are as they were created, and the
 * Faults of `requireVersion`. Returns a text that distinguishes the tables from a copy.
 */
export async function useTables(
  connection: PostgresConnection,
  tables: Schema,
  address: PostgresAddress,
  olderToo: boolean,
): Promise<string> {
  const { schema } = address;
  const { version, statements } = tables;
  if ((await schemaState(connection, address)) !== 'ledger') {
    await inTransaction(connection, 'BEGIN', async () => {
      await connection.exec(ALONE);
      const found = await schemaState(connection, address);
      if (found === 'ledger') return;
      if (found === 'missing') await connection.exec(`CREATE SCHEMA ${schema}`);
      for (const statement of [TABLES, ...statements]) await connection.exec(tableText(statement));
      await connection.read(INSERT, [version, textOfAll(tables), await madeIn(connection, schema)]);
    });
  }
  // Both at one moment: between two, another process may bring the tables up to date.
  const { recorded, made } = await inTransaction(connection, SNAPSHOT, async () => {
    const [row] = await connection.read(RECORDED);
    return { recorded: row, made: await madeIn(connection, schema) };
  });
  if (!recorded) throw notOurs(address);
  const found = numberOf(recorded, 'version');
  requireVersion(shownAddress(address), found, tables, olderToo);
  const isOwnText = found !== version || textOf(recorded, 'made_of') === textOfAll(tables);
  if (!(isOwnText && textOf(recorded, 'made') === made))
    throw othersTables(shownAddress(address), 'do not match their version', version);
  const [numbers = {}] = await connection.read(NUMBERS, [schema]);
  return `${numberOf(numbers, 'schema')}/${numberOf(numbers, 'facts')}`;
}

/** Returns the current version of the tables; 0 if none is recorded. */
export async function versionIn(connection: PostgresConnection): Promise<number> {
  const [recorded] = await connection.read(RECORDED);
  return recorded ? numberOf(recorded, 'version') : 0;
}

/** Migrates the tables. Must run in a transaction, under a lock of all tables. Each step may take hours. */
export async function migrateTables(
  connection: PostgresConnection,
  tables: Schema,
  { schema }: PostgresAddress,
): Promise<void> {
  const migrations = migrationsFrom(await versionIn(connection), tables);
  for (const sql of migrations.flatMap(({ postgres }) => postgres)) await connection.execSlowly(tableText(sql));
  await connection.read(UPDATE, [tables.version, textOfAll(tables), await madeIn(connection, schema)]);
}

/** Runs work in one transaction. `begin` is the statement that begins it. */
async function inTransaction<T>(connection: PostgresConnection, begin: string, work: () => Promise<T>): Promise<T> {
  await connection.exec(begin);
  try {
    const done = await work();
    await connection.exec('COMMIT');
    return done;
  } catch (error) {
    // The original error is thrown. A lost connection has rolled back on its own.
    await connection.exec('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function schemaState(
  connection: PostgresConnection,
  address: PostgresAddress,
): Promise<'missing' | 'empty' | 'ledger'> {
  const [found] = await connection.read(FOUND, [address.schema]);
  if (!found) return 'missing';
  // Without the right to use a schema, its tables look as if they did not exist.
  if (found['usable'] !== 'true') throw forbidden(address, `permission denied for schema ${address.schema}`);
  if (numberOf(found, 'relations') === 0) return 'empty';
  if (numberOf(found, 'ours') === 0) throw notOurs(address);
  return 'ledger';
}

const madeIn = async (connection: PostgresConnection, schema: string): Promise<string> =>
  digestOf((await connection.read(MADE, [schema])).map((row) => textOf(row, 'line')));

const textOfAll = ({ statements }: Schema): string => digestOf([TABLES, ...statements]);

const digestOf = (lines: readonly string[]): string => sha256(lines.join('\n'));

const notOurs = (address: PostgresAddress): Fault =>
  new Fault(
    'ledger-unsafe',
    `The schema ${address.schema} of ${shownAddress(address)} has tables that are not a paybatch ledger. Nothing was sent.`,
    'Name another schema in the address of the ledger: schema=NAME',
  );
