/**
 * Holidays in an iCalendar file (RFC 5545): events of whole days, once or every year. Any other recurrence rule is refused,
 * because an overlooked day would mean a wrong pay day.
 */
import { addDays, type Day, dayFrom, partsOf } from './day.ts';

/** The longest holiday, in days. A longer one is taken for a typing mistake. */
const DAYS_MAX = 31;

interface Line {
  readonly number: number;
  /** In capital letters, without parameters. */
  readonly name: string;
  readonly value: string;
}

/** Joins folded lines (section 3.1), and separates names from values. */
function linesOf(text: string): readonly Line[] {
  const whole: { number: number; text: string }[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const last = whole.at(-1);
    if (/^[ \t]/.test(line) && last) last.text += line.slice(1);
    else if (line !== '') whole.push({ number: index + 1, text: line });
  }
  return whole.map(({ number, text: line }) => {
    // Parameters in quotes can contain a colon.
    const [, name = '', value = ''] = /^([\w-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/s.exec(line) ?? [];
    return { number, name: name.toUpperCase(), value: value.trim() };
  });
}

/** Returns the holidays of a calendar. Throws a HolidayMistake for a line that cannot be used. */
export function icsHolidays(text: string): HolidayList {
  const once: HolidayList['once'][number][] = [];
  const yearly: YearlyHoliday[] = [];
  for (const event of eventsOf(linesOf(text))) {
    const status = firstOf(event, 'STATUS')?.toUpperCase();
    if (status === 'CANCELLED') {
      if (isOfDays(event)) once.push(...daysCovered(event).map((day) => ({ day, holiday: null })));
      continue;
    }
    const covered = daysCovered(event);
    const holiday = { name: nameOf(event), isExpected: status === 'TENTATIVE' };
    const rule = event.lines.find(({ name }) => name === 'RRULE');
    const odd = event.lines.find(({ name }) => ['RDATE', 'EXRULE', 'RECURRENCE-ID'].includes(name));
    if (odd) throw new HolidayMistake(odd.number, `${odd.name} is not supported. Enter such days as separate events.`);
    const except = event.lines.filter(({ name }) => name === 'EXDATE').flatMap(datesOf);
    if (!rule) once.push(...covered.map((day) => ({ day, holiday })));
    else yearly.push(...repeated(rule, covered, except).map((one) => ({ ...one, holiday })));
  }
  return { once, yearly };
}

interface Event {
  readonly start: number;
  readonly lines: readonly Line[];
}

/** Returns the lines of each VEVENT, without those of the alarms in it. */
function eventsOf(lines: readonly Line[]): readonly Event[] {
  const events: Event[] = [];
  let open: { start: number; lines: Line[] } | undefined;
  let depth = 0;
  for (const line of lines) {
    const what = line.value.toUpperCase();
    if (line.name === 'BEGIN' && what === 'VEVENT' && !open) open = { start: line.number, lines: [] };
    else if (line.name === 'BEGIN' && open) depth += 1;
    else if (line.name === 'END' && open && depth > 0) depth -= 1;
    else if (line.name === 'END' && what === 'VEVENT' && open) {
      events.push(open);
      open = undefined;
    } else if (open && depth === 0) open.lines.push(line);
  }
  if (open) throw new HolidayMistake(open.start, 'This event has no end: the file is cut off.');
  return events;
}

const firstOf = ({ lines }: Event, name: string): string | undefined => lines.find((line) => line.name === name)?.value;

/**
 * Reports whether a cancelled event was of whole days and did not repeat, so that its days are not holidays. A cancelled
 * appointment or series says nothing about holidays.
 */
const isOfDays = ({ lines }: Event): boolean =>
  lines.every(({ name }) => name !== 'RRULE') &&
  lines.filter(({ name }) => name === 'DTSTART' || name === 'DTEND').every(({ value }) => /^\d{8}$/.test(value));

/** Returns the SUMMARY of an event, with its escapes undone (section 3.3.11). */
const nameOf = (event: Event): string =>
  (firstOf(event, 'SUMMARY') ?? '').replace(/\\([\\;,nN])/g, (_, one: string) => (/n/i.test(one) ? ' ' : one));

/**
 * Returns the days from DTSTART up to DTEND, which is the first day after the event (section 3.6.1), or for DURATION. An
 * event with neither has one day.
 */
function daysCovered(event: Event): readonly Day[] {
  const start = event.lines.find(({ name }) => name === 'DTSTART');
  if (!start) throw new HolidayMistake(event.start, 'This event has no DTSTART.');
  const [first] = datesOf(start);
  if (!first) throw new HolidayMistake(start.number, 'DTSTART has no day.');
  const end = event.lines.find(({ name }) => name === 'DTEND');
  const duration = event.lines.find(({ name }) => name === 'DURATION');
  const after = end ? (datesOf(end)[0] ?? first) : addDays(first, duration ? daysIn(duration) : 1);
  const covered: Day[] = [];
  for (let day = first; day < after || day === first; day = addDays(day, 1)) {
    if (covered.length === DAYS_MAX)
      throw new HolidayMistake(start.number, `This event has more than ${DAYS_MAX} days.`);
    covered.push(day);
  }
  return covered;
}

/**
 * Reads the days of a line. Throws a HolidayMistake for a time of day: such an event is an appointment, and does not say
 * whether offices are closed.
 */
function datesOf({ number, name, value }: Line): readonly Day[] {
  return value.split(',').map((text) => {
    const day = dayFrom(text.trim());
    if (day === undefined)
      throw new HolidayMistake(number, `${name} is not a whole day. Write it like ${name};VALUE=DATE:20261225.`);
    return day;
  });
}

function daysIn({ number, value }: Line): number {
  const [, count, unit] = /^P(\d{1,3})([DW])$/.exec(value) ?? [];
  if (count === undefined) throw new HolidayMistake(number, 'DURATION is not a number of days, like P1D.');
  return Number(count) * (unit === 'W' ? 7 : 1);
}

/** Reads a rule of FREQ=YEARLY on the day of the first event: without end, UNTIL a day, or COUNT times. */
function repeated(
  { number, value }: Line,
  covered: readonly Day[],
  except: readonly Day[],
): readonly Omit<YearlyHoliday, 'holiday'>[] {
  const parts = new Map(value.split(';').map((part) => [part.split('=')[0]?.toUpperCase(), part.split('=')[1] ?? '']));
  const [first] = covered;
  const own = first === undefined ? undefined : partsOf(first);
  const says = (name: string, ...values: readonly string[]): boolean => values.includes(parts.get(name) ?? '');
  const isSimple =
    parts.get('FREQ')?.toUpperCase() === 'YEARLY' &&
    says('INTERVAL', '', '1') &&
    says('BYMONTH', '', String(own?.month)) &&
    says('BYMONTHDAY', '', String(own?.day)) &&
    // COUNT is not supported for 29 February, which only some years have.
    !(parts.has('COUNT') && own?.month === 2 && own.day === 29) &&
    [...parts.keys()].every((name) => KNOWN.has(name ?? ''));
  if (!isSimple) {
    throw new HolidayMistake(
      number,
      'Only FREQ=YEARLY on the same day is supported. Enter other days as separate events.',
    );
  }
  const until = lastOf(number, parts, own?.year ?? 0);
  // UNTIL and EXDATE name the first day of an event, and move along for its later days.
  return covered.map((day, index) => ({
    first: day,
    ...(until !== undefined && { until: addDays(until, index) }),
    except: except.map((one) => addDays(one, index)),
  }));
}

const KNOWN: ReadonlySet<string> = new Set(['FREQ', 'INTERVAL', 'BYMONTH', 'BYMONTHDAY', 'UNTIL', 'COUNT', 'WKST']);

function lastOf(line: number, parts: ReadonlyMap<string | undefined, string>, year: number): Day | undefined {
  const until = parts.get('UNTIL');
  const count = parts.get('COUNT');
  if (until !== undefined) {
    const day = dayFrom(until.slice(0, 'yyyymmdd'.length));
    if (day === undefined) throw new HolidayMistake(line, 'UNTIL is not a day.');
    return day;
  }
  if (count === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(count)) throw new HolidayMistake(line, 'COUNT is not a number.');
  return dayFrom(`${String(year + Number(count) - 1).padStart(4, '0')}-12-31`);
}

/** A holiday, as its calendar describes it. */
export interface Holiday {
  /** Its name in the calendar; can be empty. */
  readonly name: string;
  /** Whether the day is only expected (STATUS:TENTATIVE): it is announced shortly before, and can still move. */
  readonly isExpected: boolean;
}

/** A holiday on the same day of every year. */
export interface YearlyHoliday {
  readonly holiday: Holiday;
  readonly first: Day;
  /** The last day on which the holiday can be; absent if it has no end. */
  readonly until?: Day;
  /** Days on which the holiday is left out. */
  readonly except: readonly Day[];
}

export interface HolidayList {
  /** Single days. A null holiday says that the day is not one (STATUS:CANCELLED). */
  readonly once: readonly { readonly day: Day; readonly holiday: Holiday | null }[];
  readonly yearly: readonly YearlyHoliday[];
}

/** A line of a holiday file that cannot be used. */
export class HolidayMistake extends Error {
  /** Line number, from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
