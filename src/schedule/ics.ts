/**
 * Holidays in an iCalendar file (RFC 5545): events of whole days, once or every year. Any other rule of repetition is refused,
 * because a day that is overlooked is a wrong pay day.
 */
import { addDays, type Day, dayFrom, partsOf } from './day.ts';

/** A holiday of more days than this is a slip of the pen. */
const DAYS_MAX = 31;

interface Line {
  readonly number: number;
  /** In capital letters, without its parameters. */
  readonly name: string;
  readonly value: string;
}

/** Joins lines that were folded (section 3.1), and takes names from values. */
function linesOf(text: string): readonly Line[] {
  const whole: { number: number; text: string }[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const last = whole.at(-1);
    if (/^[ \t]/.test(line) && last) last.text += line.slice(1);
    else if (line !== '') whole.push({ number: index + 1, text: line });
  }
  return whole.map(({ number, text: line }) => {
    // Parameters in quotes may hold a colon.
    const [, name = '', value = ''] = /^([\w-]+)(?:;(?:"[^"]*"|[^":])*)?:(.*)$/s.exec(line) ?? [];
    return { number, name: name.toUpperCase(), value: value.trim() };
  });
}

/** The holidays of a calendar. Throws a HolidayMistake. */
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
    if (odd)
      throw new HolidayMistake(odd.number, `${odd.name} is not understood: give such days as events of their own.`);
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

/** The lines of each VEVENT, without those of alarms in it. */
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

/** Whether a cancelled event was of whole days, once: one of these is no holiday. Of appointments and series nothing is said. */
const isOfDays = ({ lines }: Event): boolean =>
  lines.every(({ name }) => name !== 'RRULE') &&
  lines.filter(({ name }) => name === 'DTSTART' || name === 'DTEND').every(({ value }) => /^\d{8}$/.test(value));

/** SUMMARY, with its escapes undone (section 3.3.11). */
const nameOf = (event: Event): string =>
  (firstOf(event, 'SUMMARY') ?? '').replace(/\\([\\;,nN])/g, (_, one: string) => (/n/i.test(one) ? ' ' : one));

/** From DTSTART up to DTEND, which is the first day after it (section 3.6.1), or for DURATION; else one day. */
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

/** Days alone: an event with a time of day is an appointment, and nobody can tell whether offices are closed. */
function datesOf({ number, name, value }: Line): readonly Day[] {
  return value.split(',').map((text) => {
    const day = dayFrom(text.trim());
    if (day === undefined)
      throw new HolidayMistake(number, `${name} is no whole day, like ${name};VALUE=DATE:20261225.`);
    return day;
  });
}

function daysIn({ number, value }: Line): number {
  const [, count, unit] = /^P(\d{1,3})([DW])$/.exec(value) ?? [];
  if (count === undefined) throw new HolidayMistake(number, 'DURATION is not a number of days, like P1D.');
  return Number(count) * (unit === 'W' ? 7 : 1);
}

/** FREQ=YEARLY on the day of the first one, for ever, UNTIL a day, or COUNT times. */
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
    // Which years have the day is not counted here.
    !(parts.has('COUNT') && own?.month === 2 && own.day === 29) &&
    [...parts.keys()].every((name) => KNOWN.has(name ?? ''));
  if (!isSimple) {
    throw new HolidayMistake(
      number,
      'Only FREQ=YEARLY on the same day is understood: give other days as events of their own.',
    );
  }
  const until = lastOf(number, parts, own?.year ?? 0);
  // UNTIL and EXDATE speak of the first day of an event, and go for the days after it.
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
    if (day === undefined) throw new HolidayMistake(line, 'UNTIL is no day.');
    return day;
  }
  if (count === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(count)) throw new HolidayMistake(line, 'COUNT is no number.');
  return dayFrom(`${String(year + Number(count) - 1).padStart(4, '0')}-12-31`);
}

/** What makes a day a holiday. */
export interface Holiday {
  /** As its calendar calls it; may be empty. */
  readonly name: string;
  /** It is announced shortly before (STATUS:TENTATIVE), and may be another day. */
  readonly isExpected: boolean;
}

/** A holiday that comes again on the same day of the year. */
export interface YearlyHoliday {
  readonly holiday: Holiday;
  readonly first: Day;
  /** The last day on which it may be; missing: for ever. */
  readonly until?: Day;
  /** Years in which it is not. */
  readonly except: readonly Day[];
}

export interface HolidayList {
  /** Null: the day is none (STATUS:CANCELLED). */
  readonly once: readonly { readonly day: Day; readonly holiday: Holiday | null }[];
  readonly yearly: readonly YearlyHoliday[];
}

/** What is wrong in a line of such a file. */
export class HolidayMistake extends Error {
  /** From 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}
