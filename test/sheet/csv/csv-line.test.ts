import { expect, test } from 'vitest';
import { csvLine } from '../../../src/sheet/csv/csv-line.ts';

test.each([
  ['what stands alone', ['Jane', '', '1.00'], 'Jane,,1.00'],
  ['a delimiter, and not that of others', ['a,b', 'c;d'], '"a,b",c;d'],
  ['a quote, which is doubled', ['a "b" c'], '"a ""b"" c"'],
  ['a break of any system', ['a\nb', 'a\rb', 'a\r\nb'], '"a\nb","a\rb","a\r\nb"'],
  ['space at an edge', [' a', 'b ', '\u00a0c', 'd e'], '" a","b ","\u00a0c",d e'],
])('a line of CSV keeps %s', (_, fields, line) => {
  expect(csvLine(fields, ',')).toBe(`${line}\r\n`);
});

test('a line of CSV without fields is a blank one', () => {
  expect(csvLine([], ';')).toBe('\r\n');
});
