/** The meaning of the exit code of a finished run. `mostSevereExit` decides which code wins when several apply. */
import type { faultTable } from './fault.ts';
import { openIn } from './outcome.ts';
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

/** Every exit code that a command can end with. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode] | (typeof faultTable)[keyof typeof faultTable]['exit'];

/** From the most to the least severe: a run to which several codes apply ends with the first of them. */
const precedence = [11, 10, 130, 143, 7, 12, 6] as const;

/** Returns the exit code of a run to which all of `codes` apply. A code that is not in the order still wins over 0. */
export const mostSevereExit = (codes: readonly number[]): number =>
  precedence.find((code) => codes.includes(code)) ?? codes.find((code) => code !== exitCode.ok) ?? exitCode.ok;

/** Codes of a payment that is over: nothing has to be done so that it is made. */
const over: ReadonlySet<number> = new Set([exitCode.ok, exitCode.someNotPaid, exitCode.reportUnwritten]);
/** The code of a payment that another process is making. */
const HELD = 75;

/**
 * Returns the exit code of several payments that have nothing to do with each other, such as those of several schedules.
 * Between 7 and 12 comes a payment that was not made (1 to 5, 8, 9), then one that another process is making (75): one that
 * is over with some rows unpaid must not hide that another one waits for a person.
 */
export function exitOfSeveral(codes: readonly number[]): number {
  const unpaid = codes.filter((code) => !over.has(code));
  const ours = unpaid.filter((code) => code !== HELD);
  return mostSevereExit([ours, unpaid, codes].find((some) => some.length > 0) ?? []);
}

/** Returns what has stopped a command: a signal to the process, or a person. It names a fault and an exit code. */
export const stopOfSignal = ({ reason }: AbortSignal): 'terminated' | 'interrupted' =>
  reason === 'SIGTERM' ? 'terminated' : 'interrupted';

/** Returns the exit code of a command that a signal has stopped. */
export const exitOfSignal = (signal: AbortSignal): number => exitCode[stopOfSignal(signal)];

/** The figures of a batch that its exit code depends on. */
type Rows = Pick<RunEnd, 'counts' | 'unconfirmed'> & {
  readonly superseded?: Pick<NonNullable<RunEnd['superseded']>, 'rows'>;
};

/**
 * Returns the exit code for the rows of a batch alone. Unsent rows that later batches hold are never sent from this one, so
 * if no others are unsent, none of them waits for a `resume`. Rows that an earlier ledger may have paid do wait for one.
 */
export function exitOfRows({ counts, superseded, unconfirmed = 0 }: Rows): number {
  const waiting = counts.unsent === superseded?.rows ? 0 : counts.unsent;
  const open = openIn(counts) + waiting + unconfirmed;
  if (open > 0) return exitCode.notFinal;
  const unpaid = counts.rejected + counts.refused + counts.failed + counts.invalid + counts.unsent;
  return unpaid > 0 ? exitCode.someNotPaid : exitCode.ok;
}
