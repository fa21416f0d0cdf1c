/** What is to be done about a schedule now: pure, from its dates and from what is on record of its periods. */
import { type Occurrence, occurrencesBetween, type Timetable } from './occurrences.ts';
import { isOver, type PeriodRecord } from './period-record.ts';
import type { Schedule } from './schedule.ts';

const MS_PER_HOUR = 3_600_000;

/** A period whose time has come and that is not over. */
export interface DuePeriod {
  readonly occurrence: Occurrence;
  /** From this moment on nothing of it is sent any more. Wall-clock milliseconds. */
  readonly until: number;
}

export interface DueQuestion {
  readonly schedule: Pick<Schedule, 'since' | 'pausedSince' | 'catchUpHours'>;
  readonly timetable: Timetable;
  /** Of the configuration, for a schedule that says none of its own. */
  readonly catchUpHours: number;
  /** Wall-clock milliseconds. */
  readonly now: number;
  readonly recordOf: (period: string) => Pick<PeriodRecord, 'state'> | undefined;
}

/** The periods that are due, the earliest first; none while a schedule is paused. */
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

/** Whether the time of a period is over. */
export const isLate = ({ until }: DuePeriod, now: number): boolean => now >= until;
