/** What somebody is told of a scheduled payment: never a name, an account or a phone of a person. */
import type { PeriodPoint } from '../domain/event.ts';
import type { FaultCode } from '../domain/fault.ts';
import type { OutcomeCounts } from '../domain/outcome.ts';
import type { RunEnd } from '../domain/run-end.ts';

export interface ScheduleNotice {
  readonly point: PeriodPoint;
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

/** Never rejects for what becomes of the notice, and decides nothing about money. */
export type Notify = (notice: ScheduleNotice) => Promise<void>;
