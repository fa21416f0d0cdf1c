import { expect, test } from 'vitest';
import { sendOnceSubmissions, submissionNames } from '../../src/domain/submission.ts';

test('what no look-up proves absent is strict, and nothing else', () => {
  expect([...sendOnceSubmissions].sort()).toEqual(['airtime', 'bill-payment']);
  expect([...submissionNames].sort()).toEqual(['airtime', 'bill-payment', 'payment-order']);
});
