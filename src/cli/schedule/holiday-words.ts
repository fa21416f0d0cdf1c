/** Holidays of schedules in words: the sources that were named, and the holidays that a date gave way to. */
import path from 'node:path';
import { shown } from '../../domain/shown-text.ts';
import type { Day } from '../../schedule/day.ts';
import type { NamedHoliday } from '../../schedule/occurrences.ts';
import type { Shell } from '../shell.ts';
import { isHolidayCountry } from './timetables.ts';

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
