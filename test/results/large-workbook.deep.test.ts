import { expect, test } from 'vitest';
import { expectEveryRowWritten } from './written-rows.ts';

test('the results of 20,000 rows lose none and do not pile up in memory', { timeout: 300_000 }, async () => {
  // The worksheet alone is more than 25 MB of XML: this fails when it is held back anywhere.
  expect(await expectEveryRowWritten(20_000)).toBeLessThan(12);
});
