/** Days on which nobody is paid, from a file that people keep: a calendar (`.ics`), or a plain list of dates. */
import { Fault } from '../domain/fault.ts';
import { type Day, dayFrom, partsOf } from './day.ts';
import { type HolidayList, HolidayMistake, icsHolidays, type YearlyHoliday } from './ics.ts';

/** Days on which banks and offices are closed, besides weekends. */
export interface Holidays {
  has(day: Day): boolean;
}

export const noHolidays: Holidays = { has: () => false };

/** Reads a file of holidays. A Fault `configuration` names the line that says something else: a day that is overlooked is a wrong pay day. */
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

/** One date a line, with any text behind it; lines that begin with # say nothing. */
function listedHolidays(text: string): HolidayList {
  const days = text.split(/\r?\n/).flatMap((line, index) => {
    const words = line.trim();
    if (words === '' || words.startsWith('#')) return [];
    const day = dayFrom(/^\S+?(?=[\s,;]|$)/.exec(words)?.[0] ?? '');
    if (day === undefined || !/^\d{4}-/.test(words)) {
      throw new HolidayMistake(index + 1, 'It does not begin with a date of the calendar, like 2026-12-25.');
    }
    return [day];
  });
  return { days, yearly: [] };
}

function holidaysOf({ days, yearly }: HolidayList): Holidays {
  const once = new Set(days);
  return { has: (day) => once.has(day) || yearly.some((holiday) => isOn(holiday, day)) };
}

function isOn({ first, until, except }: YearlyHoliday, day: Day): boolean {
  if (day < first || (until !== undefined && day > until) || except.includes(day)) return false;
  const [own, asked] = [partsOf(first), partsOf(day)];
  return own.month === asked.month && own.day === asked.day;
}
