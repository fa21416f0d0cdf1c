/** What many seeds came to: counted as they end, added up over workers, and told in a few lines. */

import type { DrawOptions } from './draw-world.ts';
import { type FaultKind, faultKinds } from './fault-kinds.ts';
import { type SeedResult, simulate } from './simulation.ts';
import type { Situation } from './situation.ts';
import { turnOf } from './themes.ts';

export interface BrokenRule {
  readonly seed: number;
  readonly rule: string;
  readonly what: string;
}

export interface SeedTally {
  seeds: number;
  payouts: number;
  posts: number;
  runs: number;
  crashes: number;
  simulatedMs: number;
  /** Most orders that a crash left without an answer, in multiples of the concurrency. */
  claimedAtCrash: number;
  readonly brokenSeeds: number[];
  readonly broken: BrokenRule[];
  readonly faults: Map<FaultKind, number>;
  /** Seeds in which each situation came about. */
  readonly situations: Map<Situation, number>;
  /** Seeds in which both kinds of fault happened, by the names of the two. */
  readonly pairs: Map<string, number>;
  readonly transitions: Map<string, number>;
  readonly moves: Map<string, number>;
  readonly crashPoints: Map<string, number>;
  readonly outcomes: Map<string, number>;
}

/** Broken rules that are kept in full; all are counted by their seeds. */
const BROKEN_MAX = 2000;

export const emptyTally = (): SeedTally => ({
  seeds: 0,
  payouts: 0,
  posts: 0,
  runs: 0,
  crashes: 0,
  simulatedMs: 0,
  claimedAtCrash: 0,
  brokenSeeds: [],
  broken: [],
  faults: new Map(),
  situations: new Map(),
  pairs: new Map(),
  transitions: new Map(),
  moves: new Map(),
  crashPoints: new Map(),
  outcomes: new Map(),
});

export interface SeedRange {
  readonly from: number;
  readonly seeds: number;
  /** Only those of the range that have these turns in the table of themes (`themes.ts`). */
  readonly turns?: readonly number[];
}

/** Runs the seeds of a range one after the other. */
export async function tallySeeds({ from, seeds, turns }: SeedRange, options: DrawOptions = {}): Promise<SeedTally> {
  const tally = emptyTally();
  for (let seed = from; seed < from + seeds; seed++) {
    if (turns && !turns.includes(turnOf(seed))) continue;
    count(tally, await simulate(seed, options));
  }
  return tally;
}

function count(tally: SeedTally, result: SeedResult): void {
  tally.seeds += 1;
  tally.payouts += result.payouts;
  tally.posts += result.posts;
  tally.runs += result.runs;
  tally.crashes += result.crashes;
  tally.simulatedMs += result.simulatedMs;
  tally.claimedAtCrash = Math.max(tally.claimedAtCrash, result.claimedAtCrash);
  if (result.violations.length > 0) tally.brokenSeeds.push(result.seed);
  for (const { rule, what } of result.violations) keep(tally, { seed: result.seed, rule, what });
  const seen = faultKinds.filter((kind) => result.faults.has(kind));
  for (const [index, one] of seen.entries()) {
    raise(tally.faults, one, 1);
    for (const other of seen.slice(index + 1)) raise(tally.pairs, pairName(one, other), 1);
  }
  for (const situation of result.situations) raise(tally.situations, situation, 1);
  for (const [transition, times] of result.transitions) raise(tally.transitions, transition, times);
  for (const [move, times] of result.moves) raise(tally.moves, move, times);
  for (const point of result.crashPoints) raise(tally.crashPoints, point, 1);
  for (const [outcome, times] of result.outcomes) raise(tally.outcomes, outcome, times);
}

export const pairName = (one: FaultKind, other: FaultKind): string => `${one} + ${other}`;

function keep(tally: SeedTally, broken: BrokenRule): void {
  if (tally.broken.length < BROKEN_MAX) tally.broken.push(broken);
}

const raise = <K>(counts: Map<K, number>, key: K, by: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + by);

/** Adds what another worker counted. */
export function addTally(sum: SeedTally, other: SeedTally): void {
  sum.seeds += other.seeds;
  sum.payouts += other.payouts;
  sum.posts += other.posts;
  sum.runs += other.runs;
  sum.crashes += other.crashes;
  sum.simulatedMs += other.simulatedMs;
  sum.claimedAtCrash = Math.max(sum.claimedAtCrash, other.claimedAtCrash);
  sum.brokenSeeds.push(...other.brokenSeeds);
  for (const broken of other.broken) keep(sum, broken);
  for (const [kind, times] of other.faults) raise(sum.faults, kind, times);
  for (const [situation, times] of other.situations) raise(sum.situations, situation, times);
  for (const [pair, times] of other.pairs) raise(sum.pairs, pair, times);
  for (const [transition, times] of other.transitions) raise(sum.transitions, transition, times);
  for (const [move, times] of other.moves) raise(sum.moves, move, times);
  for (const [point, times] of other.crashPoints) raise(sum.crashPoints, point, times);
  for (const [outcome, times] of other.outcomes) raise(sum.outcomes, outcome, times);
}
