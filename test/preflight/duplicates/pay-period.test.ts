import { describe, expect, test } from 'vitest';
import { contentBatchKey, namedBatchKey } from '../../../src/domain/ids.ts';
import { heldDays, isWithin, periodsAt } from '../../../src/preflight/duplicates/pay-period.ts';

const ZONE = 'Africa/Nairobi';
const DAYS = { withinDays: 45, samePersonDays: 25, otherPeriodDays: 5 };
const at = (iso: string): number => Date.parse(iso);
const occasion = (name: string | undefined, plannedAt: number) => ({
  key: name === undefined ? contentBatchKey('content') : namedBatchKey(name),
  plannedAt,
});
/** Days for which a batch of a Friday in November stands in the way of a sheet of December. */
const days = (name: string | undefined, earlier: string | undefined, on = '2026-11-27T09:00:00Z'): number =>
  heldDays(occasion(name, at('2026-12-04T09:00:00Z')), occasion(earlier, at(on)), DAYS, ZONE);

describe('an earlier batch stands in the way of the same payments', () => {
  test.each<[string, string | undefined, string | undefined, number]>([
    ['longest, when the sheet has no name', undefined, 'salaries-2026-11', 45],
    ['for a shorter time, when the name says no period', 'december', 'november', 25],
    ['as long, when the name says a date: the clock says no less', 'wages-2026-12-04', 'wages-2026-11-27', 25],
    ['as long, when the number of the name is no month', 'run-2026-13', 'run-2026-12', 25],
    ['longest, when both are of the same month', 'salaries-2026-11-fixed', 'salaries-2026-11', 45],
    ['longest, when it has no name and was planned in the month', 'salaries-2026-11', undefined, 45],
    ['for some days, when it is of another month', 'salaries-2026-12', 'salaries-2026-11', 5],
    ['for some days, when it has no name and was planned in another month', 'salaries-2026-12', undefined, 5],
    ['for some days, when its name is a word and it was planned in another month', 'salaries-2026-12', 'november', 5],
    ['for some days, when it is of another week', 'wages-2026-w49', 'wages-2026-w48', 5],
    ['for some days, when it has no name and was planned in another week', '2026-W49', undefined, 5],
    ['longest, when it was planned in the week', '2026-W48', 'friday', 45],
    ['longest, when its own name says the month, whenever it was planned', '2026.10', 'late-2026_10', 45],
    ['for some days, when it is of another of the first months', 'salaries-2026-04', 'salaries-2026-03', 5],
    ['for some days, when it is of another of the first weeks', 'wages-2026-w06', 'wages-2026-w05', 5],
    ['for some days, when it is of the last week of a long year', 'wages-2026-w52', 'wages-2026-w53', 5],
    ['for some days, when the week follows the year at once', 'wages2026w49', 'wages2026w48', 5],
    ['as long, when more digits follow what would be a month', 'run-2026-121', 'run-2026-111', 25],
    ['as long, when more digits follow what would be a week', 'run-2026-w491', 'run-2026-w481', 25],
  ])('%s', (_, name, earlier, held) => {
    expect(days(name, earlier)).toBe(held);
  });

  test('by the month and week of the configured zone', () => {
    expect(days('salaries-2026-12', undefined, '2026-11-30T22:00:00Z')).toBe(45);
    expect(days('salaries-2026-12', undefined, '2026-11-30T20:00:00Z')).toBe(5);
  });

  test('until so many days have passed, and when its time lies ahead', () => {
    const now = occasion(undefined, at('2026-12-04T09:00:00Z'));
    expect(isWithin(now, occasion('x', at('2026-11-29T09:00:01Z')), 5)).toBe(true);
    expect(isWithin(now, occasion('x', at('2026-11-29T09:00:00Z')), 5)).toBe(false);
    expect(isWithin(now, occasion('x', at('2027-01-01T00:00:00Z')), 5)).toBe(true);
  });
});

test.each([
  ['2026-11-27', '2026-11', '2026-w48'],
  ['2027-01-01', '2027-01', '2026-w53'],
  ['2024-12-30', '2024-12', '2025-w01'],
  ['2026-01-04', '2026-01', '2026-w01'],
  ['2026-01-05', '2026-01', '2026-w02'],
])('%s is in month %s and week %s', (date, month, week) => {
  expect(periodsAt(at(`${date}T12:00:00Z`), ZONE)).toEqual([month, week]);
});
