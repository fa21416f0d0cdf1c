import { expect, test } from 'vitest';
import { withUnconfirmed } from '../../src/results/sent-ahead.ts';
import { everyOutcome, sourceOf } from '../support/result-rows.ts';

test('the rows that count as not paid are marked, in a ledger that may not know all, and no others', async () => {
  const source = sourceOf(everyOutcome(), {}, 4);
  const marked = new Map<string, boolean>();
  const blocks: number[] = [];
  for await (const block of withUnconfirmed(source.rows())) {
    blocks.push(block.length);
    for (const { outcome, unconfirmed = false } of block) marked.set(outcome, unconfirmed);
  }
  expect(blocks).toEqual([4, 4, 3]);
  expect(Object.fromEntries(marked)).toEqual({
    completed: false,
    rejected: true,
    refused: true,
    failed: true,
    'timed-out': false,
    'in-doubt': false,
    pending: false,
    unsent: true,
    invalid: false,
    'left-out': false,
  });
});
