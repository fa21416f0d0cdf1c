import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hiddenIn } from '../../../src/domain/shown-text.ts';
import { fieldOf, textOf } from '../../../src/sheet/csv/text-field.ts';

/** What makes escapes difficult: their own parts, formulas, quotes, and what nobody sees. */
const pieces = ['_', 'x', '_x202E_', '_x202E', '005F', '_x005F_', '=', '="', '"', '""', '+', '-', '@', '\t', '\r', '\n']
  .concat(['\u202e', '\u200b', '\u{e0041}', '\ufe0f', '\u0007', 'J', '0712', ' ', 'é', '\uff1d', "'", ';', '_x0041_'])
  .map((piece) => fc.constant(piece));
const anyText = fc
  .array(fc.oneof(...pieces, fc.string({ unit: 'binary' })), { maxLength: 8 })
  .map((all) => all.join(''));

describe('a text as a field of a CSV file', () => {
  test('is read back exactly, whatever it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(textOf(fieldOf(text))).toBe(text);
      }),
      { numRuns: 3000 },
    );
  });

  test('holds nothing that nobody sees, and begins no formula but that of a text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const field = fieldOf(text);
        expect(hiddenIn(field).filter((one) => !'\t\n\r'.includes(one))).toEqual([]);
        if (/^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(field)) expect(field).toMatch(/^="(?:[^"]|"")*"$/);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ["=cmd|'/c calc'!A0", `="=cmd|'/c calc'!A0"`],
    ['=HYPERLINK("http://x","y")', '="=HYPERLINK(""http://x"",""y"")"'],
    ['+254712345678', '="+254712345678"'],
    ['-1', '="-1"'],
    ['@SUM(A1)', '="@SUM(A1)"'],
    [' =1', '=" =1"'],
    ['0712345678', '="0712345678"'],
    ['Jane\u202eW', 'Jane_x202E_W'],
    ['a_x202E_b', 'a_x005F_x202E_b'],
    ['Jane Wanjiku', 'Jane Wanjiku'],
    ['snake_xylophone', 'snake_xylophone'],
  ])('%j is written %s', (text, field) => {
    expect(fieldOf(text)).toBe(field);
    expect(textOf(field)).toBe(text);
  });

  test.each(['=A1', '="a"&"b"', '="a', '="a"b"', '_x0041_', '_x00202E_', '_x202e_', '_xFFFFFF_'])(
    '%j that somebody else wrote is that text',
    (field) => expect(textOf(field)).toBe(field),
  );
});
