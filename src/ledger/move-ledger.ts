/**
 * Moves a ledger from its file to PostgreSQL. Never can two of them pay, and whatever breaks off is gone on with by the same command:
 *
 * ```text
 *            the file        the server                      broken off behind it
 *            here            nothing, or an empty ledger     the file goes on; nothing is there
 * copied     here            coming: it records nothing      the file goes on; the next move copies anew
 * compared   here            coming                          the same
 * locked     gone: locked    coming                          neither pays; the next move goes on here
 * marked     gone            coming                          the same
 * arrived    gone            here                            the server goes on
 * ```
 *
 * The copy comes in one transaction, with the word that it is coming. The lock is a group like any other, under the lease. The marks
 * of this computer follow before anybody can record there: a ledger that arrived is known, and in doubt only about what it was in
 * doubt about before.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { invariant } from '../domain/invariant.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { allDifferences } from './batch-proof.ts';
import { noFacts } from './chain-proof.ts';
import { copying, named, type Table, tablesOf, unequalTables } from './copied-tables.ts';
import { type Database, type Reader, RowsDiffer, type SqlRow, type Statement, textOf } from './database.ts';
import type { Keyring } from './keyring.ts';
import { latestEpoch, NOBODY_HOLDS, PLANNING } from './lease.ts';
import type { MarkKeeper } from './mark-keeper.ts';
import { type SharedLedger, shownAddress } from './postgres/address.ts';
import { isKept } from './postgres/dialect.ts';
import type { PostgresDatabase } from './postgres/postgres-database.ts';
import type { Proof } from './proof.ts';
import { ledgerSchema } from './schema.ts';
import { recordedHead } from './signed-head.ts';
import { arriving, goneFault, isLeavingStatement, leaving, type Move, moveIn } from './whereabouts.ts';
import type { Writer } from './writer.ts';

/** What is done when it is told. */
export const moveSteps = ['copied', 'compared', 'locked', 'marked', 'arrived'] as const;
export type MoveStep = (typeof moveSteps)[number];

export interface Moved {
  /** Where it is now, as people are shown it. */
  readonly to: string;
  readonly head: LedgerHead;
  /** It had been moved there before, by a command that did not come to its end. */
  readonly before: boolean;
}

export interface MoveOrder {
  /** User and machine. */
  readonly by: string;
  readonly told?: (step: MoveStep) => Promise<void> | void;
}

/** A part of `Ledger`, with its promises. */
export interface LedgerMove {
  /** What people are told of a ledger that was moved away, or is not here yet; undefined: it is here. */
  elsewhere(): Promise<string | undefined>;
  /**
   * Takes every lease. Moves all of a ledger that is kept in a file to a PostgreSQL that holds none, and locks the file for good. What
   * broke off before is gone on with. Fault `usage` when there is nothing to move, or something is there already, `ledger-unsafe`
   * when either place is not sound: the file then stays the ledger, unless it was locked before.
   */
  moveTo(target: SharedLedger, order: MoveOrder): Promise<Moved>;
}

interface Leaving {
  readonly path: string;
  readonly ledgerUuid: string;
  readonly database: Database;
  readonly writer: Writer;
  readonly proof: Proof;
  readonly keyring: Keyring;
  readonly marks: MarkKeeper;
  readonly clock: Clock;
}

/** Shows life while much is read, in milliseconds: a lease that stands still for a minute is taken. */
const ALIVE_MS = 10_000;

export async function moveLedger(from: Leaving, target: SharedLedger, { by, told }: MoveOrder): Promise<Moved> {
  // Who keeps the ledger in a file needs none of it.
  const { openPostgresDatabase } = await import('./postgres/postgres-database.ts');
  const to = shownAddress(target.address);
  const { database, writer, proof, marks, clock } = from;
  const there = await openPostgresDatabase(target, ledgerSchema, () => clock.now());
  try {
    // Also of a ledger that is locked: two that finish a move at once would write two marks.
    await writer.leases.take(PLANNING);
    await writer.leases.takeEvery();
    await proof.facts('again');
    const { head } = proof;
    if (!head) throw nothingToMove(from.path);
    const tables = await tablesOf(database);
    const gone = (await moveIn(database))?.move;
    if (gone && (await isThere(from, there, head))) return { to, head, before: true };
    const move: Move = gone ?? { id: randomUUID(), state: 'gone', place: to, at: clock.now(), by };
    const coming = gone ? await comingAs(gone, there) : { ...move, state: 'coming' as const, place: from.path };
    if (!gone) {
      await orNotMoved(from, () => copy(from, there, { to, tables, coming: JSON.stringify(coming) }));
      await told?.('copied');
    }
    await orNotMoved(from, () => compare(from, there, { to, tables, head }));
    await told?.('compared');
    if (!gone) await lock(writer, move);
    await told?.('locked');
    await marks.moveTo(there.place, await latestEpoch(there), head);
    await told?.('marked');
    await there.write([arriving(JSON.stringify(coming))]);
    await told?.('arrived');
    return { to, head, before: false };
  } finally {
    await there.close();
  }
}

/** Puts all of the ledger there, or nothing, in the place of nothing or of what an earlier move left. */
async function copy(
  { database, ledgerUuid, writer, clock }: Leaving,
  there: PostgresDatabase,
  { to, tables, coming }: { readonly to: string; readonly tables: readonly Table[]; readonly coming: string },
): Promise<void> {
  const all = named(tables.map(({ name }) => name));
  const left = await moveIn(there);
  const isLeft = left?.move.state === 'coming' && (await uuidIn(there)) === ledgerUuid;
  const guards: readonly Statement[] = isLeft
    ? [{ sql: 'SELECT only_row FROM meta WHERE moved = ?', values: [left.text], expect: 1 }]
    : [
        { sql: 'SELECT seq FROM fact LIMIT 1', values: [], expect: 0 },
        { sql: 'SELECT holder FROM lease WHERE holder IS NOT NULL', values: [], expect: 0 },
      ];
  async function* statements(): AsyncGenerator<readonly Statement[]> {
    // References are checked as they come: all at once, the commit would take longer than an answer is waited for.
    yield [`LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE`, 'SET CONSTRAINTS ALL IMMEDIATE'].map(plain);
    yield guards;
    yield [plain(`TRUNCATE ${all}`)];
    for await (const block of copying(lively(database, writer, clock), tables)) {
      requireKept(block, to);
      yield block;
    }
    yield [{ sql: 'UPDATE meta SET moved = ?', values: [coming], expect: 1 }, plain(NOBODY_HOLDS)];
  }
  try {
    await there.write(statements());
  } catch (error) {
    if (!(error instanceof RowsDiffer)) throw error;
    const held = guards.at(-1)?.sql === error.sql && !isLeft;
    throw held ? inUse(to, error) : notEmpty(to, error);
  }
}

const plain = (sql: string): Statement => ({ sql, values: [] });

/** Throws a Fault unless both places prove themselves, end with the same signed head, and hold the same rows. */
async function compare(
  from: Leaving,
  there: PostgresDatabase,
  { to, tables, head }: { readonly to: string; readonly tables: readonly Table[]; readonly head: LedgerHead },
): Promise<void> {
  const [marked] = await from.marks.differences();
  if (marked !== undefined) throw unsound(from.path, marked);
  for (const [place, database] of [
    [from.path, from.database],
    [to, there],
  ] as const) {
    const different = await differenceIn(database, from);
    if (different !== undefined) throw unsound(place, different);
  }
  const copied = (await recordedHead(there)).head;
  if (!isDeepStrictEqual(copied, head)) throw unsound(to, `it does not end with fact ${head.seq}, ${head.hash}`);
  // What says who may write, and where, is another in both.
  const same = tables.filter(({ name }) => !['meta', 'lease', 'epoch'].includes(name));
  const alive = (reader: Reader): Reader => lively(reader, from.writer, from.clock);
  const [unequal] = await unequalTables(alive(from.database), alive(there), same);
  if (unequal !== undefined) throw unsound(to, `its table ${unequal} is another one than that of the file`);
}

/** The first thing in a ledger that does not follow from its facts. */
const differenceIn = (
  database: Database,
  { ledgerUuid: uuid, keyring, writer, clock }: Leaving,
): Promise<string | undefined> =>
  database.snapshot(async (still) => {
    const ledger = { uuid, proven: noFacts(uuid), keyring };
    const first = await allDifferences(lively(still, writer, clock), ledger).next();
    return first.done === true ? undefined : first.value;
  });

/** From here on the file is no ledger to pay from. Fault `ledger-held` when somebody else has a lease of it. */
async function lock(writer: Writer, move: Move): Promise<void> {
  try {
    const { names } = writer.leases;
    await writer.write(names, () => leaving(move, names.length));
  } catch (error) {
    if (!(error instanceof RowsDiffer && isLeavingStatement(error.sql))) throw error;
    throw new Fault(
      'ledger-held',
      'Another run uses the ledger, or ended without giving it back, so it was not moved. Nothing was sent.',
      'Let it finish, or go on with its batch (`paybatch resume`), then run the same command again.',
      { cause: error },
    );
  }
}

/** What the locked ledger of this move left in the new place. */
async function comingAs(gone: Move, there: PostgresDatabase): Promise<Move> {
  const coming = (await moveIn(there))?.move;
  if (coming?.state !== 'coming' || coming.id !== gone.id) throw goneFault(gone);
  return coming;
}

/** Whether the ledger is there by now, and has gone on from this head. */
async function isThere({ ledgerUuid }: Leaving, there: PostgresDatabase, { seq }: LedgerHead): Promise<boolean> {
  if ((await moveIn(there)) || (await uuidIn(there)) !== ledgerUuid) return false;
  return (await recordedHead(there)).lastSeq >= seq;
}

async function uuidIn(database: Reader): Promise<string | undefined> {
  const [meta]: readonly SqlRow[] = await database.read('SELECT ledger_uuid FROM meta');
  return meta && textOf(meta, 'ledger_uuid');
}

/** A reader that renews the lease in between. */
function lively(reader: Reader, writer: Writer, clock: Clock): Reader {
  let lastMs = clock.monotonicMs();
  return {
    async read(sql, values) {
      if (clock.monotonicMs() - lastMs > ALIVE_MS) {
        await writer.renew();
        lastMs = clock.monotonicMs();
      }
      return reader.read(sql, values);
    },
  };
}

function requireKept(block: readonly Statement[], to: string): void {
  const isLost = block.some(({ values }) => values.some((value) => typeof value === 'string' && !isKept(value)));
  if (!isLost) return;
  throw new Fault(
    'usage',
    `The ledger has a text with a character that PostgreSQL cannot keep (U+0000, or half of one), so it cannot be moved to ${to}.`,
    'Go on with the file. Deleting the people of that batch (`paybatch purge`) deletes such a text too.',
  );
}

/** Up to the lock, whatever fails leaves the file as the ledger. */
async function orNotMoved(from: Leaving, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const isLocked = (await moveIn(from.database)) !== undefined;
    const standing = isLocked
      ? 'The file is locked, and nothing is paid from either place.'
      : `Nothing was moved: the ledger is ${from.path}, as before.`;
    throw new Fault(error.code, `${error.message} ${standing}`, `${error.remedy} Then run the same command again.`, {
      cause: error,
    });
  }
}

/** Of a ledger on PostgreSQL, nothing is copied from here. */
export const movedByServer = (): Fault =>
  new Fault(
    'usage',
    'The ledger is on PostgreSQL already. Nothing was moved.',
    'Move it with the programs of the server.',
  );

const nothingToMove = (path: string): Fault =>
  new Fault(
    'usage',
    `Nothing was paid by the ledger ${path} yet, so there is nothing to move.`,
    'Name the new place in the profile ("ledger"): its first batch begins there.',
  );

const notEmpty = (to: string, cause: unknown): Fault =>
  new Fault(
    'usage',
    `There is a ledger at ${to} already, and two ledgers cannot become one.`,
    'Name a schema of its own in the address (schema=NAME), or another database.',
    { cause },
  );

const inUse = (to: string, cause: unknown): Fault =>
  new Fault('ledger-held', `Another program uses the ledger at ${to}.`, 'Wait until it has finished.', { cause });

function unsound(place: string, why: string): Fault {
  invariant(why !== '', 'a difference is told');
  return new Fault(
    'ledger-unsafe',
    `The ledger ${place} is not sound: ${why}.`,
    'See all differences with `paybatch verify`, and find out what changed them.',
  );
}
