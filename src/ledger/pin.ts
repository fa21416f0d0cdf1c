/** What a ledger belongs to: its own id, and the one account whose payments it records. */
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import { type Database, textOf } from './database.ts';

/** The account at the service. The same ids mean something else at any other one. */
export interface Account {
  /** Base URL of the service. */
  readonly service: string;
  readonly tokenUrl: string;
  readonly clientId: string;
}

const READ = 'SELECT ledger_uuid, service, token_url, client_id FROM meta WHERE only_row = 1';
const FOUND_META = `INSERT INTO meta (only_row, ledger_uuid, schema_version) VALUES (1, ?, ?)
  ON CONFLICT (only_row) DO NOTHING`;
const FOUND_LEASE = 'INSERT INTO lease (only_row, epoch) VALUES (1, 0) ON CONFLICT (only_row) DO NOTHING';
const PIN = `UPDATE meta SET service = ?, token_url = ?, client_id = ? WHERE only_row = 1 AND service IS NULL`;

/** The id of the ledger; a new ledger is given one. */
export async function identityOf(
  database: Database,
  newUuid: () => string,
  schemaVersion: number,
): Promise<{ readonly ledgerUuid: string }> {
  const [known] = await database.read(READ);
  if (known) return { ledgerUuid: textOf(known, 'ledger_uuid') };
  await database.write([
    { sql: FOUND_META, values: [newUuid(), schemaVersion] },
    { sql: FOUND_LEASE, values: [] },
  ]);
  const [founded] = await database.read(READ);
  invariant(founded, 'a ledger has an id');
  return { ledgerUuid: textOf(founded, 'ledger_uuid') };
}

/** Ties the ledger to an account when it has none; throws a Fault `configuration` when it has another one. */
export async function pin(database: Database, account: Account): Promise<void> {
  const { service, tokenUrl, clientId } = account;
  let [row] = await database.read(READ);
  if (row?.['service'] === null) {
    await database.write([{ sql: PIN, values: [service, tokenUrl, clientId] }]);
    [row] = await database.read(READ);
  }
  invariant(row, 'a ledger has an id');
  const differences = [
    ...differing('service', textOf(row, 'service'), service),
    ...differing('token address', textOf(row, 'token_url'), tokenUrl),
    ...differing('client id', textOf(row, 'client_id'), clientId),
  ];
  if (differences.length === 0) return;
  throw new Fault(
    'configuration',
    `This ledger belongs to another account: ${differences.join('; ')}.`,
    'Choose the profile that the ledger was made with, or give this account a state folder of its own (PAYBATCH_HOME).',
  );
}

const differing = (what: string, pinned: string, given: string): readonly string[] =>
  pinned === given ? [] : [`its ${what} is ${pinned}, not ${given}`];
