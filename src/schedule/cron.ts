/** Patterns of cron. croner reads them on the clock of the wall, without a time zone: when that time comes is said below. */
import { Cron } from 'croner';
import { localMinute } from '../domain/clock.ts';
import { type Day, dayFrom, dayOf, monthOf, partsOf, weekOf } from './day.ts';

const MS_PER_MINUTE = 60_000;

/** Five fields, each single day or both of them counting, as every cron has it; nothing runs here. */
const opened = (pattern: string): Cron => new Cron(pattern, { mode: '5-part', timezone: 'UTC', paused: true });

/** Whether a text is a pattern that comes at all. */
export function isCron(pattern: string): boolean {
  try {
    return opened(pattern).nextRun(new Date(0)) !== null;
  } catch (error) {
    // croner says what it does not like by throwing.
    if (error instanceof Error) return false;
    throw error;
  }
}

/** The times of a pattern from a day on. */
export function* timesOf(pattern: string, from: Day): Generator<WallTime> {
  const cron = opened(pattern);
  // It gives what comes after a moment.
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

/** What one payment of a pattern stands for: the longest span of which it has no two times. */
export type Span = 'month' | 'week' | 'day' | 'moment';

const spanNames: Readonly<Record<Exclude<Span, 'moment'>, (day: Day) => string>> = {
  month: (day) => `${monthOf(day).year}-${monthOf(day).month}`,
  week: weekOf,
  day: (day) => day,
};

/** Years of a pattern that comes every week, and months of one that comes every day: where so many times share no span, none do. */
const TIMES_MAX = 400;
const SAMPLE_START = '2026-01-01' as Day; // any day would do

/** The span of a pattern, from its own times. */
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

/** A day and a time of it, as a clock on the wall shows them. */
export interface WallTime {
  readonly day: Day;
  /** Minutes since midnight. */
  readonly minute: number;
}

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
