/** The results of many rows, written by a program of its own and read back by our own reader. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect } from 'vitest';
import { resultsColumns } from '../../src/results/columns.ts';
import { openSheet } from '../../src/sheet/open-sheet.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const amountColumn = resultsColumns.findIndex(({ heading }) => heading === 'Amount') + 1;

/** Writes so many and asserts that each stands there. Gives the most that was alive in buffers meanwhile, in MB. */
export function expectEveryRowWritten(count: number): Promise<number> {
  return inTemporaryFolder(async (folder) => {
    const program = path.resolve('test/support/programs/write-many-results.ts');
    const options = ['--expose-gc', program, folder, String(count)];
    const told = JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }));
    let rows = 0;
    let sum = 0;
    const sheet = await openSheet(told.path, { worksheet: 'Results', ownResults: true });
    try {
      for await (const block of sheet.rows()) {
        for (const { number, cells } of block) {
          // The headings, and the sums below.
          if (number === 1 || cells[0]?.text === 'Total') continue;
          rows += 1;
          sum += Number(cells.find(({ column }) => column === amountColumn)?.text);
        }
      }
    } finally {
      await sheet.close();
    }
    expect(rows).toBe(count);
    // The rows from 2 on are paid 15,000 and as much as their number each.
    expect(sum).toBe(count * 15_000 + ((count + 1) * (count + 2)) / 2 - 1);
    return told.buffersMb;
  });
}
