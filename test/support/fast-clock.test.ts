import { expect, test } from 'vitest';
import { systemClock } from '../../src/system.ts';
import { fastClock, passingClock } from './fast-clock.ts';

/** Keeps this process from everything else, as others do who have the processor. */
function holdUp(ms: number): void {
  const until = systemClock.monotonicMs() + ms;
  while (systemClock.monotonicMs() < until);
}

test('a process that was held up does not find its deadlines over: the fast clock counts no more than a step of that', () => {
  const clock = fastClock();
  const before = clock.monotonicMs();
  holdUp(200);
  expect(clock.monotonicMs() - before).toBeLessThan(200);
});

test('a sleep of the fast clock is as long by that clock, and ends at once when nobody wants it any more', async () => {
  const clock = fastClock();
  const before = clock.now();
  await clock.sleep(300);
  expect(clock.now() - before).toBeGreaterThanOrEqual(299);
  const stop = new AbortController();
  const sleeping = clock.sleep(3_600_000, stop.signal);
  stop.abort();
  await sleeping;
});

test('a clock that goes as fast as the machine goes with it, whoever held the process up', () => {
  const clock = passingClock(1);
  const before = clock.monotonicMs();
  holdUp(50);
  expect(clock.monotonicMs() - before).toBeGreaterThanOrEqual(50);
});
