/**
 * Decides how an order line ends, and when: by the last digits of its payee, or by a draw of the scenario. Pure: the same
 * order under the same seed always meets the same end.
 *
 *   Pending (0) ─→ Queued (1) ─→ Completed (4) | Rejected (7) | Timed Out (8) | Failed (5) | another number, never final
 *        └──── Reject order ────→ Rejected (7)
 */
import { sha256 } from '../domain/ids.ts';
import { drawOf, guidOf } from './draw.ts';
import type { KnobName, Scenario } from './scenario.ts';

/**
 * What a status record says about a line. Numbers 4, 7 and 8 are from the specification ("States and transitions"); 0 was
 * observed; 1, 5 and 6 are this service's own, and a client must take them for open.
 */
export interface ShownStatus {
  readonly status: number;
  readonly text: string;
  /** Result code and its description; null while there is no result. */
  readonly code: string | null;
  readonly says: string | null;
}

export interface EndEntry extends ShownStatus {
  /** Whether no other status follows. */
  readonly final: boolean;
}

export const pending: ShownStatus = { status: 0, text: 'Pending', code: null, says: null };
export const queued: ShownStatus = { status: 1, text: 'Queued', code: null, says: null };

/** How a line can end. Result codes are as observed. */
export const lineEndTable = {
  completed: { status: 4, text: 'Completed', code: '0', says: 'Success', final: true },
  rejected: { status: 7, text: 'Rejected', code: '18', says: 'Declined', final: true },
  withdrawn: { status: 7, text: 'Rejected', code: '18', says: 'Rejected on request of the client', final: true },
  cancelled: { status: 7, text: 'Rejected', code: '18', says: 'Cancelled by the payer', final: true },
  'timed-out': { status: 8, text: 'Timed Out', code: '-1', says: 'Timed Out', final: true },
  failed: { status: 5, text: 'Failed', code: '6', says: 'Invalid credit account', final: true },
  'not-found': { status: 5, text: 'Failed', code: '1', says: 'The identity number was not found', final: true },
  'short-of-funds': { status: 5, text: 'Failed', code: '1', says: 'Insufficient funds', final: true },
  'over-limit': { status: 5, text: 'Failed', code: '2', says: 'Transfer limit exceeded', final: true },
  // Reads as final and is not: its code decides nothing.
  undecided: { status: 7, text: 'Rejected', code: '22', says: 'Partner timeout', final: false },
  unknown: { status: 6, text: 'On Hold', code: null, says: null, final: false },
} as const satisfies Record<string, EndEntry>;

export type LineEnd = keyof typeof lineEndTable;

const duplicate = { code: '9', says: 'Duplicate transaction', final: true } as const;

/**
 * What is reported of a repeated identifier in the mode `accept-then-9`. Which status comes with the code is not published,
 * so identifiers get either one.
 */
const duplicateEnds: readonly [EndEntry, ...EndEntry[]] = [
  { status: 5, text: 'Failed', ...duplicate },
  { status: 7, text: 'Rejected', ...duplicate },
];

/**
 * Magic endings: the last four digits of a phone, account or identity number choose its outcome.
 *
 * Payments (orders, airtime, bills, deposits) follow `magicTable`. Checkouts follow none. Validations of accounts follow
 * only `accountMagicTable`, so that the holder of an account can be validated even if a payment to it will fail. Validations
 * of persons follow `personMagicTable`.
 *
 * The first of these rules that applies names the holder of an account: a name set by `POST /__sandbox/holders`; NO SUCH
 * NAME for the ending 0011; the recipient that the latest payment order named for the account; otherwise the last digit
 * chooses the first name, and the digit before it the family name, from the two lists below (…78: JANE WANJIKU).
 */
interface MagicEntry {
  readonly says: string;
  /** How the line ends. */
  readonly end?: LineEnd;
  /** Extra time that the line stays pending, in milliseconds. */
  readonly pendingMs?: number;
  /** What happens to the submission itself. */
  readonly submission?: 'refused' | 'dropped-after' | 'dropped-before';
}

type MagicTable = Readonly<Record<string, MagicEntry>>;

/** One row per ending. The practice guide and the help are generated from it. */
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

/** Endings of account numbers, in validations of accounts. */
const accountMagicTable = {
  '0003': { says: 'stays pending for two minutes, then completes', pendingMs: 120_000 },
  '0011': { says: 'held by NO SUCH NAME' },
  '0012': { says: 'cannot be validated (status 5, response 6)', end: 'failed' },
} as const satisfies MagicTable;

/** Endings of national identity numbers, in validations of persons. */
const personMagicTable = {
  '0002': { says: 'timed out (status 8, response -1)', end: 'timed-out' },
  '0003': { says: 'stays pending for two minutes, then completes', pendingMs: 120_000 },
  '0004': { says: 'not found (status 5, response 1)', end: 'not-found' },
} as const satisfies MagicTable;

const entryOf = (table: MagicTable, subject: string): MagicEntry | undefined => table[subject.slice(-4)];

/** Returns the ending of a payee's phone or account number, or `undefined` if it is an ordinary one. */
export const magicOf = (payee: string): MagicEntry | undefined => entryOf(magicTable, payee);
/** Returns the ending of an account number in a validation of accounts, or `undefined` if it is an ordinary one. */
export const accountMagicOf = (account: string): MagicEntry | undefined => entryOf(accountMagicTable, account);
/** Returns the ending of a national identity number, or `undefined` if it is an ordinary one. */
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

/** Returns the holder of an account by the rules above. `named`: the recipient that an order named for it, if any. */
export function ruledHolderOf(account: string, named: string | undefined): string {
  if (account.endsWith('0011')) return NOBODY;
  const digits = account.replace(/\D/g, '').slice(-2).padStart(2, '0');
  return named ?? `${firstNames[Number(digits[1])]} ${familyNames[Number(digits[0])]}`;
}

/** The future of a line, decided when its order is accepted. */
export interface LinePlan {
  /** Milliseconds from acceptance until the line is queued, and until it ends. */
  readonly queuedMs: number;
  readonly endMs: number;
  readonly end: LineEnd;
}

/** Shares of a scenario that decide how an ordinary line ends. */
const endShares: readonly (readonly [KnobName, LineEnd])[] = [
  ['reject', 'rejected'],
  ['timeout', 'timed-out'],
  ['fail', 'failed'],
  ['unknown', 'unknown'],
];

/** Returns what is reported of a repeated identifier. `key`: the key of what the books hold under it. */
export function duplicateEndOf(key: string): EndEntry {
  const draw = drawOf(sha256(`duplicate|${key}`), 0);
  return duplicateEnds[Math.floor(draw * duplicateEnds.length)] ?? duplicateEnds[0];
}

/** Returns the `systemConversationId` in the acceptance of a repetition. It names nothing that the service acts on. */
export const repetitionId = (key: string, posts: number): string => guidOf(`repetition|${posts}|${key}`);

/** Plans the `index`-th line of an order that pays `payee`. */
export const planLine = (orderId: string, index: number, payee: string, scenario: Scenario): LinePlan =>
  planOf(`line|${orderId}|${index}`, magicOf(payee), scenario);

/** Plans the `index`-th part of any other request; `magic` is the ending that applies to it, if any. */
export const planPart = (key: string, index: number, magic: ReturnType<typeof magicOf>, scenario: Scenario): LinePlan =>
  planOf(`part|${key}|${index}`, magic, scenario);

function planOf(what: string, magic: ReturnType<typeof magicOf>, { seed, knobs }: Scenario): LinePlan {
  const digest = sha256(`${seed}|${what}`);
  const span = knobs['settle-max'] - knobs['settle-min'];
  const endMs = Math.round(knobs['settle-min'] + drawOf(digest, 0) * span);
  const queuedMs = Math.round(endMs * (0.2 + 0.4 * drawOf(digest, 1)));
  const wait = magic?.pendingMs ?? 0;
  return { queuedMs: queuedMs + wait, endMs: endMs + wait, end: magic?.end ?? drawnEnd(knobs, drawOf(digest, 2)) };
}

function drawnEnd(knobs: Scenario['knobs'], draw: number): LineEnd {
  let bound = 0;
  for (const [knob, end] of endShares) {
    bound += knobs[knob];
    if (draw < bound) return end;
  }
  return 'completed';
}
