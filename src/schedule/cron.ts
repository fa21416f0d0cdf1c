/** Cron patterns. croner reads a pattern as wall-clock times without a time zone; `momentOf` places each of them in its zone. */
import { Cron } from 'croner';
import { weekOf } from '../domain/clock.ts';
import { type Day, dayFrom } from './day.ts';
import { minuteFrom, timeText, type WallTime } from './wall-time.ts';

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
    yield { day, minute: minuteFrom(time.slice(0, 'hh:mm'.length)) };
  }
}

/** The span that one payment of a pattern covers: the longest span that never holds two times of the pattern. */
export type Span = 'month' | 'week' | 'day' | 'moment';

const spans: Readonly<Record<Span, (wall: WallTime) => string>> = {
  month: ({ day }) => day.slice(0, 'yyyy-mm'.length),
  week: ({ day }) => weekOf(day),
  day: ({ day }) => day,
  moment: ({ day, minute }) => `${day}-${timeText(minute).replace(':', '')}`,
};

/** Returns the name of the period of this span that a time is in: `2026-12`, `2026-w52`, `2026-12-25` or `2026-12-25-0900`. */
export const periodOf = (span: Span, wall: WallTime): string => spans[span](wall);

/**
 * Number of times of a pattern to examine: years of a weekly pattern, and months of a daily one. If no two of these share a
 * span, no later ones do.
 */
const TIMES_MAX = 400;
const SAMPLE_START = '2026-01-01' as Day; // any day would do

/** Returns the span that one payment of a pattern covers, found from the pattern's own times. */
export function spanOf(pattern: string): Span {
  const seen = new Set<string>();
  let left: readonly Span[] = ['month', 'week', 'day'];
  let times = 0;
  for (const wall of timesOf(pattern, SAMPLE_START)) {
    const names = left.map((span) => periodOf(span, wall));
    left = left.filter((_, index) => !seen.has(names[index] ?? ''));
    for (const name of names) seen.add(name);
    times += 1;
    if (left.length === 0 || times === TIMES_MAX) break;
  }
  return left[0] ?? 'moment';
}
