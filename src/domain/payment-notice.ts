/** What somebody is told of a payment that nobody watches: never a name, an account or a phone of a person. */
import type { PeriodPoint } from './event.ts';
import { exitCode } from './exit-code.ts';
import type { FaultCode } from './fault.ts';
import type { OutcomeCounts } from './outcome.ts';
import type { RunEnd } from './run-end.ts';

/** Which payment of a schedule it is. */
export interface Scheduled {
  readonly schedule: string;
  readonly period: string;
  /** Local day of the payment. */
  readonly day: string;
}

export interface PaymentNotice {
  /** `test`: somebody tries whether anybody is told. */
  readonly point: PeriodPoint | 'test';
  /** What pays, as it is typed after `paybatch`. */
  readonly command: string;
  /** Missing for a payment that no schedule made. */
  readonly scheduled?: Scheduled;
  readonly batch: string;
  readonly exit: number;
  /** What kind of fault it was; its words may hold names. */
  readonly why?: FaultCode;
  readonly counts: OutcomeCounts;
  readonly amounts?: NonNullable<RunEnd['amounts']>;
  /** Whole path of the results workbook that was written. It names people: it goes to nobody whom the settings do not name for it. */
  readonly workbook?: string;
}

/** The results workbook among the files of a run, for a notice. */
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

/** What a batch has come to that ended so, when nothing of it is left to be done unattended; undefined while rows have no end. */
export const endPointOf = (exit: number): 'alarm' | 'finished' | undefined => endPoints[exit];

/** What a payment that is due lacks, where that is simply said. */
const lacks: Partial<Readonly<Record<FaultCode, string>>> = {
  'not-approved': 'for approval',
  'plan-missing': 'for a plan that was approved',
  'sheet-late': 'for its sheet',
  'totals-missing': 'for its control totals',
};

/** `waits for approval`: what a payment that is due waits for. */
export const waitsText = (why: FaultCode | undefined): string =>
  `waits${why === undefined ? '' : ` ${lacks[why] ?? `(${why})`}`}`;

/** Tells somebody. It never rejects for what becomes of that, and decides nothing about money. */
export type Notify = (notice: PaymentNotice) => Promise<void>;
