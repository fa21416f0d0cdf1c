/**
 * Records of where a ledger is. A ledger that was moved away records where it went, and one that is being moved records
 * where it comes from. While a ledger has either record, nothing else is recorded in it, so the two places can never both
 * pay.
 */

import { type Reader, type Statement, textOf } from '../database/database.ts';
import { Fault } from '../domain/fault.ts';
import { aloneWith, isAlone } from './lease.ts';

/** A move, as both places record it. */
export interface Move {
  /** The same in both places, and different in every other move. */
  readonly id: string;
  /**
   * `gone` in the place that the ledger left. `coming` in the new place, until the whole ledger is there and the old place
   * is locked.
   */
  readonly state: 'gone' | 'coming';
  /** The other place, as shown to people. */
  readonly place: string;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** User and machine. */
  readonly by: string;
}

const READ = 'SELECT moved FROM meta WHERE only_row = 1 AND moved IS NOT NULL';
const LEAVE = 'UPDATE meta SET moved = ? WHERE only_row = 1 AND moved IS NULL';
const ARRIVE = 'UPDATE meta SET moved = NULL WHERE only_row = 1 AND moved = ?';

/** Returns the move that a ledger is in, and the text that records it, or `undefined` if the ledger is here. */
export async function moveIn(database: Reader): Promise<{ readonly move: Move; readonly text: string } | undefined> {
  const [row] = await database.read(READ);
  return row && { move: readMove(textOf(row, 'moved')), text: textOf(row, 'moved') };
}

/** Throws a Fault if the ledger is not here: `ledger-moved` if it was moved away, `ledger-held` if it has not arrived yet. */
export async function requireHere(database: Reader): Promise<void> {
  const found = await moveIn(database);
  if (!found) return;
  throw found.move.state === 'gone' ? goneFault(found.move) : comingFault(found.move);
}

/**
 * Returns statements that lock a ledger for good. They belong in a group under all leases that are held; `leases` is their
 * number.
 */
export const leaving = (move: Move, leases: number): readonly Statement[] => [
  aloneWith(leases),
  { sql: LEAVE, values: [JSON.stringify(move)], expect: 1 },
];

/** Reports whether a statement is one of `leaving`. If it failed, another process holds a lease, or has recorded a move. */
export const isLeavingStatement = (sql: string): boolean => isAlone(sql) || sql === LEAVE;

/**
 * Returns the statement after which the ledger can be written in its new place. `text` is the record of the move in that
 * place.
 */
export const arriving = (text: string): Statement => ({ sql: ARRIVE, values: [text], expect: 1 });

/** Returns a notice for people who read a ledger that is not here, or `undefined` if it is here. */
export async function elsewhereNotice(database: Reader): Promise<string | undefined> {
  const found = await moveIn(database);
  if (!found) return undefined;
  const { move } = found;
  return move.state === 'gone'
    ? `This ledger was moved to ${move.place} on ${dayOf(move)}; what you see here is as it was then. Set the new place in the profile: "ledger": "${move.place}"`
    : `This ledger is being moved here from ${move.place}, and the move is not finished: nothing is paid from here yet.`;
}

export const goneFault = (move: Move): Fault =>
  new Fault(
    'ledger-moved',
    `The ledger was moved to ${move.place} on ${dayOf(move)} (${move.by}), so nothing more is recorded here. Nothing was sent.`,
    `Set the new place in the profile, "ledger": "${move.place}", or in PAYBATCH_LEDGER. If the move was interrupted, finish it: paybatch ledger move --to "${move.place}"`,
  );

const comingFault = (move: Move): Fault =>
  new Fault(
    'ledger-held',
    `The ledger is being moved here from ${move.place} (${move.by}), and the move is not finished. Nothing was sent.`,
    'Wait until it is finished. If it was interrupted, run `paybatch ledger move` again on the computer that has the old ledger.',
  );

const dayOf = ({ at }: Move): string => (at > 0 ? new Date(at).toISOString().slice(0, 10) : 'a day unknown');

/** Reads the record of a move. A record that cannot be read still locks the ledger, as a move to an unknown place. */
function readMove(text: string): Move {
  const unknown: Move = { id: '', state: 'gone', place: 'a place that cannot be read', at: 0, by: 'somebody' };
  try {
    const { id, state, place, at, by } = { ...unknown, ...(JSON.parse(text) as Partial<Move>) };
    const isRight = [id, place, by].every((one) => typeof one === 'string') && Number.isSafeInteger(at);
    return isRight && (state === 'gone' || state === 'coming') ? { id, state, place, at, by } : unknown;
  } catch {
    return unknown;
  }
}
