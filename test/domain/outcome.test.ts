import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tally } from '../../src/domain/batch.ts';
import { exitCode, exitOfRows, exitOfSeveral, mostSevereExit } from '../../src/domain/exit-code.ts';
import { Fault, type FaultCode, faultTable } from '../../src/domain/fault.ts';
import {
  finishedIn,
  isDefiniteFailure,
  isSettled,
  isUnpaidAsKnown,
  noOutcomes,
  type Outcome,
  openIn,
  outcomes,
  outcomeTable,
  rowsCounted,
} from '../../src/domain/outcome.ts';
import { endedBy, sumsOf } from '../../src/domain/run-end.ts';
import { amountIn, currency } from '../support/amounts.ts';

/** What a person may do about a row, and what its outcome alone makes of the run. */
const promises: Readonly<Record<Outcome, { payAgain: string; isSettled: boolean; exit: number }>> = {
  completed: { payAgain: 'no', isSettled: true, exit: 0 },
  rejected: { payAgain: 'yes', isSettled: true, exit: 6 },
  refused: { payAgain: 'yes', isSettled: true, exit: 6 },
  failed: { payAgain: 'yes', isSettled: true, exit: 6 },
  'timed-out': { payAgain: 'ask', isSettled: false, exit: 7 },
  'in-doubt': { payAgain: 'ask', isSettled: false, exit: 7 },
  pending: { payAgain: 'no', isSettled: false, exit: 7 },
  unsent: { payAgain: 'yes', isSettled: false, exit: 7 },
  invalid: { payAgain: 'yes', isSettled: true, exit: 6 },
  // It was meant.
  'left-out': { payAgain: 'yes', isSettled: true, exit: 0 },
};

const none = noOutcomes();

describe('outcomes', () => {
  test('are these ten, and are all counted', () => {
    expect([...outcomes].sort()).toEqual(Object.keys(promises).sort());
    expect(noOutcomes()).toEqual(Object.fromEntries(outcomes.map((outcome) => [outcome, 0])));
  });

  test.each(Object.entries(promises))('%s keeps its promise', (name, promise) => {
    const outcome = name as Outcome;
    expect(outcomeTable[outcome].payAgain).toBe(promise.payAgain);
    expect(isSettled(outcome)).toBe(promise.isSettled);
    expect(exitOfRows({ counts: { ...noOutcomes(), [outcome]: 1 } })).toBe(promise.exit);
  });

  test('that must not be paid again say so, and begin with CHECK when a person has to look', () => {
    for (const { payAgain, title, todo } of Object.values(outcomeTable)) {
      expect(title.startsWith('CHECK')).toBe(payAgain === 'ask');
      if (payAgain === 'ask') expect(todo).toMatch(/^Do not pay this row again\./);
    }
  });
});

test('rows are counted whatever became of them', () => {
  expect(rowsCounted(noOutcomes())).toBe(0);
  const counts = Object.fromEntries(outcomes.map((outcome, index) => [outcome, 2 ** index])) as typeof none;
  expect(rowsCounted(counts)).toBe(2 ** outcomes.length - 1);
});

test.each(outcomes)('whether %s is known to be unpaid, and whether another attempt may follow', (outcome) => {
  const isFailure = ['rejected', 'refused', 'failed'].includes(outcome);
  expect(isDefiniteFailure(outcome)).toBe(isFailure);
  expect(isUnpaidAsKnown(outcome)).toBe(isFailure || outcome === 'unsent');
});

test('a row is finished, open, unsent, or set aside', () => {
  const finished = ['completed', 'rejected', 'refused', 'failed'];
  const open = ['timed-out', 'in-doubt', 'pending'];
  for (const outcome of outcomes) {
    const counts = { ...noOutcomes(), [outcome]: 3 };
    const isSetAside = outcome === 'invalid' || outcome === 'left-out';
    expect([outcome, finishedIn(counts)]).toEqual([
      outcome,
      { done: finished.includes(outcome) ? 3 : 0, of: isSetAside ? 0 : 3 },
    ]);
    expect([outcome, openIn(counts)]).toEqual([outcome, open.includes(outcome) ? 3 : 0]);
  }
});

describe('exit codes', () => {
  test('a batch exits 0 only when every row of it was completed', () => {
    const counts = fc.record(Object.fromEntries(outcomes.map((outcome) => [outcome, fc.nat({ max: 2 })])));
    fc.assert(
      fc.property(counts, (some) => {
        const all = { ...noOutcomes(), ...some };
        const present = outcomes.filter((outcome) => all[outcome] > 0);
        const exits = present.map((outcome) => promises[outcome].exit);
        expect(exitOfRows({ counts: all })).toBe(exits.includes(7) ? 7 : exits.includes(6) ? 6 : 0);
      }),
    );
  });

  test.each([
    ['all that was not sent', { completed: 3, unsent: 2 }, 2, 6],
    ['the whole batch', { unsent: 2 }, 2, 6],
    ['a part of what was not sent', { completed: 3, unsent: 2 }, 1, 7],
    ['more than is not sent now', { completed: 3, unsent: 1 }, 2, 7],
    ['all that was not sent beside a row in doubt', { unsent: 2, 'in-doubt': 1 }, 2, 7],
  ])(
    'when %s was left out on purpose, the exit says whether a resume would do anything',
    (_, some, superseded, exit) => {
      const left = { rows: superseded, says: '', todo: '' };
      expect(exitOfRows({ counts: { ...noOutcomes(), ...some }, superseded: left })).toBe(exit);
    },
  );

  test('a row that an earlier ledger may have paid is not final, whatever it counts as', () => {
    const counts = { ...noOutcomes(), completed: 3, failed: 1 };
    expect(exitOfRows({ counts })).toBe(6);
    expect(exitOfRows({ counts, unconfirmed: 1 })).toBe(7);
  });

  test('the gravest wins, in the order 11, 10, 130, 143, 7, 12, 6, 0', () => {
    const order = [11, 10, 130, 143, 7, 12, 6, 0];
    fc.assert(
      fc.property(fc.shuffledSubarray(order, { minLength: 1 }), (codes) => {
        expect(mostSevereExit(codes)).toBe(order.find((code) => codes.includes(code)));
      }),
    );
  });

  test.each([
    [[], 0],
    [[0], 0],
    [[5], 5],
    [[0, 5], 5],
    [[1, 0], 1],
    [[0, 75], 75],
    [[3, 6], 6],
  ])('of %j the run ends with %i: a code is never lost to success', (codes, exit) => {
    expect(mostSevereExit(codes)).toBe(exit);
  });

  test.each([
    [[], 0],
    [[0, 6], 6],
    [[6, 12], 12],
    [[6, 3], 3],
    [[12, 8], 8],
    [[0, 75, 5], 5],
    [[6, 75], 75],
    [[3, 7, 6], 7],
    [[2, 11], 11],
    [[130, 9], 130],
  ])('of payments that ended with %j, which have nothing to do with each other, it is %i', (codes, exit) => {
    expect(exitOfSeveral(codes)).toBe(exit);
  });

  test('each has one number', () => {
    const numbers = Object.values(exitCode);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

describe('faults', () => {
  test.each<[FaultCode, number]>([
    ['usage', 2],
    ['configuration', 2],
    ['sheet-unreadable', 3],
    ['sheet-refused', 3],
    ['credentials', 4],
    ['balance-short', 5],
    ['charges-unusable', 5],
    ['route-missing', 5],
    ['limit-exceeded', 5],
    ['bill-refused', 5],
    ['preflight-refused', 5],
    ['totals-differ', 8],
    ['declined', 8],
    ['already-paid', 8],
    ['unreachable', 9],
    ['ledger-unsafe', 10],
    ['alarm', 11],
    ['report-unwritten', 12],
    ['ledger-held', 75],
  ])('%s ends the run with %i', (code, exit) => {
    const cause = new Error('why');
    const fault = new Fault(code, 'What happened.', 'What to do.', { cause });
    expect(fault).toBeInstanceOf(Error);
    expect(fault).toMatchObject({ name: 'Fault', code, exit, message: 'What happened.', remedy: 'What to do.', cause });
    expect(endedBy(fault)).toEqual({ exit, counts: noOutcomes(), files: [], fault });
  });

  test('each ends the run with a code that says something went wrong', () => {
    const documented = [2, 3, 4, 5, 8, 9, 10, 11, 12, 75, 130, 143];
    for (const { exit } of Object.values(faultTable)) expect(documented).toContain(exit);
  });
});

describe('the sums of a batch', () => {
  test('count every row, plan all but the invalid ones and those left out, and complete only the completed', () => {
    const tallies = outcomes.map(
      (outcome, at): Tally => ({
        outcome,
        count: at + 1,
        amount: amountIn(String(10 ** at)),
        fees: amountIn('0.50'),
      }),
    );
    const { counts, amounts, leftOut } = sumsOf(tallies, currency('KES').code);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(55);
    expect(leftOut).toEqual({ rows: 10, amount: amountIn('1000000000') });
    expect(amounts).toEqual({
      planned: amountIn('11111111'),
      completed: amountIn('1'),
      fees: amountIn('0.50'),
    });
  });

  test('of nothing are nothing', () => {
    const nothing = amountIn('0', 'UGX');
    expect(sumsOf([], currency('UGX').code)).toEqual({
      counts: noOutcomes(),
      amounts: { planned: nothing, completed: nothing, fees: nothing },
    });
  });
});
