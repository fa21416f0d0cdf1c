import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localClock } from '../../src/domain/clock.ts';
import { type Timeline, TimelineCounter } from '../../src/results/timeline.ts';
import { money } from '../support/result-rows.ts';

const KES = money(0).currency;
const NOON = Date.UTC(2026, 10, 21, 9);

function timelineOf(times: readonly (number | undefined)[], zone = 'UTC'): Timeline {
  const counter = new TimelineCounter(KES, localClock(zone));
  for (const at of times) counter.add(money(100), at);
  return counter.timeline();
}

const countOf = ({ steps, untimed }: Timeline): number => steps.reduce((sum, { count }) => sum + count, untimed.count);

describe('the timeline of a batch', () => {
  test('is empty where nothing was completed', () => {
    expect(timelineOf([])).toEqual({ steps: [], widthMs: 1000, untimed: { count: 0, amount: money(0) } });
  });

  test('of one row is one second', () => {
    expect(timelineOf([NOON + 250])).toMatchObject({ steps: [{ from: NOON, count: 1, amount: money(100) }] });
  });

  test('has steps on the clocks of the zone, and none is left out between two', () => {
    const { steps, widthMs } = timelineOf([NOON, NOON + 3_600_000], 'Asia/Kolkata');
    expect(widthMs).toBe(600_000);
    expect(steps.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 0, 1]);
    expect(new Date(steps[0]?.from ?? 0).toISOString()).toBe('2026-11-21T14:30:00.000Z');
  });

  test('counts each of 100,000 rows once, in twelve steps at most', () => {
    const times = Array.from({ length: 100_000 }, (_, index) => NOON + ((index * 7919) % 100_000) * 431);
    const { steps, widthMs } = timelineOf(times);
    expect([steps.length, widthMs]).toEqual([12, 3_600_000]);
    expect(countOf({ steps, widthMs, untimed: { count: 0, amount: money(0) } })).toBe(100_000);
  });

  test('is the same in whatever order rows come, and loses none of them', () => {
    const time = fc.oneof(
      fc.integer({ min: 0, max: 400_000 }),
      fc.integer({ min: 0, max: 90_000_000 }),
      fc.integer({ min: -60_000_000_000_000, max: 200_000_000_000_000 }),
    );
    fc.assert(
      fc.property(fc.array(time, { maxLength: 12 }), fc.gen(), (offsets, gen) => {
        const times = offsets.map((offset) => NOON + offset);
        const shuffled = gen(fc.shuffledSubarray, times, { minLength: times.length });
        const found = timelineOf(times);
        expect(timelineOf(shuffled)).toEqual(found);
        expect(countOf(found)).toBe(times.length);
        expect(found.steps.length).toBeLessThanOrEqual(12);
      }),
    );
  });
});
