/** What the record of a period says by the present clock, and what a person can still do about it. */

import { localTime } from '../../domain/clock.ts';
import { caughtFault, type Fault } from '../../domain/fault.ts';
import { isFromLater, windowEnd } from '../../schedule/due.ts';
import { occurrencesBetween, type Timetable } from '../../schedule/occurrences.ts';
import { type PeriodRecord, periodStateTexts } from '../../schedule/period-record.ts';
import { batchNameOf, byHand, type Schedule, sheetOf } from '../../schedule/schedule.ts';
import { ofSchedule, withFurther } from '../../schedule/schedule-faults.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { ScheduleFiles } from '../state/schedule-files.ts';
import { timetableFor } from './timetables.ts';

export interface PeriodStatus {
  readonly record: PeriodRecord;
  /** The state in words. */
  readonly text: string;
  /** Whether the record has a time that is still to come, and settles nothing: the schedule pays the period. */
  readonly isFromLater: boolean;
  /** The command by which a person makes a payment that was missed; absent for other periods. */
  readonly pay?: string;
}

export interface ScheduleRecords {
  readonly schedule: Schedule;
  readonly timetable: Timetable;
  /** Every recorded period, the latest first. */
  readonly records: readonly PeriodRecord[];
  /** The configured length of a window in hours. */
  readonly catchUpHours: number;
  /** The current time, in wall-clock milliseconds. */
  readonly now: number;
}

/** A schedule that pays nothing until a person has put it right: its file, a record or its holidays cannot be read. */
export interface UnusableSchedule {
  readonly name: string;
  readonly fault: Fault;
}

export interface KnownSchedules {
  readonly usable: readonly ScheduleRecords[];
  readonly unusable: readonly UnusableSchedule[];
}

/**
 * Returns schedules with what their records are judged by, in the order of their names. One that cannot be used is returned
 * with its Fault, because it must not hide the others. `now`: in wall-clock milliseconds.
 */
export function knownSchedules(
  files: ScheduleFiles,
  { config }: Pick<LoadedConfig, 'config'>,
  now: number,
  names: readonly string[] = files.names(),
): KnownSchedules {
  const { catchUpHours } = config.schedule;
  const usable: ScheduleRecords[] = [];
  const unusable: UnusableSchedule[] = [];
  for (const name of names) {
    try {
      const schedule = files.called(name);
      usable.push({ schedule, timetable: timetableFor(schedule), records: files.records(name), catchUpHours, now });
    } catch (error) {
      unusable.push({ name, fault: caughtFault(error) });
    }
  }
  return { usable, unusable };
}

/** Returns the Fault of all schedules that cannot be used; `undefined` if there are none. */
export function faultOfUnusable(unusable: readonly UnusableSchedule[]): Fault | undefined {
  const [first, ...others] = unusable.map(({ name, fault }) => ofSchedule(name, fault));
  return first && withFurther(first, others);
}

/** Returns the record of a period; `undefined` if there is none. */
export const recordIn = ({ records }: Pick<ScheduleRecords, 'records'>, period: string): PeriodRecord | undefined =>
  records.find((record) => record.period === period);

export function periodStatus(record: PeriodRecord, place: ScheduleRecords): PeriodStatus {
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
function paymentOf({ period, dueAt }: PeriodRecord, { schedule, timetable }: ScheduleRecords) {
  const occurrence = occurrencesBetween(timetable, dueAt, dueAt).find((one) => one.period === period);
  return {
    sheet: occurrence ? sheetOf(schedule, occurrence) : schedule.sheet,
    batch: batchNameOf(schedule, { period }),
  };
}

/** Returns the missed periods after the latest one that was paid, the latest first. */
export function missedSince(place: ScheduleRecords): readonly PeriodStatus[] {
  const statuses = place.records.map((record) => periodStatus(record, place)).filter((one) => !one.isFromLater);
  const paid = statuses.findIndex(({ record }) => record.state === 'ended');
  return (paid === -1 ? statuses : statuses.slice(0, paid)).filter(({ pay }) => pay !== undefined);
}
