import { describe, expect, test } from 'vitest';
import type { BatchId } from '../../src/domain/ids.ts';
import { type Outcome, outcomes } from '../../src/domain/outcome.ts';
import { outcomeView, payAgainOf } from '../../src/results/outcome-view.ts';

test('every outcome counts to one of five parts, and looks like what it means', () => {
  expect(outcomeView).toEqual({
    completed: { look: 'good', part: 'paid' },
    rejected: { look: 'bad', part: 'not-paid' },
    refused: { look: 'bad', part: 'not-paid' },
    failed: { look: 'bad', part: 'not-paid' },
    'timed-out': { look: 'check', part: 'to-check' },
    'in-doubt': { look: 'check', part: 'to-check' },
    pending: { look: 'wait', part: 'to-check' },
    unsent: { look: 'muted', part: 'not-sent' },
    invalid: { look: 'bad', part: 'not-paid' },
    'left-out': { look: 'muted', part: 'left-out' },
  } satisfies Record<Outcome, object>);
});

describe('whether a row may be paid again', () => {
  const answers = (over: Omit<Parameters<typeof payAgainOf>[0], 'outcome'>): Record<string, readonly Outcome[]> =>
    Object.groupBy(outcomes, (outcome) => payAgainOf({ outcome, ...over }).word) as Record<string, Outcome[]>;

  const asKnown = {
    No: ['completed', 'pending'],
    Yes: ['rejected', 'refused', 'failed', 'unsent', 'invalid', 'left-out'],
    'Check first': ['timed-out', 'in-doubt'],
  };
  const doubted = {
    No: ['completed', 'pending'],
    'Check first': ['rejected', 'refused', 'failed', 'timed-out', 'in-doubt', 'unsent', 'invalid', 'left-out'],
  };

  test('is what its outcome says, when nothing else is known', () => {
    expect(answers({})).toEqual(asKnown);
    expect(answers({ earlierAlarms: [] })).toEqual(asKnown);
    expect(answers({ superseded: {} })).toEqual(asKnown);
  });

  test.each([
    ['an earlier attempt with an alarm', { earlierAlarms: ['it may have been paid'] }],
    ['the later batch that it was left out for', { superseded: { batch: 'december' as BatchId } }],
    ['a ledger before this one', { unconfirmed: true }],
  ] as const)('is to be checked where %s may have paid it', (_, over) => {
    expect(answers(over)).toEqual(doubted);
  });

  test('stands out only where somebody has to check', () => {
    const look = (outcome: Outcome) => payAgainOf({ outcome }).cell.look;
    expect([look('completed'), look('failed'), look('in-doubt')]).toEqual(['row', 'row', 'check']);
  });
});
