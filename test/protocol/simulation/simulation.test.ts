/** The short form of `npm run campaign:simulation`: the same seeds every time, so that a failure can be looked at. */
import { describe, expect, test } from 'vitest';
import { situationOfStrike } from './plot.ts';
import { simulate } from './simulation.ts';
import { tallySeeds } from './tally.ts';
import { SHARED_TURN } from './themes.ts';
import { tallyUnbroken } from './unbroken.ts';

const SEEDS = 16;
/** A slow machine that is busy takes this long, in milliseconds. */
const SEEDS_MS_MAX = 1_800_000;

test(`no rule is broken over ${SEEDS} seeds of 20 to 200 payouts with crashes, faults and two runs at once`, {
  timeout: SEEDS_MS_MAX,
}, async () => {
  const { seeds, faults } = await tallyUnbroken(1, SEEDS);
  expect(seeds).toBe(SEEDS);
  expect(faults.size).toBeGreaterThan(0);
});

describe('a seed', () => {
  test.each([3, 42])('gives the same log again: %i', { timeout: SEEDS_MS_MAX }, async (seed) => {
    const first = await simulate(seed);
    const second = await simulate(seed);
    expect(first.log.length).toBeGreaterThan(10);
    expect(second.digest()).toBe(first.digest());
  });

  test('gives another log than the next one', { timeout: SEEDS_MS_MAX }, async () => {
    expect((await simulate(5)).digest()).not.toBe((await simulate(6)).digest());
  });
});

test('no rule is broken by several processes on one ledger, whatever strikes them', {
  timeout: SEEDS_MS_MAX,
}, async () => {
  // Ten rounds: each thing that can strike strikes once at least.
  const tally = await tallySeeds({ from: 1, seeds: 110, turns: [SHARED_TURN] });
  expect(tally.broken).toEqual([]);
  expect(tally.seeds).toBe(10);
  expect(Object.values(situationOfStrike).filter((one) => !tally.situations.has(one))).toEqual([]);
  expect(tally.situations.has('told that another run is at work')).toBe(true);
});
