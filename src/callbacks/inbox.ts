/**
 * Callbacks as they arrived, on disk before they are acknowledged. A listener writes them and a run reads them, in two
 * processes, so the inbox is a separate file and needs no lease. For an order that can be looked up, a callback is only a
 * reason to do so; for others (airtime) it is the only outcome that the service gives, so none may be lost.
 */
import { createHash } from 'node:crypto';
import {
  type Database,
  numberOf,
  RowsDiffer,
  type SqlRow,
  type Statement,
  Turns,
  textOf,
} from '../database/database.ts';
import { openSqliteDatabase } from '../database/sqlite-database.ts';
import type { Schema } from '../database/tables-version.ts';
import type { CallbackMessage } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import type { Forgets } from '../domain/purged.ts';
import { fileNumberIfAny } from '../files/file-identity.ts';

/** Most bytes of one body, in UTF-8. The largest body of the specification, a checkout record, has some 3 KiB. */
export const CALLBACK_BYTES_MAX = 65_536;

/** Most messages kept about one subject. A request passes a handful of states; only someone who floods the receiver has more to say. */
const KEPT_PER_SUBJECT = 100;

/** Most messages kept in total: five for each row of the largest sheet (100,000 rows), a few hundred MiB of disk. */
const KEPT_IN_ALL = 500_000;

/** Most messages that wait for the disk: 32 MiB of the largest bodies. */
const WAITING_MAX = 512;

const callback = `CREATE TABLE callback (
  seq INTEGER PRIMARY KEY,
  topic TEXT NOT NULL,
  subject TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  body TEXT NOT NULL,
  body_sha256 TEXT NOT NULL CHECK (length(body_sha256) = 64),
  times INTEGER NOT NULL CHECK (times >= 1),
  UNIQUE (subject, topic, body_sha256)
)`;

const inboxSchema: Schema = { version: 1, statements: [callback], migrations: [] };

/** Adds a message. No row is ever deleted, so a number is never used twice, and the highest one is the number of rows. */
const INSERT = `INSERT INTO callback (seq, topic, subject, received_at, body, body_sha256, times)
  SELECT COALESCE(MAX(seq), 0) + 1, ?, ?, ?, ?, ?, 1 FROM callback WHERE true
  ON CONFLICT (subject, topic, body_sha256) DO NOTHING`;
/** Writes the page of the message again: after a failed sync, only that proves that the disk has it. */
const AGAIN = 'UPDATE callback SET times = times + 1 WHERE subject = ? AND topic = ? AND body_sha256 = ?';
const KNOWN = 'SELECT seq FROM callback WHERE subject = ? AND topic = ? AND body_sha256 = ?';
const COUNT_OF_SUBJECT = 'SELECT COUNT(*) AS kept FROM callback WHERE subject = ?';
const COUNT_IN_ALL = 'SELECT COALESCE(MAX(seq), 0) AS kept FROM callback';
const COLUMNS = 'seq, topic, subject, received_at, body';
const SINCE = `SELECT ${COLUMNS} FROM callback WHERE seq > ? ORDER BY seq LIMIT ?`;
const ABOUT = `SELECT ${COLUMNS} FROM callback WHERE subject = ? ORDER BY seq`;

/**
 * Subjects of messages that still have a body, with the time of the latest: a message about a subject today keeps all that
 * came before.
 */
const WITH_BODY = `SELECT subject, MAX(received_at) AS received_at, MAX(seq) AS seq, COUNT(*) AS kept FROM callback
  WHERE body <> '' GROUP BY subject`;
/**
 * Deletes the bodies about a subject, up to a message: what came later was not asked about. The row's number replaces the hash, which would give away a phone number to anyone who
 * tries all of them.
 */
const FORGET = `UPDATE callback SET body = '', body_sha256 = substr('${'0'.repeat(64)}' || seq, -64) WHERE subject = ? AND seq <= ? AND body <> ''`;

/** A message that waits for its turn to be written. */
interface Waiting {
  /** Values for `INSERT`. */
  readonly values: readonly [topic: string, subject: string, receivedAt: number, body: string, hash: string];
  readonly settle: PromiseWithResolvers<'new' | 'known'>;
}

/** The durable callbacks of one profile. Every method can throw a Fault `ledger-unsafe`, and `add` also `ledger-held`. */
export class Inbox implements AsyncDisposable {
  readonly #path: string;
  #database: Database;
  #file: string | undefined;
  /** Whether a write has failed: the database takes no write after that. */
  #failed = false;
  #waiting: Waiting[] = [];
  readonly #turns = new Turns();

  /** Opens the inbox, and creates it if there is none. Several processes may have it open; their writes take turns. */
  constructor(path: string) {
    this.#path = path;
    this.#database = openSqliteDatabase(path, inboxSchema);
    this.#file = fileNumberIfAny(path);
  }

  /**
   * Resolves when the message is on disk. `known`: a message with the same topic, subject and body was kept before, and no
   * second one is kept. After a failure the next call opens the file again, so the inbox recovers on its own from a full
   * disk. A message that does not fit is a Fault, too: none that was kept makes room for it, because what came first is the
   * evidence that nobody could forge afterwards, and a service that is turned away sends the callback again.
   */
  add({ topic, subject, receivedAt, body }: Omit<CallbackMessage, 'seq'>): Promise<'new' | 'known'> {
    invariant(Buffer.byteLength(body) <= CALLBACK_BYTES_MAX, 'whoever receives callbacks bounds their bodies');
    const hash = createHash('sha256').update(body).digest('hex');
    const settle = Promise.withResolvers<'new' | 'known'>();
    if (this.#waiting.length >= WAITING_MAX) return Promise.reject(overrun());
    this.#waiting.push({ values: [topic, subject.toLowerCase(), receivedAt, body, hash], settle });
    // Messages that arrive until the event loop comes round share one sync of the disk.
    if (this.#waiting.length === 1) setImmediate(() => this.#takeTurn());
    return settle.promise;
  }

  /** Returns messages after `seq`, oldest first, at most `most` of them. */
  async since(seq: number, most: number): Promise<readonly CallbackMessage[]> {
    return (await this.#database.read(SINCE, [seq, most])).map(messageOf);
  }

  /** Returns all messages about one subject, in any topic, oldest first. */
  async about(subject: string): Promise<readonly CallbackMessage[]> {
    return (await this.#database.read(ABOUT, [subject.toLowerCase()])).map(messageOf);
  }

  /**
   * Deletes the bodies about the subjects that `forgets` names, from the file as well, and returns their number. That a
   * message came, about what and when, stays on record, so its number is never used again. Fault `ledger-held` while another
   * process reads the file.
   */
  async forget(forgets: Forgets): Promise<number> {
    const statements: Statement[] = [];
    let forgotten = 0;
    for (const row of await this.#database.read(WITH_BODY)) {
      const subject = textOf(row, 'subject');
      if (!(await forgets(subject, numberOf(row, 'received_at')))) continue;
      forgotten += numberOf(row, 'kept');
      statements.push({ sql: FORGET, values: [subject, numberOf(row, 'seq')] });
    }
    await this.#database.write(statements);
    await this.#database.compact();
    return forgotten;
  }

  async close(): Promise<void> {
    this.#takeTurn();
    await this.#turns.over;
    await this.#database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #takeTurn(): void {
    const group = this.#waiting;
    this.#waiting = [];
    void this.#turns.take(() => this.#writeGroup(group));
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    if (group.length === 0) return;
    try {
      // If the state folder was cleared, the open file can still be written, but it will never be read.
      if (this.#failed || fileNumberIfAny(this.#path) !== this.#file) await this.#openAgain();
      const [fresh, known, surplus] = await this.#sorted(group);
      await this.#database.write([...fresh.map(inserting), ...known.map(again)]);
      for (const [{ settle }, fault] of surplus) settle.reject(fault);
      for (const { settle } of fresh) settle.resolve('new');
      for (const { settle } of known) settle.resolve('known');
    } catch (error) {
      // Another process has kept one of these messages since it was looked for.
      if (error instanceof RowsDiffer) return this.#writeGroup(group);
      this.#failed ||= error instanceof Fault && error.code !== 'ledger-held';
      for (const { settle } of group) settle.reject(error);
    }
  }

  /**
   * Sorts a group into messages that are not kept yet, messages that are kept or occur earlier in the group, and messages for
   * which there is no room.
   */
  async #sorted(
    group: readonly Waiting[],
  ): Promise<readonly [readonly Waiting[], readonly Waiting[], readonly Surplus[]]> {
    const seen = new Set<string>();
    const [fresh, known, surplus]: [Waiting[], Waiting[], Surplus[]] = [[], [], []];
    for (const one of group) {
      const key = keyOf(one);
      const name = JSON.stringify(key);
      const isKnown = seen.has(name) || (await this.#database.read(KNOWN, key)).length > 0;
      seen.add(name);
      const fault = isKnown ? undefined : await this.#noRoomFor(one, fresh);
      if (fault) surplus.push([one, fault]);
      else (isKnown ? known : fresh).push(one);
    }
    return [fresh, known, surplus];
  }

  async #noRoomFor({ values: [, subject] }: Waiting, fresh: readonly Waiting[]): Promise<Fault | undefined> {
    const countOf = async (sql: string, values: readonly string[]): Promise<number> =>
      numberOf((await this.#database.read(sql, values))[0] ?? {}, 'kept');
    const ahead = fresh.filter(({ values }) => values[1] === subject).length;
    if ((await countOf(COUNT_OF_SUBJECT, [subject])) + ahead >= KEPT_PER_SUBJECT) return subjectIsFull();
    return (await countOf(COUNT_IN_ALL, [])) + fresh.length >= KEPT_IN_ALL ? inboxIsFull(this.#path) : undefined;
  }

  async #openAgain(): Promise<void> {
    const failed = this.#database;
    this.#database = openSqliteDatabase(this.#path, inboxSchema);
    this.#file = fileNumberIfAny(this.#path);
    this.#failed = false;
    await failed.close();
  }
}

/** A message for which there is no room, and why. */
type Surplus = readonly [Waiting, Fault];

const overrun = (): Fault =>
  new Fault(
    'ledger-held',
    `${WAITING_MAX} callbacks are waiting to be written to disk, and no more are accepted until they are.`,
    'Check how busy the disk of the state folder is.',
  );

const subjectIsFull = (): Fault =>
  new Fault(
    'ledger-held',
    `${KEPT_PER_SUBJECT} different callbacks about one request are kept, and no more are accepted about it.`,
    'No request causes that many callbacks: a stranger may know the address. Look the request up, or ask the provider what became of it.',
  );

const inboxIsFull = (path: string): Fault =>
  new Fault(
    'ledger-held',
    `${KEPT_IN_ALL} callbacks are kept, and no more are accepted.`,
    `When no batch is open, move ${path} away: listen begins a new one.`,
  );

const keyOf = ({ values: [topic, subject, , , hash] }: Waiting) => [subject, topic, hash] as const;

const inserting = (one: Waiting): Statement => ({ sql: INSERT, values: one.values, expect: 1 });

const again = (one: Waiting): Statement => ({ sql: AGAIN, values: keyOf(one) });

const messageOf = (row: SqlRow): CallbackMessage => ({
  seq: numberOf(row, 'seq'),
  topic: textOf(row, 'topic'),
  subject: textOf(row, 'subject'),
  receivedAt: numberOf(row, 'received_at'),
  body: textOf(row, 'body'),
});
