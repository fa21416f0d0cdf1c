/**
 * Decides how long a batch blocks the same payments. The months and weeks of a payroll look like repetitions of one sheet.
 * Two things distinguish them from a mistake: a person named the batch after another period, and days have passed.
 */
import { DAY_MS, localDate, weekOf } from '../../domain/clock.ts';
import { type BatchKey, nameOfKey } from '../../domain/ids.ts';
import type { DuplicateSettings, Settings } from '../../domain/settings.ts';

/** A batch as an occasion of paying: its name, and when it was or would be planned. */
export interface Occasion {
  readonly key: BatchKey;
  /** Wall-clock milliseconds. */
  readonly plannedAt: number;
}

type PeriodKind = 'month' | 'week';

/** How a month or a week is written in a name. A full date does not count, because it says nothing that the clock does not. */
const periodNames: Readonly<Record<PeriodKind, RegExp>> = {
  month: /(?<!\d)(20\d\d)[-._](0[1-9]|1[0-2])(?![-._]?\d)/,
  week: /(?<!\d)(20\d\d)[-._]?w(0[1-9]|[1-4]\d|5[0-3])(?!\d)/i,
};

/** Returns the period in a name, `2026-11` or `2026-w47`, or `undefined` if the name has none. */
const periodIn = (name: string, kind: PeriodKind): string | undefined => {
  const [, year, number] = periodNames[kind].exec(name) ?? [];
  return year && `${year}-${kind === 'week' ? 'w' : ''}${number}`;
};

/** Returns the period of a batch: the one in its name, or else the one in which it was planned. */
const periodOf = ({ key, plannedAt }: Occasion, kind: PeriodKind, timezone: string): string =>
  periodIn(nameOfKey(key) ?? '', kind) ?? periodAt(plannedAt, kind, timezone);

function periodAt(at: number, kind: PeriodKind, timezone: string): string {
  const date = localDate(at, timezone);
  return kind === 'week' ? weekOf(date) : date.slice(0, 'yyyy-mm'.length);
}

/** Returns for how many days after it was planned an earlier batch blocks a sheet. */
export function heldDays(
  sheet: Occasion,
  earlier: Occasion,
  { withinDays, samePersonDays, otherPeriodDays }: DuplicateSettings,
  timezone: string,
): number {
  const name = nameOfKey(sheet.key);
  if (name === undefined) return withinDays;
  const kind = (['week', 'month'] as const).find((one) => periodIn(name, one) !== undefined);
  if (!kind) return samePersonDays;
  return periodOf(sheet, kind, timezone) === periodOf(earlier, kind, timezone) ? withinDays : otherPeriodDays;
}

/** Returns the month and the week of a moment, as names write them. */
export const periodsAt = (at: number, timezone: string): readonly string[] =>
  (['month', 'week'] as const).map((kind) => periodAt(at, kind, timezone));

/** Reports whether a sheet that would be planned now comes less than `days` days after an earlier batch. */
export const isWithin = (sheet: Occasion, earlier: Occasion, days: number): boolean =>
  sheet.plannedAt - earlier.plannedAt < days * DAY_MS;

/** Reports whether an earlier batch is so recent that it blocks the same payments of a sheet that would be planned now. */
export const isHeldBy = (
  sheet: Occasion,
  earlier: Occasion,
  { duplicates, timezone }: Pick<Settings, 'duplicates' | 'timezone'>,
): boolean => isWithin(sheet, earlier, heldDays(sheet, earlier, duplicates, timezone));

/** Returns the moment that is `days` days before another one. */
export const daysBefore = (at: number, days: number): number => at - days * DAY_MS;
