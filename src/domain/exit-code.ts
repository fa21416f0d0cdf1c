/** What the exit code of a finished run says; see `gravestExit` for which wins when several apply. */
import type { OutcomeCounts } from './outcome.ts';

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

/** From the gravest to the mildest: a run that can be described by several codes ends with the first. */
const precedence = [11, 10, 130, 143, 7, 12, 6] as const;

/** The code that a run ends with when all of these apply. A code without a place in the order is never lost to 0. */
export const gravestExit = (codes: readonly number[]): number =>
  precedence.find((code) => codes.includes(code)) ?? codes.find((code) => code !== exitCode.ok) ?? exitCode.ok;

/**
 * The exit code that the outcomes of a batch alone ask for. `leftOut`: rows that were not sent on purpose, and never will
 * be from this batch; where there are no other such rows, nothing waits for a `resume`.
 */
export function exitOfOutcomes(counts: OutcomeCounts, leftOut = 0): number {
  const waiting = counts.unsent === leftOut ? 0 : counts.unsent;
  const open = counts['timed-out'] + counts['in-doubt'] + counts.pending + waiting;
  if (open > 0) return exitCode.notFinal;
  const unpaid = counts.rejected + counts.refused + counts.failed + counts.invalid + counts.unsent;
  return unpaid > 0 ? exitCode.someNotPaid : exitCode.ok;
}
