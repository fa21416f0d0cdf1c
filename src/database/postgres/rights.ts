/**
 * The rights of roles on a server. One role owns the tables: it creates them, moves a ledger there, and purges. A role that
 * pays needs less: it reads and adds facts, and never changes or deletes them. A role that audits only reads.
 */
import { type Reader, type Relied, type SqlRow, textOf } from '../database.ts';
import type { Schema, Written } from '../tables-version.ts';

/** The tables of a schema, and the one that records how they were created (`tables.ts`), which only its owner writes. */
const writtenIn = ({ written }: Schema): Readonly<Record<string, Written>> => ({ ...written, tables: {} });

export interface Roles {
  /** Roles that may plan, approve and pay: people and workers. */
  readonly pay: readonly string[];
  /** Roles that may only read. */
  readonly read: readonly string[];
}

/**
 * Returns a script for the role that owns the tables in this schema of the server. After it the given roles have these rights,
 * and no others.
 */
export function grantsText(schema: string, tables: Schema, { pay, read }: Roles): string {
  const [payers, readers] = [pay, read].map((names) => names.map(quoted).join(', '));
  const all = [...pay, ...read].map(quoted).join(', ');
  const lines = [
    'BEGIN;',
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM PUBLIC, ${all};`,
    `REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC, ${all};`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${all};`,
    ...Object.entries(writtenIn(tables)).flatMap(([table, written]) => [
      `GRANT SELECT ON ${schema}.${table} TO ${all};`,
      ...(payers === '' ? [] : writing(written).map((right) => `GRANT ${right} ON ${schema}.${table} TO ${payers};`)),
    ]),
    'COMMIT;',
  ];
  return [
    `-- May pay: ${payers || 'nobody'}. May only read: ${readers || 'nobody'}. Run it as the owner of the tables.`,
    ...lines,
  ].join('\n');
}

const writing = ({ insert, update = [] }: Written): readonly string[] => [
  ...(insert ? ['INSERT'] : []),
  ...(update === 'all' ? ['UPDATE'] : []),
  ...(update !== 'all' && update.length > 0 ? [`UPDATE (${update.join(', ')})`] : []),
];

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Rights that only the owner of the tables needs. */
const needless = ['DELETE', 'TRUNCATE', 'TRIGGER'] as const;

/** The rights of this session's role on each table, including inherited ones. */
const RIGHTS = `SELECT c.relname AS name, pg_has_role(c.relowner, 'USAGE')::text AS owns,
  concat_ws(' ', ${['SELECT', 'INSERT', ...needless]
    .map((right) => `CASE WHEN has_table_privilege(c.oid, '${right}') THEN '${right}' END`)
    .join(', ')}) AS rights,
  COALESCE((SELECT string_agg(a.attname::text, ' ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
    AND NOT a.attisdropped AND has_column_privilege(c.oid, a.attnum, 'UPDATE')), '') AS updated,
  COALESCE((SELECT string_agg(a.attname::text, ' ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
    AND NOT a.attisdropped), '') AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r' ORDER BY c.relname`;

/** Reports whether the role of a session has exactly the rights of a role that pays, or of one that reads. */
export async function rightsRelied(session: Reader, schema: string, tables: Schema): Promise<Relied> {
  const rows = await session.read(RIGHTS, [schema]);
  if (rows.every((row) => row['owns'] === 'true')) {
    const found = 'it owns the tables; a role for daily payments needs fewer privileges (paybatch ledger grants)';
    return { what: 'the role has the privileges that it needs', holds: true, found, remedy: '' };
  }
  const pays = rows.some((row) => textOf(row, 'name') === 'fact' && wordsIn(row, 'rights').includes('INSERT'));
  const missing: string[] = [];
  const needlessly: string[] = [];
  for (const row of rows) {
    const name = textOf(row, 'name');
    const [has, needs] = [rightsIn(row), neededOf(row, pays ? writtenIn(tables)[name] : {})];
    missing.push(...needs.filter((right) => !has.includes(right)).map((right) => `${right} of ${name}`));
    needlessly.push(...has.filter((right) => !needs.includes(right)).map((right) => `${right} of ${name}`));
  }
  const who = pays ? 'plan, approve and pay' : 'read';
  const wrong = [
    ...(missing.length > 0 ? [`it lacks ${missing.join(', ')}`] : []),
    ...(needlessly.length > 0 ? [`it needs no ${needlessly.join(', ')}`] : []),
  ];
  return {
    what: `the role may ${who}, and no more`,
    holds: wrong.length === 0,
    isWarning: true,
    found: wrong.length === 0 ? 'it may' : wrong.join('; '),
    remedy: 'Let the owner of the tables run what `paybatch ledger grants` prints.',
  };
}

const wordsIn = (row: SqlRow, column: string): readonly string[] =>
  textOf(row, column)
    .split(' ')
    .filter((word) => word !== '');

const rightsIn = (row: SqlRow): readonly string[] => [
  ...wordsIn(row, 'rights'),
  ...wordsIn(row, 'updated').map((column) => `UPDATE (${column})`),
];

const neededOf = (row: SqlRow, { insert, update = [] }: Written = {}): readonly string[] => [
  'SELECT',
  ...(insert ? ['INSERT'] : []),
  ...(update === 'all' ? wordsIn(row, 'columns') : update).map((column) => `UPDATE (${column})`),
];
