/**
 * Decides how a part of a request ends, and when: by the last digits of its payee, or by a draw of the scenario. Pure: the
 * same request under the same seed always meets the same end.
 *
 *   Pending (0) ─→ Queued (1) ─→ Completed (4) | Rejected (7) | Timed Out (8) | Failed (5) | another number, never final
 *        └──── Reject order ────→ Rejected (7)
 */
import { sha256 } from '../domain/ids.ts';
import { drawOf, guidOf } from './draw.ts';
import type { KnobName, Scenario } from './scenario.ts';

/**
 * What a status record says about a part. Numbers 4, 7 and 8 are from the specification ("States and transitions"); 0 was
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

/** How a part can end. Result codes are as observed. */
export const partEndTable = {
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

export type PartEnd = keyof typeof partEndTable;

const duplicate = { code: '9', says: 'Duplicate transaction', final: true } as const;

/**
 * What is reported of a repeated identifier in the mode `accept-then-9`. Which status comes with the code is not published,
 * so identifiers get either one.
 */
const duplicateEnds: readonly [EndEntry, ...EndEntry[]] = [
  { status: 5, text: 'Failed', ...duplicate },
  { status: 7, text: 'Rejected', ...duplicate },
];

/** What the last four digits of a phone, account or identity number choose. */
interface MagicEntry {
  /** How the part ends. */
  readonly end?: PartEnd;
  /** Extra time that the part stays pending, in milliseconds. */
  readonly pendingMs?: number;
  /** What happens to the submission itself. */
  readonly submission?: 'refused' | 'dropped-after' | 'dropped-before';
}

export type MagicTable = Readonly<Record<string, MagicEntry>>;

const staysPending: MagicEntry = { pendingMs: 120_000 };

/** Endings in payments: orders, airtime, bills, deposits. */
export const paymentMagic: MagicTable = {
  '0001': { end: 'rejected' },
  '0002': { end: 'timed-out' },
  '0003': staysPending,
  '0004': { submission: 'refused' },
  '0005': { submission: 'dropped-after' },
  // Lost the first time only.
  '0006': { submission: 'dropped-before' },
  '0007': { end: 'undecided' },
  '0008': { end: 'failed' },
  '0009': { end: 'unknown' },
};

/**
 * Endings of account numbers, in validations of accounts. They are not those of payments, so that the holder of an account
 * can be validated even if a payment to it will fail.
 */
export const accountMagic: MagicTable = {
  '0003': staysPending,
  '0012': { end: 'failed' },
};

/** Endings of national identity numbers, in validations of persons. */
export const personMagic: MagicTable = {
  '0002': { end: 'timed-out' },
  '0003': staysPending,
  '0004': { end: 'not-found' },
};

/** Returns the ending of a phone, account or identity number, or `undefined` if it is an ordinary one. */
export const magicOf = (table: MagicTable, subject: string): MagicEntry | undefined => table[subject.slice(-4)];

/** The future of a part, decided when its request is accepted. */
export interface PartPlan {
  /** Milliseconds from acceptance until the part is queued, and until it ends. */
  readonly queuedMs: number;
  readonly endMs: number;
  readonly end: PartEnd;
}

/** Shares of a scenario that decide how an ordinary part ends. */
const endShares: readonly (readonly [KnobName, PartEnd])[] = [
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

/** Plans a part. `what`: names the part in the draws; `magic`: the ending that applies to it, if any. */
export function planOf(what: string, magic: MagicEntry | undefined, { seed, knobs }: Scenario): PartPlan {
  const digest = sha256(`${seed}|${what}`);
  const span = knobs['settle-max'] - knobs['settle-min'];
  const endMs = Math.round(knobs['settle-min'] + drawOf(digest, 0) * span);
  const queuedMs = Math.round(endMs * (0.2 + 0.4 * drawOf(digest, 1)));
  const wait = magic?.pendingMs ?? 0;
  return { queuedMs: queuedMs + wait, endMs: endMs + wait, end: magic?.end ?? drawnEnd(knobs, drawOf(digest, 2)) };
}

function drawnEnd(knobs: Scenario['knobs'], draw: number): PartEnd {
  let bound = 0;
  for (const [knob, end] of endShares) {
    bound += knobs[knob];
    if (draw < bound) return end;
  }
  return 'completed';
}
