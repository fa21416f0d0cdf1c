/** What a person does after a command: one entry for each exit code; the compiler reports a missing one. */
import { agreeing, counted } from '../domain/counted.ts';
import type { ExitCode } from '../domain/exit-code.ts';
import type { BatchId } from '../domain/ids.ts';
import { failedIn, type OutcomeCounts, openIn } from '../domain/outcome.ts';
import type { NextStep, RunEnd } from '../domain/run-end.ts';
import { typedPath } from '../domain/typed-path.ts';

/** The fault itself says what to do, because it knows what happened. */
const AS_THE_FAULT_SAYS = 'as the fault says';

type Next = typeof AS_THE_FAULT_SAYS | ((end: RunEnd) => NextStep | undefined);

/** The next step where a person has stopped the batch: it is not continued before that person was asked. */
export const afterPersonsStop = (batch: string): NextStep => ({
  says: 'A person stopped it. Ask that person first; to cancel the stop and continue:',
  command: `paybatch resume ${batch}`,
});

/** What is to be done about some rows of a batch. */
interface Act {
  readonly applies: (rows: RowsLeft) => boolean;
  readonly says: string | ((batch: BatchId) => string);
  /** Absent if no command does it. */
  readonly command?: 'status' | 'retry' | 'resume';
}

/** The rows of a batch that were not paid, by what can be done about them. */
interface RowsLeft {
  readonly counts: OutcomeCounts;
  /** Unsent rows that a run of this batch sends. */
  readonly waiting: number;
  /** Unsent rows that a later batch holds. */
  readonly superseded: number;
  /** Failed rows that may be tried again. */
  readonly failed: number;
  /** Failed rows that a later batch holds. */
  readonly failedElsewhere: number;
  /** Whether only a run can say what became of the rows: it comes before anything else, and its end says what is left. */
  readonly needsRun: boolean;
}

/**
 * The acts in the order in which they are shown. The last one that applies is done first, so its command is at the end, to be
 * copied. A run comes before a retry, because `retry` is refused while rows wait, and a run may settle what is in doubt.
 */
const acts: readonly Act[] = [
  {
    applies: ({ counts, needsRun }) => counts.invalid > 0 && !needsRun,
    says: 'Correct the rows that were set aside, and pay them in a sheet of their own, without the others.',
  },
  {
    applies: ({ superseded, needsRun }) => superseded > 0 && !needsRun,
    says: 'The rows that were not sent are in a later batch; see that batch.',
  },
  {
    applies: ({ failedElsewhere, needsRun }) => failedElsewhere > 0 && !needsRun,
    says: 'Rows that failed and are in a later batch are tried again there; see that batch.',
  },
  {
    applies: ({ counts, needsRun }) => counts['left-out'] > 0 && !needsRun,
    says: 'Rows that were left out go into a sheet of their own, with another batch name, once nothing holds them.',
  },
  {
    applies: ({ counts, needsRun }) => counts.pending > 0 && counts['timed-out'] === 0 && !needsRun,
    says: 'The service has not finished all payments; look again later with:',
    command: 'status',
  },
  {
    applies: ({ counts, needsRun }) => counts['timed-out'] > 0 && !needsRun,
    says: (batch) =>
      `Ask the provider about what timed out, and record the answer with \`paybatch resolve ${batch} --row N --paid RECEIPT\` or \`--not-paid\`; look again with:`,
    command: 'status',
  },
  {
    applies: ({ failed, needsRun }) => failed > 0 && !needsRun,
    says: 'Deal with the reasons, then pay the failed rows again:',
    command: 'retry',
  },
  {
    applies: ({ counts, needsRun }) => counts['in-doubt'] > 0 || needsRun,
    says: 'Everything is saved. Do not run the sheet again; continue with:',
    command: 'resume',
  },
];

/** Returns what to do about the rows of a batch, with any outcomes; `undefined` if there is nothing to do. */
function afterRows(end: RunEnd): NextStep | undefined {
  const { batch, counts, atWork, unconfirmed = 0, superseded, failedElsewhere = 0, openRows } = end;
  if (batch === undefined) return undefined;
  if (atWork) return { says: 'Let that run finish. See how far it is:', command: `paybatch status ${batch}` };
  const left = superseded?.rows ?? 0;
  const waiting = counts.unsent - left;
  const failed = failedIn(counts) - failedElsewhere;
  const needsRun = waiting + unconfirmed > 0;
  const rows = { counts, waiting, superseded: left, failed, failedElsewhere, needsRun };
  return stepOf(
    batch,
    [...notAgain(counts, openRows)],
    acts.filter(({ applies }) => applies(rows)),
  );
}

/** Returns the next step after an interruption: with any outcomes, only a run knows what is left. */
const afterInterruption = ({ batch, counts, openRows }: RunEnd): NextStep | undefined =>
  batch === undefined ? undefined : stepOf(batch, notAgain(counts, openRows), acts.slice(-1));

/** Returns the step of the last act, after sentences and the other acts. */
function stepOf(batch: BatchId, sentences: readonly string[], due: readonly Act[]): NextStep | undefined {
  const last = due.at(-1);
  if (!last) return undefined;
  const told = due.map(({ says, command }) => {
    const text = typeof says === 'string' ? says : says(batch);
    return command === undefined ? { text } : { text, command: `paybatch ${command} ${batch}` };
  });
  const before = told
    .slice(0, -1)
    .map(({ text, command }) => (command === undefined ? text : `${text} \`${command}\`.`));
  const { text, command } = told.at(-1) ?? { text: '' };
  const first = [...sentences, ...before];
  return { ...(first.length > 0 && { before: first }), says: text, ...(command !== undefined && { command }) };
}

/** Returns which rows must not be paid again, with their numbers if they are known; empty if there are none. */
function notAgain(counts: OutcomeCounts, openRows: readonly number[] = []): readonly string[] {
  const all = openIn(counts);
  if (all === 0) return [];
  const more = all - openRows.length;
  const named = `${openRows.length === 1 ? 'Row' : 'Rows'} ${openRows.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const which = openRows.length === 0 ? counted(all, 'row') : named;
  return [`${which} may have been paid: do not pay ${agreeing(all, 'it', 'them')} again.`];
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
  // A report of a batch has the same exit code for all outcomes of its rows.
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
  6: afterRows,
  7: afterRows,
  8: AS_THE_FAULT_SAYS,
  9: AS_THE_FAULT_SAYS,
  10: AS_THE_FAULT_SAYS,
  11: afterAlarm,
  12: AS_THE_FAULT_SAYS,
  75: AS_THE_FAULT_SAYS,
  130: afterInterruption,
  143: afterInterruption,
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

/** Returns a next step as the text of a cell, which cannot set commands apart in another way than by quotation marks. */
export const cellTextOf = ({ before = [], says, command }: NextStep): string =>
  [...before, says, ...(command === undefined ? [] : [command])].join(' ').replaceAll('`', '"');
