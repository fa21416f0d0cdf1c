/**
 * The checks of `paybatch doctor`. Each looks at one thing that a pay day needs. They are made one after the other, and the
 * most severe problem decides the exit code.
 */

import { exitCode, stopOfSignal } from '../../domain/exit-code.ts';
import { Fault, type FaultCode, faultTable } from '../../domain/fault.ts';
import { withOptionsGiven } from '../flags/given-options.ts';
import type { Shell } from '../shell.ts';
import type { DoctorContext } from './doctor-context.ts';

/** `code`: the fault that a run would stop with. Its exit code becomes that of the doctor. */
export type Finding = { readonly message: string } & (
  | { readonly result: 'ok'; readonly remedy?: undefined }
  /** `needs`: title of the check whose Fault kept this one from being made; absent if it was made. */
  | { readonly result: 'warning'; readonly remedy: string; readonly needs?: string }
  | { readonly result: 'problem'; readonly code: FaultCode; readonly remedy: string }
);

export type Warning = Extract<Finding, { readonly result: 'warning' }>;
export type Unproblematic = Exclude<Finding, { readonly result: 'problem' }>;

export interface Check {
  /** Name for programs; it never changes. */
  readonly name: string;
  /** Title for people. */
  readonly title: string;
  /**
   * Makes the check, without sending money. A Fault that it throws becomes a problem or, if an earlier check reported the
   * same Fault, a warning that nothing could be checked.
   */
  look(context: DoctorContext): Finding | Promise<Finding>;
}

export const ok = (message: string): Unproblematic => ({ result: 'ok', message });

export const warning = (message: string, remedy: string): Warning => ({ result: 'warning', message, remedy });

export const problem = (code: FaultCode, message: string, remedy: string): Finding => ({
  result: 'problem',
  code,
  message,
  remedy,
});

/** Returns a Fault as a finding. Another run in progress (`ledger-held`) is not a problem here: the next run only has to wait. */
function findingOf({ code, message, details, remedy }: Fault): Finding {
  const said = [message, ...details].join(' ');
  return code === 'ledger-held' ? warning(said, remedy) : problem(code, said, remedy);
}

/** What to do about a check that could not be made because of another one. */
export const FIX_FIRST = 'Fix that first.';

export type Examined = Pick<Check, 'name' | 'title'> & { readonly finding: Finding };

/**
 * Exit codes from the most to the least severe, which is also the order in which to fix their causes: a disk that loses
 * records endangers what was already paid; without a configuration, credentials or an answer, nothing after them can be
 * judged.
 */
const precedence: readonly number[] = [10, 2, 4, 9, 5];

/** Makes every check, no matter what the others find, and calls `onExamined` after each. Throws a Fault if it is interrupted. */
export async function examine(
  checks: readonly Check[],
  context: DoctorContext,
  onExamined: (examined: Examined) => void,
): Promise<readonly Examined[]> {
  const all: Examined[] = [];
  const known = new Map<Fault, string>();
  for (const check of checks) {
    const { signal, flags } = context.shell;
    if (signal.aborted) throw stopped(signal);
    const examined = {
      name: check.name,
      title: check.title,
      finding: namedFinding(await findingBy(check, context, known), flags),
    };
    all.push(examined);
    onExamined(examined);
  }
  return all;
}

/** Returns a finding whose proposed commands have the options that were given to this one. */
const namedFinding = (finding: Finding, flags: Shell['flags']): Finding =>
  finding.result === 'ok' ? finding : { ...finding, remedy: withOptionsGiven(finding.remedy, flags) };

async function findingBy(check: Check, context: DoctorContext, known: Map<Fault, string>): Promise<Finding> {
  try {
    return await check.look(context);
  } catch (error) {
    if (isOfTheMachine(error)) {
      const what = `${String(error.code)} (${String(error.syscall)})`;
      return warning(`Could not be checked: ${what}.`, 'Check the disk space and the permissions of the state folder.');
    }
    if (!(error instanceof Fault)) throw error;
    const earlier = known.get(error);
    if (earlier !== undefined)
      return { ...warning(`Not checked: it needs what failed under "${earlier}".`, FIX_FIRST), needs: earlier };
    known.set(error, check.title);
    return findingOf(error);
  }
}

/** Reports whether an error is a failed system call: some machines do not have all of them. */
const isOfTheMachine = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && 'syscall' in error;

/** Returns the exit code of all findings: 0 without a problem, otherwise that of the most severe one. */
export function exitOf(examined: readonly Examined[]): number {
  const exits: number[] = examined.flatMap(({ finding }) =>
    finding.result === 'problem' ? [faultTable[finding.code].exit] : [],
  );
  return precedence.find((exit) => exits.includes(exit)) ?? exits[0] ?? exitCode.ok;
}

const stopped = (signal: AbortSignal): Fault =>
  new Fault(
    stopOfSignal(signal),
    'The checks were stopped before all of them were made.',
    'Run `paybatch doctor` again. Nothing was sent.',
  );
