/**
 * Who may do what on a server. One role owns the tables: it makes them, moves a ledger there and purges. Who pays needs less: facts
 * are read and added, and never changed or deleted. Who audits reads.
 */
import { type Reader, type Relied, type SqlRow, textOf } from '../database.ts';
import { ledgerSchema } from '../schema.ts';

/** What is done to a table besides reading it, by all but a purge. */
interface Written {
  readonly insert?: true;
  /** Columns that are ever changed. */
  readonly update?: 'all' | readonly string[];
}

/** What who pays does to each table. A test asks for every table, and runs all that a payer does with these rights alone. */
export const written: Readonly<Record<string, Written>> = {
  meta: { insert: true, update: ['service', 'token_url', 'client_id'] },
  head: { insert: true, update: 'all' },
  epoch: { insert: true, update: 'all' },
  lease: { insert: true, update: 'all' },
  // Changed into what it was: a plan holds its own row against its totals by that.
  batch: { insert: true, update: ['planned_at'] },
  pay_order: { insert: true, update: 'all' },
  order_body: { insert: true },
  payout: { insert: true, update: ['order_id', 'trace', 'charge_minor', 'outcome', 'fee_minor'] },
  fact: { insert: true },
  tables: {},
};

/** The tables of a ledger, and the one that says how they were made. */
export const tableNames: readonly string[] = [
  ...ledgerSchema.statements.flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? []),
  'tables',
];

export interface Roles {
  /** Who may plan, approve and pay: people, workers. */
  readonly pay: readonly string[];
  /** Who may only read. */
  readonly read: readonly string[];
}

/** A script for the role that owns the tables: afterwards the others have these rights, and no other ones. */
export function grantsText(schema: string, { pay, read }: Roles): string {
  const [payers, readers] = [pay, read].map((names) => names.map(quoted).join(', '));
  const all = [...pay, ...read].map(quoted).join(', ');
  const lines = [
    'BEGIN;',
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM PUBLIC, ${all};`,
    `REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC, ${all};`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${all};`,
    ...tableNames.flatMap((table) => [
      `GRANT SELECT ON ${schema}.${table} TO ${all};`,
      ...(payers === ''
        ? []
        : writing(written[table] ?? {}).map((right) => `GRANT ${right} ON ${schema}.${table} TO ${payers};`)),
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

/** Rights that nobody needs who does not own the tables. */
const needless = ['DELETE', 'TRUNCATE', 'TRIGGER'] as const;

/** What the role of this session may do to each table, inherited rights too. */
const RIGHTS = `SELECT c.relname AS name, pg_has_role(c.relowner, 'USAGE')::text AS owns,
  concat_ws(' ', ${['SELECT', 'INSERT', ...needless]
    .map((right) => `CASE WHEN has_table_privilege(c.oid, '${right}') THEN '${right}' END`)
    .join(', ')}) AS rights,
  COALESCE((SELECT string_agg(a.attname::text, ' ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
    AND NOT a.attisdropped AND has_column_privilege(c.oid, a.attnum, 'UPDATE')), '') AS updated,
  COALESCE((SELECT string_agg(a.attname::text, ' ' ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0
    AND NOT a.attisdropped), '') AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ? AND c.relkind = 'r' ORDER BY c.relname`;

/** Whether the role of a session has the rights of those who pay, or of those who read, and no other ones. */
export async function rightsRelied(session: Reader, schema: string): Promise<Relied> {
  const rows = await session.read(RIGHTS, [schema]);
  if (rows.every((row) => row['owns'] === 'true')) {
    const found = 'it owns the tables; who pays every day needs less (paybatch ledger grants)';
    return { what: 'the role has the rights that it needs', holds: true, found, remedy: '' };
  }
  const pays = rows.some((row) => textOf(row, 'name') === 'fact' && wordsIn(row, 'rights').includes('INSERT'));
  const missing: string[] = [];
  const needlessly: string[] = [];
  for (const row of rows) {
    const name = textOf(row, 'name');
    const [has, needs] = [rightsIn(row), neededOf(row, pays ? written[name] : {})];
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
