/** Chance that can be played again: the same seed gives the same numbers on every machine. */
export interface Chance {
  /** A whole number from 0 up to, not including, `below`. */
  readonly below: (below: number) => number;
  /** A whole number between the two, both included. */
  readonly between: (least: number, most: number) => number;
  /** True once in `times` draws on average. */
  readonly onceIn: (times: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
}

/** Mulberry32 over a seed of 32 bits; two seeds (of a campaign and of a case) may be mixed. */
export function chanceOf(seed: number, more = 0): Chance {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(more + 0x7f4a7c15, 0xc2b2ae35)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    onceIn: (times) => below(times) === 0,
    pick: (from) => {
      const found = from[below(from.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
  };
}
