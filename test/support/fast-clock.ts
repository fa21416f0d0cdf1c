import type { Clock } from '../../src/domain/clock.ts';
import { systemClock } from '../../src/system.ts';

/** How many of its milliseconds pass in one of the machine's. */
const TIMES = 5;

/**
 * A clock for tests that wait for settling, silence and polling, and for nothing of the machine's own. It begins now, and
 * must be the clock of all that takes part: run and service. Time limits of requests stay real, child processes have the machine's clock.
 */
export function fastClock(): Clock {
  const [wallMs, steadyMs] = [systemClock.now(), systemClock.monotonicMs()];
  const passedMs = (): number => (systemClock.monotonicMs() - steadyMs) * TIMES;
  return {
    now: () => Math.floor(wallMs + passedMs()),
    monotonicMs: () => steadyMs + passedMs(),
    sleep: (ms, signal) => systemClock.sleep(ms / TIMES, signal),
  };
}
