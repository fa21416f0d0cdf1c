/** Who asks the service to stop orders in a world, when, and what this service makes of it. */
import { type Chance, chanceOf } from '../../support/seeded-random.ts';
import type { FaultKind } from './fault-kinds.ts';

/**
 * `honest`: what is pending becomes rejected at once. `ignored`: it says so, and does nothing. `late`: it says so, and does it
 * some time after, where the line is still pending then.
 */
export type RejectHabit = (typeof habits)[number];
const habits = ['honest', 'ignored', 'late'] as const;

export interface Rejecting {
  /** How often somebody comes to it while a run may be going. */
  readonly duringRuns: number;
  /** How often between two runs. */
  readonly betweenRuns: number;
  /** Whether once more when all is calm. */
  readonly calmly: boolean;
  /** How many of these processes are ended in the middle. */
  readonly crashes: number;
  readonly habit: RejectHabit;
}

export const nobodyRejects: Rejecting = { duringRuns: 0, betweenRuns: 0, calmly: false, crashes: 0, habit: 'honest' };

/** Somebody who comes to it again and again. */
export const oftenRejecting = (chance: Chance): Rejecting => ({
  duringRuns: chance.between(1, 3),
  betweenRuns: chance.between(1, 2),
  calmly: true,
  crashes: 0,
  habit: chance.pick(habits),
});

/** Somebody who asks at every occasion. */
export const alwaysRejecting: Rejecting = { duringRuns: 3, betweenRuns: 2, calmly: true, crashes: 0, habit: 'honest' };

/** Drawn from numbers of its own: whatever is drawn here leaves the rest of the world as it is. */
export function drawRejecting(seed: number, allowed: (kind: FaultKind) => boolean): Rejecting {
  const chance = chanceOf(seed, 4712);
  if (!allowed('withdrawn') || chance.onceIn(2)) return nobodyRejects;
  const habit = chance.pick(habits);
  return {
    duringRuns: chance.below(3),
    betweenRuns: chance.below(2),
    calmly: chance.onceIn(2),
    crashes: allowed('crash') && chance.onceIn(2) ? 1 : 0,
    habit: habit === 'honest' || allowed(`reject-${habit}`) ? habit : 'honest',
  };
}
