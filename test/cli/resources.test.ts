import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { keychainOf, loadConfig } from '../../src/cli/config/load-config.ts';
import { type ResourceOptions, Resources } from '../../src/cli/resources.ts';
import type { Shell } from '../../src/cli/shell.ts';
import { Secrets } from '../../src/domain/secrets.ts';
import { useOwnFolder } from '../../src/files/own-folder.ts';
import { openTransport } from '../../src/service/client/transport.ts';
import { systemClock, systemRandom } from '../../src/system.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

/** A resources of the practice profile, and how often it read its configuration. */
function resourcesIn(folder: string, options: Partial<ResourceOptions> = {}) {
  let readings = 0;
  const shell = {
    command: 'test',
    clock: systemClock,
    random: systemRandom,
    secrets: new Secrets(),
    config() {
      readings += 1;
      return loadConfig({}, { PAYBATCH_HOME: folder }, folder, keychainOf({}, 0));
    },
  } as unknown as Shell; // as much as a resources asks of it
  const resources = new Resources(shell, {
    hold: useOwnFolder,
    transport: async () => openTransport(1),
    ...options,
  });
  return { resources, readings: () => readings };
}

describe('a resources', () => {
  test('opens nothing before it is asked for, and each part once', () =>
    inTemporaryFolder(async (folder) => {
      const { resources, readings } = resourcesIn(folder);
      await using _ = resources;
      expect(readings()).toBe(0);
      const place = `${folder}/sandbox`;
      expect(resources.settings().sandbox).toBe(true);
      expect(existsSync(place)).toBe(false);
      const [first, second] = await Promise.all([resources.client(), resources.client()]);
      expect(first).toBe(second);
      expect(await resources.ledger()).toBe(await resources.ledger());
      expect(existsSync(place)).toBe(true);
      expect(readings()).toBe(1);
    }));

  test('practises beside another one with books of its own where it may, and is refused where it may not', () =>
    inTemporaryFolder(async (folder) => {
      const { resources: other } = resourcesIn(folder);
      await other.client();
      const { resources: refused } = resourcesIn(folder);
      await expect(refused.client()).rejects.toMatchObject({ code: 'ledger-held' });
      await refused[Symbol.asyncDispose]();
      const { resources: beside } = resourcesIn(folder, { practisesBeside: true });
      await beside.client();
      expect([other.hasOwnBooks, beside.hasOwnBooks]).toEqual([true, false]);
      await Promise.all([other, beside].map((one) => one[Symbol.asyncDispose]()));
      const { resources: later } = resourcesIn(folder);
      await using _ = later;
      await expect(later.client()).resolves.toBeDefined();
    }));
});
