/** What came of one period of a schedule. It is kept, and says what was told: nobody is told the same twice. */
import type { FaultCode } from '../domain/fault.ts';
import type { OutcomeCounts } from '../domain/outcome.ts';

/**
 * `waiting`: due, and nothing was sent. `open`: a batch of it is recorded, and some of its rows have no end. `ended`: each has.
 * `missed`: its time is over, and nothing was sent. `skipped`: the same, while the schedule was paused.
 */
export type PeriodState = 'waiting' | 'open' | 'ended' | 'missed' | 'skipped';

/** The same in words. */
export const periodStateTexts: Readonly<Record<PeriodState, string>> = {
  waiting: 'waiting, nothing was sent',
  open: 'sent, some rows have no end yet',
  ended: 'done',
  missed: 'missed, nothing was sent',
  skipped: 'left out',
};

export interface PeriodRecord {
  readonly period: string;
  /** The local day of the payment. */
  readonly day: string;
  /** When it was to be paid. Wall-clock milliseconds. */
  readonly dueAt: number;
  readonly state: PeriodState;
  /** When it came to that. Wall-clock milliseconds. */
  readonly at: number;
  /** Exit code of the latest run. */
  readonly exit?: number;
  /** Why nothing was sent, or why the run did not end well. */
  readonly why?: FaultCode;
  readonly says?: string;
  readonly batch?: string;
  readonly counts?: OutcomeCounts;
  /** What somebody was told, by keys of their own. */
  readonly told: readonly string[];
}

/** Nothing more is done about such a period. */
export const isOver = ({ state }: Pick<PeriodRecord, 'state'>): boolean =>
  state === 'ended' || state === 'missed' || state === 'skipped';
