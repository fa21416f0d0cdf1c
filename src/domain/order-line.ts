/**
 * One line of an order: where reports of the service move it, and what a person's word adds. The phase is the service's
 * word alone; the two are kept apart, so that each can be held against the other.
 */
import type { LineReport } from './fact.ts';
import type { BatchId, OrderId, TraceNumber } from './ids.ts';
import { fromWire, type Money, sameMoney } from './money.ts';
import type { Outcome } from './outcome.ts';
import { deniesSuccess, leavesOpen, resultMeaning, saysHeld } from './result-code.ts';

export type LinePhase = 'open' | 'completed' | 'rejected' | 'failed' | 'timed-out';

/** A person's word on a line of which the service gives no final one. */
export interface Resolution {
  readonly paid: boolean;
  /** User and machine. */
  readonly by: string;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** The receipt number as it was given; there when `paid`. */
  readonly receipt?: string;
  /** How the person knows. */
  readonly note?: string;
  /** Alarms of the order that stood when it was said: it speaks to none that came later. */
  readonly alarms: number;
}

/** One line of an order: one payout on its way. */
export interface LineState {
  readonly trace: TraceNumber;
  /** Row of the sheet that this line pays. */
  readonly row: number;
  readonly amount: Money;
  readonly phase: LinePhase;
  /** The service's last word on this line, as it came. */
  readonly report?: LineReport;
  /** What the service holds of this line besides: it carried it out more than once. */
  readonly repeats?: readonly LineReport[];
  /** The service has processed the order, and shows others of its lines but not this one: it was sent without it. */
  readonly lacking?: true;
  /** When the phase was last moved by the service's word, in wall-clock milliseconds. */
  readonly reportedAt?: number;
  /** When the service first said of a repetition that it holds the id already, in wall-clock milliseconds. */
  readonly heldAt?: number;
  readonly resolved?: Resolution;
  /** The order whose attempt at this row failed for good, when this is another attempt. */
  readonly replaces?: OrderId;
  /** The order that pays the row now, because this one failed for good. */
  readonly replacedBy?: OrderId;
  /** The latest batch that was planned after this one and holds the same payment: it alone may send it. */
  readonly supersededBy?: BatchId;
}

/**
 * Whether the service's own final word on the line says otherwise. Where the line is another attempt, an earlier one may have
 * paid the row, whatever became of this.
 */
export const contradicts = ({ phase, replaces }: Pick<LineState, 'phase' | 'replaces'>, paid: boolean): boolean =>
  paid ? replaces === undefined && (phase === 'rejected' || phase === 'failed') : phase === 'completed';

/**
 * The outcome of a line that a person spoke on; undefined for any other. The service's own final word goes before: what it
 * says it paid is paid, and what it says it did not, against a person who has a receipt, is in doubt.
 */
export function resolvedOutcome(line: LineState): Outcome | undefined {
  const { phase, resolved } = line;
  if (!resolved) return undefined;
  if (resolved.paid) return contradicts(line, true) ? 'in-doubt' : 'completed';
  return phase === 'open' || phase === 'timed-out' ? 'failed' : phase;
}

/**
 * Whether the last word of the service on a line is that it is pending, and nothing that it says speaks against that: the bank has
 * it, and it is not final. Words alone never decide, and a code beside the status may.
 */
export const isCalledPending = ({ phase, report, repeats }: Pick<LineState, 'phase' | 'report' | 'repeats'>): boolean =>
  phase === 'open' &&
  repeats === undefined &&
  isWordOf('pending', report) &&
  !report?.resultCode &&
  !wordsDeny(report?.statusText ?? '');

/** The receipt of a payment that the service calls timed out: it has most likely been made. */
export const lateReceipt = ({ phase, report }: Pick<LineState, 'phase' | 'report'>): string | undefined =>
  phase === 'timed-out' ? report?.receipt : undefined;

/**
 * A line after a report. One that says only that the id is held is the outcome of a repetition: it neither ends nor replaces
 * what is known of the submission that was there first, whichever of the two is heard first.
 */
export function lineAfter(line: LineState, report: LineReport, from: ReportSource, alarms: string[]): LineState {
  if (saysHeld(report.resultCode)) return { ...line, heldAt: line.heldAt ?? from.at };
  const known = alarms.length;
  const phase = phaseAfter(line, report, from.processed, alarms);
  // A word against a completed line is told by its alarm; receipt and fee of the payment are kept.
  if (line.phase === 'completed' && alarms.length > known) return line;
  return { ...line, phase, report, ...(phase !== line.phase && { reportedAt: from.at }) };
}

type StatusTold = Pick<LineReport, 'status' | 'resultCode'>;

/** When a report was heard, and whether the order that it stands in is processed. */
export interface ReportSource {
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** `isProcessed`. */
  readonly processed: boolean;
}

/**
 * Where a report moves a line. Completed is final for ever: a later word that differs is an alarm, never a change.
 * Rejected and failed are final, but a later "completed" is an alarm that also tells the truth; a time-out or a code that
 * decides nothing, as an alarm, and a report that contradicts itself take back what was known. Timed out is watched: completed,
 * rejected or failed may follow it. Completed in a record that is not processed yet may be half of a change: it counts when a
 * second record says the same.
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
    alarms.push(`row ${line.row}: the service said completed, not processed, and now says ${report.statusText}`);
    return line.phase;
  }
  if ((line.phase === 'rejected' || line.phase === 'failed') && next !== line.phase && !isContradiction) {
    if (!unsettles(report, processed)) return line.phase;
    alarms.push(`row ${line.row}: the service said ${line.phase} and now ${turnOf(next, report)}`);
  }
  return line.phase === 'timed-out' && next === 'open' ? 'timed-out' : next;
}

/**
 * Whether a report that differs makes a definite failure uncertain. One that is open and has no code does not: it may be older
 * than the final word that was heard.
 */
export function unsettles(report: StatusTold, processed: boolean): boolean {
  const { resultCode } = report;
  return phaseTold(report, processed) !== 'open' || (leavesOpen(resultCode) && !saysHeld(resultCode));
}

const turnOf = (next: LinePhase, { statusText, resultCode }: LineReport): string =>
  next === 'open' ? `gives result code ${resultCode}` : `says ${statusText}`;

const isWordOf = (status: LineStatus, report: LineReport | undefined): boolean =>
  report !== undefined && lineStatusOf(report.status) === status;

/** Whether the service has not said this of the line before, where waiting for it to say so again costs nothing but time. */
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
  const phase = phaseTold(report, processed);
  const contradiction = contradictionIn(line, report, phase);
  if (contradiction === undefined) return phase;
  alarms.push(`row ${line.row}: ${contradiction}`);
  return 'open';
}

/** What status and result code say by themselves, whatever is known of the line and whatever contradicts them. */
export function phaseTold({ status, resultCode }: StatusTold, processed: boolean): LinePhase {
  switch (lineStatusOf(status)) {
    case 'completed':
      return 'completed';
    // Every code but one that decides nothing: "rejected, partner timeout" may still be paid.
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

/** What in a report speaks against its own final word; undefined when nothing does, or when it is not final. */
function contradictionIn({ amount }: LineState, report: LineReport, phase: LinePhase): string | undefined {
  const { resultCode, statusText, paidAmount, receipt } = report;
  const paid = fromWire(paidAmount, amount.currency);
  switch (phase) {
    case 'completed':
      if (deniesSuccess(resultCode)) return `completed with result code ${resultCode}`;
      if (wordsDeny(statusText)) return `completed (status ${report.status}), and called ${statusText}`;
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
 * Status numbers of an order line. Only a number in this table has a meaning; any other stays open and is shown as it
 * came. Spec: "States and transitions"; 0 has been observed as Pending.
 */
export const lineStatusTable = {
  0: 'pending',
  4: 'completed',
  7: 'rejected',
  8: 'timed-out',
} as const;

export type LineStatus = (typeof lineStatusTable)[keyof typeof lineStatusTable] | 'unrecognised';

export const lineStatusOf = (status: number): LineStatus =>
  (lineStatusTable as Readonly<Record<number, LineStatus | undefined>>)[status] ?? 'unrecognised';

const DENIAL = /reject|fail|time[ds]?[ -]?out|declin|cancel|expire|revers/i;

/** Whether the words beside a status say that nothing was paid. Words alone never decide: beside "completed" they are a contradiction. */
export const wordsDeny = (text: string): boolean => DENIAL.test(text);
