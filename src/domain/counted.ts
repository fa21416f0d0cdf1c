/** Counts with their nouns, for people. The only place that decides between singular and plural. */
import type { Language } from './language.ts';

/** In French, zero is singular too. */
const isOne = (count: number, language: Language): boolean => (language === 'fr' ? count < 2 : count === 1);

/** Returns the word that agrees with a count: `agreeing(1, 'is', 'are')`. */
export const agreeing = (count: number, one: string, many: string, language: Language = 'en'): string =>
  isOne(count, language) ? one : many;

/** Returns a whole number for people: `12,000`. Written by hand, because the engine would load 5 MB of languages for it. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Returns `1 row`, `2 rows`, `12,000 rows`. An irregular plural is passed: `counted(2, 'reply', 'replies')`. */
export const counted = (count: number, one: string, many = `${one}s`, language: Language = 'en'): string =>
  `${language === 'en' ? grouped(count) : count} ${agreeing(count, one, many, language)}`;

/** Returns `first row`, `first 2 rows`. */
export const firstOf = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? `first ${one}` : `first ${counted(count, one, many)}`;

/** Returns the texts, and how many more there are: `a, b and 4 more`. `count`: number of all, those that are not given included. */
export const andMore = (texts: readonly (string | number)[], count: number): string =>
  `${texts.join(', ')}${count > texts.length ? ` and ${count - texts.length} more` : ''}`;

const MS_PER_SECOND = 1000;
const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;
/** Longest time shown in seconds, and in minutes. Longer times are shown in the next unit. */
const SECONDS_MAX = 120;
const MINUTES_MAX = 120;

/** Returns a time that is left or asked for, never shorter than it is: `14 s`, `3 min`, `24 h`. */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / MS_PER_SECOND);
  if (seconds <= SECONDS_MAX) return `${seconds} s`;
  const minutes = Math.ceil(seconds / SECONDS_PER_MINUTE);
  return minutes <= MINUTES_MAX ? `${minutes} min` : `${Math.ceil(minutes / MINUTES_PER_HOUR)} h`;
}
