import type { Clock } from '../../src/domain/clock.ts';
import { systemClock } from '../../src/system.ts';

export interface PassingClock extends Clock {
  /** Sets the wall clock forward, as if nobody had been there meanwhile. */
  readonly pass: (ms: number) => void;
}

/** How many of its milliseconds pass in one of the machine's. */
const TIMES = 5;

/**
 * The longest of the machine's milliseconds that count at once. Where others have the processor, this process notices only after many
 * more that time went by. Had all of it passed, deadlines would be over before anybody here could do what they wait for: a busy machine
 * makes this clock slow, like everything that goes by it.
 */
const STEP_MS = 5;

/**
 * A clock for tests that wait for settling, silence and polling, and for nothing of the machine's own. It begins now, and
 * must be the clock of all that takes part: run and service. Time limits of requests stay real, child processes have the machine's clock.
 */
export const fastClock = (): Clock => passingClock();

/** The same without haste, for runs whose deadlines are short: they wait for as long as their own process had to work. */
export const patientClock = (): Clock => clockOf(1, STEP_MS);

/** The same for a test that also lets days pass. `times`: one, where something else goes by the machine's clock, as a server does; then all time counts. */
export const passingClock = (times = TIMES): PassingClock =>
  clockOf(times, times === 1 ? Number.POSITIVE_INFINITY : STEP_MS);

/** `stepMs`: of the machine's milliseconds, so many count at once. */
function clockOf(times: number, stepMs: number): PassingClock {
  const [wallMs, steadyMs] = [systemClock.now(), systemClock.monotonicMs()];
  let [skippedMs, passedMs, seenMs] = [0, 0, steadyMs];
  const passed = (): number => {
    const nowMs = systemClock.monotonicMs();
    passedMs += Math.min(nowMs - seenMs, stepMs) * times;
    seenMs = nowMs;
    return passedMs;
  };
  return {
    pass: (ms) => {
      skippedMs += ms;
    },
    now: () => Math.floor(wallMs + skippedMs + passed()),
    monotonicMs: () => steadyMs + passed(),
    async sleep(ms, signal) {
      const until = passed() + ms;
      do {
        const leftMs = (until - passedMs) / times;
        await systemClock.sleep(Math.min(leftMs, stepMs), signal);
      } while (signal?.aborted !== true && passed() < until);
    },
  };
}
