import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SheetRow } from '../../../src/domain/cell.ts';
import { Fault } from '../../../src/domain/fault.ts';
import { defaultSheetLimits } from '../../../src/sheet/sheet-limits.ts';
import { numberFormat } from '../../../src/sheet/xlsx/number-format.ts';
import { noSharedStrings, readSharedStrings } from '../../../src/sheet/xlsx/shared-strings.ts';
import { noStyles } from '../../../src/sheet/xlsx/styles.ts';
import { worksheetReader } from '../../../src/sheet/xlsx/worksheet.ts';
import { mainNamespace, worksheetXml } from '../../support/sheets/xlsx-bytes.ts';

const limits = defaultSheetLimits;
const strings = {
  ...noSharedStrings,
  count: 3,
  get: (index: number) => ['Jane', '', 'Ali'][index],
  isStruck: (index: number) => index === 2,
};
/** Style 17 shows no number and no text, and strikes through. */
const styles = {
  ...noStyles,
  formatOf: (style: number) => (style === 17 ? numberFormat(164, ';;;') : undefined),
  isStruck: (style: number) => style === 17,
};

/** The rows of a table, or the words of the fault; its XML comes in pieces of so many bytes. */
function rowsOf(table: string, pieceBytes = 1024): readonly SheetRow[] | string {
  const rows: SheetRow[] = [];
  const bytes = Buffer.from(worksheetXml(`<sheetData>${table}</sheetData>`));
  try {
    const reader = worksheetReader({ part: 'w.xml', strings, styles, merged: [], limits }, (row) => {
      rows.push(row);
    });
    for (let at = 0; at < bytes.length; at += pieceBytes) reader.write(bytes.subarray(at, at + pieceBytes));
    reader.end();
    return rows;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** The same elements with a space more in each row, for which the parser has to see it. */
const spelledOut = (table: string): string => table.replaceAll('<row r', '<row  r');

const cell = (column: string, row: number) =>
  fc
    .tuple(
      fc.constantFrom('', ' s="0"', ' s="17"'),
      fc.constantFrom('', ' t="s"', ' t="str"', ' t="n"', ' t="b"', ' t="e"', ' t="inlineStr"', ' t="oddity"'),
      fc.constantFrom(
        '/>',
        '><v>0</v></c>',
        '><v>2</v></c>',
        '><v>01</v></c>',
        '><v>0000000000002</v></c>',
        '><is><t>Jane</t></is></c>',
        '><is><t xml:space="preserve"> _x0041_</t></is></c>',
        '><v>12.50</v></c>',
        '><v>é _x0041_</v></c>',
        '><v></v></c>',
      ),
      fc.constantFrom('', '', '', '', 'wrong', 'twice', 'beyond'),
    )
    .map(([style, type, rest, slip]) => {
      const wrong = slip === 'wrong' ? `${column}${row + 1}` : undefined;
      const address = slip === 'beyond' ? `XFE${row}` : (wrong ?? `${column}${row}`);
      return `<c r="${address}"${style}${type}${rest}`.repeat(slip === 'twice' ? 2 : 1);
    });
const others = fc.constantFrom('', '', '', '', ' ', '\n  ', '<!-- </row> -->', '<oddity/>', '<row r="1"/>');
const row = fc
  .integer({ min: 1, max: 9 })
  .chain((number) =>
    fc
      .tuple(
        fc.constantFrom(
          '',
          '',
          '',
          ' spans="1:3"',
          ' spans="1:3" x:dyDescent="0.25"',
          ' spans="1:3" spans="1:3"',
          ' hidden="1"',
          ' ht="0"',
          ' r="5"',
          ' a:b="c"',
          ' xmlns="urn:other"',
        ),
        fc.array(fc.oneof(cell('A', number), cell('B', number)), { maxLength: 2 }),
        others,
      )
      .map(([attributes, cells, behind]) => `<row r="${number}"${attributes}>${cells.join('')}</row>${behind}`),
  );

test('rows that are taken whole are the rows that the parser gives, and are refused for the same', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), fc.integer({ min: 1, max: 300 }), (rows, pieceBytes) => {
      // Ascending numbers are what lets more than one row be read at all.
      const table = [...rows].sort().join('');
      expect(rowsOf(table, pieceBytes)).toEqual(rowsOf(spelledOut(table)));
    }),
    { numRuns: 1500 },
  );
});

test.each([
  ['a row that stands twice', '<row r="1"><c r="A1"><v>1</v></c></row>'.repeat(2), 'Row 1 stands in it twice'],
  ['an attribute twice', '<row r="1"></row><row r="2" r="3"><c r="A2"><v>1</v></c></row>', 'not well-formed'],
  ['a row of another vocabulary', '<row r="1"></row><row r="2" xmlns="urn:x"></row>', 'hold the element <row>'],
  ['a row behind the table', '<row r="1"></row></sheetData><row r="2"></row><sheetData>', 'outside of the table'],
  ['a row in a comment', '<row r="1"></row><!-- <row r="2"></row><row r="3"></row>', 'not well-formed'],
])('%s behind a plain row is refused', (_, table, words) => {
  expect(rowsOf(table)).toContain(words);
});

test('the number of a shared text may not be longer than a cell, whatever it comes to', () => {
  expect(rowsOf(`<row r="1"></row><row r="2"><c r="A2" t="s"><v>${'0'.repeat(40_000)}</v></c></row>`)).toContain(
    'more than 32767 characters',
  );
});

test.each([1000, 16_384, 65_536])(
  'a tag without an end behind a plain row is not waited for, in pieces of %i bytes',
  (bytes) => {
    const endless = `<row r="1"></row><row ${'x'.repeat(1_200_000)} r="2"></row>`;
    expect(rowsOf(endless, bytes)).toContain('unreasonable length');
  },
);

test('plain rows in a comment are no rows', () => {
  const row = (number: number): string => `<row r="${number}"><c r="A${number}"><v>1</v></c></row>`;
  const rows = rowsOf(`${row(1)}<!-- ${row(2)}${row(3)}${row(4)} -->${row(5)}`);
  expect(rows).toMatchObject([{ number: 1 }, { number: 5 }]);
});

test('shared texts that are taken whole keep their places among those that are parsed', async () => {
  const items = ['Jane', 'O&apos;Neil', '', ' two ', 'é_x0041_', 'Ali'];
  const item = (text: string): string => `<si><t xml:space="preserve">${text}</t></si>`;
  const xml = `<sst xmlns="${mainNamespace}">${items.map(item).join('\n')}<si><r><t>a</t></r></si><si><t>b</t></si></sst>`;
  for (const pieceBytes of [1, 7, 40, 4096]) {
    const bytes = Buffer.from(xml);
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    }
    const found = await readSharedStrings('s.xml', pieces(), limits);
    const texts = Array.from({ length: found.count }, (__, index) => found.get(index));
    expect(texts).toEqual(['Jane', "O'Neil", '', ' two ', 'éA', 'Ali', 'a', 'b']);
  }
});
