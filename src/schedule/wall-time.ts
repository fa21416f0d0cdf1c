/** Times as clocks on the wall show them, and the moments at which they do. */
import { DAY_MS, localMinute, MINUTE_MS } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { type Day, dayOf, partsOf } from './day.ts';

const MINUTES_PER_HOUR = 60;

/** A day and a time of that day, as a clock on the wall shows them. */
export interface WallTime {
  readonly day: Day;
  /** Minutes since midnight. */
  readonly minute: number;
}

/** Returns the minutes since midnight of a time like `09:00`. Throws a Fault `usage` for any other text. */
export function minuteFrom(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined) return Number(hours) * MINUTES_PER_HOUR + Number(minutes);
  throw new Fault('usage', `"${text}" is not a time of day.`, 'Write it with 24 hours, for example 09:00 or 16:30.');
}

/** Formats minutes since midnight as `09:00`. */
export function timeText(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / MINUTES_PER_HOUR), minute % MINUTES_PER_HOUR];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

/** Returns what the clocks of a zone show at a moment (milliseconds since 1970), without seconds. */
export function wallTimeAt(ms: number, timezone: string): WallTime {
  const shown = new Date(localMinute(ms, timezone));
  const day = dayOf({ year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate() });
  if (day === undefined) throw new RangeError(`there is no day of ${ms} in ${timezone}`);
  return { day, minute: shown.getUTCHours() * MINUTES_PER_HOUR + shown.getUTCMinutes() };
}

/** Returns the moment, in milliseconds since 1970, at which a clock in UTC shows a wall time. */
const plainMs = ({ day, minute }: WallTime): number => {
  const { year, month, day: date } = partsOf(day);
  return Date.UTC(year, month - 1, date) + minute * MINUTE_MS;
};

/** Returns how far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
const aheadMs = (ms: number, timezone: string): number =>
  localMinute(ms, timezone) - Math.floor(ms / MINUTE_MS) * MINUTE_MS;

/**
 * Returns the moment, in milliseconds since 1970, at which the clocks of a zone show a wall time. If they show it twice, the
 * first moment counts. If they skip it, the moment is as much later as they skip, as RFC 5545 section 3.3.5 says: 02:30
 * becomes 03:30.
 */
export function momentOf(wall: WallTime, timezone: string): number {
  const plain = plainMs(wall);
  // No zone changes its clock twice within a day of the change.
  const before = plain - aheadMs(plain - DAY_MS, timezone);
  const after = plain - aheadMs(plain + DAY_MS, timezone);
  const shown = [before, after].filter((ms) => localMinute(ms, timezone) === plain);
  return shown.length > 0 ? Math.min(...shown) : before;
}
