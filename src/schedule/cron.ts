/** Cron patterns. croner reads a pattern as wall-clock times without a time zone; `momentOf` places each of them in its zone. */
import { Cron } from 'croner';
import { localMinute } from '../domain/clock.ts';
import { type Day, dayFrom, dayOf, monthOf, partsOf, weekOf } from './day.ts';

const MS_PER_MINUTE = 60_000;

/**
 * Opens a pattern of five fields, without starting a timer. Where both the day of the month and the weekday are given, a day
 * that matches either one counts, as in every cron.
 */
const opened = (pattern: string): Cron => new Cron(pattern, { mode: '5-part', timezone: 'UTC', paused: true });

/** Reports whether a text is a cron pattern that has any time at all. */
export function isCron(pattern: string): boolean {
  try {
    return opened(pattern).nextRun(new Date(0)) !== null;
  } catch (error) {
    // croner reports an invalid pattern by throwing an Error.
    if (error instanceof Error) return false;
    throw error;
  }
}

/** Yields the wall-clock times of a pattern, from the start of a day on. */
export function* timesOf(pattern: string, from: Day): Generator<WallTime> {
  const cron = opened(pattern);
  // `nextRun` returns the first time after a moment, so the moment before the day is passed.
  let last: Date | null = new Date(Date.parse(`${from}T00:00:00Z`) - 1);
  for (;;) {
    last = cron.nextRun(last);
    if (last === null) return;
    const [date = '', time = ''] = last.toISOString().split('T');
    const day = dayFrom(date);
    if (day === undefined) return;
    yield { day, minute: Date.parse(`1970-01-01T${time.slice(0, 'hh:mm'.length)}:00Z`) / MS_PER_MINUTE };
  }
}

/** The span that one payment of a pattern stands for: the longest span that never holds two times of the pattern. */
export type Span = 'month' | 'week' | 'day' | 'moment';

const spanNames: Readonly<Record<Exclude<Span, 'moment'>, (day: Day) => string>> = {
  month: (day) => `${monthOf(day).year}-${monthOf(day).month}`,
  week: weekOf,
  day: (day) => day,
};

/**
 * Number of times of a pattern to examine: years of a weekly pattern, and months of a daily one. If no two of these share a
 * span, no later ones do.
 */
const TIMES_MAX = 400;
const SAMPLE_START = '2026-01-01' as Day; // any day would do

/** Returns the span that one payment of a pattern stands for, found from the pattern's own times. */
export function spanOf(pattern: string): Span {
  const seen = new Set<string>();
  let left: readonly (keyof typeof spanNames)[] = ['month', 'week', 'day'];
  let times = 0;
  for (const { day } of timesOf(pattern, SAMPLE_START)) {
    const names = left.map((span) => `${span} ${spanNames[span](day)}`);
    left = left.filter((_, index) => !seen.has(names[index] ?? ''));
    for (const name of names) seen.add(name);
    times += 1;
    if (left.length === 0 || times === TIMES_MAX) break;
  }
  return left[0] ?? 'moment';
}

/** A day and a time of that day, as a clock on the wall shows them. */
export interface WallTime {
  readonly day: Day;
  /** Minutes since midnight. */
  readonly minute: number;
}

const MINUTES_PER_HOUR = 60;
/**
 * How far around a wall time `momentOf` looks for the zone's offsets. No zone changes its clock twice within a day of the
 * change.
 */
const MS_PER_DAY = 86_400_000;

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
  return Date.UTC(year, month - 1, date) + minute * MS_PER_MINUTE;
};

/** Returns how far the clocks of a zone are ahead of UTC at a moment, in milliseconds. */
const aheadMs = (ms: number, timezone: string): number =>
  localMinute(ms, timezone) - Math.floor(ms / MS_PER_MINUTE) * MS_PER_MINUTE;

/**
 * Returns the moment, in milliseconds since 1970, at which the clocks of a zone show a wall time. If they show it twice, the
 * first moment counts. If they skip it, the moment is as much later as they skip, as RFC 5545 section 3.3.5 says: 02:30
 * becomes 03:30.
 */
export function momentOf(wall: WallTime, timezone: string): number {
  const plain = plainMs(wall);
  const before = plain - aheadMs(plain - MS_PER_DAY, timezone);
  const after = plain - aheadMs(plain + MS_PER_DAY, timezone);
  const shown = [before, after].filter((ms) => localMinute(ms, timezone) === plain);
  return shown.length > 0 ? Math.min(...shown) : before;
}
