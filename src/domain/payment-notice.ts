/** What somebody is told of a scheduled payment: never a name, an account or a phone of a person. */
import type { PeriodPoint } from './event.ts';
import type { FaultCode } from './fault.ts';
import type { OutcomeCounts } from './outcome.ts';
import type { RunEnd } from './run-end.ts';

export interface PaymentNotice {
  /** `test`: somebody tries whether anybody is told. */
  readonly point: PeriodPoint | 'test';
  readonly schedule: string;
  readonly period: string;
  /** Local day of the payment. */
  readonly day: string;
  readonly batch: string;
  readonly exit: number;
  /** What kind of fault it was; its words may hold names. */
  readonly why?: FaultCode;
  readonly counts: OutcomeCounts;
  readonly amounts?: NonNullable<RunEnd['amounts']>;
}

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
