/**
 * A session with the server, and what a commit relies on there. All of this is read back when a ledger is opened: a server
 * may run without syncing its disk, and a proxy may hand each transaction to another session.
 */
import { Fault } from '../../domain/fault.ts';
import { invariant } from '../../domain/invariant.ts';
import { numberOf, type Relied, refusedText, type SqlRow, textOf } from '../database.ts';
import { SERVER_PLACE, type SharedLedger, shownAddress } from './address.ts';
import { connect, type PostgresConnection } from './connection.ts';
import { faultOf, unreachable } from './faults.ts';

/** The oldest version that is accepted, PostgreSQL 15: the oldest with security updates, and the one that the tests use. */
const OLDEST_VERSION = 150_000;

/**
 * How long a process that hangs in the middle of a transaction can keep others from writing, in milliseconds. Then the server
 * ends its session, and its run ends without another payment. A transaction takes milliseconds, and seconds on a computer
 * that has far too much to do.
 */
const ABANDONED_MS = 5000;

/**
 * How long a statement waits for a lock, in milliseconds. Others hold it for the length of one group. It is longer than
 * `ABANDONED_MS`, so that one process that hangs does not end the runs of all others.
 */
const LOCK_MS = 20_000;

/**
 * Makes the server notice a vanished computer, which closes no connection. The server probes it after four seconds of
 * silence, gives up after three probes, two seconds apart, and then releases its locks. The server also gives up when its own
 * data is not acknowledged for ten seconds.
 */
export const NOTICED_SOON =
  'SET tcp_keepalives_idle = 4; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000';

/**
 * Every query has its index. For a new table the server has no statistics, and would read the whole table for one order, sort
 * all orders of a batch to find the next few, or compile a query that takes a millisecond.
 */
const NO_SURPRISES = 'SET enable_seqscan = off; SET random_page_cost = 1.1; SET jit = off';

/**
 * The largest accepted difference between the two clocks, in milliseconds. No lock depends on a clock, but pay days,
 * look-ups and ages are measured by this computer's clock, and other computers read the times that it writes.
 */
const CLOCK_DISTANCE_MS = 30_000;

/** What the server says about itself, about the session, and about the place of the ledger. */
const STATE = `SELECT current_setting('server_version_num')::bigint AS version, current_setting('server_version') AS release,
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit, current_setting('synchronous_standby_names') AS standbys,
  current_setting('server_encoding') AS encoding, current_setting('session_replication_role') AS replication_role,
  CASE WHEN pg_is_in_recovery() THEN 'on' ELSE current_setting('default_transaction_read_only') END AS read_only,
  CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END AS timeline,
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database,
  floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`;

/** An open session, and what was read of it at the start. */
export interface Session {
  readonly connection: PostgresConnection;
  readonly state: SqlRow;
  /** Milliseconds by which the server's clock is ahead of ours, at least and at most. */
  readonly ahead: { readonly least: number; readonly most: number };
}

/**
 * Opens a session with settings that make commits durable. Throws a Fault if no session can be opened. `reliedOn` says which
 * of the settings hold.
 */
export async function openSession(reached: SharedLedger, now: () => number): Promise<Session> {
  const connection = await opened(reached);
  try {
    // `public` is left out of the search path: others may create tables and functions there.
    await connection.exec(NOTICED_SOON);
    await connection.exec(
      `SET search_path TO ${reached.address.schema}; SET lock_timeout = ${LOCK_MS}; SET statement_timeout = 0;
       SET idle_in_transaction_session_timeout = ${ABANDONED_MS}; SET standard_conforming_strings = on;
       SET default_transaction_isolation = 'read committed'; ${NO_SURPRISES}`,
    );
    // If it is off for the role or the database, synchronous_commit is turned on; a setting that waits for standbys stays as
    // it is.
    await connection.exec(
      "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
    );
    const before = now();
    const state = await connection.ask(STATE);
    invariant(state, 'a server says what it is');
    const server = numberOf(state, 'now');
    return { connection, state, ahead: { least: server - now(), most: server - before } };
  } catch (error) {
    await connection.close();
    throw faultOf(error, reached.address);
  }
}

/**
 * Reports whether a pool lends sessions out for one transaction each. While the second connection is in a transaction, such
 * a pool has lent it the session of the first, or has to give the first another one.
 */
export async function isLent(first: PostgresConnection, second: PostgresConnection): Promise<boolean> {
  const backendOf = async (connection: PostgresConnection): Promise<unknown> =>
    (await connection.ask('SELECT pg_backend_pid() AS backend'))?.['backend'];
  const before = await backendOf(first);
  await second.exec('BEGIN');
  try {
    const [other, after] = [await backendOf(second), await backendOf(first)];
    return other === before || after !== before;
  } finally {
    await second.exec('ROLLBACK');
  }
}

/**
 * Returns the place of the ledger, which distinguishes it from every copy: after a failover, a recovery or a restore it is
 * another place.
 */
export const placeOf = (state: SqlRow, tables: string): string =>
  [SERVER_PLACE, textOf(state, 'system'), textOf(state, 'timeline'), numberOf(state, 'database'), tables].join('/');

/** Returns what a commit relies on, and whether each of these conditions holds. */
export function reliedOn({ state, ahead }: Session, lent: boolean): readonly Relied[] {
  const says = (setting: string, column: string, right: string): Relied => ({
    what: `${setting} is ${right}`,
    holds: textOf(state, column) === right,
    found: textOf(state, column),
    remedy: `Set ${setting} = ${right} on the server, and load its settings again.`,
  });
  const distance = Math.max(ahead.least, -ahead.most, 0);
  const waits = textOf(state, 'synchronous_commit');
  return [
    {
      what: 'the server is PostgreSQL 15 or newer',
      holds: numberOf(state, 'version') >= OLDEST_VERSION,
      found: textOf(state, 'release'),
      remedy: 'Bring the server up to date, or keep the ledger on another one.',
    },
    says('fsync', 'fsync', 'on'),
    says('full_page_writes', 'full_page_writes', 'on'),
    {
      what: 'a commit is on disk before it is answered (synchronous_commit)',
      holds: waits !== 'off',
      found: waits,
      remedy: 'Let the role of paybatch set synchronous_commit, or set it to on on the server.',
    },
    {
      what: 'a commit waits for the standbys that are to have it',
      holds: textOf(state, 'standbys') === '' || waits !== 'local',
      isWarning: true,
      found:
        textOf(state, 'standbys') === ''
          ? 'none is named'
          : `${textOf(state, 'standbys')}, synchronous_commit ${waits}`,
      remedy: 'Set synchronous_commit = on for the role of paybatch: a failover would forget the last payments.',
    },
    {
      what: 'texts are kept in UTF8',
      holds: textOf(state, 'encoding') === 'UTF8',
      found: textOf(state, 'encoding'),
      remedy: 'Make a database for the ledger: CREATE DATABASE … ENCODING UTF8 TEMPLATE template0',
    },
    {
      what: 'the server takes writes',
      holds: textOf(state, 'read_only') === 'off',
      found: textOf(state, 'read_only') === 'off' ? 'it does' : 'it is a standby, or read only',
      remedy: 'Name the primary in the address of the ledger.',
    },
    {
      what: 'references between tables are checked',
      holds: textOf(state, 'replication_role') === 'origin',
      found: `session_replication_role is ${textOf(state, 'replication_role')}`,
      remedy: 'Take that setting from the role of paybatch.',
    },
    {
      what: 'a session stays the same from one transaction to the next',
      holds: !lent,
      found: lent ? 'a proxy gives each transaction another session' : 'it does',
      remedy: 'Name the server itself in the address of the ledger, or let the proxy pool by session.',
    },
    {
      what: 'the clocks of the server and of this computer agree',
      holds: distance <= CLOCK_DISTANCE_MS,
      found: `${(distance / 1000).toFixed(1)} s apart`,
      remedy: 'Set the clock that is wrong, and let the system keep it (NTP).',
    },
  ];
}

/**
 * Throws a Fault `ledger-unsafe` that names everything that does not hold, and what to change, unless all of it is only a
 * warning.
 */
export function requireRelied(relied: readonly Relied[], reached: SharedLedger): void {
  const wrong = relied.filter(({ holds, isWarning }) => !(holds || isWarning));
  const [first] = wrong;
  if (!first) return;
  throw new Fault(
    'ledger-unsafe',
    `The ledger cannot be kept safe on ${shownAddress(reached.address)}: ${wrong.map(refusedText).join('; ')}. Nothing was sent.`,
    wrong.map(({ remedy }) => remedy).join(' '),
  );
}

async function opened(reached: SharedLedger): Promise<PostgresConnection> {
  try {
    return await connect(reached);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw unreachable(error, reached.address);
  }
}
