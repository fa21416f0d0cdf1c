/** That the campaign's bugs can be planted; that some are caught is `planted-bugs.deep.test.ts`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { withBugs } from './plant.ts';
import { defencesOf, plantedBugs } from './planted-bugs.ts';

describe('planted bugs', () => {
  test('each has a name of its own and fits the sources', async () => {
    expect(new Set(plantedBugs.map(({ name }) => name)).size).toBe(plantedBugs.length);
    const texts = await Promise.all(plantedBugs.map((bug) => withBugs([bug])));
    expect(plantedBugs.filter((_bug, index) => texts[index] === undefined).map(({ name }) => name)).toEqual([]);
  });

  test('the seeds that are kept are those of bugs that are there', async () => {
    const kept = JSON.parse(await readFile(path.join(import.meta.dirname, 'catching-seeds.json'), 'utf8'));
    const names = plantedBugs.map(({ name }) => name);
    expect(Object.keys(kept).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.values(kept).every(Number.isInteger)).toBe(true);
  });

  test('one that another defence holds can be planted together with what takes that away', async () => {
    const behind = plantedBugs.filter((bug) => bug.behind !== undefined);
    expect(behind.length).toBeGreaterThan(0);
    for (const bug of behind) {
      const defences = defencesOf(bug);
      expect(defences).not.toContain(bug);
      expect(await withBugs([bug, ...defences]), bug.name).toBeDefined();
    }
  });

  test('one that the simulation cannot catch is held by a test that is there', async () => {
    const proofs = plantedBugs.flatMap(({ heldBy }) => heldBy ?? []);
    expect(proofs.length).toBeGreaterThan(0);
    const missing: string[] = [];
    for (const proof of proofs) {
      const [file = '', name = ''] = proof.split(': ');
      const text = await readFile(path.join(import.meta.dirname, '..', '..', file), 'utf8');
      if (!text.includes(`test('${name}'`)) missing.push(proof);
    }
    expect(missing).toEqual([]);
  });
});
