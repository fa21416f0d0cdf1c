import { expect, test } from 'vitest';
import { rowIdentity } from '../../src/batch/order-origin.ts';
import type { KindName, Payout } from '../../src/domain/batch.ts';
import { amountIn } from '../support/amounts.ts';

const payout: Payout = {
  kind: 'wallet' as KindName,
  name: 'Jane Wanjiku',
  destination: '+254712345678',
  payee: 'wallet|+254712345678',
  network: 'Safaricom',
  amount: amountIn('1500.50', 'KES'),
  note: 'November',
};

test('a payout is told from others by payee, amount and currency, and by nothing else that its row says', () => {
  expect(rowIdentity(payout)).toStrictEqual({ payee: 'wallet|+254712345678', amountMinor: 150_050n, currency: 'KES' });
});

test('a payout with a reference is told by it too, however empty', () => {
  expect(rowIdentity({ ...payout, reference: 'EMP-001' })).toMatchObject({ reference: 'EMP-001' });
  expect(rowIdentity({ ...payout, reference: '' })).toHaveProperty('reference', '');
});
