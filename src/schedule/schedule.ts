/** A schedule: which sheet is paid on which days, as a person stated it. Everything else is worked out when it is used. */

import { Fault } from '../domain/fault.ts';
import type { DecimalMark } from '../domain/number-format.ts';
import { typedPath } from '../domain/typed-path.ts';
import type { Span } from './cron.ts';
import type { Holidays } from './holidays.ts';
import type { Occurrence, Timetable } from './occurrences.ts';
import { type Roll, type Rule, ruleFrom } from './rule.ts';
import { minuteFrom, timeText } from './wall-time.ts';

/** How the sheets of a schedule are read, as options of `run` would say it. */
interface ScheduledReading {
  readonly worksheet?: string;
  readonly delimiter?: string;
  readonly encoding?: string;
  /** Name of a mapping of headings. */
  readonly map?: string;
  readonly currency?: string;
  readonly decimals?: DecimalMark;
  readonly purpose?: string;
  readonly acceptFixes?: true;
  /** Absolute path of the folder for the files that are written. */
  readonly out?: string;
}

/** The rule that a schedule pays only by approved plans. */
interface ApprovedPlans {
  /** Absolute path of the folder with plans and approvals; if absent, they are next to each sheet. */
  readonly folder?: string;
}

export interface Schedule {
  readonly name: string;
  /** Absolute path of the sheets, with placeholders for the period. */
  readonly sheet: string;
  /** The rule in words. */
  readonly on: string;
  /** Time of day, for example `09:00`; absent if the rule has its own times. */
  readonly at?: string;
  readonly timezone: string;
  readonly roll?: Roll;
  /** Countries (`KE`) and absolute paths of files. A later source corrects those before it. */
  readonly holidays?: readonly string[];
  /** How long after its time a payment is still made, in hours; if absent, as configured. */
  readonly catchUpHours?: number;
  readonly reading: ScheduledReading;
  /** Present if payments need an approved plan. If absent, control totals are enough. */
  readonly approvals?: ApprovedPlans;
  /** Payments due before this moment do not belong to the schedule. Wall-clock milliseconds. */
  readonly since: number;
  /** User and machine that added the schedule. */
  readonly by: string;
  /** When the schedule was paused, in wall-clock milliseconds; absent while it is not paused. */
  readonly pausedSince?: number;
}

/** Such a name still names a batch, and a file on every system, when a period is added to it. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/;
/** A year in the name could be taken for the period that follows it. */
const YEAR = /20\d\d/;

/** Returns a text as the name of a schedule. Throws a Fault `usage` for a text that cannot be one. */
export function scheduleName(text: string): string {
  if (NAME.test(text) && !YEAR.test(text)) return text;
  throw new Fault(
    'usage',
    `"${text}" cannot name a schedule.`,
    'Use up to 32 lower-case letters, digits, - and _, without a year: the period is added at the end, as in payroll-2026-12.',
  );
}

/** Returns the name of a period's batch. No matter who triggers the period and how often, it has only this batch. */
export const batchNameOf = ({ name }: Pick<Schedule, 'name'>, { period }: Pick<Occurrence, 'period'>): string =>
  `${name}-${period}`;

/** Returns the commands by which a person makes a payment of a schedule. */
export const byHand = (
  { approvals }: Pick<Schedule, 'approvals'>,
  { sheet, batch }: { readonly sheet: string; readonly batch: string },
): string =>
  approvals
    ? `paybatch plan ${typedPath(sheet)} --batch ${batch}   and, once it is approved: paybatch apply PLAN`
    : `paybatch run ${typedPath(sheet)} --batch ${batch}`;

/** Returns when a schedule pays, given its holidays. Throws a Fault `usage` for a rule or a time that cannot be read. */
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

/** Values of the placeholders. Dates are those of the day that the rule means, not of the day to which it was moved. */
const placeholders = {
  yyyy: ({ nominal }) => nominal.slice(0, 4),
  MM: ({ nominal }) => nominal.slice(5, 7),
  dd: ({ nominal }) => nominal.slice(8),
  HH: ({ wall }) => timeText(wall.minute).slice(0, 2),
  mm: ({ wall }) => timeText(wall.minute).slice(3),
  period: ({ period }) => period,
} as const satisfies Record<string, (occurrence: Occurrence) => string>;

type Placeholder = keyof typeof placeholders;

const isPlaceholder = (text: string): text is Placeholder => Object.hasOwn(placeholders, text);

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** Placeholders that distinguish the sheets of two periods, if `{period}` is not used. */
const neededBy: Readonly<Record<Span, readonly Placeholder[]>> = {
  month: ['yyyy', 'MM'],
  week: ['yyyy', 'MM', 'dd'],
  day: ['yyyy', 'MM', 'dd'],
  moment: ['yyyy', 'MM', 'dd', 'HH', 'mm'],
};

/**
 * Throws a Fault `usage` if the sheets of two periods would have the same name, so that last month's sheet could be paid
 * again, or if the name has an unknown placeholder.
 */
export function requireOwnSheets(pattern: string, rule: Rule): void {
  const used = [...pattern.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const strange = used.find((name) => !isPlaceholder(name));
  const known = Object.keys(placeholders).map((name) => `{${name}}`);
  if (strange !== undefined)
    throw new Fault(
      'usage',
      `{${strange}} in the name of the sheet is not a placeholder.`,
      `The placeholders are: ${known.join(' ')}.`,
    );
  const needed = neededBy[rule.tag === 'cron' ? rule.span : 'month'];
  if (used.includes('period') || needed.every((name) => used.includes(name))) return;
  throw new Fault(
    'usage',
    'Each period needs a sheet with a name of its own: a sheet that stays in place would be paid again.',
    `Name it with ${needed.map((name) => `{${name}}`).join('-')} or {period}, for example payroll-${needed.map((name) => `{${name}}`).join('-')}.xlsx`,
  );
}

/** Returns the path of a period's sheet. */
export const sheetOf = ({ sheet }: Pick<Schedule, 'sheet'>, occurrence: Occurrence): string =>
  sheet.replace(PLACEHOLDER, (whole, name: string) => (isPlaceholder(name) ? placeholders[name](occurrence) : whole));

/** Returns the rule in words: `last weekday at 09:00, Africa/Nairobi`. */
export function ruleText({ on, at, roll, timezone }: Pick<Schedule, 'on' | 'at' | 'roll' | 'timezone'>): string {
  const moved = roll === undefined ? '' : `, moved ${roll} from weekends and holidays`;
  return `${on}${at === undefined ? '' : ` at ${at}`}${moved}, ${timezone}`;
}
