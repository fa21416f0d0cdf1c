import { systemClock } from '../../src/system.ts';

/** Resolves once the condition holds; the time limit of the test ends a wait for nothing. */
export const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await systemClock.sleep(5);
};
