import { expect, test } from 'vitest';
import { linesMax, packLimits } from '../../../src/audit/pack/members.ts';
import { defaultSheetLimits } from '../../../src/sheet/sheet-limits.ts';

/** Bytes of a row in all files of a pack together, one line an order: 8.6 MB of 2,000 rows. */
const ROW_BYTES = 4300;

test('a pack of the largest sheet that is read can be proven', () => {
  expect(linesMax.rows).toBeGreaterThanOrEqual(defaultSheetLimits.rows);
  expect(linesMax.orders).toBeGreaterThanOrEqual(defaultSheetLimits.rows);
  expect(linesMax.facts).toBeGreaterThanOrEqual(4 * defaultSheetLimits.rows);
  expect(packLimits.inflatedBytes).toBeGreaterThanOrEqual(ROW_BYTES * defaultSheetLimits.rows);
  expect(packLimits.entryBytes).toBeGreaterThanOrEqual(defaultSheetLimits.fileBytes);
});
