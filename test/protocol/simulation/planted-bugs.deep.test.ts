/** The short form of `npm run campaign:planted-bugs`: the simulation must be able to fail. */
import { describe, expect, test } from 'vitest';
import { plant, runSeeds, withCopy } from './plant.ts';
import { plantedBugs } from './planted-bugs.ts';

/** Bugs that must be found at once. */
const CANARIES = ['an order is submitted before its claim is on disk', 'accepted means paid'];
const SEEDS = 30;
/** Copying, starting and running take this long on a slow machine that is busy, in milliseconds. */
const CANARY_MS_MAX = 300_000;

describe('planted bugs', () => {
  test.each(CANARIES)('is caught within a few seeds: %s', { timeout: CANARY_MS_MAX }, async (name) => {
    const bug = plantedBugs.find((one) => one.name === name);
    if (!bug) throw new Error(`There is no planted bug "${name}"`);
    const broken = await withCopy(async (folder) => {
      expect(await plant([bug], folder)).toBe(true);
      return runSeeds(folder, { from: 1, seeds: SEEDS });
    });
    expect(broken).toMatchObject({ seeds: SEEDS, broken: expect.arrayContaining([expect.objectContaining({})]) });
  });
});
