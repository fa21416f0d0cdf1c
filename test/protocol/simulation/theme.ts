/** What a theme of a world is (`themes.ts`). */
import type { Chance } from '../../support/seeded-random.ts';
import type { FaultKind, Lie } from './fault-kinds.ts';
import type { World } from './world.ts';

export interface Theme {
  /** Faults that it is about: without one of them there is no such theme. */
  readonly about: readonly FaultKind[];
  /** Time limits and silences are short: such a world waits much. */
  readonly isFast?: boolean;
  /** Share of rows that do not simply end as completed. */
  readonly unusualPercent?: number;
  readonly lie?: Lie;
  readonly shape: (world: World, chance: Chance) => World;
}

/** The element of a round: each in turn, then from the first on again. */
export function inTurn<T>(list: readonly T[], round: number): T {
  const one = list[round % list.length];
  if (one === undefined) throw new Error('nothing to take in turn');
  return one;
}
