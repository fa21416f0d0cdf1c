/** The machine behind the ports: its clock and its randomness. Only the edges import it; the rooms are given theirs. */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Random } from './domain/clock.ts';

/** The clock of this machine. A sleep ends immediately when its signal is aborted. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await delay(Math.min(ms, 2 ** 31 - 1), undefined, signal ? { signal } : {});
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    }
  },
};

/** Unpredictable randomness: a number from 0 to less than 1. */
export const systemRandom: Random = () => randomInt(2 ** 40) / 2 ** 40;
