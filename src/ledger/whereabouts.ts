/**
 * Whether a ledger is here. One that was moved says in itself where it went, and one that is being moved where it comes from: while
 * either stands there, nothing is recorded in it, so no two of them can pay.
 */
import { Fault } from '../domain/fault.ts';
import { type Reader, type Statement, textOf } from './database.ts';
import { aloneWith, isAlone } from './lease.ts';

/** A move, as both places have it. */
export interface Move {
  /** The same in both, and in no other move. */
  readonly id: string;
  /** `gone`: the place that it left. `coming`: the new one, until all of it is there and the old one is locked. */
  readonly state: 'gone' | 'coming';
  /** The other place, as people are shown it. */
  readonly place: string;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** User and machine. */
  readonly by: string;
}

const READ = 'SELECT moved FROM meta WHERE only_row = 1 AND moved IS NOT NULL';
const LEAVE = 'UPDATE meta SET moved = ? WHERE only_row = 1 AND moved IS NULL';
const ARRIVE = 'UPDATE meta SET moved = NULL WHERE only_row = 1 AND moved = ?';

/** The move that a ledger is in, and the text that says so; undefined: it is here. */
export async function moveIn(database: Reader): Promise<{ readonly move: Move; readonly text: string } | undefined> {
  const [row] = await database.read(READ);
  return row && { move: readMove(textOf(row, 'moved')), text: textOf(row, 'moved') };
}

/** Throws a Fault for a ledger that is not here: `ledger-moved` for one that has gone, `ledger-held` for one that is not here yet. */
export async function requireHere(database: Reader): Promise<void> {
  const found = await moveIn(database);
  if (!found) return;
  throw found.move.state === 'gone' ? goneFault(found.move) : comingFault(found.move);
}

/** Locks a ledger for good. It goes into a group under all leases that anybody has, so many. */
export const leaving = (move: Move, leases: number): readonly Statement[] => [
  aloneWith(leases),
  { sql: LEAVE, values: [JSON.stringify(move)], expect: 1 },
];

/** Whether a statement of `leaving` found the lease, or a move, of somebody else. */
export const isLeavingStatement = (sql: string): boolean => isAlone(sql) || sql === LEAVE;

/** From here on the ledger may be written in its new place. `text`: what stands there. */
export const arriving = (text: string): Statement => ({ sql: ARRIVE, values: [text], expect: 1 });

/** What people are told who read a ledger that is not here; undefined: it is. */
export async function elsewhereNotice(database: Reader): Promise<string | undefined> {
  const found = await moveIn(database);
  if (!found) return undefined;
  const { move } = found;
  return move.state === 'gone'
    ? `This ledger was moved to ${move.place} on ${dayOf(move)}: what it says here is as it was then. Name the new place in the profile: "ledger": "${move.place}"`
    : `This ledger is being moved here from ${move.place}, and the move is not through: nothing is paid from here yet.`;
}

export const goneFault = (move: Move): Fault =>
  new Fault(
    'ledger-moved',
    `The ledger was moved to ${move.place} on ${dayOf(move)} (${move.by}), so nothing more is recorded here. Nothing was sent.`,
    `Name the new place in the profile, "ledger": "${move.place}", or in PAYBATCH_LEDGER. Where the move broke off, finish it: paybatch ledger move --to "${move.place}"`,
  );

const comingFault = (move: Move): Fault =>
  new Fault(
    'ledger-held',
    `The ledger is being moved here from ${move.place} (${move.by}), and the move is not through. Nothing was sent.`,
    'Wait until it is. Where it broke off, run `paybatch ledger move` once more on the computer that has the old ledger.',
  );

const dayOf = ({ at }: Move): string => (at > 0 ? new Date(at).toISOString().slice(0, 10) : 'a day unknown');

/** Whatever else stands there was put there by somebody: the ledger is locked all the same. */
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
