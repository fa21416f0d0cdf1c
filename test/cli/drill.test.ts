import { describe, expect, test } from 'vitest';
import { judge } from '../../src/cli/drill/judge.ts';
import type { ResultRow } from '../../src/domain/batch.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { Books } from '../../src/sandbox/sandbox.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';

const TIMEOUT_MS = 90_000;

describe('a drill', () => {
  test('kills real processes under faults, and finds every payout in the books once', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(60)));
    const { end, events } = await desk.tell(['drill', 'pay.csv', '--kills', '1', '--seed', 'test']);
    const told = events.find(({ type }) => type === 'drill');
    expect(told).toMatchObject({
      payouts: 60,
      once: 60,
      twice: 0,
      lost: 0,
      falsePaid: 0,
      falseUnpaid: 0,
      openAtEnd: 0,
    });
    expect(told).toMatchObject({ violations: [] });
    const kills = Object.values(told?.['kills'] as Record<string, number>).reduce((sum, count) => sum + count, 0);
    expect(kills).toBeGreaterThan(0);
    expect(Object.keys(told?.['faults'] as object).length).toBeGreaterThan(0);
    expect(end.exit).toBe(0);
    expect(end.rows['completed']).toBe(60);
  });

  test('of a sheet with problems says so and sends nothing', { timeout: TIMEOUT_MS }, async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', 'Name,Phone,Amount\nJane,12,100\n');
    const { exit, fault } = await desk.tell(['drill', 'pay.csv']);
    expect(exit).toBe(3);
    expect(fault?.['fix']).toContain('paybatch validate');
  });
});

const AMOUNT = { minor: 10_000n, currency: 'KES' };

/** One row with this outcome; the books hold the given payments of it. */
async function judged(
  outcome: Outcome,
  payments: readonly { readonly amount?: string; readonly paid: boolean }[],
  isSpent = false,
) {
  const row = { row: 2, outcome, trace: 't', payout: { amount: AMOUNT } } as unknown as ResultRow; // all that is read
  const lines = payments.map(({ amount = '100.00', paid }) => ({ trace: 't', amount, receipt: paid ? 'R' : null }));
  async function* rows(): AsyncGenerator<readonly ResultRow[]> {
    yield [row];
  }
  return judge(
    rows(),
    { orders: [{ id: 'o', lines, posts: 1 }], register: {} } as unknown as Books,
    async () => isSpent,
  );
}

describe('the judge of a drill', () => {
  test.each<[string, Outcome, Parameters<typeof judged>[1], object]>([
    ['a completed row that was paid', 'completed', [{ paid: true }], { once: 1, violations: [] }],
    ['a refused row that the books do not know', 'refused', [], { lost: 0, violations: [] }],
    ['an open row', 'in-doubt', [{ paid: false }], { openAtEnd: 1, violations: [] }],
    ['a row paid twice', 'completed', [{ paid: true }, { paid: true }], { twice: 1, once: 0 }],
    ['a row that is nowhere', 'pending', [], { lost: 1, spent: 0 }],
    ['a row in doubt that is nowhere', 'in-doubt', [], { lost: 1, spent: 0 }],
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
    ['is no loss where it is in doubt', 'in-doubt', [], { lost: 0, openAtEnd: 1, spent: 1, violations: [] }],
    ['is lost where it waits for its end', 'pending', [], { lost: 1, spent: 0 }],
    ['is open where the books hold it', 'in-doubt', [{ paid: true }], { lost: 0, openAtEnd: 1, spent: 0 }],
    [
      'is paid twice where the books hold it twice',
      'in-doubt',
      [{ paid: true }, { paid: true }],
      { twice: 1, spent: 0 },
    ],
  ])('sees that a row that is never submitted again %s', async (_, outcome, payments, expected) => {
    expect(await judged(outcome, payments, true)).toMatchObject(expected);
  });
});
