import { describe, expect, test } from 'vitest';
import { finderOf } from '../../src/results/find-rows.ts';
import { orderIdAt, resultRow } from '../support/result-rows.ts';

const jane = resultRow(2, {
  payout: { reference: 'EMP-7', name: 'Jane Wanjikũ Kamau', payee: 'wallet 254712345678' },
  report: { receipt: 'SKA81H5T2Q' },
});
const by = (asked: string, row = jane) => finderOf(asked)(row);

describe('a row is found', () => {
  test.each([
    ['EMP-7', 'reference'],
    [' emp-7 ', 'reference'],
    ['ska81h5t2q', 'receipt number'],
    [orderIdAt(2), 'order id'],
    [orderIdAt(2).slice(0, 8), 'order id'],
    ['0712345678', 'phone or account'],
    ['+254 712-345-678', 'phone or account'],
    ['00254712345678', 'phone or account'],
    ['(0712) 345.678', 'phone or account'],
    ['345678', 'phone or account'],
    ['jane wanjiku', 'name'],
    ['KAMAU Jane', 'name'],
    ['wanjikũ', 'name'],
    ['wan', 'name'],
  ])('by %s, its %s', (asked, way) => {
    expect(by(asked)).toBe(way);
  });

  test.each([
    '',
    '   ',
    'EMP',
    'SKA81',
    '678',
    '00000',
    'jane otieno',
    'ane',
    '0712345679',
    '=1+1',
    orderIdAt(3),
    '0000000',
  ])('but not by "%s"', (asked) => {
    expect(by(asked)).toBeUndefined();
  });

  test('by the receipt of an earlier attempt: that one may have been paid', () => {
    const { line, ...row } = jane;
    expect(by('SKA81H5T2Q', row)).toBeUndefined();
    expect(by('SKA81H5T2Q', { ...row, ...(line && { earlierLines: [line] }) })).toBe('receipt number');
  });

  test('by its cells when it was set aside, because nothing else is known of it', () => {
    const texts = ['E9', 'Peter Mwangi', '0712 34x', '0733111222'];
    const { payout: _none, ...aside } = resultRow(3, { outcome: 'invalid', texts });
    expect(by('peter', aside)).toBe('cell');
    expect(by('0733111222', aside)).toBe('phone or account');
    expect(by('peter', resultRow(3, { texts }))).toBeUndefined();
  });
});
