/** Decides which periods of a schedule are due now. Pure: works from the schedule's dates and the records of its periods. */
import { type Occurrence, occurrencesBetween, type Timetable } from './occurrences.ts';
import { isOver, type PeriodRecord } from './period-record.ts';
import type { Schedule } from './schedule.ts';

const MS_PER_HOUR = 3_600_000;

/** The part of a record that decides whether its period is settled. */
type Mark = Pick<PeriodRecord, 'state' | 'at'>;

/** A period whose time has come and that is not over. */
export interface DuePeriod {
  readonly occurrence: Occurrence;
  /** End of the period's window, in wall-clock milliseconds. From this moment on, nothing more is sent for the period. */
  readonly until: number;
}

interface DueQuestion {
  readonly schedule: Pick<Schedule, 'since' | 'pausedSince' | 'catchUpHours'>;
  readonly timetable: Timetable;
  /** The configured length of a window in hours, for a schedule that sets none of its own. */
  readonly catchUpHours: number;
  /** The current time, in wall-clock milliseconds. */
  readonly now: number;
  readonly recordOf: (period: string) => Mark | undefined;
}

/** Returns the periods that are due, earliest first, or none while the schedule is paused. */
export function duePeriods({ schedule, timetable, catchUpHours, now, recordOf }: DueQuestion): readonly DuePeriod[] {
  if (schedule.pausedSince !== undefined) return [];
  return occurrencesBetween(timetable, schedule.since, now)
    .map((occurrence) => ({ occurrence, until: windowEnd(occurrence.at, schedule, catchUpHours) }))
    .filter(({ occurrence, until }) => !isSettled(recordOf(occurrence.period), { until, now }));
}

/** Returns the end of the window of a payment that is due at a moment. All times are wall-clock milliseconds. */
export const windowEnd = (at: number, schedule: Pick<Schedule, 'catchUpHours'>, catchUpHours: number): number =>
  at + (schedule.catchUpHours ?? catchUpHours) * MS_PER_HOUR;

/** A time, and the end of the window of a period. */
interface Place {
  readonly until: number;
  readonly now: number;
}

/** Reports whether the window of a period has ended. */
export const isLate = ({ until }: Pick<Place, 'until'>, now: number): boolean => now >= until;

/** Reports whether nothing more is to be done about a period, given its record. */
export const isSettled = (record: Mark | undefined, place: Place): boolean =>
  record !== undefined && isOver(record) && !isFromLater(record, place);

/**
 * Reports whether a period was given up after the end of its window, and the clock now shows a time before that end: the clock
 * was ahead then, or was set back since. Nobody may stay unpaid because of that, so such a record settles nothing.
 */
export const isFromLater = (record: Mark, { until, now }: Place): boolean =>
  isOver(record) && record.at >= until && now < until;
