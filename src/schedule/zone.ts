/** What the clocks of a time zone show, and when they show it. The rules are those of the system (`Intl`); nothing is kept here. */
import { localMinute } from '../domain/clock.ts';
import { type Day, dayOf, partsOf } from './day.ts';

/** A day and a time of it, as a clock on the wall shows them. */
export interface WallTime {
  readonly day: Day;
  /** Minutes since midnight. */
  readonly minute: number;
}

const MS_PER_MINUTE = 60_000;
const MINUTES_PER_HOUR = 60;
/** No zone changes its clock twice within a day of the change. */
const MS_PER_DAY = 86_400_000;

/** What the clocks of a zone show at a moment; seconds are left out. */
export function wallTimeAt(ms: number, timezone: string): WallTime {
  const shown = new Date(localMinute(ms, timezone));
  const day = dayOf({ year: shown.getUTCFullYear(), month: shown.getUTCMonth() + 1, day: shown.getUTCDate() });
  if (day === undefined) throw new RangeError(`there is no day of ${ms} in ${timezone}`);
  return { day, minute: shown.getUTCHours() * MINUTES_PER_HOUR + shown.getUTCMinutes() };
}

/** A wall time as if its zone were UTC. */
const plainMs = ({ day, minute }: WallTime): number => {
  const { year, month, day: date } = partsOf(day);
  return Date.UTC(year, month - 1, date) + minute * MS_PER_MINUTE;
};

/** How far the clocks of a zone are ahead of UTC. */
const aheadMs = (ms: number, timezone: string): number =>
  localMinute(ms, timezone) - Math.floor(ms / MS_PER_MINUTE) * MS_PER_MINUTE;

/**
 * When the clocks of a zone show a wall time. Where they show it twice, it is the first time. Where they skip it, it is as much
 * later as they skip, as RFC 5545 section 3.3.5 has it: 02:30 becomes 03:30.
 */
export function momentOf(wall: WallTime, timezone: string): number {
  const plain = plainMs(wall);
  const before = plain - aheadMs(plain - MS_PER_DAY, timezone);
  const after = plain - aheadMs(plain + MS_PER_DAY, timezone);
  const shown = [before, after].filter((ms) => localMinute(ms, timezone) === plain);
  return shown.length > 0 ? Math.min(...shown) : before;
}
