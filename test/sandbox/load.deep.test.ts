/** The campaign `sandbox-load` in short. */
import { describe, expect, test } from 'vitest';
import { loadSandbox } from '../support/load/sandbox-load.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

describe('twenty clients at once', () => {
  test('find every request in the books exactly once, and the books right to the cent, also after a sudden death', async () => {
    await inTemporaryFolder(async (folder) => {
      const seed = 7;
      const report = await loadSandbox({ clients: 20, seconds: 2, atLeast: 200, seed, folder });
      expect(report.violations.map((violation) => `seed ${seed}: ${violation}`)).toEqual([]);
      // A load that did next to nothing would show nothing.
      expect(report.requests).toBeGreaterThanOrEqual(200);
      for (const name of ['submit-order', 'look-up', 'balance', 'buy-airtime', 'pay-bill', 'request-deposit']) {
        expect(report.counts.get(name), name).toBeGreaterThan(0);
      }
    });
  });
});
