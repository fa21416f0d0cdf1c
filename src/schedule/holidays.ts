/**
 * Holidays, read from the calendars that come with paybatch and from files that people keep, as a calendar (`.ics`) or as a
 * plain list of dates.
 */
import { Fault } from '../domain/fault.ts';
import { type Day, dayFrom, partsOf, writtenDay } from './day.ts';
import { type Holiday, type HolidayList, HolidayMistake, icsHolidays, type YearlyHoliday } from './ics.ts';

/** Days on which banks and offices are closed, in addition to weekends. */
export interface Holidays {
  /**
   * Returns the holiday of a day, null if the source says that the day is not a holiday, no matter what other sources say, or
   * `undefined` if the source says nothing about the day.
   */
  on(day: Day): Holiday | null | undefined;
  /** The last day that the source covers; absent if it has no end. */
  readonly until?: Day;
}

export const noHolidays: Holidays = { on: () => undefined };

/** Countries whose public holidays come with paybatch (ISO 3166 alpha-2), as `templates/holidays/KE.ics`. */
export const holidayCountries = ['KE', 'UG', 'TZ', 'RW', 'NG', 'GH', 'ZA'] as const;

export type HolidayCountry = (typeof holidayCountries)[number];

/**
 * Reads a file of holidays. Throws a Fault `configuration` that names the line if one cannot be read, because an overlooked
 * day would mean a wrong pay day.
 */
export function readHolidays(file: string, text: string): Holidays {
  try {
    const plain = text.replace(/^\ufeff/, '');
    return holidaysOf(/^BEGIN:VCALENDAR\b/im.test(plain) ? icsHolidays(plain) : listedHolidays(plain));
  } catch (error) {
    if (!(error instanceof HolidayMistake)) throw error;
    throw new Fault(
      'configuration',
      `The holidays ${file} cannot be used. Line ${error.line}: ${error.message} Nothing was sent.`,
      'Correct the file: a calendar (.ics) with events of whole days, or one date a line, like 2026-12-25 Christmas.',
      { cause: error },
    );
  }
}

/**
 * Joins several sources into one. For each day, the last source that says anything counts, so that a file can add to a
 * calendar and correct it. The joined source ends with the source that goes furthest. A source that only has yearly holidays
 * does not count for the end, because it says nothing about holidays that change their day.
 */
export function joinedHolidays(all: readonly Holidays[]): Holidays {
  const until = all
    .flatMap((one) => one.until ?? [])
    .toSorted()
    .at(-1);
  const latestFirst = all.toReversed();
  return {
    on(day) {
      for (const one of latestFirst) {
        const said = one.on(day);
        if (said !== undefined) return said;
      }
      return undefined;
    },
    ...(until !== undefined && { until }),
  };
}

/**
 * Reads one date a line, with any text after it. `not` before the date says that this day is not a holiday. Lines that begin
 * with # are ignored.
 */
function listedHolidays(text: string): HolidayList {
  const once = text.split(/\r?\n/).flatMap((line, index) => {
    const words = line.trim();
    if (words === '' || words.startsWith('#')) return [];
    const [, not, date = '', name = ''] = /^(not\s+)?([^\s,;]+)[\s,;]*(.*)$/i.exec(words) ?? [];
    const day = writtenDay(date);
    if (day === undefined) {
      throw new HolidayMistake(index + 1, 'It does not begin with a date of the calendar, like 2026-12-25.');
    }
    return [{ day, holiday: not === undefined ? { name, isExpected: false } : null }];
  });
  return { once, yearly: [] };
}

function holidaysOf({ once, yearly }: HolidayList): Holidays {
  const days = new Map<Day, Holiday | null>();
  for (const { day, holiday } of once) if (holiday || !days.has(day)) days.set(day, holiday);
  const last = once
    .flatMap(({ day, holiday }) => (holiday ? day : []))
    .toSorted()
    .at(-1);
  return {
    on: (day) => days.get(day) ?? yearly.find((one) => isOn(one, day))?.holiday ?? days.get(day),
    ...(last !== undefined && { until: endOfYear(last) }),
  };
}

/** Returns the last day of a day's year. A list of days is taken to cover whole years. */
const endOfYear = (day: Day): Day => dayFrom(`${day.slice(0, 'yyyy'.length)}-12-31`) ?? day;

function isOn({ first, until, except }: YearlyHoliday, day: Day): boolean {
  if (day < first || (until !== undefined && day > until) || except.includes(day)) return false;
  const [own, asked] = [partsOf(first), partsOf(day)];
  return own.month === asked.month && own.day === asked.day;
}
