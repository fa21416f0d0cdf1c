/** A fuzz of sheets that must find nothing, of any size. */
import path from 'node:path';
import { expect } from 'vitest';
import { fuzz } from '../support/sheet-fuzz/sheet-fuzz.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

export async function expectNoFailures(mutants: number, seed: number): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const report = await fuzz({
      mutants,
      seed,
      workers: mutants > 100 ? 2 : 1,
      folder,
      keep: path.join(folder, 'kept'),
    });
    expect(report.failures.map(({ index, what }) => `seed ${seed}, mutant ${index}: ${what}`)).toEqual([]);
    const verdicts = Object.fromEntries(report.verdicts);
    expect(Object.values(verdicts).reduce((sum, number) => sum + number)).toBe(mutants);
    // Mutants that all end in the same way would try nothing.
    for (const format of ['xlsx', 'csv']) {
      for (const verdict of ['ready', 'issues', 'fault']) {
        expect(verdicts[`${format} ${verdict}`], `${format} ${verdict}`).toBeGreaterThan(mutants / 50);
      }
    }
    expect(report.totals.get('csv: the same')).toBeGreaterThan(mutants / 15);
  });
}
