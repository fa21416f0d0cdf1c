/** Calendar days, without a clock or a time zone: `2026-12-25`. */
import { DAY_MS } from '../domain/clock.ts';
import type { Brand } from '../domain/ids.ts';

/** A day as ISO 8601 writes it. Days compare as their texts do. */
export type Day = Brand<string, 'Day'>;

/** The numbers of a day. Months are counted from 1. */
interface DayParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const msOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const dayOfMs = (ms: number): Day => new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length) as Day; // only this file makes a `Day`

/** Returns the day with these numbers, or `undefined` if the calendar has no such day, as for 30 February. */
export function dayOf({ year, month, day }: DayParts): Day | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isThere = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isThere ? dayOfMs(date.getTime()) : undefined;
}

/** Returns the day that a text names, `2026-12-25` or `20261225`, or `undefined` if the text names none. */
export function dayFrom(text: string): Day | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)-(\d\d)|(?:\d{4}))$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  return dayOf({
    year: Number(year),
    month: Number(month ?? text.slice(4, 6)),
    day: Number(day ?? text.slice(6, 8)),
  });
}

/** The years that a person can mean. Any other one is a slip of the finger, such as 0026 or 2206. */
const [YEAR_MIN, YEAR_MAX] = [1900, 2199];

/** Returns the day that a person wrote as `2026-12-25`; `undefined` for any other text, and for a year that nobody means. */
export function writtenDay(text: string): Day | undefined {
  const day = /^\d{4}-/.test(text) ? dayFrom(text) : undefined;
  const { year } = day === undefined ? { year: 0 } : partsOf(day);
  return year >= YEAR_MIN && year <= YEAR_MAX ? day : undefined;
}

export const partsOf = (day: Day): DayParts => ({
  year: Number(day.slice(0, 4)),
  month: Number(day.slice(5, 7)),
  day: Number(day.slice(8, 10)),
});

export const addDays = (day: Day, days: number): Day => dayOfMs(msOf(day) + days * DAY_MS);

/** Returns the weekday of a day, from 0 (Sunday) to 6. */
export const weekdayOf = (day: Day): number => new Date(msOf(day)).getUTCDay();

/** Reports whether a day is a Saturday or a Sunday. */
export const isWeekend = (day: Day): boolean => [0, 6].includes(weekdayOf(day));

/** A month of a year. */
export interface Month {
  readonly year: number;
  /** Counted from 1. */
  readonly month: number;
}

export const addMonths = ({ year, month }: Month, months: number): Month => {
  const date = new Date(Date.UTC(year, month - 1 + months));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
};

/** Returns every day of a month, in order. */
export function daysOf({ year, month }: Month): readonly Day[] {
  const first = Date.UTC(year, month - 1);
  const count = Math.round((Date.UTC(year, month) - first) / DAY_MS);
  return Array.from({ length: count }, (_, index) => dayOfMs(first + index * DAY_MS));
}
