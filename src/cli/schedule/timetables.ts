/**
 * Timetables of schedules, and their holidays: the calendars of countries and the files of holidays are read here, and the holidays
 * that a date gave way to are put into words.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from '../../domain/fault.ts';
import { shown } from '../../domain/shown-text.ts';
import { readShortFile, textOf, whyUnread } from '../../files/short-file.ts';
import type { Day } from '../../schedule/day.ts';
import {
  type HolidayCountry,
  type Holidays,
  holidayCountries,
  joinedHolidays,
  noHolidays,
  readHolidays,
} from '../../schedule/holidays.ts';
import type { NamedHoliday, Timetable } from '../../schedule/occurrences.ts';
import { type Schedule, timetableOf } from '../../schedule/schedule.ts';
import type { Shell } from '../shell.ts';

/** Longest file of holidays, in bytes. The holidays of a century are shorter. */
const BYTES_MAX = 1_048_576;
const CALENDARS = new URL('../../../templates/holidays/', import.meta.url);

/** Reports whether a source of holidays is a country whose calendar comes with paybatch, and not a file. */
const isHolidayCountry = (source: string): source is HolidayCountry =>
  (holidayCountries as readonly string[]).includes(source);

/**
 * Returns when a schedule pays. Throws a Fault `configuration` if its holidays cannot be read, because the day could then
 * be wrong.
 */
export const timetableFor = (schedule: Pick<Schedule, 'on' | 'at' | 'roll' | 'timezone' | 'holidays'>): Timetable =>
  timetableOf(schedule, schedule.holidays === undefined ? noHolidays : holidaysOf(schedule.holidays));

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

/** Returns sources of holidays: countries as they are, files as absolute paths; `undefined` if none were named. */
export const sourcesOf = (
  named: readonly string[] | string | undefined,
  { cwd }: Pick<Shell, 'cwd'>,
): readonly string[] | undefined =>
  named === undefined
    ? undefined
    : [named].flat().map((source) => (isHolidayCountry(source) ? source : path.resolve(cwd, source)));

/** Returns a holiday as `2027-03-09 Idd-ul-Fitr (expected)`. */
export const holidayText = ({ day, name, isExpected }: NamedHoliday): string =>
  `${day} ${shown(name === '' ? 'a holiday' : name)}${isExpected ? ' (expected)' : ''}`;

/** Returns the note behind the line of a payment about holidays that affect its day; empty if none do. */
export function metText(day: Day, holidays: readonly NamedHoliday[], endedOn: Day | null): string {
  const avoided = holidays.filter((holiday) => holiday.day !== day).map(holidayText);
  const own = holidays.filter((holiday) => holiday.day === day).map(holidayText);
  return [
    avoided.length > 0 ? `  (not ${avoided.join(', ')})` : '',
    own.length > 0 ? `  (on ${own.join(', ')})` : '',
    endedOn === null ? '' : `  (holidays are known to ${endedOn}: add later ones in a file)`,
  ].join('');
}

/** Explains what an expected holiday is, if one of these is only expected. */
export function sayAnnounced({ flags, terminal }: Shell, holidays: readonly NamedHoliday[]): void {
  if (flags.json || !holidays.some(({ isExpected }) => isExpected)) return;
  terminal.say(
    'Expected holidays are announced shortly before, and may come on another day. A file of your own behind the country adds and corrects: --holidays KE --holidays FILE',
  );
}
