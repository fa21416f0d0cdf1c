import { expect, test } from 'vitest';
import { hidesValue, sectionFor, shownText } from '../../../src/domain/number-format.ts';
import { numberFormat } from '../../../src/sheet/xlsx/number-format.ts';

const plainFormat = (id: number, code: string | undefined): string | undefined => numberFormat(id, code)?.plain;

/** What a format of a workbook shows of a number. */
function shown(code: string, value: string): string {
  const format = numberFormat(164, code);
  const section = format && sectionFor(format, { type: 'number', text: value });
  if (!section) return value;
  return hidesValue(section) ? 'nothing' : shownText(section, value);
}

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

test.each([
  ['0%', '0.15', '15%'],
  ['0.0%', '0.155', '15.5%'],
  ['#,##0.00', '1234567.891', '1,234,567.89'],
  ['#,##0.0,', '1500000', '1,500.0'],
  ['0,.00', '1500', '1.50'],
  ['0.0,,"M"', '1250000', '1.3M'],
  ['[$$-409]#,##0.00', '1500', '$1,500.00'],
  ['[$KSh-441]\\ #,##0.00', '1500', 'KSh 1,500.00'],
  ['_-"KSh"* #,##0.00_-;-"KSh"* #,##0.00_-', '1500', 'KSh1,500.00'],
  ['#,##0"/="', '1500', '1,500/='],
  ['#,##0/=', '1500', '1,500/='],
  ['\\U\\S\\D\\ 0.##', '1500.5', 'USD 1500.5'],
  ['#,##0",000"', '50', '50,000'],
  ['0"."00', '1500', '15.00'],
  ['.00', '0.5', '.50'],
  ['00000', '42', '00042'],
  ['0.00E+00" KES"', '1500', '1500 KES'],
  ['General" KES"', '1500.5', '1500.5 KES'],
  ['# ?/8', '1500.5', '1500.5'],
  [';;;', '1500', 'nothing'],
  [';', '1500', 'nothing'],
  ['"paid"', '1500', 'nothing'],
  ['*-', '1500', 'nothing'],
  ['[Red]', '1500', '1500'],
  ['[Red][<=100];[Blue][>100]', '1500', '1500'],
  ['', '1500', '1500'],
] as const)('the format %s shows %s as %s', (code, value, text) => expect(shown(code, value)).toBe(text));

test.each([
  ['0;"minus "0', '5', '5'],
  ['0;"minus "0', '0', '0'],
  ['0;;"none"', '5', '5'],
  ['0;;"none"', '0', 'nothing'],
  ['[>=1000000]0.0,,"M";#,##0', '2500000', '2.5M'],
  ['[>=1000000]0.0,,"M";#,##0', '999999', '999,999'],
  ['[<1000]0;[<1000000]0.0,"K";0.0,,"M"', '999', '999'],
  ['[<1000]0;[<1000000]0.0,"K";0.0,,"M"', '1500', '1.5K'],
  ['[<1000]0;[<1000000]0.0,"K";0.0,,"M"', '1500000', '1.5M'],
  ['[=0]"none";0.00', '5', '5.00'],
  ['[<>0]0.00;"none"', '0', 'nothing'],
  ['[>100]0.00', '5', '5'],
] as const)('of %s the section for %s shows %s', (code, value, text) => expect(shown(code, value)).toBe(text));

test.each([
  ['[$$-409]#,##0.00', '[$$]#,##0.00'],
  ['_-"KSh"* #,##0.00_-;[Red]-"KSh"* #,##0.00_-', '"KSh"#,##0.00;"-KSh"#,##0.00'],
  ['[>=1000000]0.0,,"M";#,##0', '[>=1000000]0.0,,"M";#,##0'],
  ['"9,999"', '"…,…"'],
  ['0"000"', '0"…"'],
  ['0" \u0661\u00bd\u202e"', '0" …"'],
  [';;;', ';;;'],
  ['*-', ';;'],
  ['[Red]#,##0.00%', '#,##0.00%'],
] as const)('the format %s is written in a copy as %s', (code, copied) => {
  expect(numberFormat(164, code)?.code).toBe(copied);
  expect(numberFormat(164, copied)?.code, 'copied once more').toBe(copied);
});

test('a format of the computer keeps its number, and is no currency that the file says', () => {
  expect(numberFormat(44, undefined)).toMatchObject({ ofComputer: 44 });
  const named = numberFormat(44, '"$"#,##0.00');
  expect(named).toMatchObject({ ofComputer: 44 });
  expect(named?.code).not.toBe(numberFormat(164, '"$"#,##0.00')?.code);
  expect(numberFormat(43, undefined)).not.toHaveProperty('ofComputer');
});
