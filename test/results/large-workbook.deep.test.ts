import { expect, test } from 'vitest';
import { expectEveryRowWritten } from './written-rows.ts';

test('the results of 250,000 rows lose none, do not pile up in memory, and are read again', {
  timeout: 1_800_000,
}, async () => {
  // The worksheet alone is more than 256 MiB of XML: more than a payout sheet may have. This fails when it is held back anywhere.
  expect(await expectEveryRowWritten(250_000)).toBeLessThan(12);
});
