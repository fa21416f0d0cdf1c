/** What a person does after a command: one entry for each exit code; the compiler reports a missing one. */
import { agreeing, andMore, counted } from '../domain/counted.ts';
import type { ExitCode } from '../domain/exit-code.ts';
import type { BatchId } from '../domain/ids.ts';
import { failedIn, type OutcomeCounts, openIn } from '../domain/outcome.ts';
import type { NextStep, RunEnd } from '../domain/run-end.ts';
import { typedPath } from '../domain/typed-path.ts';

/** The fault itself says what to do, because it knows what happened. */
const AS_THE_FAULT_SAYS = 'as the fault says';

/** Advice for a batch of which `retry` and `resume` can send nothing more. */
export const afterPurge =
  'Its names, phones and accounts were deleted, so nothing of it can be sent again. Pay what is still owed in a new sheet, under its own batch name.';

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
  readonly command?: 'status' | 'retry';
}

/** The rows of a batch that were not paid, by what can be done about them. */
interface RowsLeft {
  readonly counts: OutcomeCounts;
  /** Unsent rows that a later batch holds. */
  readonly superseded: number;
  /** Failed rows that may be tried again. */
  readonly failed: number;
  /** Failed rows that a later batch holds. */
  readonly failedElsewhere: number;
}

const askAbout = (what: string, batch: BatchId): string =>
  `Ask the provider about ${what}, and record the answer with \`paybatch resolve ${batch} --row N --paid RECEIPT\` or \`--not-paid --note TEXT\``;

/** The acts in the order in which they are shown. The last one that applies is done first, so its command is at the end, to be copied. */
const acts: readonly Act[] = [
  {
    applies: ({ counts }) => counts.invalid > 0,
    says: 'Correct the rows that were set aside, and pay them in a sheet of their own, without the others.',
  },
  {
    applies: ({ superseded }) => superseded > 0,
    says: 'The rows that were not sent are in a later batch; see that batch.',
  },
  {
    applies: ({ failedElsewhere }) => failedElsewhere > 0,
    says: 'Rows that failed and are in a later batch are tried again there; see that batch.',
  },
  {
    applies: ({ counts }) => counts['left-out'] > 0,
    says: 'Rows that were left out go into a sheet of their own, with another batch name, once nothing holds them.',
  },
  {
    applies: ({ counts }) => counts.pending > 0 && counts['timed-out'] === 0,
    says: 'The service has not finished all payments; look again later with:',
    command: 'status',
  },
  {
    applies: ({ counts }) => counts['timed-out'] > 0 && counts['in-doubt'] === 0,
    says: (batch) => `${askAbout('what timed out', batch)}; look again with:`,
    command: 'status',
  },
  {
    applies: ({ counts }) => counts['timed-out'] > 0 && counts['in-doubt'] > 0,
    says: (batch) => `${askAbout('what timed out or stays in doubt', batch)}.`,
  },
  {
    applies: ({ counts }) => counts['timed-out'] === 0 && counts['in-doubt'] > 0,
    says: (batch) => `${askAbout('what stays in doubt', batch)}.`,
  },
  {
    applies: ({ failed }) => failed > 0,
    says: 'Deal with the reasons, then pay the failed rows again:',
    command: 'retry',
  },
];

/** Returns what to do about the rows of a batch, with any outcomes; `undefined` if there is nothing to do. */
function afterRows(end: RunEnd): NextStep | undefined {
  const { batch, counts, atWork, unconfirmed = 0, superseded, failedElsewhere = 0, openRows } = end;
  if (batch === undefined) return undefined;
  if (end.purged) return { says: afterPurge };
  if (atWork) return { says: 'Let that run finish. See how far it is:', command: `paybatch status ${batch}` };
  const left = superseded?.rows ?? 0;
  // Only a run can say what became of rows that wait: it comes before anything else, and its end says what is left.
  if (counts.unsent - left + unconfirmed > 0) return afterInterruption(end);
  const rows = { counts, superseded: left, failed: failedIn(counts) - failedElsewhere, failedElsewhere };
  const due = acts.filter(({ applies }) => applies(rows)).map((act) => stepOf(act, batch));
  // A run comes before a retry, because it may settle what is in doubt.
  if (counts['in-doubt'] > 0) due.push(goOn(batch));
  const last = due.pop();
  return last && after([...notAgain(counts, openRows), ...due.map(sentenceOf)], last);
}

/** Returns the next step after an interruption: with any outcomes, only a run knows what is left. */
const afterInterruption = ({ batch, counts, openRows }: RunEnd): NextStep | undefined =>
  batch === undefined ? undefined : after(notAgain(counts, openRows), goOn(batch));

const goOn = (batch: BatchId): NextStep => ({
  says: 'Everything is saved. Do not run the sheet again; continue with:',
  command: `paybatch resume ${batch}`,
});

function stepOf({ says, command }: Act, batch: BatchId): NextStep {
  const text = typeof says === 'string' ? says : says(batch);
  return command === undefined ? { says: text } : { says: text, command: `paybatch ${command} ${batch}` };
}

const sentenceOf = ({ says, command }: NextStep): string => (command === undefined ? says : `${says} \`${command}\`.`);

/** Returns a step that comes after what these sentences say. */
const after = (before: readonly string[], step: NextStep): NextStep =>
  before.length === 0 ? step : { before, ...step };

/** Returns which rows must not be paid again, with their numbers if they are known; empty if there are none. */
function notAgain(counts: OutcomeCounts, openRows: readonly number[] = []): readonly string[] {
  const all = openIn(counts);
  if (all === 0) return [];
  const named = `${openRows.length === 1 ? 'Row' : 'Rows'} ${andMore(openRows, all)}`;
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
