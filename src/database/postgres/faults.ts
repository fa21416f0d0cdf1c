/** Faults of a ledger on PostgreSQL. No message contains the password. */
import { Fault } from '../../domain/fault.ts';
import { DatabaseBusy } from '../database.ts';
import { type PostgresAddress, shownAddress } from './address.ts';
import { isSilence, SILENCE_MS, serverCode } from './connection.ts';

/** SQLSTATE `lock_not_available`: another session holds the lock, for example of a lease. */
const LOCKED = '55P03';
/** SQLSTATE `deadlock_detected`: two sessions waited for each other, and the server ended the wait of this one. */
const DEADLOCK = '40P01';

/** SQLSTATE `insufficient_privilege`: the role lacks a right. */
const FORBIDDEN = '42501';

/** SQLSTATE codes with which the server refuses a login: wrong role or password, no such database, no right to it. */
const refusals: ReadonlySet<string> = new Set(['28000', '28P01', '3D000', FORBIDDEN]);

/** SQLSTATE `disk_full`: the disk of the server is full. */
const DISK_FULL = '53100';

/** Reports whether another session held a lock for too long, or there was a deadlock. Nothing was written. */
export const isLocked = (error: unknown): boolean => [LOCKED, DEADLOCK].includes(serverCode(error) ?? '');

/** Reports whether the role lacks the right to a statement. Nothing was written. */
export const isForbidden = (error: unknown): boolean => serverCode(error) === FORBIDDEN;

/** Turns an error of the driver or the server into the Fault that stops a run. */
export function faultOf(error: unknown, address: PostgresAddress): Fault {
  if (error instanceof Fault) return error;
  if (isLocked(error)) return new DatabaseBusy(shownAddress(address), error);
  if (isForbidden(error)) return forbidden(address, reasonOf(error), error);
  return new Fault(
    'ledger-unsafe',
    `The ledger ${shownAddress(address)} cannot be relied on: ${reasonOf(error)}.`,
    'Nothing more was sent. Check the server and the way to it, then run `paybatch verify` and `paybatch resume`.',
    { cause: error },
  );
}

/** Returns the Fault for a role that lacks a right. */
export const forbidden = (address: PostgresAddress, why: string, cause?: unknown): Fault =>
  new Fault(
    'ledger-forbidden',
    `The role ${address.user} may not do this in the ledger ${shownAddress(address)}: ${why}. Nothing more was sent.`,
    `An existing ledger belongs to the role that created it: let that role run what \`paybatch ledger grants\` prints, or purge, move and upgrade as that role. To create a new ledger: GRANT CREATE ON DATABASE ${address.database} TO ${address.user}`,
    { cause },
  );

/** Returns the Fault for a commit that was never answered: nobody knows whether the last group is on the server. */
export const unanswered = (error: unknown, address: PostgresAddress): Fault =>
  new Fault(
    'ledger-unsafe',
    `The ledger ${shownAddress(address)} did not answer whether the last record is on disk: ${reasonOf(error)}.`,
    'Nothing more was sent, and the record may be there or not. When the server is back, run `paybatch resume`: it reads what is there.',
    { cause: error },
  );

/** Returns the Fault for tables that could not be rewritten. */
export function notCompacted(error: unknown, address: PostgresAddress): Fault {
  const again = 'what was deleted is no longer in its tables, and may still be in their files';
  if (isLocked(error)) {
    return new Fault(
      'ledger-held',
      `Another program is reading ${shownAddress(address)}, so its tables cannot be rewritten: ${again}.`,
      'Wait until the other program has finished, then run the same command again.',
      { cause: error },
    );
  }
  if (serverCode(error) !== DISK_FULL) return faultOf(error, address);
  return new Fault(
    'file-unwritten',
    `The tables of ${shownAddress(address)} cannot be rewritten (${reasonOf(error)}): ${again}.`,
    'Rewriting them needs as much free disk space as they take. Make room on the disk of the server, then run the same command again.',
    { cause: error },
  );
}

/** Returns the Fault for a session that could not be opened. */
export function unreachable(error: unknown, address: PostgresAddress): Fault {
  const place = shownAddress(address);
  const code = serverCode(error);
  if (code !== undefined && refusals.has(code)) {
    return new Fault(
      'configuration',
      `The server of the ledger ${place} refuses: ${reasonOf(error)}. Nothing was sent.`,
      'Check user, database and password. Keep the password in a file that only you can read (~/.pgpass or PGPASSFILE), or in PGPASSWORD.',
      { cause: error },
    );
  }
  if (isPasswordMissing(error)) {
    return new Fault(
      'configuration',
      `The server of the ledger ${place} asks for a password, and none was given. Nothing was sent.`,
      'Put it in a file that only you can read (~/.pgpass or PGPASSFILE), or in PGPASSWORD.',
      { cause: error },
    );
  }
  return new Fault(
    'ledger-unsafe',
    `The ledger ${place} cannot be reached: ${reasonOf(error)}. Nothing was sent.`,
    'Check that the server runs, its host and port, and the certificate that it shows (sslrootcert=FILE names its authority).',
    { cause: error },
  );
}

/** Reports whether `pg` lacked a password. Only its message says so. */
const isPasswordMissing = (error: unknown): boolean =>
  error instanceof Error && /client password must be a (non-empty )?string/.test(error.message);

/**
 * Returns the reason for an error, on one line. A connection that is tried at several addresses fails with a list of errors
 * and no message.
 */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  if (isSilence(error)) return `it did not answer for ${SILENCE_MS / 1000} s`;
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').replace(/\.$/, '');
}
