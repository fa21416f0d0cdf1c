import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rowsIn } from '../../support/sheets/checked-copies.ts';
import { faultySheet } from '../../support/sheets/faulty-sheet.ts';

const PROGRAM = path.resolve('test/support/programs/check-many-rows.ts');

async function peakOf(rows: number): Promise<{ aliveMb: number; errors: number; copy: string }> {
  const file = await faultySheet(rows);
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', PROGRAM, file], { encoding: 'utf8' }));
}

test('a sheet with two errors in every row is handed back in memory that does not grow with it', {
  timeout: 1_800_000,
}, async () => {
  const small = await peakOf(10_000);
  const large = await peakOf(30_000);
  expect([small.errors, large.errors]).toEqual([20_000, 60_000]);
  // Something was measured; and holding the issues alone would take some 30 MB more.
  expect(small.aliveMb).toBeGreaterThan(5);
  expect(large.aliveMb).toBeLessThan(small.aliveMb + 15);
  expect((await rowsIn(large.copy)).length).toBe(30_001);
});
