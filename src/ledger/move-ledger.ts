/**
 * Moves a ledger from its file to PostgreSQL. The two places can never both pay, and a move that was interrupted is continued by
 * the same command:
 *
 * ```text
 *               the file        the server                      if the move is interrupted after this step
 *               here            nothing, or an empty ledger     the file stays the ledger; the server has nothing
 * copied        here            coming: it records nothing      the file stays the ledger; the next move copies again
 * proven        here            coming                          the same as after `copied`
 * locked        gone: locked    coming                          neither pays; the next move continues from here
 * checkpointed  gone            coming                          the same as after `locked`
 * arrived       gone            here                            the server is the ledger
 * ```
 *
 * The copy is written in one transaction, together with the record that it is coming, and is proven as a whole ledger. The lock
 * is a group like any other, under the lease. The checkpoints of this computer follow before any process can record in the new
 * place: a ledger that arrived is known, and in recovery only for what it was in recovery for before.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Database, type Reader, RowsDiffer, type SqlRow, type Statement, textOf } from '../database/database.ts';
import { type SharedLedger, shownAddress } from '../database/postgres/address.ts';
import { isKept } from '../database/postgres/dialect.ts';
import type { PostgresDatabase } from '../database/postgres/postgres-database.ts';
import type { Clock } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { headOfWhole } from './all-differences.ts';
import type { CheckpointKeeper } from './checkpoint-keeper.ts';
import { copying, named, tablesOf } from './copied-tables.ts';
import type { Keyring } from './keyring.ts';
import { aloneWith, isAlone, latestEpoch, NOBODY_HOLDS, PLANNING } from './lease.ts';
import type { Proof } from './proof.ts';
import { ledgerSchema } from './schema.ts';
import { recordedHead } from './signed-head.ts';
import { arriving, goneFault, isLeavingStatement, leaving, type Move, moveIn } from './whereabouts.ts';
import type { Writer } from './writer.ts';

/** The steps of a move. Each is reported when it is done. */
export const moveSteps = ['copied', 'proven', 'locked', 'checkpointed', 'arrived'] as const;
export type MoveStep = (typeof moveSteps)[number];

export interface Moved {
  /** Where the ledger is now, as shown to people. */
  readonly to: string;
  readonly head: LedgerHead;
  /** True if an earlier command had moved the ledger there already, but did not come to its end. */
  readonly before: boolean;
}

export interface MoveOrder {
  /** User and machine. */
  readonly by: string;
  readonly onStep?: (step: MoveStep) => Promise<void> | void;
}

/** The part of `Ledger` that moves it to PostgreSQL. */
export interface LedgerMove {
  /** Returns a notice for people about a ledger that was moved away, or is not here yet, or `undefined` if it is here. */
  elsewhere(): Promise<string | undefined>;
  /**
   * Takes every lease. Moves a whole ledger from its file to a PostgreSQL that holds none, and locks the file for good.
   * Continues a move that was interrupted before. Fault `usage` if there is nothing to move, or a ledger is there already;
   * `ledger-unsafe` if the copy is not sound: the file then stays the ledger.
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
  readonly checkpoints: CheckpointKeeper;
  readonly clock: Clock;
}

export async function moveLedger(from: Leaving, target: SharedLedger, { by, onStep }: MoveOrder): Promise<Moved> {
  // Loaded here, because a ledger in a file does not need it.
  const { openPostgresDatabase } = await import('../database/postgres/postgres-database.ts');
  const to = shownAddress(target.address);
  const { database, writer, proof, checkpoints, clock } = from;
  const there = await openPostgresDatabase(target, ledgerSchema, () => clock.now());
  try {
    // Even if the ledger is locked: two commands that finish a move at the same time would write two checkpoints.
    await writer.leases.take(PLANNING);
    await writer.leases.takeEvery();
    await proof.facts('again');
    const { head } = proof;
    if (!head) throw nothingToMove(from.path);
    const gone = (await moveIn(database))?.move;
    if (gone && (await isThere(from, there, head))) return { to, head, before: true };
    const move: Move = gone ?? { id: randomUUID(), state: 'gone', place: to, at: clock.now(), by };
    const coming = gone ? await comingAs(gone, there) : { ...move, state: 'coming' as const, place: from.path };
    if (!gone) {
      await orNotMoved(from, () => copy(from, there, coming, to));
      await onStep?.('copied');
      await orNotMoved(from, () => prove(from, there, head, to));
      await onStep?.('proven');
      await lock(writer, move);
      await onStep?.('locked');
    }
    await checkpoints.moveTo(there.place, await latestEpoch(there), head);
    await onStep?.('checkpointed');
    await there.write([arriving(JSON.stringify(coming))]);
    await onStep?.('arrived');
    return { to, head, before: false };
  } finally {
    await there.close();
  }
}

/** Copies the whole ledger to the new place, or nothing of it. The new place must be empty, or have what an earlier move left. */
async function copy(from: Leaving, there: PostgresDatabase, coming: Move, to: string): Promise<void> {
  const tables = await tablesOf(from.database);
  const all = named(tables.map(({ name }) => name));
  const left = await moveIn(there);
  const isLeft = left?.move.state === 'coming' && (await uuidIn(there)) === from.ledgerUuid;
  async function* statements(): AsyncGenerator<readonly Statement[]> {
    // References are checked as they come: checking all of them in the commit would take longer than an answer is waited
    // for.
    yield [`LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE`, 'SET CONSTRAINTS ALL IMMEDIATE'].map(plain);
    yield [aloneWith(0), { sql: OTHERS_FACTS, values: [isLeft ? left.text : ''], expect: 0 }, plain(`TRUNCATE ${all}`)];
    for await (const block of copying(from.database, tables)) {
      requireKept(block, to);
      yield block;
    }
    yield [{ sql: 'UPDATE meta SET moved = ?', values: [JSON.stringify(coming)], expect: 1 }, plain(NOBODY_HOLDS)];
  }
  try {
    await there.write(statements());
  } catch (error) {
    if (!(error instanceof RowsDiffer)) throw error;
    throw isAlone(error.sql) ? inUse(to, error) : notEmpty(to, error);
  }
}

/** Finds facts of a ledger that is not what an earlier move left. */
const OTHERS_FACTS = 'SELECT seq FROM fact WHERE NOT EXISTS (SELECT 1 FROM meta WHERE moved = ?) LIMIT 1';

const plain = (sql: string): Statement => ({ sql, values: [] });

/** Throws a Fault unless the copy is proven as a whole ledger, and ends with the signed head of the file. */
async function prove(from: Leaving, there: PostgresDatabase, head: LedgerHead, to: string): Promise<void> {
  const { ledgerUuid: uuid, keyring, checkpoints, path } = from;
  const [wrong] = await checkpoints.differences();
  if (wrong !== undefined) throw unsound(`The ledger ${path}`, wrong);
  const copied = `The ledger ${path}, as it was copied to ${to},`;
  const found = await there.snapshot((still) => headOfWhole(still, { uuid, keyring }, (why) => unsound(copied, why)));
  if (!isDeepStrictEqual(found, head)) throw unsound(copied, `it does not end with fact ${head.seq}, ${head.hash}`);
}

/**
 * Locks the file: from now on nothing is paid from it. Throws a Fault `ledger-held` if another process has a lease of the
 * ledger.
 */
async function lock(writer: Writer, move: Move): Promise<void> {
  try {
    const { names } = writer.leases;
    await writer.write(names, () => leaving(move, names.length));
  } catch (error) {
    if (!(error instanceof RowsDiffer && isLeavingStatement(error.sql))) throw error;
    throw new Fault(
      'ledger-held',
      'Another run uses the ledger, or ended without giving it back, so it was not moved. Nothing was sent.',
      'Let it finish, or continue its batch (`paybatch resume`), then run the same command again.',
      { cause: error },
    );
  }
}

/** Returns the record that this move left in the new place. Throws a Fault `ledger-moved` if it is not there. */
async function comingAs(gone: Move, there: PostgresDatabase): Promise<Move> {
  const coming = (await moveIn(there))?.move;
  if (coming?.state !== 'coming' || coming.id !== gone.id) throw goneFault(gone);
  return coming;
}

/** Reports whether the ledger is in the new place by now, and goes at least as far as this head. */
async function isThere({ ledgerUuid }: Leaving, there: PostgresDatabase, { seq }: LedgerHead): Promise<boolean> {
  if ((await moveIn(there)) || (await uuidIn(there)) !== ledgerUuid) return false;
  return (await recordedHead(there)).lastSeq >= seq;
}

async function uuidIn(database: Reader): Promise<string | undefined> {
  const [meta]: readonly SqlRow[] = await database.read('SELECT ledger_uuid FROM meta');
  return meta && textOf(meta, 'ledger_uuid');
}

function requireKept(block: readonly Statement[], to: string): void {
  const isLost = block.some(({ values }) => values.some((value) => typeof value === 'string' && !isKept(value)));
  if (!isLost) return;
  throw new Fault(
    'usage',
    `The ledger has a text with a character that PostgreSQL cannot keep (U+0000, or half of one), so it cannot be moved to ${to}.`,
    'Keep the ledger in its file. Deleting the people of that batch (`paybatch purge`) deletes such a text too.',
  );
}

/** Runs a step before the lock, and adds to its Fault that nothing was moved: until the lock, the file stays the ledger. */
async function orNotMoved({ path }: Leaving, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const message = `${error.message} Nothing was moved: the ledger is ${path}, as before.`;
    throw new Fault(error.code, message, `${error.remedy} Then run the same command again.`, { cause: error });
  }
}

/** Returns the Fault for moving a ledger that is on PostgreSQL: paybatch copies nothing from there. */
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

const unsound = (ledger: string, why: string): Fault =>
  new Fault(
    'ledger-unsafe',
    `${ledger} is not sound: ${why}.`,
    'See with `paybatch verify` whether the file itself was changed, and find out what changed it.',
  );
