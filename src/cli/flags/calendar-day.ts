/** Days of the calendar as people type them: `2026-11-30`. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

/** The day, for commander's own parsing: anything else, and a day that no calendar has, is a usage error naming the option. */
export function calendarDay(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // Some engines take 30 February for a day of March.
  if (Number.isFinite(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new InvalidArgumentError('It takes a day as year-month-day, for example 2026-11-30.');
}
