import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { expectEveryRowWritten } from './written-rows.ts';

/**
 * Above the 13 MB that the streams of the zip hold when they are full, which a slow disk does to them, and below the 36 MB of
 * this workbook, packed. Its worksheet has more than 256 MiB of XML: more than a payout sheet may have.
 */
const ALIVE_MAX_MB = 24;

test('the results of 250,000 rows lose none, do not pile up in memory, and are read again', {
  timeout: 1_800_000,
}, async () => {
  expect(await expectEveryRowWritten(250_000)).toBeLessThan(ALIVE_MAX_MB);
});

test('a workbook waits for a slow disk instead of piling up in memory', { timeout: 600_000 }, () => {
  const options = ['--expose-gc', 'test/support/programs/write-to-slow-disk.ts', '30000', '10'];
  const { writtenMb, aliveMb } = JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' }));
  expect(writtenMb).toBeGreaterThanOrEqual(7);
  expect(aliveMb).toBeLessThan(ALIVE_MAX_MB);
});
