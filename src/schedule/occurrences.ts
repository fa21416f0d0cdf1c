/** The dates of a schedule: for each period one day, one local time, and its moment. Pure. */
import { Fault } from '../domain/fault.ts';
import { periodOf, timesOf } from './cron.ts';
import { addDays, addMonths, type Day, daysOf, isWeekend, type Month, partsOf, weekdayOf } from './day.ts';
import type { Holidays } from './holidays.ts';
import type { Holiday } from './ics.ts';
import type { Roll, Rule } from './rule.ts';
import { momentOf, type WallTime, wallTimeAt } from './wall-time.ts';

/** When a schedule pays. */
export interface Timetable {
  readonly rule: Rule;
  readonly roll?: Roll;
  /** Time of day, in minutes since midnight. A cron pattern has its own times and ignores it. */
  readonly minute: number;
  readonly timezone: string;
  readonly holidays: Holidays;
}

export interface Occurrence {
  /**
   * Name of the period that is paid: `2026-12`, `2026-w52`, `2026-12-25` or `2026-12-25-0900`. It follows from the day as it
   * was meant, before anything moved it.
   */
  readonly period: string;
  /** The day that the rule means, before a weekend or a holiday moves it. */
  readonly nominal: Day;
  /** Day and time of the payment on the clocks of the zone. */
  readonly wall: WallTime;
  /** Moment of the payment, in wall-clock milliseconds since 1970. */
  readonly at: number;
  /** Holidays that the payment avoids, or falls on because nothing moves it, in the order of their days. */
  readonly holidays: readonly NamedHoliday[];
  /** The last day that the holidays cover, if the payment comes after it. Whether its day is a holiday is then unknown. */
  readonly holidaysEnd?: Day;
}

/** A holiday on its day. */
export interface NamedHoliday extends Holiday {
  readonly day: Day;
}

type CronRule = Extract<Rule, { readonly tag: 'cron' }>;

/** The most by which any zone changes its clock. */
const CLOCK_CHANGE_MS = 86_400_000;
/** The most days by which weekends and holidays move a payment. */
const ROLL_DAYS_MAX = 31;

/**
 * Yields the dates from a moment on, each period once and in order. The dates have no end, unless they follow a cron pattern
 * that has one.
 */
export function* occurrencesFrom(timetable: Timetable, from: number): Generator<Occurrence> {
  const { rule, timezone } = timetable;
  // Starts a day early: a payment can move over the end of a month, and a clock that is set back shows an hour twice.
  const start = addDays(wallTimeAt(from, timezone).day, -1);
  const all = rule.tag === 'cron' ? cronDates(rule, timetable, start) : monthDates(timetable, start);
  for (const one of all) if (one.at >= from) yield one;
}

/** Returns the dates from one moment up to another, in the order of their moments. */
export function occurrencesBetween(timetable: Timetable, from: number, to: number): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (const one of occurrencesFrom(timetable, from)) {
    // A time that clocks skip moves later, and so can come after the next times.
    if (one.at > to + CLOCK_CHANGE_MS) break;
    if (one.at <= to) found.push(one);
  }
  return found.sort((a, b) => a.at - b.at);
}

function* monthDates(timetable: Timetable, start: Day): Generator<Occurrence> {
  const { minute, timezone } = timetable;
  for (let month = addMonths(partsOf(start), -1); ; month = addMonths(month, 1)) {
    const nominal = dayIn(month, timetable);
    const wall = { day: rolled(nominal, timetable), minute };
    const met = holidaysMet(wall.day, wantedDay(month, nominal, timetable), timetable);
    yield { period: monthText(month), nominal, wall, at: momentOf(wall, timezone), ...met };
  }
}

/** Yields the first time of a pattern in each period. Further times in the same period are the same payment. */
function* cronDates({ pattern, span }: CronRule, timetable: Timetable, start: Day): Generator<Occurrence> {
  let last = '';
  for (const wall of timesOf(pattern, start)) {
    const period = periodOf(span, wall);
    if (period === last) continue;
    last = period;
    const met = holidaysMet(wall.day, wall.day, timetable);
    yield { period, nominal: wall.day, wall, at: momentOf(wall, timetable.timezone), ...met };
  }
}

const monthText = ({ year, month }: Month): string => `${year}-${String(month).padStart(2, '0')}`;

/** Returns the day of a month that the rule means. Throws a Fault `configuration` if holidays leave none. */
function dayIn(month: Month, { rule, holidays }: Timetable): Day {
  const days = daysOf(month);
  const fitting = days.filter((day) => {
    if (rule.tag === 'working-day') return isWorking(day, holidays);
    return rule.tag === 'weekday' ? weekdayOf(day) === rule.weekday : true;
  });
  const found = rule.tag === 'day' ? days[Math.min(rule.day, days.length) - 1] : fitting.at(nthOf(rule));
  if (found === undefined) throw noWorkingDay(monthText(month));
  return found;
}

/** Returns the index of the rule's nth day: from 0, or -1 for the last one. */
const nthOf = (rule: Rule): number => ('nth' in rule ? (rule.nth > 0 ? rule.nth - 1 : rule.nth) : 0);

const isWorking = (day: Day, holidays: Holidays): boolean => !(isWeekend(day) || holidays.on(day));

/** Returns the day on which the payment would be made if there were no weekends and holidays. */
function wantedDay(month: Month, nominal: Day, { rule }: Timetable): Day {
  if (rule.tag !== 'working-day') return nominal;
  return (rule.nth === -1 ? daysOf(month).at(-1) : daysOf(month)[0]) ?? nominal;
}

/** Returns the holidays that fall on weekdays between the wanted day and the day of payment, both included. */
function holidaysMet(day: Day, wanted: Day, { holidays }: Timetable): Pick<Occurrence, 'holidays' | 'holidaysEnd'> {
  const [from, to] = day < wanted ? [day, wanted] : [wanted, day];
  const met: NamedHoliday[] = [];
  for (let one = from; one <= to; one = addDays(one, 1)) {
    const holiday = isWeekend(one) ? undefined : holidays.on(one);
    if (holiday) met.push({ ...holiday, day: one });
  }
  const { until } = holidays;
  return { holidays: met, ...(until !== undefined && to > until && { holidaysEnd: until }) };
}

/**
 * Returns the day itself, or the nearest working day before or after it, as the schedule rolls. Throws a Fault
 * `configuration` if there is none within `ROLL_DAYS_MAX`.
 */
function rolled(day: Day, { rule, roll, holidays }: Timetable): Day {
  if (roll === undefined || rule.tag === 'working-day') return day;
  const step = roll === 'back' ? -1 : 1;
  for (let moved = 0; moved <= ROLL_DAYS_MAX; moved++) {
    const candidate = addDays(day, moved * step);
    if (isWorking(candidate, holidays)) return candidate;
  }
  throw noWorkingDay(day);
}

const noWorkingDay = (when: string): Fault =>
  new Fault(
    'configuration',
    `The holidays leave no working day for ${when}. Nothing was sent.`,
    'Correct the file of holidays.',
  );
