import { expect, test } from 'vitest';
import { fingerprintOf, rowIdentity } from '../../src/batch/order-origin.ts';
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

test('all payable rows of a sheet are told from others by who is paid what, in whatever order and blocks', () => {
  const of = (...blocks: readonly (readonly Payout[])[]): string =>
    fingerprintOf({ payments: () => blocks.map((rows) => rows.map((row) => ({ ...row, row: 2, occurrence: 1 }))) });
  const other: Payout = { ...payout, payee: 'wallet|+254712345679', name: 'Juma Otieno' };
  const sheet = of([payout, other]);
  expect(of([other], [payout])).toBe(sheet);
  expect(of([payout, { ...other, note: 'December' }])).toBe(sheet);
  const others = [of(), of([payout]), of([payout, payout]), of([payout, other, other])].concat(
    of([payout, { ...other, amount: amountIn('1500.51', 'KES') }]),
    of([payout, { ...other, name: 'Juma Otieno Ali' }]),
    of([payout, { ...other, reference: 'EMP-001' }]),
  );
  expect(new Set([sheet, ...others]).size).toBe(1 + others.length);
});
