import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Holidays, noHolidays } from '../../src/schedule/holidays.ts';
import {
  type Occurrence,
  occurrencesBetween,
  occurrencesFrom,
  type Timetable,
} from '../../src/schedule/occurrences.ts';
import { requireRoll, rolls, ruleFrom } from '../../src/schedule/rule.ts';
import { timeText, wallTimeAt } from '../../src/schedule/wall-time.ts';

const NINE = 9 * 60;

interface Choice {
  readonly timezone?: string;
  readonly minute?: number;
  readonly roll?: 'back' | 'forward';
  readonly holidays?: readonly string[];
}

const closedOn = (days: readonly string[]): Holidays => ({
  on: (day) => (days.includes(day) ? { name: 'Closed', isExpected: false } : undefined),
});

const timetable = (on: string, { timezone = 'Africa/Nairobi', minute = NINE, roll, holidays = [] }: Choice = {}) =>
  ({
    rule: ruleFrom(on),
    minute,
    timezone,
    holidays: holidays.length === 0 ? noHolidays : closedOn(holidays),
    ...(roll && { roll }),
  }) satisfies Timetable;

function first(count: number, table: Timetable, from: string): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (const one of occurrencesFrom(table, Date.parse(from))) {
    if (found.push(one) === count) break;
  }
  return found;
}

const daysOf = (occurrences: readonly Occurrence[]): readonly string[] => occurrences.map(({ wall }) => wall.day);

describe('the days of a rule', () => {
  test.each([
    ['last weekday', {}, ['2026-10-30', '2026-11-30', '2026-12-31', '2027-01-29']],
    ['first weekday', {}, ['2026-11-02', '2026-12-01', '2027-01-01', '2027-02-01']],
    ['2nd friday', {}, ['2026-10-09', '2026-11-13', '2026-12-11', '2027-01-08']],
    ['last friday', {}, ['2026-10-30', '2026-11-27', '2026-12-25', '2027-01-29']],
    ['day 25', {}, ['2026-10-25', '2026-11-25', '2026-12-25', '2027-01-25']],
    ['day 25', { roll: 'back' }, ['2026-10-23', '2026-11-25', '2026-12-25', '2027-01-25']],
    ['day 25', { roll: 'forward' }, ['2026-10-26', '2026-11-25', '2026-12-25', '2027-01-25']],
    ['last day', {}, ['2026-10-31', '2026-11-30', '2026-12-31', '2027-01-31']],
    ['cron 0 9 25 * *', {}, ['2026-10-25', '2026-11-25', '2026-12-25', '2027-01-25']],
    ['day 25', { roll: 'back', holidays: ['2026-12-25', '2026-12-24'] }, ['2026-10-23', '2026-11-25', '2026-12-23']],
    ['last weekday', { holidays: ['2026-10-30', '2026-10-29'] }, ['2026-10-28', '2026-11-30']],
    ['first weekday', { holidays: ['2027-01-01'] }, ['2026-11-02', '2026-12-01', '2027-01-04']],
  ] as const)('%s %o', (on, choice, days) => {
    expect(daysOf(first(days.length, timetable(on, choice), '2026-10-02T00:00:00Z'))).toEqual(days);
  });

  test('a day that is moved over the end of a month stays the payment of its month', () => {
    const table = timetable('day 31', { roll: 'forward' });
    const [october, november] = first(2, table, '2026-10-31T12:00:00Z');
    expect(october).toMatchObject({ period: '2026-10', nominal: '2026-10-31', wall: { day: '2026-11-02' } });
    expect(november).toMatchObject({ period: '2026-11', wall: { day: '2026-11-30' } });
  });

  test('a pattern of cron stands for the longest span that it has no two times of', () => {
    const periodsOf = (on: string) => first(2, timetable(on), '2026-12-20T00:00:00Z').map(({ period }) => period);
    expect(periodsOf('cron 0 9 25 * *')).toEqual(['2026-12', '2027-01']);
    expect(periodsOf('cron 0 9 * * 1')).toEqual(['2026-w52', '2026-w53']);
    expect(periodsOf('cron 0 9 1,15 * *')).toEqual(['2026-w53', '2027-w02']);
    expect(periodsOf('cron 0 9 * * *')).toEqual(['2026-12-20', '2026-12-21']);
    expect(periodsOf('cron 0 9,17 * * *')).toEqual(['2026-12-20-0900', '2026-12-20-1700']);
  });

  test('holidays that leave no working day are a mistake of their file, and no payment is left out in silence', () => {
    const never = { ...timetable('last weekday'), holidays: { on: () => ({ name: 'Closed', isExpected: false }) } };
    expect(() => first(1, never, '2026-10-01T00:00:00Z')).toThrow('The holidays leave no working day for');
    const moved = {
      ...timetable('day 25', { roll: 'back' }),
      holidays: { on: () => ({ name: 'Closed', isExpected: false }) },
    };
    expect(() => first(1, moved, '2026-10-01T00:00:00Z')).toThrow('no working day');
  });
});

describe('where clocks change', () => {
  test.each([
    ['skip the time', 'Europe/Berlin', '2026-03-29', 150, '2026-03-29T01:30:00.000Z', '03:30'],
    ['show the time twice', 'Europe/Berlin', '2026-10-25', 150, '2026-10-25T00:30:00.000Z', '02:30'],
    ['skip midnight', 'Africa/Cairo', '2026-04-24', 30, '2026-04-23T22:30:00.000Z', '01:30'],
    ['change by half an hour', 'Australia/Lord_Howe', '2026-10-04', 135, '2026-10-03T15:45:00.000Z', '02:45'],
  ])('and %s, the payment comes once, on its day', (_, timezone, day, minute, moment, shown) => {
    const table = timetable('cron 0 0 * * *', { timezone });
    const { rule } = table;
    if (rule.tag !== 'cron') throw new Error('no pattern');
    const pattern = `${minute % 60} ${Math.floor(minute / 60)} * * *`;
    const found = occurrencesBetween(
      { ...table, rule: { ...rule, pattern } },
      Date.parse(moment) - 86_400_000,
      Date.parse(moment) + 86_400_000,
    ).filter(({ nominal }) => nominal === day);
    expect(found.map(({ at }) => new Date(at).toISOString())).toEqual([moment]);
    const wall = wallTimeAt(Date.parse(moment), timezone);
    expect([wall.day, timeText(wall.minute)]).toEqual([day, shown]);
  });

  const zones = ['Africa/Nairobi', 'Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'Asia/Tehran', 'Pacific/Apia'];
  const rules = [
    'last weekday',
    'first weekday',
    '3rd wednesday',
    'day 25',
    'day 31',
    'cron 30 2 * * *',
    'cron 0 9 * * 5',
  ];

  test('no rule, zone, time or holiday makes a period come twice, not at all, or on another local day', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...rules),
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 24 * 60 - 1 }),
        fc.constantFrom(undefined, 'back' as const, 'forward' as const),
        fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { maxLength: 5 }),
        fc.date({ min: new Date('2019-01-01'), max: new Date('2037-01-01'), noInvalidDate: true }),
        (on, timezone, minute, way, closed, from) => {
          const roll = on.startsWith('cron') || on.endsWith('weekday') ? undefined : way;
          const holidays: Holidays = {
            on: (day) => (closed.includes(Number(day.slice(8))) ? { name: 'Closed', isExpected: false } : undefined),
          };
          const table = { ...timetable(on, { timezone, minute, ...(roll && { roll }) }), holidays };
          const year = 366 * 86_400_000;
          const found = occurrencesBetween(table, from.getTime(), from.getTime() + year);
          expect(new Set(found.map(({ period }) => period)).size).toBe(found.length);
          for (const { at, wall } of found) expect(wallTimeAt(at, timezone).day).toBe(wall.day);
          // Seen in two halves, they are the same: whoever asks later misses none.
          const half = from.getTime() + Math.floor(year / 2);
          const halves = [
            ...occurrencesBetween(table, from.getTime(), half),
            ...occurrencesBetween(table, half + 1, from.getTime() + year),
          ];
          expect(halves.map(({ period }) => period)).toEqual(found.map(({ period }) => period));
          expect(found.length).toBeGreaterThanOrEqual(11);
          if (!roll || on === 'last weekday') return;
          for (const { wall } of found) expect(holidays.on(wall.day)).toBeUndefined();
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('what is no rule', () => {
  test.each([
    '',
    'sometimes',
    'day 0',
    'day 32',
    '5th friday',
    'last',
    'second day',
    'cron',
    'cron 0 9 31 2 *',
    'cron * *',
  ])('"%s" is refused with those that there are', (on) => {
    expect(() => ruleFrom(on)).toThrow('does not say on which day to pay');
  });
});

test('only a day that can be a weekend or a holiday is moved', () => {
  for (const roll of rolls) {
    for (const on of ['day 25', '2nd friday']) expect(() => requireRoll(ruleFrom(on), roll)).not.toThrow();
    for (const on of ['last weekday', 'cron 0 9 25 * *'])
      expect(() => requireRoll(ruleFrom(on), roll)).toThrow(/day|days/);
  }
});
