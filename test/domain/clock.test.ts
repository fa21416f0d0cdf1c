import { expect, test } from 'vitest';
import { localDate, localTime } from '../../src/domain/clock.ts';

/** An hour and a half into the first of December in Nairobi. */
const NIGHT = Date.parse('2026-11-30T22:30:00Z');

test.each([
  ['Africa/Nairobi', '2026-12-01', '2026-12-01 01:30'],
  ['UTC', '2026-11-30', '2026-11-30 22:30'],
  ['America/New_York', '2026-11-30', '2026-11-30 17:30'],
])('a moment has the day and the hour of the clocks in %s', (timezone, day, minute) => {
  expect(localDate(NIGHT, timezone)).toBe(day);
  expect(localTime(NIGHT, timezone)).toBe(minute);
});
