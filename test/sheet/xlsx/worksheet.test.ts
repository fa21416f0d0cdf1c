import { describe, expect, test } from 'vitest';
import type { SheetRow } from '../../../src/domain/cell.ts';
import { Fault } from '../../../src/domain/fault.ts';
import { defaultSheetLimits } from '../../../src/sheet/sheet-limits.ts';
import { readMergedRanges } from '../../../src/sheet/xlsx/merged-ranges.ts';
import { isDateFormat } from '../../../src/sheet/xlsx/number-format.ts';
import { noSharedStrings, readSharedStrings } from '../../../src/sheet/xlsx/shared-strings.ts';
import { noStyles } from '../../../src/sheet/xlsx/styles.ts';
import { worksheetReader } from '../../../src/sheet/xlsx/worksheet.ts';
import { mainNamespace, worksheetXml } from '../../support/sheets/xlsx-bytes.ts';

const limits = defaultSheetLimits;

const sharedStrings = Buffer.from(
  `<sst xmlns="${mainNamespace}"><si><t xml:space="preserve"> Wanjikũ &amp; 😀 </t></si><si><r><t>a</t></r><rPh><t>b</t></rPh><r><t>_x000A_</t></r></si></sst>`,
);
const worksheet = Buffer.from(
  worksheetXml(
    '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>é€😀&#x41;</t></is></c></row>\r\n' +
      '<row r="3" hidden="1"><c r="A3" t="s"><v>1</v></c><c r="B3"><f>1&lt;2</f><v>712345678.25</v></c><c r="C3" t="str"><v>x\r\ny<![CDATA[<z>]]></v></c></row></sheetData>' +
      '<mergeCells count="1"><mergeCell ref="B1:B3"/></mergeCells>',
  ),
);

async function* pieces(bytes: Buffer, cuts: readonly number[]) {
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    yield bytes.subarray(from, to);
    from = to;
  }
}

/** Reads the strings and the worksheet above, both cut into the same kind of pieces. */
async function readInPieces(cutsOf: (bytes: Buffer) => readonly number[]): Promise<readonly SheetRow[]> {
  const strings = await readSharedStrings('s.xml', pieces(sharedStrings, cutsOf(sharedStrings)), limits);
  const merged = await readMergedRanges('w.xml', pieces(worksheet, cutsOf(worksheet)), limits);
  const rows: SheetRow[] = [];
  const reader = worksheetReader({ part: 'w.xml', strings, styles: noStyles, merged, limits }, (row) => rows.push(row));
  for await (const piece of pieces(worksheet, cutsOf(worksheet))) reader.write(piece);
  reader.end();
  return rows;
}

const expected: readonly SheetRow[] = [
  {
    number: 1,
    hidden: false,
    issues: [],
    cells: [
      { column: 1, address: 'A1', type: 'text', text: ' Wanjikũ & 😀 ' },
      { column: 2, address: 'B1', type: 'text', text: 'é€😀A', merged: true },
    ],
  },
  {
    number: 3,
    hidden: true,
    issues: [],
    cells: [
      { column: 1, address: 'A3', type: 'text', text: 'a\n' },
      { column: 2, address: 'B3', type: 'number', text: '712345678.25', formula: 'cached', merged: true },
      { column: 3, address: 'C3', type: 'text', text: 'x\ny<z>' },
    ],
  },
];

describe('a worksheet in pieces', () => {
  test('reads the same in one piece and byte by byte', async () => {
    expect(await readInPieces(() => [])).toEqual(expected);
    expect(await readInPieces((bytes) => Array.from({ length: bytes.length - 1 }, (_, at) => at + 1))).toEqual(
      expected,
    );
  });

  test('reads the same wherever it is cut in two', async () => {
    for (let cut = 1; cut < worksheet.length; cut += 1) {
      const rows = await readInPieces((bytes) => [Math.min(cut, bytes.length - 1)]);
      expect(rows, `cut at byte ${cut}`).toEqual(expected);
    }
  });
});

/** The rows of a table, or the words of the fault; its XML comes in pieces of so many bytes. */
function rowsOf(table: string, pieceBytes = 1024): readonly SheetRow[] | string {
  const rows: SheetRow[] = [];
  const bytes = Buffer.from(worksheetXml(`<sheetData>${table}</sheetData>`));
  const parts = { part: 'w.xml', strings: noSharedStrings, styles: noStyles, merged: [], limits };
  try {
    const reader = worksheetReader(parts, (row) => rows.push(row));
    for (let at = 0; at < bytes.length; at += pieceBytes) reader.write(bytes.subarray(at, at + pieceBytes));
    reader.end();
    return rows;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

describe('the rows of a table', () => {
  const row = (number: number): string => `<row r="${number}"><c r="A${number}"><v>1</v></c></row>`;

  test.each([
    ['a row that stands twice', row(1).repeat(2), 'It has row 1 twice'],
    ['rows out of their order', row(2) + row(1), 'Row 1 comes after row 2'],
    ['a row in a row', `<row r="1">${row(2)}</row>`, 'holds another row'],
    ['an attribute twice', '<row r="2" r="3"><c r="A2"><v>1</v></c></row>', 'not well-formed'],
    ['a row of another vocabulary', '<row r="1"/><row r="2" xmlns="urn:x"/>', 'hold the element <row>'],
    ['a row behind the table', `${row(1)}</sheetData>${row(2)}<sheetData>`, 'outside the table'],
    ['a comment without an end', `${row(1)}<!-- ${row(2)}`, 'not well-formed'],
    ['a cell of another row', '<row r="1"><c r="A2"><v>1</v></c></row>', 'holds a cell with the address "A2"'],
    [
      'a cell beyond the worksheet',
      '<row r="1"><c r="XFE1"><v>1</v></c></row>',
      'holds a cell with the address "XFE1"',
    ],
    ['a cell that stands twice', '<row r="1"><c r="A1"/><c r="A1"/></row>', 'not in order at A1'],
    ['an unknown type', '<row r="1"><c r="A1" t="oddity"><v>1</v></c></row>', 'unknown type "oddity"'],
    [
      'a number of a shared text longer than a cell',
      `<row r="1"><c r="A1" t="s"><v>${'0'.repeat(40_000)}</v></c></row>`,
      'more than 32767 characters',
    ],
  ])('are refused for %s', (_, table, words) => {
    expect(rowsOf(table)).toContain(words);
  });

  test('are none where they stand in a comment', () => {
    const rows = rowsOf(`${row(1)}<!-- ${row(2)}${row(3)} -->${row(4)}`);
    expect(rows).toMatchObject([{ number: 1 }, { number: 4 }]);
  });

  test.each([1000, 16_384, 65_536])('are not waited for in a tag without an end, in pieces of %i bytes', (bytes) => {
    expect(rowsOf(`${row(1)}<row ${'x'.repeat(1_200_000)} r="2"></row>`, bytes)).toContain('unreasonable length');
  });
});

describe('number formats', () => {
  test.each([
    'yyyy-mm-dd',
    'd/m/yy',
    '[$-409]d-mmm-yy;@',
    '[h]:mm:ss',
    'mm:ss.0',
    'h:mm AM/PM',
    '"Date" dd\\.mm\\.yyyy',
    'yyyy"年"m"月"',
    '[Red]dd/mm/yy',
  ])('%s is a date', (code) => expect(isDateFormat(164, code)).toBe(true));

  test.each([
    'General',
    'Standard',
    '0.00',
    '#,##0;[Red]-#,##0',
    '[$KES] #,##0.00',
    'KES #,##0',
    '"days" 0',
    '0\\d',
    '@',
    '_(* #,##0_);_(* (#,##0)',
    '[Magenta]0',
    '0.00E+00',
    '',
  ])('"%s" is none', (code) => expect(isDateFormat(164, code)).toBe(false));

  test.each([14, 22, 27, 36, 45, 47, 50, 58])('built-in format %i is a date', (id) =>
    expect(isDateFormat(id, undefined)).toBe(true),
  );

  test.each([0, 2, 13, 23, 37, 44, 48, 49, 164])('built-in format %i is none', (id) =>
    expect(isDateFormat(id, undefined)).toBe(false),
  );
});
