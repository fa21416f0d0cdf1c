/** That the campaign's bugs can be planted; that some are caught is `planted-bugs.deep.test.ts`. */
import { describe, expect, test } from 'vitest';
import { withBug } from './plant.ts';
import { plantedBugs } from './planted-bugs.ts';

describe('planted bugs', () => {
  test('each has a name of its own and fits the sources', async () => {
    expect(new Set(plantedBugs.map(({ name }) => name)).size).toBe(plantedBugs.length);
    const texts = await Promise.all(plantedBugs.map((bug) => withBug(bug)));
    expect(plantedBugs.filter((_bug, index) => texts[index] === undefined).map(({ name }) => name)).toEqual([]);
  });
});
