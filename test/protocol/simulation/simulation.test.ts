/** The short form of `npm run campaign:simulation`: the same seeds every time, so that a failure can be looked at. */
import { describe, expect, test } from 'vitest';
import { situationOfStrike } from './plot.ts';
import { simulate } from './simulation.ts';
import { tallySeeds } from './tally.ts';
import { SHARED_TURN } from './themes.ts';
import { tallyUnbroken } from './unbroken.ts';

const SEEDS = 5;
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
  test('gives the same log again, and another one than the next seed', { timeout: SEEDS_MS_MAX }, async () => {
    const first = await simulate(3);
    const again = await simulate(3);
    const next = await simulate(4);
    expect(first.log.length).toBeGreaterThan(10);
    expect(again.digest()).toBe(first.digest());
    expect(next.digest()).not.toBe(first.digest());
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
