/**
 * The SQL port on PostgreSQL. One session writes, a second one reads, and further ones hold snapshots for proofs. After the
 * first failed write, or the first lost connection, this process writes nothing more: nothing that may have happened is
 * repeated.
 */
import { Fault } from '../../domain/fault.ts';
import { invariant } from '../../domain/invariant.ts';
import {
  type Reader,
  type Relied,
  RowsDiffer,
  type SqlRow,
  type SqlValue,
  type Statement,
  Turns,
  textOf,
  type UpgradableDatabase,
} from '../database.ts';
import type { Schema } from '../tables-version.ts';
import { type SharedLedger, shownAddress } from './address.ts';
import { isRefusal, isSilence, type PostgresConnection } from './connection.ts';
import { faultOf, forbidden, isForbidden, isLocked, notCompacted, unanswered } from './faults.ts';
import { rightsRelied } from './rights.ts';
import { isLent, openSession, placeOf, reliedOn, requireRelied, type Session } from './session.ts';
import { lockedOf, tryLock, unlock } from './session-locks.ts';
import { migrateTables, useTables, versionIn } from './tables.ts';

/** Begins a snapshot that lasts as long as a proof takes. */
const STILL = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0';

/**
 * The tables, and whether this role owns each of them. If it does not own a table, `VACUUM` only warns that the table was
 * skipped.
 */
const TABLES = `SELECT tablename, pg_has_role(tableowner, 'USAGE')::text AS owned FROM pg_tables WHERE schemaname = ?
  ORDER BY tablename`;

export interface PostgresDatabase extends UpgradableDatabase {
  /**
   * Distinguishes the ledger from every copy of it (`Place` of a checkpoint): another server, timeline, database or schema
   * is another place.
   */
  readonly place: string;
}

/**
 * Opens the ledger at an address, and creates its tables if there are none. `now` reads this computer's clock. Throws a
 * Fault `configuration` if the server refuses the login, `ledger-unsafe` if the server cannot be reached, commits are not
 * safe there, or its tables are not those of a ledger; and the Faults of `requireVersion`. With `olderToo`, the tables may
 * be of an older version that `migrate` brings up to date; until then only leases may be written.
 */
export async function openPostgresDatabase(
  reached: SharedLedger,
  schema: Schema,
  now: () => number,
  olderToo = false,
): Promise<PostgresDatabase> {
  const writer = await openSession(reached, now);
  const sessions: Session[] = [writer];
  try {
    const reader = await openSession(reached, now);
    sessions.push(reader);
    const lent = await isLent(writer.connection, reader.connection);
    const relied = reliedOn(writer, lent);
    requireRelied(relied, reached);
    requireOneServer(writer, reader, reached);
    const tables = await useTables(writer.connection, schema, reached.address, olderToo);
    const place = placeOf(writer.state, tables);
    const still = async (): Promise<PostgresConnection> => (await openSession(reached, now)).connection;
    return new PostgresSessions({ reached, schema, relied, place, still }, writer.connection, reader.connection);
  } catch (error) {
    await Promise.all(sessions.map(({ connection }) => connection.close()));
    throw faultOf(error, reached.address);
  }
}

/** Throws unless both sessions reached the same server, because one name may lead to several. */
function requireOneServer(writer: Session, reader: Session, { address }: SharedLedger): void {
  if (placeOf(writer.state, '') === placeOf(reader.state, '')) return;
  throw new Fault(
    'ledger-unsafe',
    `The address ${shownAddress(address)} led to two different servers, so this run would write to one and read from the other. Nothing was sent.`,
    'Name the primary in the address of the ledger.',
  );
}

interface Opened {
  readonly reached: SharedLedger;
  readonly schema: Schema;
  readonly relied: readonly Relied[];
  readonly place: string;
  /** Opens another session. */
  readonly still: () => Promise<PostgresConnection>;
}

/**
 * How long the lock of a vanished computer may remain, in milliseconds. The server notices within ten seconds
 * (`NOTICED_SOON`) that a computer is gone, if nothing such as a proxy is in between.
 */
const LINGERS_MS = 20_000;

/**
 * The turns in which this process runs its transactions, by the place of the ledger that they write to. The server would let
 * only one of them go on anyway. If each session waited there on its own, a process that hangs would get the lock once for
 * each of its batches, and every time keep all others from writing until the server ends that session (`session.ts`).
 */
const turnsByPlace = new Map<string, Turns>();

function turnsAt(place: string): Turns {
  const turns = turnsByPlace.get(place) ?? new Turns();
  turnsByPlace.set(place, turns);
  return turns;
}

class PostgresSessions implements PostgresDatabase {
  readonly lingersMs = LINGERS_MS;
  readonly #opened: Opened;
  readonly #writer: PostgresConnection;
  readonly #reader: PostgresConnection;
  /** Sessions for snapshots that are free again. One is kept, which is enough. */
  readonly #free: PostgresConnection[] = [];
  readonly #turns = new Turns();
  #failure: Fault | undefined;
  #closed = false;

  constructor(opened: Opened, writer: PostgresConnection, reader: PostgresConnection) {
    this.#opened = opened;
    this.#writer = writer;
    this.#reader = reader;
  }

  get place(): string {
    return this.#opened.place;
  }

  async relied(): Promise<readonly Relied[]> {
    const { relied, reached, schema } = this.#opened;
    return [...relied, await this.#orFault(rightsRelied(this.#reader, reached.address.schema, schema))];
  }

  async read(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    this.#assertOpen();
    return this.#readOn(this.#reader, sql, values);
  }

  async readLocked(sql: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    this.#assertOpen();
    this.assertInPlace();
    // Takes its turn, so that it never reads within a transaction: that would show what is not committed, and a failed
    // transaction answers nothing.
    return this.#turns.take(() => this.#orFail(this.#writer.read(sql, values)));
  }

  async tryLock(name: string): Promise<boolean> {
    this.#assertOpen();
    this.assertInPlace();
    return this.#turns.take(() => this.#orFail(tryLock(this.#writer, this.#schemaName, name)));
  }

  async unlock(name: string): Promise<void> {
    // A session that has ended holds no locks.
    if (this.#closed || this.#failure || this.#writer.lost) return;
    await this.#turns.take(() => this.#orFail(unlock(this.#writer, this.#schemaName, name)));
  }

  async lockedOf(names: readonly string[]): Promise<ReadonlySet<string>> {
    this.#assertOpen();
    return this.#orFault(lockedOf(this.#reader, this.#schemaName, names));
  }

  get #schemaName(): string {
    return this.#opened.reached.address.schema;
  }

  async snapshot<T>(work: (still: Reader) => Promise<T>): Promise<T> {
    this.#assertOpen();
    const connection = this.#free.pop() ?? (await this.#opened.still());
    let isGood = false;
    try {
      // Sent together with the first reads, which the server answers after it: other processes may be waiting for this one.
      const begun = this.#orFault(connection.exec(STILL));
      const [result] = await Promise.all([
        work({ read: (sql, values = []) => this.#readOn(connection, sql, values) }),
        begun,
      ]);
      isGood = true;
      return result;
    } finally {
      await this.#letGo(connection, isGood);
    }
  }

  async write(groups: Iterable<Statement | readonly Statement[]> | AsyncIterable<readonly Statement[]>): Promise<void> {
    this.#assertOpen();
    await this.#inTurn(() => this.#transaction(Array.isArray(groups) ? [groups.flat()] : groups));
  }

  async compact(): Promise<void> {
    this.#assertOpen();
    await this.#turns.take(() => this.#compact());
  }

  async tablesVersion(): Promise<number> {
    this.#assertOpen();
    return this.#orFault(versionIn(this.#reader));
  }

  async migrate(group: readonly Statement[], prove: (migrated: Reader) => Promise<void>): Promise<void> {
    this.#assertOpen();
    await this.#inTurn(() => this.#transaction(this.#migration(group, prove)));
  }

  assertInPlace(): void {
    const lost = this.#writer.lost ?? this.#reader.lost;
    if (lost) throw this.#fail(lost);
    if (this.#failure) throw this.#failure;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turns.over;
    await Promise.all([this.#writer, this.#reader, ...this.#free.splice(0)].map((one) => one.close()));
  }

  /** Throws if the database was closed. That is a bug and not damage, so the ledger must not be reported as unsafe. */
  #assertOpen(): void {
    invariant(!this.#closed, 'a database is used before it is closed');
  }

  /** Runs a transaction when this session, and then this process, has no other one. */
  #inTurn(transaction: () => Promise<void>): Promise<void> {
    return this.#turns.take(() => turnsAt(this.place).take(transaction));
  }

  /**
   * Writes groups in one transaction. A block is sent as a whole, and the next one is requested only after all of it
   * succeeded.
   */
  async #transaction(
    groups: Iterable<Statement | readonly Statement[]> | AsyncIterable<readonly Statement[]>,
  ): Promise<void> {
    if (this.#failure) throw this.#failure;
    await this.#orFail(this.#writer.exec('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE'));
    try {
      for await (const group of groups) await this.#run('sql' in group ? [group] : group);
    } catch (error) {
      await this.#rollBack();
      throw error;
    }
    await this.#commit();
  }

  /**
   * Yields the statements of a migration. A process that takes a lease in the meantime waits for these table locks, and then
   * sees the new version.
   */
  async *#migration(
    group: readonly Statement[],
    prove: (migrated: Reader) => Promise<void>,
  ): AsyncGenerator<readonly Statement[]> {
    const { reached, schema } = this.#opened;
    const names = (await this.#writer.read(TABLES, [reached.address.schema])).map((row) => textOf(row, 'tablename'));
    yield [{ sql: `LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`, values: [] }];
    yield group;
    try {
      await migrateTables(this.#writer, schema, reached.address);
    } catch (error) {
      throw this.#refused(error);
    }
    await prove({ read: (sql, values = []) => this.#readOn(this.#writer, sql, values) });
  }

  async #run(statements: readonly Statement[]): Promise<void> {
    const answers = await this.#writer.run(statements);
    // In the order in which they were sent: once a statement fails, or touches another number of rows, the later answers
    // mean nothing.
    for (const [index, statement] of statements.entries()) {
      const answer = answers[index];
      if (answer?.status === 'rejected') throw this.#refused(answer.reason);
      const touched = answer?.value ?? 0;
      if (statement.expect !== undefined && touched !== statement.expect) throw new RowsDiffer(statement, touched);
    }
  }

  /**
   * Returns the Fault for a failed statement. After paybatch's own refusal of a text, a lock of another session, or a
   * missing right, the group is rolled back and the connection can still be used. Any other error ends all writing.
   */
  #refused(error: unknown): Fault {
    if (error instanceof Fault || isLocked(error) || isForbidden(error))
      return faultOf(error, this.#opened.reached.address);
    return this.#fail(error);
  }

  async #commit(): Promise<void> {
    let said: string;
    try {
      said = await this.#writer.exec('COMMIT');
    } catch (error) {
      // A commit that the server refuses did not happen. If the server did not answer, or answered that it is ending, nobody
      // knows.
      if (isRefusal(error)) throw this.#fail(error);
      if (isSilence(error)) this.#reader.drop();
      this.#failure ??= unanswered(error, this.#opened.reached.address);
      throw this.#failure;
    }
    // A transaction that had failed is committed without an error, but has no effect.
    if (said !== 'COMMIT') throw this.#fail(new Error(`the server answered a commit with ${said}`));
  }

  async #rollBack(): Promise<void> {
    // The group was not committed, and its connection may be what failed.
    if (this.#failure === undefined) await this.#orFail(this.#writer.exec('ROLLBACK'));
    else await this.#writer.exec('ROLLBACK').catch(nothing);
  }

  async #compact(): Promise<void> {
    if (this.#failure) throw this.#failure;
    const { address } = this.#opened.reached;
    try {
      for (const table of await this.#writer.read(TABLES, [address.schema])) {
        if (table['owned'] !== 'true') throw forbidden(address, 'only its owner can rewrite a table');
        await this.#writer.execSlowly(`VACUUM (FULL) ${address.schema}.${textOf(table, 'tablename')}`);
      }
    } catch (error) {
      throw notCompacted(error, address);
    }
  }

  async #readOn(connection: PostgresConnection, sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return this.#orFault(connection.read(sql, values));
  }

  async #letGo(connection: PostgresConnection, isGood: boolean): Promise<void> {
    const isKept = isGood && !this.#closed && this.#free.length === 0;
    if (!isKept) return connection.close();
    // Not waited for: nothing was written, and the server ends this snapshot before it begins the next one.
    connection.exec('COMMIT').catch(nothing);
    this.#free.push(connection);
  }

  async #orFault<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw faultOf(error, this.#opened.reached.address);
    }
  }

  async #orFail<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #fail(error: unknown): Fault {
    // After a silence, drops the reading connection too, so that the next call does not wait as long again.
    if (isSilence(error)) this.#reader.drop();
    this.#failure ??= faultOf(error, this.#opened.reached.address);
    return this.#failure;
  }
}

const nothing = (): void => undefined;
