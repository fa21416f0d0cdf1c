/** The checks of `paybatch doctor`: one thing each that a pay day needs. They are made one after the other, and the gravest problem decides the exit code. */

import { exitCode } from '../../domain/exit-code.ts';
import { Fault, type FaultCode, faultTable } from '../../domain/fault.ts';
import type { DoctorContext } from './doctor-context.ts';

/** What was measured or read, for programs; units stand in the names. */
export type Figures = Readonly<Record<string, string | number | boolean | null>>;

export type Finding =
  | { readonly result: 'ok'; readonly message: string; readonly figures?: Figures }
  | { readonly result: 'warning'; readonly message: string; readonly remedy: string; readonly figures?: Figures }
  | {
      readonly result: 'problem';
      /** What a run would stop with; its exit code is that of the doctor. */
      readonly code: FaultCode;
      readonly message: string;
      readonly remedy: string;
      readonly figures?: Figures;
    };

export interface Check {
  /** For programs; it never changes. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /**
   * Looks, and sends no money. A Fault that it throws becomes a problem, or, when an earlier check has told the same
   * Fault, the statement that nothing could be checked.
   */
  look(context: DoctorContext): Finding | Promise<Finding>;
}

export const ok = (message: string, figures?: Figures): Finding => ({
  result: 'ok',
  message,
  ...(figures && { figures }),
});

export const warning = (message: string, remedy: string, figures?: Figures): Finding => ({
  result: 'warning',
  message,
  remedy,
  ...(figures && { figures }),
});

export const problem = (code: FaultCode, message: string, remedy: string, figures?: Figures): Finding => ({
  result: 'problem',
  code,
  message,
  remedy,
  ...(figures && { figures }),
});

/** A fault as a finding. That another run is at work is no problem of this place: the next run only has to wait. */
export function findingOf({ code, message, details, remedy }: Fault): Finding {
  const said = [message, ...details].join(' ');
  return code === 'ledger-held' ? warning(said, remedy) : problem(code, said, remedy);
}

export type Examined = Pick<Check, 'name' | 'title'> & { readonly finding: Finding };

/**
 * From the gravest to the mildest, which is also the order in which to mend: a disk that loses records endangers what was
 * paid already; without a configuration, credentials or an answer nothing after them can be judged.
 */
const precedence: readonly number[] = [10, 2, 4, 9, 5];

/** Makes every check, whatever the others find; each is told as soon as it is made. A Fault when it is interrupted. */
export async function examine(
  checks: readonly Check[],
  context: DoctorContext,
  told: (examined: Examined) => void,
): Promise<readonly Examined[]> {
  const all: Examined[] = [];
  const known = new Map<Fault, string>();
  for (const check of checks) {
    if (context.signal.aborted) throw stopped(context.signal);
    const examined = { name: check.name, title: check.title, finding: await findingBy(check, context, known) };
    all.push(examined);
    told(examined);
  }
  return all;
}

async function findingBy(check: Check, context: DoctorContext, known: Map<Fault, string>): Promise<Finding> {
  try {
    return await check.look(context);
  } catch (error) {
    if (isOfTheMachine(error)) {
      const what = `${String(error.code)} (${String(error.syscall)})`;
      return warning(`Could not be checked: ${what}.`, 'Look at the disk and the rights of the state folder.');
    }
    if (!(error instanceof Fault)) throw error;
    const earlier = known.get(error);
    if (earlier !== undefined)
      return warning(`Not checked: it needs what failed under "${earlier}".`, 'Mend that first.');
    known.set(error, check.title);
    return findingOf(error);
  }
}

/** A call of the system that failed: some machines do not have all of them. */
const isOfTheMachine = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && 'syscall' in error;

/** The exit code of all that was found: 0 without a problem, else the gravest one's. */
export function exitOf(examined: readonly Examined[]): number {
  const exits: number[] = examined.flatMap(({ finding }) =>
    finding.result === 'problem' ? [faultTable[finding.code].exit] : [],
  );
  return precedence.find((exit) => exits.includes(exit)) ?? exits[0] ?? exitCode.ok;
}

const stopped = ({ reason }: AbortSignal): Fault =>
  new Fault(
    reason === 'SIGTERM' ? 'terminated' : 'interrupted',
    'The checks were stopped before all of them were made.',
    'Run `paybatch doctor` again. Nothing was sent.',
  );
