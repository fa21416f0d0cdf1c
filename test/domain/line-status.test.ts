import { expect, test } from 'vitest';
import { lineStatusOf } from '../../src/domain/order-line.ts';

test.each([
  [0, 'pending'],
  [4, 'completed'],
  [7, 'rejected'],
  [8, 'timed-out'],
  ...[-1, 1, 2, 3, 5, 6, 9, 10, 44, 4.1, Number.NaN].map((status) => [status, 'unrecognised'] as const),
] as const)('status %d is %s', (status, meaning) => expect(lineStatusOf(status)).toBe(meaning));
