import { expect, test } from 'vitest';
import { typedPath, typedSheet } from '../../src/domain/typed-path.ts';

test.each(['pay.csv', '/home/amina/pay-2026_11.xlsx', 'C:\\pay\\november.xlsx', '--batch=november', '5,011.25'])(
  '%s is typed as it is',
  (text) => expect(typedPath(text)).toBe(text),
);

test.each(['net pay.csv', 'pay (2).csv', "o'hara.csv", 'a&b.csv', ';', 'a|b', '<b>', '*.csv', 'pay?.csv', '#1.csv'])(
  '%s is typed in quotes: a shell would take it for something else',
  (text) => expect(typedPath(text)).toBe(`"${text}"`),
);

test.each([
  ['$(id).csv', "'$(id).csv'"],
  ['a`id`.csv', "'a`id`.csv'"],
  ['say "pay".csv', `'say "pay".csv'`],
  ["o'hara!.csv", String.raw`'o'\''hara!.csv'`],
])('%s is typed so that a shell does not read it', (text, typed) => expect(typedPath(text)).toBe(typed));

test('a sheet is typed with the worksheet that has to be named', () => {
  expect(typedSheet('net pay.xlsx', 'Casual workers')).toBe('"net pay.xlsx" --worksheet "Casual workers"');
  expect(typedSheet('pay.xlsx')).toBe('pay.xlsx');
});
