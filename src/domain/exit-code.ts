/** What the exit code of a finished run says; see `mostSevereExit` for which wins when several apply. */
import type { faultTable } from './fault.ts';
import type { RunEnd } from './run-end.ts';

export const exitCode = {
  ok: 0,
  bug: 1,
  usage: 2,
  someNotPaid: 6,
  notFinal: 7,
  ledgerUnsafe: 10,
  alarm: 11,
  reportUnwritten: 12,
  interrupted: 130,
  terminated: 143,
} as const;

/** Every code that a command can end with. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode] | (typeof faultTable)[keyof typeof faultTable]['exit'];

/** From the gravest to the mildest: a run that can be described by several codes ends with the first. */
const precedence = [11, 10, 130, 143, 7, 12, 6] as const;

/** The code that a run ends with when all of these apply. A code without a place in the order is never lost to 0. */
export const mostSevereExit = (codes: readonly number[]): number =>
  precedence.find((code) => codes.includes(code)) ?? codes.find((code) => code !== exitCode.ok) ?? exitCode.ok;

/** What an exit code reads of the rows of a batch. */
type Rows = Pick<RunEnd, 'counts' | 'unconfirmed'> & {
  readonly superseded?: Pick<NonNullable<RunEnd['superseded']>, 'rows'>;
};

/**
 * The exit code that the rows of a batch alone ask for. Rows that later batches hold are never sent from this one: where no
 * others are unsent, nothing waits for a `resume`. Rows that an earlier ledger may have paid do.
 */
export function exitOfRows({ counts, superseded, unconfirmed = 0 }: Rows): number {
  const waiting = counts.unsent === superseded?.rows ? 0 : counts.unsent;
  const open = counts['timed-out'] + counts['in-doubt'] + counts.pending + waiting + unconfirmed;
  if (open > 0) return exitCode.notFinal;
  const unpaid = counts.rejected + counts.refused + counts.failed + counts.invalid + counts.unsent;
  return unpaid > 0 ? exitCode.someNotPaid : exitCode.ok;
}
