import { expect, test } from 'vitest';
import { plainFormat } from '../../../src/sheet/xlsx/number-format.ts';

test.each([
  ['#,##0.00', '#,##0.00'],
  ['#,##0.00;[Red]-#,##0.00', '#,##0.00'],
  ['_-* #,##0.00_-;-* #,##0.00_-', '#,##0.00'],
  ['[$KES] #,##0', '#,##0'],
  ['0.0%', '0.0%'],
  ['00000', '00000'],
  ['0', '0'],
  ['"paid: "0.00', '0.00'],
  ['dd/mm/yyyy', 'dd/mm/yyyy'],
  ['[$-409]d-mmm-yy', 'd-mmm-yy'],
  ['yyyy-mm-dd"T"hh:mm', 'yyyy-mm-ddhh:mm'],
  ['d "of" mmmm', 'd  mmmm'],
] as const)('the format %s is carried over as %s', (code, shown) => expect(plainFormat(164, code)).toBe(shown));

test.each([
  ['"9,999"', 'a text in place of the value'],
  [';;;', 'nothing'],
  ['@', 'a text'],
  ['General', 'whatever the program chooses'],
  ['0.00E+00', 'an exponent'],
  ['# ?/?', 'a fraction'],
  ['', 'nothing that is known'],
] as const)('the format %s, which shows %s, is not', (code, _) => expect(plainFormat(164, code)).toBeUndefined());

test('thousands that are not shown come back: the value counts', () => {
  expect(plainFormat(164, '#,##0,')).toBe('#,##0');
  expect(plainFormat(164, '0.0,,"M"')).toBe('0.0');
});

test('formats that every program knows need no code', () => {
  expect([1, 4, 10, 14, 22, 44, 49].map((id) => plainFormat(id, undefined))).toEqual([
    '0',
    '#,##0.00',
    '0.00%',
    'mm-dd-yy',
    'm/d/yy h:mm',
    '#,##0.00',
    undefined,
  ]);
});
