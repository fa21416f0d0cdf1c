import { describe, expect, test } from 'vitest';
import type { Cell } from '../../src/domain/cell.ts';
import { sheetValueOf, sheetValueText } from '../../src/domain/sheet-value.ts';

const cell = (type: Cell['type'], text: string, more: Partial<Cell> = {}): Cell => ({
  column: 1,
  address: 'A1',
  type,
  text,
  ...more,
});

describe('a cell of the user', () => {
  test.each([
    ['text that somebody typed stays text', cell('text', '0712'), '0712'],
    ['text stays text, also where it looks like a number', cell('text', '45000.50'), '45000.50'],
    ['text that begins like a formula stays text', cell('text', '=1+1'), '=1+1'],
    ['a number keeps its digits', cell('number', '45000.499999999993'), { number: '45000.499999999993' }],
    ['a number in scientific notation is one', cell('number', '7.12E+08'), { number: '7.12E+08' }],
    ['fifteen digits are a number', cell('number', '123456789012345'), { number: '123456789012345' }],
    ['more digits stay text', cell('number', '1234567890123456'), '1234567890123456'],
    ['what is no number stays text', cell('number', '1.2.3'), '1.2.3'],
    ['a date is a day', cell('date', '46351'), { date: '46351' }],
    [
      'a date of a workbook that counts from 1904 is the same day',
      cell('date', '44889', { from1904: true }),
      { date: '46351' },
    ],
    ['a day that no calendar has stays text', cell('date', '99999999'), '99999999'],
    ['a date that is written out stays text', cell('date', '2026-11-01'), '2026-11-01'],
    ['a ticked box is its word', cell('boolean', 'TRUE'), 'TRUE'],
  ])('%s', (_, found, value) => expect(sheetValueOf(found)).toEqual(value));

  test('that is empty says nothing', () => expect(sheetValueOf(undefined)).toBe(''));
});

test.each([
  ['0712', '0712'],
  [{ number: '1500.5' }, '1500.5'],
  [{ date: '46351' }, '2026-11-25'],
  [{ date: '46351.5' }, '2026-11-25 12:00'],
  [{ date: '46351.00001157407' }, '2026-11-25 00:00:01'],
  [{ date: '0' }, '1899-12-30'],
  [{ date: '2958465' }, '9999-12-31'],
])('%o reads %s', (value, text) => expect(sheetValueText(value)).toBe(text));
