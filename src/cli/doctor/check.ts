/** A check of `paybatch doctor`: one thing that a pay day needs, and what was found of it. */
import type { Fault, FaultCode } from '../../domain/fault.ts';
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
