import { describe, expect, test } from 'vitest';
import { judge } from '../../../src/cli/drill/judge.ts';
import type { ResultRow } from '../../../src/domain/batch.ts';
import type { Outcome } from '../../../src/domain/outcome.ts';
import type { Books } from '../../../src/sandbox/sandbox.ts';

const AMOUNT = { minor: 10_000n, currency: 'KES' };

/** One row with this outcome; the books hold the given payments of it. */
async function judged(
  outcome: Outcome,
  payments: readonly { readonly amount?: string; readonly paid: boolean }[],
  needsPerson = false,
) {
  const row = { row: 2, outcome, trace: 't', payout: { amount: AMOUNT } } as unknown as ResultRow; // all that is read
  const lines = payments.map(({ amount = '100.00', paid }) => ({ trace: 't', amount, receipt: paid ? 'R' : null }));
  async function* rows(): AsyncGenerator<readonly ResultRow[]> {
    yield [row];
  }
  return judge(
    rows(),
    { orders: [{ id: 'o', lines, posts: 1 }], register: {} } as unknown as Books,
    async () => needsPerson,
  );
}

describe('the judge of a drill', () => {
  test.each<[string, Outcome, Parameters<typeof judged>[1], object]>([
    ['a completed row that was paid', 'completed', [{ paid: true }], { once: 1, violations: [] }],
    ['a refused row that the books do not know', 'refused', [], { lost: 0, violations: [] }],
    ['an open row', 'in-doubt', [{ paid: false }], { openAtEnd: 1, violations: [] }],
    ['a row paid twice', 'completed', [{ paid: true }, { paid: true }], { twice: 1, once: 0 }],
    ['a row that is nowhere', 'pending', [], { lost: 1, needWord: 0 }],
    ['a row in doubt that is nowhere', 'in-doubt', [], { lost: 1, needWord: 0 }],
    ['a row said to be paid', 'completed', [{ paid: false }], { falsePaid: 1 }],
    ['a failed row that was paid', 'failed', [{ paid: true }], { falseUnpaid: 1 }],
    ['an unsent row that was paid', 'unsent', [{ paid: true }], { falseUnpaid: 1 }],
    [
      'another amount',
      'completed',
      [{ amount: '100.01', paid: true }],
      { violations: ['row 2: the books hold 100.01 instead of 100.00'] },
    ],
  ])('sees %s', async (_, outcome, payments, expected) => {
    const verdict = await judged(outcome, payments);
    expect(verdict).toMatchObject(expected);
    const { twice, lost, falsePaid, falseUnpaid } = verdict;
    expect(verdict.violations.length > 0).toBe(
      twice + lost + falsePaid + falseUnpaid > 0 || payments.some(({ amount }) => amount !== undefined),
    );
  });

  test.each<[string, Outcome, Parameters<typeof judged>[1], object]>([
    ['is no loss where it is in doubt', 'in-doubt', [], { lost: 0, openAtEnd: 1, needWord: 1, violations: [] }],
    ['is lost where it waits for its end', 'pending', [], { lost: 1, needWord: 0 }],
    ['is open where the books hold it', 'in-doubt', [{ paid: true }], { lost: 0, openAtEnd: 1, needWord: 0 }],
    [
      'is paid twice where the books hold it twice',
      'in-doubt',
      [{ paid: true }, { paid: true }],
      { twice: 1, needWord: 0 },
    ],
  ])('sees that a row that is never submitted again %s', async (_, outcome, payments, expected) => {
    expect(await judged(outcome, payments, true)).toMatchObject(expected);
  });
});
