/** What a ledger belongs to: its own id, and the one account whose payments it records. */
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { type Database, numberOf, type SqlRow, type Statement, textOf } from './database.ts';

/** The account at the service. The same ids mean something else at any other one. */
export interface Account {
  /** Base URL of the service. */
  readonly service: string;
  readonly tokenUrl: string;
  readonly clientId: string;
}

const READ = `SELECT ledger_uuid, service, token_url, client_id, (SELECT COUNT(*) FROM batch) AS batches
  FROM meta WHERE only_row = 1`;
const FOUND_META = 'INSERT INTO meta (only_row, ledger_uuid) VALUES (1, ?) ON CONFLICT (only_row) DO NOTHING';
const FOUND_LEASE = 'INSERT INTO lease (only_row, epoch) VALUES (1, 0) ON CONFLICT (only_row) DO NOTHING';
/** Touches the row only where the ledger holds nothing yet, or belongs to this account already. */
const TIE = `UPDATE meta SET service = ?, token_url = ?, client_id = ? WHERE only_row = 1
  AND (NOT EXISTS (SELECT 1 FROM batch) OR (service = ? AND token_url = ? AND client_id = ?))`;

/** The id of the ledger; a new ledger is given one. */
export async function identityOf(database: Database, newUuid: () => string): Promise<{ readonly ledgerUuid: string }> {
  const [known] = await database.read(READ);
  if (known) return { ledgerUuid: textOf(known, 'ledger_uuid') };
  await database.write([
    { sql: FOUND_META, values: [newUuid()] },
    { sql: FOUND_LEASE, values: [] },
  ]);
  return { ledgerUuid: textOf(await metaOf(database), 'ledger_uuid') };
}

/**
 * The account that a process uses a ledger for, held against the one that the ledger is tied to. The plan of its first
 * batch ties it, in the same transaction: an account that was mistyped, and that never paid, leaves nothing behind.
 */
export class Pin {
  readonly #database: Database;
  #account: Account | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The account whose batches the ledger holds; undefined while it holds none. */
  async tiedTo(): Promise<Account | undefined> {
    const meta = await metaOf(this.#database);
    return numberOf(meta, 'batches') === 0 ? undefined : accountIn(meta);
  }

  /** From here on the ledger is used for this account; a Fault `configuration` when it is tied to another one. */
  async useFor(account: Account): Promise<void> {
    this.#account = account;
    await this.hold();
  }

  /** Throws a Fault `configuration` when the ledger is tied to another account than it is used for, if it is for one. */
  async hold(): Promise<void> {
    const given = this.#account;
    const tied = given && (await this.tiedTo());
    if (!tied) return;
    const differences = [
      ...differing('service', tied.service, given.service),
      ...differing('token address', tied.tokenUrl, given.tokenUrl),
      ...differing('client id', tied.clientId, given.clientId),
    ];
    if (differences.length === 0) return;
    throw new Fault(
      'configuration',
      `This ledger belongs to another account: ${differences.join('; ')}. Nothing was sent.`,
      'Choose the profile that the ledger was made with, or give this account a state folder of its own (PAYBATCH_HOME).',
    );
  }

  /** What a plan begins with: it ties a ledger that holds nothing, and ends the plan of one that is tied to another account. */
  get tie(): Statement {
    invariant(this.#account, 'a batch is planned for an account');
    const { service, tokenUrl, clientId } = this.#account;
    const account = [service, tokenUrl, clientId];
    return { sql: TIE, values: [...account, ...account], expect: 1 };
  }
}

async function metaOf(database: Database): Promise<SqlRow> {
  const [meta] = await database.read(READ);
  invariant(meta, 'a ledger has an id');
  return meta;
}

function accountIn(meta: SqlRow): Account {
  if (meta['service'] === null) {
    throw new Fault(
      'ledger-unsafe',
      'The ledger holds batches, and does not say of which account.',
      'Somebody has changed its file. Keep it as it is, and put the latest back-up in its place.',
    );
  }
  return {
    service: textOf(meta, 'service'),
    tokenUrl: textOf(meta, 'token_url'),
    clientId: textOf(meta, 'client_id'),
  };
}

const differing = (what: string, tied: string, given: string): readonly string[] =>
  tied === given ? [] : [`its ${what} is ${tied}, not ${given}`];
