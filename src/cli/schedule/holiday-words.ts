/** Holidays of schedules in words: which were named, and which a date gave way to. */
import path from 'node:path';
import { shown } from '../../domain/shown-text.ts';
import type { Day } from '../../schedule/day.ts';
import type { NamedHoliday } from '../../schedule/occurrences.ts';
import type { Shell } from '../shell.ts';
import { isHolidayCountry } from './timetables.ts';

/** Countries as they are, and files by their whole paths; undefined for none. */
export const sourcesOf = (
  named: readonly string[] | string | undefined,
  { cwd }: Pick<Shell, 'cwd'>,
): readonly string[] | undefined =>
  named === undefined
    ? undefined
    : [named].flat().map((source) => (isHolidayCountry(source) ? source : path.resolve(cwd, source)));

/** `2027-03-09 Idd-ul-Fitr (expected)` */
export const holidayText = ({ day, name, isExpected }: NamedHoliday): string =>
  `${day} ${shown(name === '' ? 'a holiday' : name)}${isExpected ? ' (expected)' : ''}`;

/** What holidays have to do with the day of a payment, behind its line; empty for nothing. */
export function metText(day: Day, holidays: readonly NamedHoliday[], endedOn: Day | null): string {
  const avoided = holidays.filter((holiday) => holiday.day !== day).map(holidayText);
  const own = holidays.filter((holiday) => holiday.day === day).map(holidayText);
  return [
    avoided.length > 0 ? `  (not ${avoided.join(', ')})` : '',
    own.length > 0 ? `  (on ${own.join(', ')})` : '',
    endedOn === null ? '' : `  (holidays are known to ${endedOn}: add later ones in a file)`,
  ].join('');
}

/** Says, where one of these holidays is only expected, what that means. */
export function sayAnnounced({ flags, terminal }: Shell, holidays: readonly NamedHoliday[]): void {
  if (flags.json || !holidays.some(({ isExpected }) => isExpected)) return;
  terminal.say(
    'Expected holidays are announced shortly before, and may come on another day. A file of your own behind the country adds and corrects: --holidays KE --holidays FILE',
  );
}
