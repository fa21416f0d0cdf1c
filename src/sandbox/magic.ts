/** Magic endings: the last four digits of a payee's phone or account choose what becomes of it. */
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

/** One row per ending; the practice guide and the help are made from it. */
export const magicTable = {
  '0001': { says: 'rejected after it was queued', end: 'rejected' },
  '0002': { says: 'timed out (status 8, result -1)', end: 'timed-out' },
  '0003': { says: 'stays pending for two minutes, then completes', pendingMs: 120_000 },
  '0004': { says: 'refused at once: HTTP 400 naming PhoneNumber', submission: 'refused' },
  '0005': { says: 'taken, but the connection breaks before the answer', submission: 'dropped-after' },
  '0006': { says: 'the first submission is lost before it is taken', submission: 'dropped-before' },
  '0008': { says: 'failed for good (status 5, result 6)', end: 'failed' },
  '0009': { says: 'ends in an undocumented status number (6), never final', end: 'unknown' },
} as const satisfies Record<string, MagicEntry>;

const entries: Readonly<Record<string, MagicEntry | undefined>> = magicTable;

/** The ending of a payee's phone or account number, or undefined when it is an ordinary one. */
export const magicOf = (payee: string): MagicEntry | undefined => entries[payee.slice(-4)];
