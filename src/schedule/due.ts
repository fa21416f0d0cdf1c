/** Decides which periods of a schedule are due now. Pure: works from the schedule's dates and the records of its periods. */
import { type Occurrence, occurrencesBetween, type Timetable } from './occurrences.ts';
import { isOver, type PeriodRecord } from './period-record.ts';
import type { Schedule } from './schedule.ts';

const MS_PER_HOUR = 3_600_000;

/** A period whose time has come and that is not over. */
export interface DuePeriod {
  readonly occurrence: Occurrence;
  /** End of the period's window, in wall-clock milliseconds. From this moment on, nothing more is sent for the period. */
  readonly until: number;
}

export interface DueQuestion {
  readonly schedule: Pick<Schedule, 'since' | 'pausedSince' | 'catchUpHours'>;
  readonly timetable: Timetable;
  /** The configured length of a window in hours, for a schedule that sets none of its own. */
  readonly catchUpHours: number;
  /** The current time, in wall-clock milliseconds. */
  readonly now: number;
  readonly recordOf: (period: string) => Pick<PeriodRecord, 'state'> | undefined;
}

/** Returns the periods that are due, earliest first, or none while the schedule is paused. */
export function duePeriods({ schedule, timetable, catchUpHours, now, recordOf }: DueQuestion): readonly DuePeriod[] {
  if (schedule.pausedSince !== undefined) return [];
  const windowMs = (schedule.catchUpHours ?? catchUpHours) * MS_PER_HOUR;
  return occurrencesBetween(timetable, schedule.since, now)
    .filter(({ period }) => {
      const record = recordOf(period);
      return record === undefined || !isOver(record);
    })
    .map((occurrence) => ({ occurrence, until: occurrence.at + windowMs }));
}

/** Reports whether the window of a period has ended. */
export const isLate = ({ until }: DuePeriod, now: number): boolean => now >= until;
