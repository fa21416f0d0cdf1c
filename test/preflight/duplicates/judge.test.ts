import { describe, expect, test } from 'vitest';
import type { BatchId } from '../../../src/domain/ids.ts';
import { namedBatchKey } from '../../../src/domain/ids.ts';
import type { Comparison, Overlap } from '../../../src/preflight/duplicates/compare-payments.ts';
import { type DuplicateChoice, judge } from '../../../src/preflight/duplicates/judge.ts';
import { kes } from '../../ledger/builders.ts';

const sum = (count: number) => ({ count, amount: kes(BigInt(count) * 100n), rows: [] });

interface Shape {
  readonly rows?: number;
  readonly held?: number;
  readonly certain?: number;
  readonly people?: number;
  readonly isRecent?: boolean;
}

function comparison({ rows = 100, held = 0, certain = 0, people = held, isRecent = true }: Shape): Comparison {
  const overlap: Overlap = {
    batch: 'november' as BatchId,
    key: namedBatchKey('november'),
    plannedAt: 0,
    isHeld: held > 0,
    isRecent,
    same: sum(held),
    people,
  };
  return {
    payable: sum(rows),
    overlaps: [overlap],
    paidBefore: sum(held),
    held: { ...sum(held), certain },
    changedPayees: { count: 0, rows: [] },
    newPayees: sum(0),
  };
}

const verdict = (shape: Shape, choice: DuplicateChoice = {}, batchRows = 100): string =>
  judge(comparison(shape), choice, undefined, () => batchRows).tag;

describe('a sheet beside an earlier batch', () => {
  test.each<[string, Shape, string]>([
    ['is clean when they have nothing in common', {}, 'clean'],
    ['is clean when it is empty', { rows: 0 }, 'clean'],
    ['is that batch again from four fifths on', { held: 80, people: 0 }, 'repeated'],
    ['is partly paid below that', { held: 79, people: 0 }, 'partly'],
    ['is that batch again when its only row is', { rows: 1, held: 1 }, 'repeated'],
    ['is partly paid above a twentieth', { held: 6 }, 'partly'],
    ['is told of up to a twentieth', { held: 5 }, 'clean'],
    ['is partly paid by one row with the same reference', { held: 1, certain: 1 }, 'partly'],
    ['pays the same people other amounts', { people: 80 }, 'same-people'],
    ['pays many of the same people', { people: 79 }, 'clean'],
    ['pays the same people other amounts later', { people: 100, isRecent: false }, 'clean'],
    ['pays five of the same people other amounts', { rows: 5, people: 5 }, 'same-people'],
    ['pays the same few people other amounts', { rows: 4, people: 4 }, 'clean'],
  ])('%s', (_, shape, tag) => {
    expect(verdict(shape, {}, shape.rows ?? 100)).toBe(tag);
  });

  test('pays some of its people other amounts, which is no correction of it', () => {
    expect(verdict({ rows: 8, people: 8 }, {}, 10)).toBe('same-people');
    expect(verdict({ rows: 8, people: 8 }, {}, 11)).toBe('clean');
  });

  test('goes for a reason, whatever it repeats', () => {
    for (const shape of [{ held: 100 }, { held: 10 }, { people: 100 }]) {
      expect(verdict(shape, { allowDuplicate: 'bonus' })).toBe('clean');
    }
  });

  test('goes for the exact number of rows when they are a part of it', () => {
    expect(verdict({ held: 10 }, { acceptPaidBefore: 10 })).toBe('clean');
    for (const acceptPaidBefore of [9, 11]) expect(verdict({ held: 10 }, { acceptPaidBefore })).toBe('partly');
    expect(verdict({}, { acceptPaidBefore: 1 })).toBe('partly');
    expect(verdict({ held: 80 }, { acceptPaidBefore: 80 })).toBe('repeated');
  });

  test('is stopped when more of it was paid since it was confirmed, whatever is allowed', () => {
    const [before, now] = [comparison({ held: 3 }), comparison({ held: 5 })];
    for (const choice of [{}, { allowDuplicate: 'bonus' }, { acceptPaidBefore: 5 }]) {
      expect(judge(now, choice, before, () => 100)).toEqual({ tag: 'overtaken', count: 2 });
    }
    expect(judge(before, {}, now, () => 100).tag).toBe('clean');
  });
});
