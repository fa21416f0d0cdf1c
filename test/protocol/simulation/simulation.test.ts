/** The short form of `npm run campaign:simulation`: the same seeds every time, so that a failure can be looked at. */
import { describe, expect, test } from 'vitest';
import { situationOfStrike } from './plot.ts';
import { simulate } from './simulation.ts';
import { addTally, emptyTally, tallySeeds } from './tally.ts';
import { SHARED_TURN } from './themes.ts';
import { expectUnbroken } from './unbroken.ts';

const SEEDS = 5;
/** Of the worlds of one ledger and several processes, the smallest in which each thing that can strike them does. */
const STRUCK = [11, 33, 44, 55, 88, 99, 110, 132];
/**
 * Worlds in which the judge once saw a rule broken that nobody had broken: a process heard after a long sleep that it has the
 * lease, which the server had given to another one by then; and a request that was on its way for a minute.
 */
const MISJUDGED = [1_202_114, 1_202_387];
/**
 * Two new ledgers on two computers, where answers are lost: the probes could not go ahead, and the first order of the second ledger
 * left without a look at the other smallest ids, which the service had from the first. It was paid twice.
 */
const BEHIND_LOST_ANSWERS = 1_217_504;
/** A slow machine that is busy takes this long, in milliseconds. */
const SEEDS_MS_MAX = 1_800_000;

test(`no rule is broken over ${SEEDS} seeds of 20 to 200 payouts with crashes, faults and two runs at once`, {
  timeout: SEEDS_MS_MAX,
}, async () => {
  // So few are played before a thread for them would have begun.
  const tally = await tallySeeds({ from: 1, seeds: SEEDS });
  expectUnbroken(tally);
  expect(tally.seeds).toBe(SEEDS);
  expect(tally.faults.size).toBeGreaterThan(0);
});

test('no rule counts as broken by what came late', { timeout: SEEDS_MS_MAX }, async () => {
  const tally = emptyTally();
  for (const seed of MISJUDGED) addTally(tally, await tallySeeds({ from: seed, seeds: 1 }));
  expectUnbroken(tally);
});

test('a probe that could not go ahead leaves after a look at the other smallest ids', {
  timeout: SEEDS_MS_MAX,
}, async () => {
  expectUnbroken(await tallySeeds({ from: BEHIND_LOST_ANSWERS, seeds: 1 }));
});

describe('a seed', () => {
  test('gives the same log again, and another one than the next seed', { timeout: SEEDS_MS_MAX }, async () => {
    const first = await simulate(4);
    const again = await simulate(4);
    const next = await simulate(5);
    expect(first.log.length).toBeGreaterThan(10);
    expect(again.digest()).toBe(first.digest());
    expect(next.digest()).not.toBe(first.digest());
  });
});

test('no rule is broken by several processes on one ledger, whatever strikes them', {
  timeout: SEEDS_MS_MAX,
}, async () => {
  const tally = emptyTally();
  for (const seed of STRUCK) addTally(tally, await tallySeeds({ from: seed, seeds: 1, turns: [SHARED_TURN] }));
  expectUnbroken(tally);
  expect(tally.seeds).toBe(STRUCK.length);
  expect(Object.values(situationOfStrike).filter((one) => !tally.situations.has(one))).toEqual([]);
  expect(tally.situations.has('told that another run is at work')).toBe(true);
});
