/** Timetables of schedules. The calendars of countries and the files of holidays are read here. */
import { fileURLToPath } from 'node:url';
import { caughtFault, Fault } from '../../domain/fault.ts';
import { readShortFile } from '../../files/short-file.ts';
import { textOf, whyUnread } from '../../files/text-of.ts';
import {
  type HolidayCountry,
  type Holidays,
  holidayCountries,
  joinedHolidays,
  noHolidays,
  readHolidays,
} from '../../schedule/holidays.ts';
import type { Timetable } from '../../schedule/occurrences.ts';
import { type Schedule, timetableOf } from '../../schedule/schedule.ts';

/** Longest file of holidays, in bytes. The holidays of a century are shorter. */
const BYTES_MAX = 1_048_576;
const CALENDARS = new URL('../../../templates/holidays/', import.meta.url);

/** Reports whether a source of holidays is a country whose calendar comes with paybatch, and not a file. */
export const isHolidayCountry = (source: string): source is HolidayCountry =>
  (holidayCountries as readonly string[]).includes(source);

/**
 * Returns when a schedule pays. Throws a Fault `configuration` if its holidays cannot be read, because the day could then
 * be wrong.
 */
export const timetableFor = (schedule: Pick<Schedule, 'on' | 'at' | 'roll' | 'timezone' | 'holidays'>): Timetable =>
  timetableOf(schedule, schedule.holidays === undefined ? noHolidays : holidaysOf(schedule.holidays));

/** Like `timetableFor`, but returns the Fault instead of throwing it. */
export function timetableOrFault(schedule: Schedule): Timetable | Fault {
  try {
    return timetableFor(schedule);
  } catch (error) {
    return caughtFault(error);
  }
}

/** Returns the holidays of countries and files (absolute paths); later ones correct earlier ones. Faults as `timetableFor`. */
export const holidaysOf = (sources: readonly string[]): Holidays =>
  joinedHolidays(
    sources.map((source) =>
      holidaysIn(isHolidayCountry(source) ? fileURLToPath(new URL(`${source}.ics`, CALENDARS)) : source),
    ),
  );

function holidaysIn(file: string): Holidays {
  const unreadable = (why: string, cause?: unknown): Fault =>
    new Fault(
      'configuration',
      `The holidays ${file} cannot be read: ${why}. Nothing was sent.`,
      `Put the file back, or add the schedule again without --holidays, or with those of a country: ${holidayCountries.join(', ')}.`,
      { cause },
    );
  try {
    return readHolidays(file, textOf(readShortFile(file, BYTES_MAX)));
  } catch (error) {
    throw unreadable(whyUnread(error), error);
  }
}
