import { describe, expect, test } from 'vitest';
import { canaryState } from '../../src/dispatch/admission.ts';
import { canaryFor, inWholeOrders } from '../../src/dispatch/brakes.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { noOutcomes, type OutcomeCounts } from '../../src/domain/outcome.ts';
import type { RunHistory, StoredOrder } from '../../src/ledger/ledger.ts';

const counts = (changes: Partial<OutcomeCounts>): OutcomeCounts => ({ ...noOutcomes(), ...changes });
const now = counts({ completed: 7, pending: 2, 'in-doubt': 1, failed: 3, 'timed-out': 1, unsent: 80 });
const fresh: RunHistory = { isRetry: false };
const none = { rows: 5, base: { completed: 0, open: 0, lost: 0 } };

type Started = NonNullable<RunHistory['started']>;
const ranWith = (canary: Started['canary'], code?: string): RunHistory => ({
  isRetry: false,
  started: { canary } as Started,
  ...(code !== undefined && { stopped: { code } as NonNullable<RunHistory['stopped']> }),
});

describe('the rows that go ahead alone', () => {
  test('are none when nobody ever asked for them', () => {
    expect(canaryFor(fresh, {}, now)).toBeUndefined();
  });

  test.each([
    ['the operator of this run', { ...ranWith(none), plannedCanary: 3 }, { asked: 9, configured: 2 }, 9],
    ['the operator who wants none any more', { ...ranWith(none), plannedCanary: 3 }, { asked: 0, configured: 2 }, 0],
    ['the run before', { ...ranWith(none), plannedCanary: 3 }, { configured: 2 }, 5],
    ['the plan', { ...fresh, plannedCanary: 3 }, { configured: 2 }, 3],
    ['the profile', fresh, { configured: 2 }, 2],
    ['the profile after a run without any', ranWith(undefined), { configured: 2 }, 2],
  ])('are as many as %s said', (_name, history, said, rows) => {
    expect(canaryFor(history, said, now)?.rows).toBe(rows);
  });

  test('count what the batch completed before, and not what it left open or lost', () => {
    const canary = canaryFor(fresh, { asked: 9 }, now);
    expect(canary && canaryState(canary, now, 0)).toEqual({ rows: 9, completed: 7, open: 0, lost: 0 });
  });

  test('count nothing of what was completed before a retry', () => {
    const canary = canaryFor({ isRetry: true }, { asked: 9 }, now);
    expect(canary && canaryState(canary, now, 0)).toEqual({ rows: 9, completed: 0, open: 0, lost: 0 });
  });

  test('are those of the run before when it was killed, with what it left open and lost', () => {
    const canary = canaryFor(ranWith(none), {}, now);
    expect(canary && canaryState(canary, now, 0)).toEqual({ rows: 5, completed: 7, open: 3, lost: 4 });
  });

  test('are others when a canary stopped the run before, but those that were paid still count', () => {
    const canary = canaryFor(ranWith(none, 'canary'), {}, now);
    expect(canary && canaryState(canary, now, 0)).toEqual({ rows: 5, completed: 7, open: 0, lost: 0 });
  });

  test('count rows whose claim is being written', () => {
    expect(canaryState(none, noOutcomes(), 2)).toMatchObject({ open: 2 });
  });
});

describe('rows that go ahead in orders of several', () => {
  const ledgerOf = (lines: readonly number[], told?: (after: number) => void) => ({
    unsentOrders: async (_batch: BatchId, limit: number, after = 0) => {
      told?.(after);
      return lines
        .map(
          (count, index) =>
            ({ position: index + 1, state: { lines: Array.from({ length: count }) } }) as unknown as StoredOrder,
        )
        .filter(({ position }) => position > after)
        .slice(0, limit);
    },
  });
  const roundedUp = async (rows: number, lines: readonly number[], counted: OutcomeCounts = noOutcomes()) =>
    (await inWholeOrders({ ...none, rows }, counted, ledgerOf(lines), 'b' as BatchId)).rows;

  test.each([
    ['are as many as the orders cover', 6, [4, 4, 4], {}, 8],
    ['stay as many when orders end there', 8, [4, 4, 4], {}, 8],
    ['are no more than there are', 50, [4, 4], {}, 50],
    ['count those that are under way', 6, [4, 4, 4], { 'in-doubt': 3 }, 7],
    ['count those that are completed', 6, [4, 4, 4], { completed: 4 }, 8],
    ['need none when enough are completed', 6, [4, 4, 4], { completed: 7 }, 6],
    ['need none when just enough are completed, whatever is under way', 6, [4, 4, 4], { completed: 6, pending: 4 }, 6],
    ['are none when none are asked for', 0, [4], {}, 0],
  ])('%s', async (_name, rows, lines, counted, expected) => {
    expect(await roundedUp(rows, lines, counts(counted))).toBe(expected);
  });

  test('are read no further than they reach', async () => {
    const asked: number[] = [];
    await inWholeOrders(
      { ...none, rows: 8 },
      noOutcomes(),
      ledgerOf([4, 4, 4], (after) => asked.push(after)),
      'b' as BatchId,
    );
    expect(asked).toEqual([0]);
  });

  test('are found in a long batch', async () => {
    expect(
      await roundedUp(
        1001,
        Array.from({ length: 600 }, () => 2),
      ),
    ).toBe(1002);
  });
});
