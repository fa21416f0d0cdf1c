/** The kept result of one period of a schedule. It also lists the notices that were sent, so that none is sent twice. */
import type { FaultCode } from '../domain/fault.ts';
import type { OutcomeCounts } from '../domain/outcome.ts';

/**
 * `waiting`: the period is due, and nothing was sent. `open`: its batch is recorded, and some rows have no final outcome.
 * `ended`: every row has one, or the window has ended. `missed`: the window has ended, and nothing was sent. `skipped`: like
 * `missed`, but while the schedule was paused.
 */
type PeriodState = 'waiting' | 'open' | 'ended' | 'missed' | 'skipped';

/** The states in words. */
export const periodStateTexts: Readonly<Record<PeriodState, string>> = {
  waiting: 'waiting, nothing was sent',
  open: 'sent, some rows have no final outcome yet',
  ended: 'done',
  missed: 'missed, nothing was sent',
  skipped: 'left out',
};

export interface PeriodRecord {
  readonly period: string;
  /** The local day of the payment. */
  readonly day: string;
  /** When the payment was due, in wall-clock milliseconds. */
  readonly dueAt: number;
  readonly state: PeriodState;
  /** When this record was made, in wall-clock milliseconds. */
  readonly at: number;
  /** Exit code of the latest run. */
  readonly exit?: number;
  /** Why nothing was sent, or why the run did not end well. */
  readonly why?: FaultCode;
  readonly says?: string;
  readonly batch?: string;
  readonly counts?: OutcomeCounts;
  /** Keys of the notices that were sent. */
  readonly told: readonly string[];
}

/** Reports whether nothing more is to be done about a period. */
export const isOver = ({ state }: Pick<PeriodRecord, 'state'>): boolean =>
  state === 'ended' || state === 'missed' || state === 'skipped';
