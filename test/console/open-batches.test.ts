import { expect, test } from 'vitest';
import { openBatchesPart } from '../../src/console/open-batches.ts';

test('that no payment is in doubt is said of the batches that were looked at, and of no other', () => {
  const site = { base: '/x', options: '' };
  const none = { seen: [], open: [], atWork: [] };
  expect(openBatchesPart(site, { ...none, older: 0 }).text).toContain('>No payment is in doubt');
  const part = openBatchesPart(site, { ...none, older: 3 }).text;
  expect(part).toContain('>Of the latest batches no payment is in doubt');
  expect(part).toContain('The 3 batches before');
});
