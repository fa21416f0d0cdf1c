/** Versions of the tables of a database: which are used, which can be brought up to date, and which are refused. */
import { Fault } from '../domain/fault.ts';

/** The tables of a database, and their version, which the database records. */
export interface Schema {
  readonly version: number;
  /** The statements that create these tables in a new database. */
  readonly statements: readonly string[];
  /** The migrations from all versions before, in order. */
  readonly migrations: readonly Migration[];
  /** What a role that pays does to each table; absent if the tables are never on a server. */
  readonly written?: Readonly<Record<string, Written>>;
}

/** What is done to a table in addition to reading it, by everything except a purge. */
export interface Written {
  readonly insert?: true;
  /** Columns that are ever updated. */
  readonly update?: 'all' | readonly string[];
}

/**
 * The statements that turn tables of one version into those of the next. All of them run in one transaction, after a copy of
 * the ledger was kept, and their result is proven before it is committed. The resulting tables are word for word those of
 * the schema; only blanks may differ. On SQLite, references are not enforced while the statements run, so that a table can
 * be created again under its own name.
 */
export interface Migration {
  /** The version that this migration leads to, from the one before. */
  readonly to: number;
  readonly sqlite: readonly string[];
  /** Types are written as in the schema. */
  readonly postgres: readonly string[];
}

/** Returns the migrations that lead from a version to that of the schema. */
export const migrationsFrom = (version: number, { migrations }: Schema): readonly Migration[] =>
  migrations.filter(({ to }) => to > version);

/** The Fault for tables of an older version that can be brought up to date. */
export class OlderTables extends Fault {
  constructor(place: string, found: number, { version }: Schema) {
    super(
      'ledger-version',
      `The ledger ${place} was made by an older version of paybatch: its tables have version ${found}, and this one works with version ${version}. Nothing was changed, and nothing was sent.`,
      'Bring it up to date: paybatch ledger upgrade',
    );
  }
}

/**
 * Throws unless tables of this version can be used: `OlderTables` if they can be brought up to date, a Fault
 * `ledger-version` if a newer paybatch made them, a Fault `ledger-unsafe` if no paybatch known here did. With `olderToo`,
 * older tables are accepted, so that they can be brought up to date.
 */
export function requireVersion(place: string, found: number, schema: Schema, olderToo: boolean): void {
  const { version } = schema;
  if (found > version) throw newerTables(place, found, version);
  if (found === version) return;
  if (found + migrationsFrom(found, schema).length !== version)
    throw othersTables(place, `have version ${found}`, version);
  if (!olderToo) throw new OlderTables(place, found, schema);
}

/** Returns the Fault for tables that no known version of paybatch has made. */
export const othersTables = (place: string, found: string, version: number): Fault =>
  new Fault(
    'ledger-unsafe',
    `The ledger ${place} was made by another paybatch: its tables ${found}, and this paybatch knows only version ${version}. Nothing was sent.`,
    'Finish its batches with the paybatch that made it, and give this one a place of its own: a state folder (PAYBATCH_HOME), or on PostgreSQL a schema (schema=NAME in the address).',
  );

const newerTables = (place: string, found: number, version: number): Fault =>
  new Fault(
    'ledger-version',
    `The ledger ${place} was made by a newer version of paybatch: its tables have version ${found}, and this one works with version ${version} at most. Nothing was sent.`,
    'Bring paybatch up to date on this computer, too, then run the same command again.',
  );

/** Returns the Fault for tables that a newer paybatch brought up to date while this process had them open. */
export const newerMeanwhile = (): Fault =>
  new Fault(
    'ledger-version',
    'A newer version of paybatch has brought the tables of the ledger up to date since this one opened it. Nothing more was sent.',
    'Bring paybatch up to date on this computer, too, then run the same command again.',
  );
