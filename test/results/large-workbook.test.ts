import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resultsColumns } from '../../src/results/columns.ts';
import { openSheet } from '../../src/sheet/open-sheet.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const amountColumn = resultsColumns.findIndex(({ heading }) => heading === 'Amount') + 1;

test('the results of 20,000 rows lose none and do not pile up in memory', { timeout: 300_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const program = path.resolve('test/support/programs/write-many-results.ts');
    const told = JSON.parse(execFileSync(process.execPath, [program, folder, '20000'], { encoding: 'utf8' }));
    // The worksheet alone is more than 25 MB of XML: this fails when it is held back anywhere.
    expect(told.buffersMb).toBeLessThan(12);
    let rows = 0;
    let sum = 0;
    const sheet = await openSheet(told.path, { worksheet: 'Results', ownResults: true });
    try {
      for await (const block of sheet.rows()) {
        for (const { number, cells } of block) {
          if (number === 1) continue;
          rows += 1;
          sum += Number(cells.find(({ column }) => column === amountColumn)?.text);
        }
      }
    } finally {
      await sheet.close();
    }
    expect(rows).toBe(20_000);
    // Rows 2 to 20,001 are paid 15,000 and as much as their number each.
    expect(sum).toBe(20_000 * 15_000 + (20_001 * 20_002) / 2 - 1);
  }),
);
