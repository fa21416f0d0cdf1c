/** The short form of `npm run campaign:planted-bugs`: the simulation must be able to fail. */
import { describe, expect, test } from 'vitest';
import { hunt, plant, withCopy } from './plant.ts';
import { plantedBugs } from './planted-bugs.ts';

/** Bugs that must be found at once. */
const CANARIES = ['an order is submitted before its claim is on disk', 'accepted means paid'];
const SEEDS = Array.from({ length: 30 }, (_, index) => index + 1);
/** Copying, starting and running take this long on a slow machine that is busy, in milliseconds. */
const CANARY_MS_MAX = 1_800_000;

describe('planted bugs', () => {
  test.each(CANARIES)('is caught within a few seeds: %s', { timeout: CANARY_MS_MAX }, async (name) => {
    const bug = plantedBugs.find((one) => one.name === name);
    if (!bug) throw new Error(`There is no planted bug "${name}"`);
    const hunted = await withCopy((sound) =>
      withCopy(async (planted) => {
        expect(await plant([bug], planted)).toBe(true);
        return hunt({ planted, sound, seeds: SEEDS });
      }),
    );
    expect(hunted).toMatchObject({ caught: { rule: expect.stringMatching(/^M\d+$/) } });
  });
});
