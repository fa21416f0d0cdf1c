/** What a person does after a command: one entry for each exit code; the compiler reports a missing one. */
import type { ExitCode } from '../domain/exit-code.ts';
import type { NextStep, RunEnd } from '../domain/run-end.ts';
import { typedPath } from '../domain/typed-path.ts';

/** The fault itself says what to do, because it knows what happened. */
const AS_THE_FAULT_SAYS = 'as the fault says';

type Next = typeof AS_THE_FAULT_SAYS | ((end: RunEnd) => NextStep | undefined);

const resumed = ({ batch }: RunEnd): NextStep | undefined =>
  batch === undefined
    ? undefined
    : {
        says: 'Everything is saved. Do not run the sheet again; continue with:',
        command: `paybatch resume ${batch}`,
      };

/** The next step where a person has stopped the batch: it is not continued before that person was asked. */
export const afterPersonsStop = (batch: string): NextStep => ({
  says: 'A person stopped it. Ask that person first; to take the stop back and go on:',
  command: `paybatch resume ${batch}`,
});

/** Returns the number of rows that may be tried again. */
const failedIn = ({ counts }: RunEnd): number => counts.rejected + counts.refused + counts.failed;

function afterNotPaid(end: RunEnd): NextStep | undefined {
  const { batch, counts } = end;
  if (batch === undefined) return undefined;
  if (failedIn(end) > 0)
    return { says: 'Deal with the reasons, then pay the rows that failed again:', command: `paybatch retry ${batch}` };
  if (counts.invalid > 0)
    return { says: 'Correct the rows that were set aside, and pay them in a sheet of their own, without the others.' };
  return { says: 'The rows that were not sent are in a later batch; see that batch.' };
}

function afterNotFinal(end: RunEnd): NextStep | undefined {
  const { batch, counts, atWork, unconfirmed = 0, superseded } = end;
  if (batch === undefined) return undefined;
  const look = `paybatch status ${batch}`;
  if (atWork) return { says: 'Let that run finish. See how far it is:', command: look };
  const unsent = counts.unsent - (superseded?.rows ?? 0);
  if (unsent + counts['in-doubt'] + unconfirmed > 0) return resumed(end);
  if (counts.pending > 0)
    return { says: 'The service has these payments. Do not pay them again; look again later with:', command: look };
  return {
    says: 'Do not pay these rows again. Ask the provider about them, and look again with:',
    command: look,
  };
}

function afterAlarm({ batch }: RunEnd): NextStep {
  return {
    says: 'Nothing more is sent. Ask the provider what became of these payments, then record the answer:',
    command: batch === undefined ? 'paybatch resolve' : `paybatch resolve ${batch} --row N`,
  };
}

function afterRefusal({ files, fault }: RunEnd): NextStep | undefined {
  const copy = files.find(({ kind }) => kind === 'checked');
  if (!copy || !fault) return undefined;
  return { says: 'Correct the marked cells in the copy, then:', command: `paybatch run ${typedPath(copy.path)}` };
}

function afterAllPaid({ batch, counts, files }: RunEnd): NextStep | undefined {
  const { completed, 'left-out': leftOut, ...others } = counts;
  // A report of a batch has the same exit code, whatever the outcomes of its rows.
  const isAll = completed > 0 && Object.values(others).every((count) => count === 0);
  if (batch === undefined || !isAll) return undefined;
  const isReported = files.some(({ kind }) => kind === 'results');
  if (leftOut > 0)
    return {
      says: 'Every row that was to be paid was paid. Rows that were left out go into a sheet of their own, with another batch name, once nothing holds them.',
    };
  return { says: `Nothing is left to do. ${isReported ? 'Keep the results for the books.' : 'Every row was paid.'}` };
}

const nextSteps = {
  0: afterAllPaid,
  1: AS_THE_FAULT_SAYS,
  2: AS_THE_FAULT_SAYS,
  3: afterRefusal,
  4: AS_THE_FAULT_SAYS,
  5: AS_THE_FAULT_SAYS,
  6: afterNotPaid,
  7: afterNotFinal,
  8: AS_THE_FAULT_SAYS,
  9: AS_THE_FAULT_SAYS,
  10: AS_THE_FAULT_SAYS,
  11: afterAlarm,
  12: AS_THE_FAULT_SAYS,
  75: AS_THE_FAULT_SAYS,
  130: resumed,
  143: resumed,
} as const satisfies Record<ExitCode, Next>;

/**
 * Returns what to do next; `undefined` if there is nothing. The fault that ended the command says it, unless the outcomes of
 * the rows are graver.
 */
export function nextStepOf(end: RunEnd): NextStep | undefined {
  const { exit, fault } = end;
  const next: Next = nextSteps[exit as ExitCode]; // commands end with no other code
  const own = end.next ?? (next === AS_THE_FAULT_SAYS ? undefined : next(end));
  if (!fault) return own;
  const remedy = { says: fault.remedy };
  return exit === 3 || exit !== fault.exit ? (own ?? remedy) : remedy;
}
