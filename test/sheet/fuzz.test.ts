import path from 'node:path';
import { expect, test } from 'vitest';
import { fuzz } from '../support/sheet-fuzz/sheet-fuzz.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

test('sheets made false on purpose end as rows, problems or a fault, and what is ready has the total that others see', async () => {
  await inTemporaryFolder(async (folder) => {
    const report = await fuzz({ mutants: 1_500, seed: 20, workers: 2, folder, keep: path.join(folder, 'kept') });
    expect(report.failures.map(({ index, what }) => `seed 20, mutant ${index}: ${what}`)).toEqual([]);
    const verdicts = Object.fromEntries(report.verdicts);
    expect(Object.values(verdicts).reduce((sum, number) => sum + number)).toBe(1_500);
    // Mutants that all end in the same way would try nothing.
    for (const format of ['xlsx', 'csv']) {
      for (const verdict of ['ready', 'issues', 'fault']) expect(verdicts[`${format} ${verdict}`]).toBeGreaterThan(30);
    }
    expect(report.totals.get('csv: the same')).toBeGreaterThan(100);
  });
}, 120_000);
