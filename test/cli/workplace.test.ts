import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/cli/config/load-config.ts';
import type { Shell } from '../../src/cli/shell.ts';
import { Workplace, type WorkplaceOptions } from '../../src/cli/workplace.ts';
import { openTransport } from '../../src/client/transport.ts';
import { Secrets } from '../../src/domain/secrets.ts';
import { useOwnFolder } from '../../src/files/own-folder.ts';
import { systemClock, systemRandom } from '../../src/system.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

/** A workplace of the practice profile, and how often it read its configuration. */
function workplaceIn(folder: string, options: Partial<WorkplaceOptions> = {}) {
  let readings = 0;
  const shell = {
    clock: systemClock,
    random: systemRandom,
    secrets: new Secrets(),
    config() {
      readings += 1;
      return loadConfig({}, { PAYBATCH_HOME: folder }, folder);
    },
  } as unknown as Shell; // as much as a workplace asks of it
  const workplace = new Workplace(shell, {
    command: 'test',
    hold: useOwnFolder,
    transport: () => openTransport(1),
    ...options,
  });
  return { workplace, readings: () => readings };
}

describe('a workplace', () => {
  test('opens nothing before it is asked for, and each part once', () =>
    inTemporaryFolder(async (folder) => {
      const { workplace, readings } = workplaceIn(folder);
      await using _ = workplace;
      expect(readings()).toBe(0);
      const place = `${folder}/sandbox`;
      expect(workplace.settings().sandbox).toBe(true);
      expect(existsSync(place)).toBe(false);
      const [first, second] = await Promise.all([workplace.client(), workplace.client()]);
      expect(first).toBe(second);
      expect(await workplace.ledger()).toBe(await workplace.ledger());
      expect(existsSync(place)).toBe(true);
      expect(readings()).toBe(1);
    }));

  test('practises beside another one with books of its own where it may, and is refused where it may not', () =>
    inTemporaryFolder(async (folder) => {
      const { workplace: other } = workplaceIn(folder);
      await other.client();
      const { workplace: refused } = workplaceIn(folder);
      await expect(refused.client()).rejects.toMatchObject({ code: 'ledger-held' });
      await refused[Symbol.asyncDispose]();
      const { workplace: beside } = workplaceIn(folder, { practisesBeside: true });
      await beside.client();
      expect([other.hasOwnBooks, beside.hasOwnBooks]).toEqual([true, false]);
      await Promise.all([other, beside].map((one) => one[Symbol.asyncDispose]()));
      const { workplace: later } = workplaceIn(folder);
      await using _ = later;
      await expect(later.client()).resolves.toBeDefined();
    }));
});
