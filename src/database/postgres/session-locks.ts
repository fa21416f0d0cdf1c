/**
 * Advisory locks of a PostgreSQL session, which end with the session, no matter what ends it. On the server each lock is a number,
 * a different one for each name and schema, so two ledgers in one database have different locks.
 */

import { sha256 } from '../../domain/ids.ts';
import { type Reader, type SqlRow, textOf } from '../database.ts';

const TRY = 'SELECT pg_try_advisory_lock(?::bigint)::text AS has';
const UNLOCK = 'SELECT pg_advisory_unlock(?::bigint)::text AS had';
const LOCKED = `SELECT (classid::bigint << 32 | objid::bigint)::text AS number FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Takes a lock for this session. Returns false if another session has it. */
export async function tryLock(session: Reader, schema: string, name: string): Promise<boolean> {
  const [row] = await session.read(TRY, [lockNumber(schema, name)]);
  return row !== undefined && textOf(row, 'has') === 'true';
}

export const unlock = (session: Reader, schema: string, name: string): Promise<readonly SqlRow[]> =>
  session.read(UNLOCK, [lockNumber(schema, name)]);

/** Returns those of the locks that any session has. */
export async function lockedOf(any: Reader, schema: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const taken = new Set((await any.read(LOCKED)).map((row) => textOf(row, 'number')));
  return new Set(names.filter((name) => taken.has(String(lockNumber(schema, name)))));
}

/** Returns the number of a lock on the server. */
export const lockNumber = (schema: string, name: string): bigint =>
  BigInt.asIntN(64, BigInt(`0x${sha256(JSON.stringify(['paybatch lease', schema, name])).slice(0, 16)}`));
