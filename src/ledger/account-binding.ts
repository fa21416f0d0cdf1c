/** The identity of a ledger: its own id, and the one account whose payments it records. */

import {
  type Database,
  numberOf,
  type PatientWriter,
  type SqlRow,
  type Statement,
  textOf,
  writePatiently,
} from '../database/database.ts';
import type { DatedClientChange } from '../domain/client-change.ts';
import type { BatchFact, ClientChange } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { plainAddress } from '../domain/own-host.ts';
import { leaseOf, PLANNING } from './lease.ts';
import { LEDGER_FACTS } from './ledger-chain.ts';
import type { Recording } from './writer.ts';

/** An account at the service. The same ids mean something else in any other account. */
export interface Account {
  /** Base URL of the service. */
  readonly service: string;
  readonly tokenUrl: string;
  readonly clientId: string;
}

/** The part of `Ledger` about the account that it belongs to. */
export interface LedgerAccount {
  /**
   * Sets the account whose payments are recorded from now on. The plan of its first batch binds a ledger to its account.
   * Fault `configuration` if the ledger is bound to another one.
   */
  useFor(account: Account): Promise<void>;
  /**
   * Needs the lease of planning. Records that the client id is a new one of the account that the ledger is bound to. Fault
   * `configuration` if an address differs as well, `usage` if there is nothing to record.
   */
  renewClient(account: Account, said: Pick<ClientChange, 'by' | 'reason'>): Promise<ClientChange>;
  /** Returns every change of the client id, in the order in which the changes were recorded. */
  clientChanges(): Promise<readonly DatedClientChange[]>;
  /** Returns the account whose batches the ledger holds, or `undefined` while it holds none. */
  boundTo(): Promise<Account | undefined>;
}

const READ = `SELECT ledger_uuid, service, token_url, client_id, (SELECT COUNT(*) FROM batch) AS batches
  FROM meta WHERE only_row = 1`;
/** Gives a new ledger its id. A ledger with facts already had one, so it gets no new id if that is gone. */
const FOUND_META = `INSERT INTO meta (only_row, ledger_uuid) SELECT 1, ? WHERE NOT EXISTS (SELECT 1 FROM fact)
  ON CONFLICT (only_row) DO NOTHING`;
const FOUND_EPOCH = 'INSERT INTO epoch (only_row, latest) VALUES (1, 0) ON CONFLICT (only_row) DO NOTHING';
/** Touches the row only if the ledger holds no batch yet, or belongs to this account already. */
const BIND = `UPDATE meta SET service = ?, token_url = ?, client_id = ? WHERE only_row = 1
  AND (NOT EXISTS (SELECT 1 FROM batch) OR (service = ? AND token_url = ? AND client_id = ?))`;

const LATEST_BATCH = 'SELECT id FROM batch ORDER BY number DESC LIMIT 1';
const RENEW = 'UPDATE meta SET client_id = ? WHERE only_row = 1 AND client_id = ?';
const CHANGES = `SELECT f.data, f.happened_at FROM fact f WHERE ${LEDGER_FACTS} AND f.type = 'client-id-changed' ORDER BY f.seq`;

/** Returns every change of the client id, in the order in which the changes were recorded. */
export async function clientChanges(database: Database): Promise<readonly DatedClientChange[]> {
  const found = await database.read(CHANGES);
  return found.map((row) => ({
    ...(JSON.parse(textOf(row, 'data')) as ClientChange),
    at: numberOf(row, 'happened_at'),
  })); // recorded as a change
}

/** Returns the id of the ledger; a new ledger is given one. */
export async function identityOf(
  { database, ...patience }: PatientWriter & { readonly database: Database },
  newUuid: () => string,
): Promise<{ readonly ledgerUuid: string }> {
  const [known] = await database.read(READ);
  if (known) return { ledgerUuid: textOf(known, 'ledger_uuid') };
  await writePatiently({ database, ...patience }, () => [
    { sql: FOUND_META, values: [newUuid()] },
    { sql: FOUND_EPOCH, values: [] },
  ]);
  return { ledgerUuid: textOf(await metaOf(database), 'ledger_uuid') };
}

/**
 * The account that a process uses a ledger for, compared with the account that the ledger is bound to. The plan of its first
 * batch binds the ledger, in the same transaction: an account that was mistyped, and that never paid, leaves nothing behind.
 */
export class AccountBinding {
  readonly #database: Database;
  #account: Account | undefined;
  /** The account that the ledger was bound to when `hold` last compared them. */
  #bound: Account | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the account whose batches the ledger holds, or `undefined` while it holds none. */
  async boundTo(): Promise<Account | undefined> {
    const meta = await metaOf(this.#database);
    return numberOf(meta, 'batches') === 0 ? undefined : accountIn(meta);
  }

  /**
   * Sets the account that the ledger is used for from now on. Throws a Fault `configuration` if the ledger is bound to
   * another one.
   */
  async useFor(account: Account): Promise<void> {
    const { service, tokenUrl, clientId } = account;
    this.#account = { service: plainAddress(service), tokenUrl: plainAddress(tokenUrl), clientId };
    await this.hold();
  }

  /**
   * Throws a Fault `configuration` if the ledger is bound to another account than the one that it is used for, if any. Called
   * again under the lease: of two processes that were let in while the ledger was bound to no account, only one may plan.
   */
  async hold(): Promise<void> {
    const given = this.#account;
    const bound = given && (await this.boundTo());
    this.#bound = bound;
    if (bound) requireSame(bound, given);
  }

  /**
   * Needs the lease of planning. Records that the given client id is a new one of the account that the ledger is bound to,
   * and binds the ledger to that id. Throws a Fault `configuration` if anything else differs, `usage` if there is nothing to
   * record.
   */
  async renewClient(
    given: Account,
    { by, reason }: Pick<ClientChange, 'by' | 'reason'>,
    { writer, proof }: Recording,
    at: number,
  ): Promise<ClientChange> {
    const bound = await this.boundTo();
    if (!bound)
      throw nothingToRecord('The ledger belongs to no account yet', 'Its first batch binds it to that of the profile.');
    const [from, to] = [bound.clientId, given.clientId];
    requireSame({ ...bound, clientId: to }, given);
    if (from === to) throw nothingToRecord(`The ledger belongs to the client id ${to} already`, 'Nothing to do.');
    const [latest] = await this.#database.read(LATEST_BATCH);
    invariant(latest, 'a ledger that is bound has a batch');
    const batch = textOf(latest, 'id') as BatchId; // a column of batch ids
    const change = { from, to, by, reason };
    const fact: BatchFact = { type: 'client-id-changed', batch, at, ...change };
    await writer.write([PLANNING, leaseOf(batch)], (append) => [
      { sql: RENEW, values: [to, from], expect: 1 },
      append(batch, fact),
    ]);
    proof.recorded(fact);
    return change;
  }

  /**
   * The account that plans are recorded for. Throws a Fault `usage` if none was set: a program that opens a ledger has to
   * call `useFor`.
   */
  get account(): Account {
    if (!this.#account) {
      throw new Fault(
        'usage',
        'No account was set for the ledger. Nothing was recorded, and nothing was sent.',
        'Call ledger.useFor({ service, tokenUrl, clientId }) when it is open, with the account that pays.',
      );
    }
    return this.#account;
  }

  /**
   * The first statement of a plan. It binds a ledger that holds no batch, and makes the plan fail if the ledger is bound to
   * another account.
   */
  get bind(): Statement {
    const bound = this.#bound ?? this.account;
    return { sql: BIND, values: [...valuesOf(this.account), ...valuesOf(bound)], expect: 1 };
  }
}

async function metaOf(database: Database): Promise<SqlRow> {
  const [meta] = await database.read(READ);
  if (meta) return meta;
  throw new Fault(
    'ledger-unsafe',
    'The ledger holds facts, and has no id: something other than paybatch has changed it. Nothing was sent.',
    'Replace it with the latest backup: paybatch ledger restore FILE   The present files are kept next to it.',
  );
}

function accountIn(meta: SqlRow): Account {
  if (meta['service'] === null) {
    throw new Fault(
      'ledger-unsafe',
      'The ledger holds batches, and does not say of which account.',
      'Its file was changed. Replace it with the latest backup: paybatch ledger restore FILE   The present files are kept next to it.',
    );
  }
  return {
    service: textOf(meta, 'service'),
    tokenUrl: textOf(meta, 'token_url'),
    clientId: textOf(meta, 'client_id'),
  };
}

const valuesOf = ({ service, tokenUrl, clientId }: Account): readonly string[] => [service, tokenUrl, clientId];

/** Throws a Fault `configuration` unless the two are the same account, however their addresses are written. */
function requireSame(bound: Account, given: Account): void {
  const addresses = [
    ...differing('service', plainAddress(bound.service), plainAddress(given.service)),
    ...differing('token address', plainAddress(bound.tokenUrl), plainAddress(given.tokenUrl)),
  ];
  const clients = differing('client id', bound.clientId, given.clientId);
  if (addresses.length + clients.length === 0) return;
  const choose =
    'Choose the profile that the ledger was made with, or give this account a state folder of its own (PAYBATCH_HOME).';
  throw new Fault(
    'configuration',
    `This ledger belongs to another account: ${[...addresses, ...clients].join('; ')}. Nothing was sent.`,
    addresses.length > 0
      ? choose
      : `If the provider gave the same account a new client id, record that: \`paybatch ledger same-account --reason "…"\`. Otherwise: ${choose}`,
  );
}

const nothingToRecord = (why: string, remedy: string): Fault =>
  new Fault('usage', `${why}. Nothing was recorded.`, remedy);

const differing = (what: string, bound: string, given: string): readonly string[] =>
  bound === given ? [] : [`its ${what} is ${bound}, not ${given}`];
