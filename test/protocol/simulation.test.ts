/** The short form of `npm run campaign:simulation`: the same seeds every time, so that a failure can be looked at. */
import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { faultKinds } from './fault-kinds.ts';
import { pointKinds } from './machine.ts';
import { expectedMoves } from './moves.ts';
import { simulate } from './simulation.ts';
import { addTally, type BrokenRule, emptyTally } from './tally.ts';
import { tallyInWorkers } from './tally-in-workers.ts';
import { possiblePairs, transitions } from './tally-text.ts';

const SEEDS = 2000;
const RANGE = 200;
/** A slow machine that is busy takes this long for a range, in milliseconds. */
const RANGE_MS_MAX = 300_000;
/** Most pairs of faults meet within so few seeds; the campaign meets them all. */
const PAIRS_SHARE = 0.9;
/** Moves that take a lie at the right moment; the campaign makes them all. */
const RARE_MOVES = 4;

const rules = new Map([
  ['BUG', 'no run ends as a bug would end it'],
  ['M1', 'nobody is paid twice'],
  ['M2', 'every payment is the planned one'],
  ['M3', 'nobody is paid who is not in the plan'],
  ['M4', 'nothing unpaid reads completed, and no contradiction goes unnoticed'],
  ['M5', 'nothing that is paid, or may be, reads as if it could be paid again'],
  ['M6', 'every row stands once in the report, and the sums agree'],
  ['M7', 'nothing is submitted without a claim of its own on the disk'],
  ['M8', 'an id is always submitted with the same bytes'],
  ['M9', 'no row is tried again while an earlier attempt has paid it, or may'],
  ['M10', 'nothing is submitted after a stop, an alarm, a failed write or a lost lease'],
  ['M11', 'no more is in flight than allowed, and silence is kept when the service asks for it'],
  ['M12', 'what was completed stays completed'],
  ['M13', 'a run of a finished batch asks and sends nothing'],
  ['M14', 'the exit code follows from the rows and the alarms'],
  ['M15', 'no secret stands in the ledger'],
  ['M16', 'the fees are those of the books'],
  ['M17', 'the chain of facts holds, and the ledger agrees with it'],
  ['M18', 'every run comes to its end, and every row to the end that the service gave it'],
  ['M20', 'an id is submitted again only after the proof that the rule asks for'],
  ['M21', 'no id is ever made that was not planned'],
  ['M22', 'a crash leaves no more orders to be found out than two blocks'],
  ['M23', 'the facts of every order follow each other as the protocol allows'],
  ['T12', 'only what somebody meant to stop is stopped'],
]);

const ranges = Array.from({ length: SEEDS / RANGE }, (_, index) => [index * RANGE + 1, (index + 1) * RANGE] as const);
const sum = emptyTally();

const toldOf = ({ seed, rule, what }: BrokenRule): string =>
  `${what} (${rule}: ${rules.get(rule)}; see node test/campaigns/simulate.ts --seed ${seed})`;

describe(`over ${SEEDS} seeds of 20 to 200 payouts with crashes, faults and two runs at once`, () => {
  test.each(ranges)('no rule is broken by seeds %i to %i', { timeout: RANGE_MS_MAX }, async (from, to) => {
    const tally = await tallyInWorkers({
      from,
      seeds: to - from + 1,
      workers: Math.min(4, availableParallelism()),
      without: new Set(),
      known: new Set(),
      stopAtFirst: false,
    });
    addTally(sum, tally);
    expect(tally.broken.map(toldOf)).toEqual([]);
    expect(tally.brokenSeeds).toEqual([]);
  });

  test('every fault happens, and a process dies at every await of its ports', () => {
    expect(sum.seeds).toBe(SEEDS);
    expect(faultKinds.filter((kind) => !sum.faults.has(kind))).toEqual([]);
    expect(pointKinds.filter((kind) => !sum.crashPoints.has(kind))).toEqual([]);
  });

  test('every transition is made, nearly every move of the ledger, and most pairs of faults meet', () => {
    expect(transitions.filter((transition) => !sum.transitions.has(transition))).toEqual([]);
    expect(expectedMoves.filter((move) => !sum.moves.has(move)).length).toBeLessThanOrEqual(RARE_MOVES);
    const pairs = possiblePairs();
    const met = pairs.filter((pair) => sum.pairs.has(pair));
    expect(met.length).toBeGreaterThan(pairs.length * PAIRS_SHARE);
  });
});

describe('a seed', () => {
  test.each([3, 11, 42, 118, 234])('gives the same log again: %i', { timeout: RANGE_MS_MAX }, async (seed) => {
    const first = await simulate(seed);
    const second = await simulate(seed);
    expect(first.log.length).toBeGreaterThan(10);
    expect(second.digest()).toBe(first.digest());
  });

  test('gives another log than the next one', { timeout: RANGE_MS_MAX }, async () => {
    expect((await simulate(5)).digest()).not.toBe((await simulate(6)).digest());
  });
});
