/**
 * One line of an order: the phase that reports of the service move it to, and what a person's decision adds. The phase
 * follows from the service's reports alone; the two are kept apart, so that each can be compared with the other.
 */
import type { LineReport } from './fact.ts';
import type { BatchId, OrderId, TraceNumber } from './ids.ts';
import { fromWire, type Money, sameMoney } from './money.ts';
import type { Outcome } from './outcome.ts';
import { deniesSuccess, leavesOpen, resultMeaning, saysHeld } from './result-code.ts';

export type LinePhase = 'open' | 'completed' | 'rejected' | 'failed' | 'timed-out';

/** A person's decision on a line for which the service has no final outcome. */
export interface Resolution {
  readonly paid: boolean;
  /** User and machine. */
  readonly by: string;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** The receipt number as the person entered it; present if `paid`. */
  readonly receipt?: string;
  /** How the person knows. */
  readonly note?: string;
  /** Number of alarms of the order at the time of the decision. It does not cover alarms that came later. */
  readonly alarms: number;
}

/** The state of one line of an order: one payout in progress. */
export interface LineState {
  readonly trace: TraceNumber;
  /** Row of the sheet that this line pays. */
  readonly row: number;
  readonly amount: Money;
  readonly phase: LinePhase;
  /** The latest report of the service on this line, as received. */
  readonly report?: LineReport;
  /** Further reports on this line: the service carried it out more than once. */
  readonly repeats?: readonly LineReport[];
  /**
   * True if the service has processed the order and shows others of its lines but not this one: it processed the order
   * without this line.
   */
  readonly lacking?: true;
  /** When a report of the service last changed the phase, in wall-clock milliseconds. */
  readonly reportedAt?: number;
  /** When the service first answered a repetition by saying that it already holds the id, in wall-clock milliseconds. */
  readonly heldAt?: number;
  readonly resolved?: Resolution;
  /** The order whose attempt at this row failed for good, if this line is another attempt. */
  readonly replaces?: OrderId;
  /** The order that now pays the row, because this one failed for good. */
  readonly replacedBy?: OrderId;
  /** The latest of the batches that were planned after this one and hold the same payment. Only that batch may send it. */
  readonly supersededBy?: BatchId;
}

/**
 * Reports whether the service's own final outcome of the line contradicts a person's decision. If the line is another
 * attempt, an earlier attempt may have paid the row, no matter what became of this one.
 */
export const contradicts = ({ phase, replaces }: Pick<LineState, 'phase' | 'replaces'>, paid: boolean): boolean =>
  paid ? replaces === undefined && (phase === 'rejected' || phase === 'failed') : phase === 'completed';

/**
 * Returns the outcome of a line that a person decided on; `undefined` for any other line. The service's own final outcome
 * comes first: what it says it paid is paid. What it says it did not pay, while a person has a receipt, is in doubt.
 */
export function resolvedOutcome(line: LineState): Outcome | undefined {
  const { phase, resolved } = line;
  if (!resolved) return undefined;
  if (resolved.paid) return contradicts(line, true) ? 'in-doubt' : 'completed';
  return phase === 'open' || phase === 'timed-out' ? 'failed' : phase;
}

/**
 * Reports whether the latest report of the service calls a line pending and nothing in it speaks against that: the bank has
 * the payment, and it is not final. Words alone never decide; a code next to the status may.
 */
export const isCalledPending = ({ phase, report, repeats }: Pick<LineState, 'phase' | 'report' | 'repeats'>): boolean =>
  phase === 'open' &&
  repeats === undefined &&
  report !== undefined &&
  isWordOf('pending', report) &&
  !report.resultCode &&
  !wordsDeny(report.statusText);

/** Returns the receipt of a payment that the service calls timed out: it was most likely made. */
export const lateReceipt = ({ phase, report }: Pick<LineState, 'phase' | 'report'>): string | undefined =>
  phase === 'timed-out' ? report?.receipt : undefined;

/**
 * Returns a line after a report. A report that says only that the id is held is the result of a repetition: it neither ends
 * nor replaces what is known about the first submission, whichever of the two is heard first.
 */
export function lineAfter(line: LineState, report: LineReport, from: ReportSource, alarms: string[]): LineState {
  if (saysHeld(report.resultCode)) return { ...line, heldAt: line.heldAt ?? from.at };
  const known = alarms.length;
  const phase = phaseAfter(line, report, from.processed, alarms);
  // A report that contradicts a completed line is recorded in its alarm; receipt and fee of the payment are kept.
  if (line.phase === 'completed' && alarms.length > known) return line;
  return { ...line, phase, report, ...(phase !== line.phase && { reportedAt: from.at }) };
}

type SaidStatus = Pick<LineReport, 'status' | 'resultCode'>;

/** When a report was received, and whether the order in it is processed. */
interface ReportSource {
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** `isProcessed`. */
  readonly processed: boolean;
}

/**
 * Returns the phase of a line after a report. Completed is final forever: a later report that differs raises an alarm and
 * changes nothing. Rejected and failed are final with exceptions, each of which raises an alarm: a later "completed" is
 * believed, and a time-out, a code that decides nothing or a report that contradicts itself revokes what was known. Timed
 * out is watched: completed, rejected or failed may follow it. Completed in a record that is not processed yet may be half of
 * a change; it counts when a second record says the same.
 */
function phaseAfter(line: LineState, report: LineReport, processed: boolean, alarms: string[]): LinePhase {
  const known = alarms.length;
  const said = phaseOf(line, report, processed, alarms);
  const next = said === 'completed' && !processed && isFirstSaid(line, report) ? 'open' : said;
  const isContradiction = alarms.length > known;
  const { resolved } = line;
  if (resolved && next !== line.phase && contradicts({ ...line, phase: next }, resolved.paid)) {
    const word = resolved.paid ? 'paid' : 'not paid';
    alarms.push(
      `row ${line.row}: was resolved by hand as ${word}, and the service now says ${report.statusText || next}`,
    );
  }
  if (line.phase === 'completed' && next !== 'completed') {
    alarms.push(`row ${line.row}: the service said completed and now says ${report.statusText}`);
    return line.phase;
  }
  if (isWordOf('completed', line.report) && !isWordOf('completed', report) && !isContradiction) {
    alarms.push(
      `row ${line.row}: the service said completed (order not processed yet), and now says ${report.statusText}`,
    );
    return line.phase;
  }
  if ((line.phase === 'rejected' || line.phase === 'failed') && next !== line.phase && !isContradiction) {
    if (!unsettles(report, processed)) return line.phase;
    alarms.push(`row ${line.row}: the service said ${line.phase} and now ${turnOf(next, report)}`);
  }
  return line.phase === 'timed-out' && next === 'open' ? 'timed-out' : next;
}

/**
 * Reports whether a report that differs makes a definite failure uncertain. An open report without a code does not: it may be
 * older than the final one that was received.
 */
export function unsettles(report: SaidStatus, processed: boolean): boolean {
  const { resultCode } = report;
  return phaseSaid(report, processed) !== 'open' || (leavesOpen(resultCode) && !saysHeld(resultCode));
}

const turnOf = (next: LinePhase, { statusText, resultCode }: LineReport): string =>
  next === 'open' ? `reports result code ${resultCode}` : `says ${statusText}`;

const isWordOf = (status: LineStatus, report: LineReport | undefined): boolean =>
  report !== undefined && lineStatusOf(report.status) === status;

/** Reports whether the service says this of the line for the first time, and waiting for it to say so again costs nothing but time. */
const isFirstSaid = ({ phase, resolved, report: before }: LineState, report: LineReport): boolean =>
  (phase === 'open' || phase === 'timed-out') &&
  resolved === undefined &&
  !(
    before?.status === report.status &&
    before.paidAmount === report.paidAmount &&
    before.resultCode === report.resultCode &&
    before.receipt === report.receipt
  );

function phaseOf(line: LineState, report: LineReport, processed: boolean, alarms: string[]): LinePhase {
  const phase = phaseSaid(report, processed);
  const contradiction = contradictionIn(line, report, phase);
  if (contradiction === undefined) return phase;
  alarms.push(`row ${line.row}: ${contradiction}`);
  return 'open';
}

/** Returns what status and result code say on their own, regardless of what is known about the line and what contradicts them. */
export function phaseSaid({ status, resultCode }: SaidStatus, processed: boolean): LinePhase {
  switch (lineStatusOf(status)) {
    case 'completed':
      return 'completed';
    // Every code except one that decides nothing: "rejected, partner timeout" may still be paid.
    case 'rejected':
      return leavesOpen(resultCode) ? 'open' : 'rejected';
    case 'timed-out':
      return 'timed-out';
    case 'unrecognised':
      return processed && resultMeaning(resultCode) === 'failed' ? 'failed' : 'open';
    default:
      return 'open';
  }
}

/** Returns what in a report contradicts its own final status; `undefined` if nothing does, or if the status is not final. */
function contradictionIn({ amount }: LineState, report: LineReport, phase: LinePhase): string | undefined {
  const { resultCode, statusText, paidAmount, receipt } = report;
  const paid = fromWire(paidAmount, amount.currency);
  switch (phase) {
    case 'completed':
      if (deniesSuccess(resultCode)) return `completed with result code ${resultCode}`;
      if (wordsDeny(statusText)) return `completed (status ${report.status}), but with the text "${statusText}"`;
      return paid && sameMoney(paid, amount) ? undefined : `the service says it paid ${paidAmount}`;
    case 'rejected':
    case 'failed':
      if (receipt !== undefined) return `${phase} with receipt ${receipt}`;
      return paid?.minor === 0n ? undefined : `${phase} with paid amount ${paidAmount}`;
    default:
      return undefined;
  }
}
/**
 * Status numbers of an order line. Only a number in this table has a meaning; a line with any other stays open, and the
 * number is shown as received. Spec: "States and transitions"; 0 has been observed as Pending.
 */
const lineStatusTable = {
  0: 'pending',
  4: 'completed',
  7: 'rejected',
  8: 'timed-out',
} as const;

type LineStatus = (typeof lineStatusTable)[keyof typeof lineStatusTable] | 'unrecognised';

export const lineStatusOf = (status: number): LineStatus =>
  (lineStatusTable as Readonly<Record<number, LineStatus | undefined>>)[status] ?? 'unrecognised';

const DENIAL = /reject|fail|time[ds]?[ -]?out|declin|cancel|expire|revers/i;

/**
 * Reports whether the words next to a status say that nothing was paid. Words alone never decide; next to "completed" they
 * are a contradiction.
 */
export const wordsDeny = (text: string): boolean => DENIAL.test(text);
