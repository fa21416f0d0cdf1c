/** The notification about a payment that runs unattended. It never holds a person's name, account or phone. */
import type { PeriodPoint } from './event.ts';
import { exitCode } from './exit-code.ts';
import type { FaultCode } from './fault.ts';
import type { OutcomeCounts } from './outcome.ts';
import type { RunEnd } from './run-end.ts';

/** The payment of a schedule that a notice is about. */
interface Scheduled {
  readonly schedule: string;
  readonly period: string;
  /** Local day of the payment. */
  readonly day: string;
}

export interface PaymentNotice {
  /** Progress of the payment. `test`: a person tries whether notices arrive. */
  readonly point: PeriodPoint | 'test';
  /** The command that pays, as it is typed after `paybatch`. */
  readonly command: string;
  /** Absent for a payment that no schedule made. */
  readonly scheduled?: Scheduled;
  readonly batch: string;
  readonly exit: number;
  /** Code of the fault. Its words are left out, because they may hold names. */
  readonly why?: FaultCode;
  readonly counts: OutcomeCounts;
  readonly amounts?: NonNullable<RunEnd['amounts']>;
  /**
   * Absolute path of the results workbook that was written. It names people, so it is sent only to those whom the settings
   * name for it.
   */
  readonly workbook?: string;
}

/** Returns the results workbook among the files of a run, for a notice. */
export function workbookOf({ files }: Pick<RunEnd, 'files'>): Pick<PaymentNotice, 'workbook'> {
  const found = files.find(({ kind, path }) => kind === 'results' && path.endsWith('.xlsx'));
  return found ? { workbook: found.path } : {};
}

const endPoints: Readonly<Record<number, 'alarm' | 'finished'>> = {
  [exitCode.ok]: 'finished',
  [exitCode.someNotPaid]: 'finished',
  [exitCode.reportUnwritten]: 'finished',
  [exitCode.alarm]: 'alarm',
};

/** Returns the end of a batch by its exit code, if nothing is left to do unattended; `undefined` while rows have no final outcome. */
export const endPointOf = (exit: number): 'alarm' | 'finished' | undefined => endPoints[exit];

/** What a due payment waits for, for the faults that can be put in a few words. */
const lacks: Partial<Readonly<Record<FaultCode, string>>> = {
  'not-approved': 'for approval',
  'plan-missing': 'for an approved plan',
  'sheet-late': 'for its sheet',
  'totals-missing': 'for its control totals',
};

/** Returns what a due payment waits for: `waits for approval`. */
export const waitsText = (why: FaultCode | undefined): string =>
  `waits${why === undefined ? '' : ` ${lacks[why] ?? `(${why})`}`}`;

/** Sends a notice. It never rejects if sending fails, and decides nothing about money. */
export type Notify = (notice: PaymentNotice) => Promise<void>;
