/**
 * The time of a run: the wall clock as it stood when the run began, moved on by the clock that never jumps. What proves
 * that an order is absent is made of waiting, and a wall clock that is set forward while a run waits would pretend that
 * it waited long enough. While a computer sleeps this time stands still, which only makes waits longer.
 */
import type { Clock } from '../domain/clock.ts';

export function steadyClock(clock: Clock): Clock {
  const wallStart = clock.now();
  const start = clock.monotonicMs();
  return {
    now: () => Math.round(wallStart + (clock.monotonicMs() - start)),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    ...(clock.haste !== undefined && { haste: clock.haste }),
  };
}
