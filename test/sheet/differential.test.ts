import { beforeEach, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { faultsOfOthers } from '../support/second-readers/faults-of-others.ts';
import { hasXlsxwriter, pythonWithOpenpyxl } from '../support/second-readers/python.ts';
import { differential } from '../support/second-readers/sheet-differential.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

beforeEach(needs(pythonWithOpenpyxl !== undefined && hasXlsxwriter, 'python3 with openpyxl and xlsxwriter'));

test('four programs write a hundred workbooks, and three readers agree on every cell but for the listed faults of others', async () => {
  await inTemporaryFolder(async (folder) => {
    const report = await differential(folder, 100, 2);
    expect(report.unwritten).toBe(0);
    expect([...report.written.values()]).toEqual([25, 25, 25, 25]);
    expect(report.compared).toBeGreaterThan(2_000);
    expect(
      report.unexplained.map(({ made, other, address, ours, theirs }) => ({
        workbook: `seed 2, ${made.seed} by ${made.program}`,
        other,
        address,
        ours,
        theirs,
      })),
    ).toEqual([]);
    // A table that explained nothing would not have been asked.
    expect([...report.explained.keys()].length).toBeGreaterThan(5);
    expect(new Set(faultsOfOthers.map(({ id }) => id)).size).toBe(faultsOfOthers.length);
  });
});
