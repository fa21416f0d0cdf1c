/**
 * Magic endings: the last four digits of a phone, account or identity number choose what becomes of it.
 *
 * Payments (orders, airtime, bills, deposits) follow `magicTable`. Checkouts follow none. Validations of accounts
 * follow `accountMagicTable` only, so that the payee of a payment that will fail can still be known by name;
 * validations of persons follow `personMagicTable`.
 *
 * The holder of an account, first rule that applies: a name set by `POST /__sandbox/holders`; NO SUCH NAME
 * for the ending 0011; the recipient that the latest payment order named for the account; else the last digit
 * gives the first name and the digit before it the family name, from the two lists below (…78: JANE WANJIKU).
 */
import type { LineEnd } from './line-end.ts';

interface MagicEntry {
  readonly says: string;
  /** How the line ends. */
  readonly end?: LineEnd;
  /** Extra time that the line stays pending, milliseconds. */
  readonly pendingMs?: number;
  /** What becomes of the submission itself. */
  readonly submission?: 'refused' | 'dropped-after' | 'dropped-before';
}

type MagicTable = Readonly<Record<string, MagicEntry>>;

/** One row per ending; the practice guide and the help are made from it. */
export const magicTable = {
  '0001': { says: 'rejected after it was queued', end: 'rejected' },
  '0002': { says: 'timed out (status 8, result -1)', end: 'timed-out' },
  '0003': { says: 'stays pending for two minutes, then completes', pendingMs: 120_000 },
  '0004': { says: 'refused at once: HTTP 400 naming PhoneNumber', submission: 'refused' },
  '0005': { says: 'taken, but the connection breaks before the answer', submission: 'dropped-after' },
  '0006': { says: 'the first submission is lost before it is taken', submission: 'dropped-before' },
  '0007': { says: 'rejected with a result code that decides nothing (status 7, result 22)', end: 'undecided' },
  '0008': { says: 'failed for good (status 5, result 6)', end: 'failed' },
  '0009': { says: 'ends in an undocumented status number (6), never final', end: 'unknown' },
} as const satisfies MagicTable;

/** Account numbers in validations of accounts. */
export const accountMagicTable = {
  '0003': { says: 'stays pending for two minutes, then completes', pendingMs: 120_000 },
  '0011': { says: 'held by NO SUCH NAME' },
  '0012': { says: 'cannot be validated (status 5, response 6)', end: 'failed' },
} as const satisfies MagicTable;

/** National identity numbers in validations of persons. */
export const personMagicTable = {
  '0002': { says: 'timed out (status 8, response -1)', end: 'timed-out' },
  '0003': { says: 'stays pending for two minutes, then completes', pendingMs: 120_000 },
  '0004': { says: 'not found (status 5, response 1)', end: 'not-found' },
} as const satisfies MagicTable;

const entryOf = (table: MagicTable, subject: string): MagicEntry | undefined => table[subject.slice(-4)];

/** The ending of a payee's phone or account number, or undefined when it is an ordinary one. */
export const magicOf = (payee: string): MagicEntry | undefined => entryOf(magicTable, payee);
/** The ending of an account number in a validation of accounts. */
export const accountMagicOf = (account: string): MagicEntry | undefined => entryOf(accountMagicTable, account);
/** The ending of a national identity number. */
export const personMagicOf = (identity: string): MagicEntry | undefined => entryOf(personMagicTable, identity);

const firstNames = ['AMINA', 'BARAKA', 'CHEBET', 'DAVID', 'ESTHER', 'FATUMA', 'GRACE', 'HASSAN', 'JANE', 'KEVIN'];
const familyNames = [
  'ABDI',
  'KAMAU',
  'MWANGI',
  'NJOROGE',
  'OCHIENG',
  'ODHIAMBO',
  'OTIENO',
  'WANJIKU',
  'MUTUA',
  'KIPTOO',
];
const NOBODY = 'NO SUCH NAME';

/** The holder of an account by the rule above; `named` is the recipient that an order named for it, if any. */
export function ruledHolderOf(account: string, named: string | undefined): string {
  if (account.endsWith('0011')) return NOBODY;
  const digits = account.replace(/\D/g, '').slice(-2).padStart(2, '0');
  return named ?? `${firstNames[Number(digits[1])]} ${familyNames[Number(digits[0])]}`;
}
