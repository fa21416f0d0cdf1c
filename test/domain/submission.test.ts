import { expect, test } from 'vitest';
import { sendOnceSubmissions, submissionTable } from '../../src/domain/submission.ts';

test('what no look-up proves absent is strict, and nothing else', () => {
  expect([...sendOnceSubmissions].sort()).toEqual(['airtime', 'bill-payment']);
  expect(Object.keys(submissionTable).sort()).toEqual(['airtime', 'bill-payment', 'payment-order']);
});

test('only airtime has no look-up at all: its final word comes by callback', () => {
  const finalWords = Object.entries(submissionTable).map(([name, { finalWord }]) => [name, finalWord]);
  expect(Object.fromEntries(finalWords)).toEqual({
    'payment-order': 'look-up',
    airtime: 'callback',
    'bill-payment': 'look-up',
  });
});
