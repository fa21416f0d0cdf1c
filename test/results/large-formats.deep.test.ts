import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LISTED_ROWS_MAX } from '../../src/results/html/rows-table.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const ROWS = 20_000;

/** Rows pass through; a process that has loaded paybatch takes 150 MB by itself. One format made anew for each time took 500. */
const RSS_MAX_MB = 380;

test.each([
  ['csv', /\r\n/g, ROWS + 1],
  ['html', /<tr data-outcome=/g, LISTED_ROWS_MAX],
] as const)('the %s of 20,000 rows has what it should, in memory that does not grow with them', (format, row, count) =>
  inTemporaryFolder(async (folder) => {
    const program = path.resolve('test/support/programs/write-many-results.ts');
    const told = JSON.parse(
      execFileSync(process.execPath, [program, folder, String(ROWS), format], { encoding: 'utf8' }),
    );
    expect((await readFile(told.path, 'utf8')).match(row)).toHaveLength(count);
    expect(told.rssMb).toBeLessThan(RSS_MAX_MB);
  }),
);
