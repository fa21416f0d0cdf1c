/** What the record of a period says by the present clock, and what a person can still do about it. */

import { localTime } from '../../domain/clock.ts';
import { isFromLater, windowEnd } from '../../schedule/due.ts';
import { occurrencesBetween, type Timetable } from '../../schedule/occurrences.ts';
import { type PeriodRecord, periodStateTexts } from '../../schedule/period-record.ts';
import { batchNameOf, byHand, type Schedule, sheetOf } from '../../schedule/schedule.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { timetableFor } from './timetables.ts';

export interface Standing {
  readonly record: PeriodRecord;
  /** The state in words. */
  readonly text: string;
  /** Whether the record has a time that is still to come, and settles nothing: the schedule pays the period. */
  readonly isFromLater: boolean;
  /** The command by which a person makes a payment that was missed; absent for other periods. */
  readonly pay?: string;
}

export interface StandingPlace {
  readonly schedule: Schedule;
  readonly timetable: Timetable;
  /** The configured length of a window in hours. */
  readonly catchUpHours: number;
  /** The current time, in wall-clock milliseconds. */
  readonly now: number;
}

/** Returns the schedules with what their records are judged by. `now`: in wall-clock milliseconds. */
export const standingPlaces = (
  schedules: readonly Schedule[],
  { config }: Pick<LoadedConfig, 'config'>,
  now: number,
): readonly StandingPlace[] => {
  const { catchUpHours } = config.schedule;
  return schedules.map((schedule) => ({ schedule, timetable: timetableFor(schedule), catchUpHours, now }));
};

export function standingOf(record: PeriodRecord, place: StandingPlace): Standing {
  const { schedule, catchUpHours, now } = place;
  const state = periodStateTexts[record.state];
  if (isFromLater(record, { until: windowEnd(record.dueAt, schedule, catchUpHours), now })) {
    const at = localTime(record.at, schedule.timezone);
    return {
      record,
      text: `recorded as "${state}" at ${at}, which is still to come: paid all the same`,
      isFromLater: true,
    };
  }
  const pay = record.state === 'missed' && { pay: byHand(schedule, paymentOf(record, place)) };
  return { record, text: state, isFromLater: false, ...pay };
}

/** The batch of a recorded period, and its sheet: with its placeholders if the schedule has no such date any more. */
function paymentOf({ period, dueAt }: PeriodRecord, { schedule, timetable }: StandingPlace) {
  const occurrence = occurrencesBetween(timetable, dueAt, dueAt).find((one) => one.period === period);
  return {
    sheet: occurrence ? sheetOf(schedule, occurrence) : schedule.sheet,
    batch: batchNameOf(schedule, { period }),
  };
}

/** Returns the missed periods after the latest one that was paid, the latest first. `records`: the latest first. */
export function missedSince(records: readonly PeriodRecord[], place: StandingPlace): readonly Standing[] {
  const standings = records.map((record) => standingOf(record, place)).filter((one) => !one.isFromLater);
  const paid = standings.findIndex(({ record }) => record.state === 'ended');
  return (paid === -1 ? standings : standings.slice(0, paid)).filter(({ pay }) => pay !== undefined);
}
