/** A schedule: which sheet is paid on which days. As a person said it; nothing of it is worked out before it is used. */

import { Fault } from '../domain/fault.ts';
import type { DecimalMark } from '../domain/number-format.ts';
import type { Span } from './cron.ts';
import { partsOf } from './day.ts';
import type { Holidays } from './holidays.ts';
import { type Occurrence, type Timetable, timeText } from './occurrences.ts';
import { type Roll, type Rule, ruleFrom } from './rule.ts';

/** How its sheets are read: what `run` would be told. */
export interface ScheduledReading {
  readonly worksheet?: string;
  readonly delimiter?: string;
  readonly encoding?: string;
  /** Mapping of headings by its name. */
  readonly map?: string;
  readonly currency?: string;
  readonly decimals?: DecimalMark;
  readonly purpose?: string;
  readonly acceptFixes?: true;
  /** Folder for the files that are written, as a whole path. */
  readonly out?: string;
}

/** Its payments are made by approved plans alone. */
export interface ApprovedPlans {
  /** Whole path of the folder where plans and approvals lie; missing: beside each sheet. */
  readonly folder?: string;
}

export interface Schedule {
  readonly name: string;
  /** Whole path of its sheets, with placeholders for the period. */
  readonly sheet: string;
  /** The rule in words. */
  readonly on: string;
  /** `09:00`; missing where the rule says its own time. */
  readonly at?: string;
  readonly timezone: string;
  readonly roll?: Roll;
  /** Countries (`KE`) and whole paths of files; a later one corrects those before it. */
  readonly holidays?: readonly string[];
  /** For how long after its time a payment is made up for; missing: as the configuration says. */
  readonly catchUpHours?: number;
  readonly reading: ScheduledReading;
  /** Missing: control totals do as well. */
  readonly approvals?: ApprovedPlans;
  /** Payments before this moment are none of its own. Wall-clock milliseconds. */
  readonly since: number;
  /** User and machine that added it. */
  readonly by: string;
  /** Wall-clock milliseconds; missing while it is not paused. */
  readonly pausedSince?: number;
}

/** With a period behind it, it still names a batch, and a file on every system. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/;
/** A year in the name could be taken for the period behind it. */
const YEAR = /20\d\d/;

/** A name for a schedule; a Fault `usage` for a text that cannot be one. */
export function scheduleName(text: string): string {
  if (NAME.test(text) && !YEAR.test(text)) return text;
  throw new Fault(
    'usage',
    `"${text}" cannot name a schedule.`,
    'Use up to 32 small letters, digits, - and _, without a year: the period comes behind it, as in payroll-2026-12.',
  );
}

/** What the batch of a period is called: whoever triggers it, and however often, it is this one batch. */
export const batchNameOf = ({ name }: Pick<Schedule, 'name'>, { period }: Pick<Occurrence, 'period'>): string =>
  `${name}-${period}`;

const MINUTES_PER_HOUR = 60;

/** Minutes since midnight of `09:00`. A Fault `usage` for any other text. */
export function minuteFrom(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours !== undefined) return Number(hours) * MINUTES_PER_HOUR + Number(minutes);
  throw new Fault('usage', `"${text}" is not a time of day.`, 'Write it with 24 hours, for example 09:00 or 16:30.');
}

/** When a schedule pays, with its holidays read. */
export function timetableOf(
  schedule: Pick<Schedule, 'on' | 'at' | 'roll' | 'timezone'>,
  holidays: Holidays,
): Timetable {
  const { on, at, roll, timezone } = schedule;
  return {
    rule: ruleFrom(on),
    minute: at === undefined ? 0 : minuteFrom(at),
    timezone,
    holidays,
    ...(roll && { roll }),
  };
}

const two = (number: number): string => String(number).padStart(2, '0');

/** What a placeholder stands for. Numbers are those of the day as it was meant, not of the one that it was moved to. */
const placeholders = {
  yyyy: ({ nominal }) => String(partsOf(nominal).year),
  MM: ({ nominal }) => two(partsOf(nominal).month),
  dd: ({ nominal }) => two(partsOf(nominal).day),
  HH: ({ wall }) => timeText(wall.minute).slice(0, 2),
  mm: ({ wall }) => timeText(wall.minute).slice(3),
  period: ({ period }) => period,
} as const satisfies Record<string, (occurrence: Occurrence) => string>;

type Placeholder = keyof typeof placeholders;

const isPlaceholder = (text: string): text is Placeholder => Object.hasOwn(placeholders, text);

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** What tells the sheets of two periods from each other, without `{period}`. */
const neededBy: Readonly<Record<Span, readonly Placeholder[]>> = {
  month: ['yyyy', 'MM'],
  week: ['yyyy', 'MM', 'dd'],
  day: ['yyyy', 'MM', 'dd'],
  moment: ['yyyy', 'MM', 'dd', 'HH', 'mm'],
};

/** A Fault `usage` where the sheets of two periods would have one name: last month's could be paid once more. */
export function requireOwnSheets(pattern: string, rule: Rule): void {
  const used = [...pattern.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const strange = used.find((name) => !isPlaceholder(name));
  const known = Object.keys(placeholders).map((name) => `{${name}}`);
  if (strange !== undefined)
    throw new Fault(
      'usage',
      `{${strange}} in the name of the sheet stands for nothing.`,
      `There are: ${known.join(' ')}.`,
    );
  const needed = neededBy[rule.tag === 'cron' ? rule.span : 'month'];
  if (used.includes('period') || needed.every((name) => used.includes(name))) return;
  throw new Fault(
    'usage',
    'Each period needs a sheet of its own name: one that stays there would be paid again.',
    `Name it with ${needed.map((name) => `{${name}}`).join('-')} or {period}, for example payroll-${needed.map((name) => `{${name}}`).join('-')}.xlsx`,
  );
}

/** The sheet of a period. */
export const sheetOf = ({ sheet }: Pick<Schedule, 'sheet'>, occurrence: Occurrence): string =>
  sheet.replace(PLACEHOLDER, (whole, name: string) => (isPlaceholder(name) ? placeholders[name](occurrence) : whole));

/** The rule in words: `last weekday at 09:00, Africa/Nairobi`. */
export function ruleText({ on, at, roll, timezone }: Pick<Schedule, 'on' | 'at' | 'roll' | 'timezone'>): string {
  const moved = roll === undefined ? '' : `, moved ${roll} from weekends and holidays`;
  return `${on}${at === undefined ? '' : ` at ${at}`}${moved}, ${timezone}`;
}
