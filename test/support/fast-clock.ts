import type { Clock } from '../../src/domain/clock.ts';
import { systemClock } from '../../src/system.ts';

export interface PassingClock extends Clock {
  /** Sets the wall clock forward, as if nobody had been there meanwhile. */
  readonly pass: (ms: number) => void;
}

/** How many of its milliseconds pass in one of the machine's. */
const TIMES = 5;

/**
 * A clock for tests that wait for settling, silence and polling, and for nothing of the machine's own. It begins now, and
 * must be the clock of all that takes part: run and service. Time limits of requests stay real, child processes have the machine's clock.
 */
export const fastClock = (): Clock => passingClock();

/** The same for a test that also lets days pass. `times`: one, where something else goes by the machine's clock, as a server does. */
export function passingClock(times = TIMES): PassingClock {
  const [wallMs, steadyMs] = [systemClock.now(), systemClock.monotonicMs()];
  let skippedMs = 0;
  const passedMs = (): number => (systemClock.monotonicMs() - steadyMs) * times;
  return {
    pass: (ms) => {
      skippedMs += ms;
    },
    now: () => Math.floor(wallMs + skippedMs + passedMs()),
    monotonicMs: () => steadyMs + passedMs(),
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  };
}
