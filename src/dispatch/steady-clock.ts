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

/** A moment by both clocks of the machine, in milliseconds. */
export interface Moment {
  readonly wallMs: number;
  readonly steadyMs: number;
}

export const momentNow = (clock: Clock): Moment => ({ wallMs: clock.now(), steadyMs: clock.monotonicMs() });

/** Further apart than that, and the computer slept since, or a clock was set. */
const CLOCKS_APART_MAX_MS = 1000;

/** How long ago a moment was by the clock that never jumps; 0 where the computer slept since then. */
export function sinceMoment({ wallMs, steadyMs }: Moment, clock: Clock): number {
  const steady = clock.monotonicMs() - steadyMs;
  return Math.abs(clock.now() - wallMs - steady) > CLOCKS_APART_MAX_MS ? 0 : Math.max(0, steady);
}
