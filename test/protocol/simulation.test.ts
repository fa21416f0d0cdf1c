/** The short form of `npm run campaign:simulation`: the same seeds every time, so that a failure can be looked at. */
import { availableParallelism } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FaultKind, faultKinds, lies } from './fault-kinds.ts';
import { pointKinds } from './machine.ts';
import { simulate } from './simulation.ts';
import type { SeedTally } from './tally.ts';
import { tallyInWorkers } from './tally-in-workers.ts';
import { possiblePairs } from './tally-text.ts';

const SEEDS = 300;
/** The marks beside a ledger, by which a lost one is known, are no part of the simulated disk; e2e/ledger-lost has them. */
const unmodelled: ReadonlySet<FaultKind> = new Set(['ledger-lost', 'ledger-restored']);
/** A slow machine that is busy takes this long for them, in milliseconds. */
const CAMPAIGN_MS_MAX = 300_000;
/** Most pairs of faults meet within so few seeds; the campaign meets them all. */
const PAIRS_SHARE = 0.7;
/** Lies are rare, and some can only be told of orders of many lines. */
const LIES_SHARE = 0.5;

const rules: readonly (readonly [rule: string, sentence: string])[] = [
  ['BUG', 'no run ends as a bug would end it'],
  ['M1', 'nobody is paid twice'],
  ['M2', 'every payment is the planned one'],
  ['M3', 'nobody is paid who is not in the plan'],
  ['M4', 'nothing unpaid reads completed, and no contradiction goes unnoticed'],
  ['M5', 'nothing that is paid, or may be, reads as if it could be paid again'],
  ['M6', 'every row stands once in the report, and the sums agree'],
  ['M7', 'nothing is submitted without a claim of its own on the disk'],
  ['M8', 'an id is always submitted with the same bytes'],
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
];

/** Transitions of the protocol that a run can make; T1, T12 and T15 belong to commands that there are not yet. */
const transitions = ['T0', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T8', 'T9', 'T10', 'T11', 'T13', 'T14'];

let tally: SeedTally;

beforeAll(async () => {
  tally = await tallyInWorkers({
    from: 1,
    seeds: SEEDS,
    workers: Math.min(4, availableParallelism()),
    without: unmodelled,
    known: new Set(),
    stopAtFirst: false,
  });
}, CAMPAIGN_MS_MAX);

describe(`over ${SEEDS} seeds of crashes, faults and two runs at once`, () => {
  test.each(rules)('%s: %s', (rule) => {
    expect(tally.broken.filter((broken) => broken.rule === rule)).toEqual([]);
  });

  test('no rule is broken that is not in this list', () => {
    const known = new Set(rules.map(([rule]) => rule));
    expect(tally.broken.filter(({ rule }) => !known.has(rule))).toEqual([]);
  });

  test('every fault happens, and a process dies at every await of its ports', () => {
    expect(tally.seeds).toBe(SEEDS);
    const told: readonly string[] = lies;
    expect(
      faultKinds.filter((kind) => !told.includes(kind) && !unmodelled.has(kind) && !tally.faults.has(kind)),
    ).toEqual([]);
    expect(lies.filter((kind) => tally.faults.has(kind)).length).toBeGreaterThan(lies.length * LIES_SHARE);
    expect(pointKinds.filter((kind) => !tally.crashPoints.has(kind))).toEqual([]);
  });

  test('every transition is made, and most pairs of faults meet', () => {
    expect(transitions.filter((transition) => !tally.transitions.has(transition))).toEqual([]);
    const pairs = possiblePairs();
    const met = pairs.filter((pair) => tally.pairs.has(pair));
    expect(met.length).toBeGreaterThan(pairs.length * PAIRS_SHARE);
  });
});

describe('a seed', () => {
  test.each([3, 11, 42, 118, 234])('gives the same log again: %i', async (seed) => {
    const first = await simulate(seed);
    const second = await simulate(seed);
    expect(first.log.length).toBeGreaterThan(10);
    expect(second.digest()).toBe(first.digest());
  });

  test('gives another log than the next one', async () => {
    expect((await simulate(5)).digest()).not.toBe((await simulate(6)).digest());
  });
});
