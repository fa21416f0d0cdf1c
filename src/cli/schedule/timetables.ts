/** Schedules with their dates: their files of holidays are read here. */
import { readFileSync, statSync } from 'node:fs';
import { Fault } from '../../domain/fault.ts';
import { type Holidays, noHolidays, readHolidays } from '../../schedule/holidays.ts';
import type { Timetable } from '../../schedule/occurrences.ts';
import { type Schedule, timetableOf } from '../../schedule/schedule.ts';

/** The holidays of a century are shorter. */
const BYTES_MAX = 1_048_576;

/** When a schedule pays. A Fault `configuration` when its holidays cannot be read: without them it could be another day. */
export const timetableFor = (schedule: Pick<Schedule, 'on' | 'at' | 'roll' | 'timezone' | 'holidays'>): Timetable =>
  timetableOf(schedule, schedule.holidays === undefined ? noHolidays : holidaysIn(schedule.holidays));

/** The same, with the fault in its place. */
export function timetableOrFault(schedule: Schedule): Timetable | Fault {
  try {
    return timetableFor(schedule);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

function holidaysIn(file: string): Holidays {
  const unreadable = (why: string, cause?: unknown): Fault =>
    new Fault(
      'configuration',
      `The holidays ${file} cannot be read: ${why}. Nothing was sent.`,
      'Put the file back, or add the schedule anew without --holidays.',
      { cause },
    );
  try {
    const { size } = statSync(file);
    if (size > BYTES_MAX) throw unreadable('the file is too long');
    return readHolidays(file, readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof Fault || !(error instanceof Error && 'code' in error)) throw error;
    throw unreadable(String(error.code), error);
  }
}
