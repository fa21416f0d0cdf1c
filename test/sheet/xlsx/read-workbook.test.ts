import { describe, expect, test } from 'vitest';
import type { SheetRow } from '../../../src/domain/cell.ts';
import { faultOf, opened, rowsOf, textsOf } from '../../support/sheets/sheet-on-disk.ts';
import { mainNamespace, relationships, workbookBytes, worksheetXml } from '../../support/sheets/xlsx-bytes.ts';

/** The cells of one row with these `<c>` elements. */
async function cellsOf(cells: string, more: { strings?: string; styles?: string } = {}) {
  const [row] = await rowsOf(
    'a.xlsx',
    workbookBytes({ sheets: `<sheetData><row r="1">${cells}</row></sheetData>`, ...more }),
  );
  return row?.cells ?? [];
}

const rowsIn = (sheetXml: string) => rowsOf('a.xlsx', workbookBytes({ sheets: sheetXml }));
const faultIn = (sheetXml: string) => faultOf('a.xlsx', workbookBytes({ sheets: sheetXml }));

const dateStyles =
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="dd\\-mmm\\-yy"/><numFmt numFmtId="165" formatCode="[$KES] #,##0.00"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="49"/></cellXfs>' +
  // Conditional formatting has formats of its own, whose numbers need not agree with those of cells.
  '<dxfs count="2"><dxf><numFmt numFmtId="165" formatCode="0%"/></dxf><dxf><numFmt numFmtId="14" formatCode="#,##0"/></dxf></dxfs>';

describe('the text and type of a cell', () => {
  test.each([
    [
      'a number keeps the digits of the file',
      '<c r="A1"><v>1234.0999999999999</v></c>',
      'number',
      '1234.0999999999999',
    ],
    [
      'a number of twenty digits is not rounded',
      '<c r="A1"><v>12345678901234567890</v></c>',
      'number',
      '12345678901234567890',
    ],
    ['an exponent stays an exponent', '<c r="A1" t="n"><v>7.12E+08</v></c>', 'number', '7.12E+08'],
    ['a text keeps its spaces', '<c r="A1" t="str"><v xml:space="preserve">  a b </v></c>', 'text', '  a b '],
    ['an inline text is read', '<c r="A1" t="inlineStr"><is><t>0712</t></is></c>', 'text', '0712'],
    [
      'runs of a rich text are joined and phonetic runs left out',
      '<c r="A1" t="inlineStr"><is><r><rPr><b/></rPr><t>Ja</t></r><r><t>ne</t></r><rPh sb="0" eb="2"><t>ja</t></rPh></is></c>',
      'text',
      'Jane',
    ],
    ['an escaped character is decoded', '<c r="A1" t="str"><v>a_x000D_b_x005F_x000D_c</v></c>', 'text', 'a\rb_x000D_c'],
    [
      'the five entities and numeric ones are decoded',
      '<c r="A1" t="str"><v>&lt;&amp;&gt;&quot;&apos;&#233;&#x1F600;</v></c>',
      'text',
      '<&>"\'é😀',
    ],
    ['CDATA is text', '<c r="A1" t="str"><v><![CDATA[a<b]]></v></c>', 'text', 'a<b'],
    ['a comment inside a text is no text', '<c r="A1" t="str"><v>a<!-- x -->b</v></c>', 'text', 'ab'],
    ['true is TRUE', '<c r="A1" t="b"><v>1</v></c>', 'boolean', 'TRUE'],
    ['false is FALSE', '<c r="A1" t="b"><v>0</v></c>', 'boolean', 'FALSE'],
    ['an error is its name', '<c r="A1" t="e"><v>#N/A</v></c>', 'error', '#N/A'],
    ['an ISO date is a date', '<c r="A1" t="d"><v>2026-11-01</v></c>', 'date', '2026-11-01'],
    ['a number in a built-in date style is a date', '<c r="A1" s="1"><v>45962</v></c>', 'date', '45962'],
    ['a number in a date style of the workbook is a date', '<c r="A1" s="2"><v>45962</v></c>', 'date', '45962'],
    ['a number in a currency style is a number', '<c r="A1" s="3"><v>1500</v></c>', 'number', '1500'],
    ['a number in the text style is a number', '<c r="A1" s="4"><v>712345678</v></c>', 'number', '712345678'],
  ])('%s', async (_, cell, type, text) => {
    expect(await cellsOf(cell, { styles: dateStyles })).toMatchObject([{ column: 1, address: 'A1', type, text }]);
  });

  test('shared strings are found by their index', async () => {
    const strings =
      '<si><t>0712345678</t></si><si><r><t xml:space="preserve">Jane </t></r><r><t>Doe</t></r><rPh sb="0" eb="1"><t>x</t></rPh></si><si><t>_xD83D__xDE00_</t></si>';
    const cells = await cellsOf(
      '<c r="A1" t="s"><v>1</v></c><c r="B1" t="s"><v>0</v></c><c r="C1" t="s"><v>2</v></c>',
      {
        strings,
      },
    );
    expect(cells.map(({ text }) => text)).toEqual(['Jane Doe', '0712345678', '😀']);
  });

  test('empty cells are left out', async () => {
    const cells = await cellsOf(
      '<c r="A1" s="0"/><c r="B1" t="s"><v>0</v></c><c r="C1"><v>1</v></c><c r="D1"><v></v></c>',
      {
        strings: '<si><t></t></si>',
      },
    );
    expect(cells.map(({ address }) => address)).toEqual(['C1']);
  });

  test.each([
    ['a formula with a value', '<c r="A1"><f>1+1</f><v>2</v></c>', { type: 'number', text: '2', formula: 'cached' }],
    ['a text formula', '<c r="A1" t="str"><f>B1</f><v>x</v></c>', { type: 'text', text: 'x', formula: 'cached' }],
    ['a formula without a value', '<c r="A1"><f>1+1</f></c>', { type: 'number', text: '', formula: 'missing' }],
    ['a formula with an empty value', '<c r="A1"><f>1+1</f><v/></c>', { type: 'number', text: '', formula: 'missing' }],
    [
      'a shared formula',
      '<c r="A1"><f t="shared" si="0"/><v>3</v></c>',
      { type: 'number', text: '3', formula: 'cached' },
    ],
    [
      'a formula with an error',
      '<c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      { type: 'error', text: '#DIV/0!', formula: 'cached' },
    ],
  ])('%s says so', async (_, cell, expected) => {
    expect(await cellsOf(cell)).toEqual([{ column: 1, address: 'A1', ...expected }]);
  });

  test('a formula whose value is the empty text holds nothing', async () => {
    expect(await rowsIn('<sheetData><row r="1"><c r="A1" t="str"><f>x</f><v></v></c></row></sheetData>')).toEqual([]);
  });

  test.each([
    ['a shared text out of range', '<c r="A1" t="s"><v>1</v></c>', /A1 points to a shared text/],
    ['a negative shared text', '<c r="A1" t="s"><v>-1</v></c>', /A1 points to a shared text/],
    ['a shared text without index', '<c r="A1" t="s"><v></v></c>', /A1 points to a shared text/],
    ['an unknown type', '<c r="A1" t="zz"><v>1</v></c>', /unknown type "zz"/],
    ['a type named after an object', '<c r="A1" t="constructor"><v>1</v></c>', /unknown type/],
    ['a style out of range', '<c r="A1" s="7"><v>1</v></c>', /style that does not exist/],
    ['a text longer than a cell', `<c r="A1" t="str"><v>${'x'.repeat(32_768)}</v></c>`, /more than 32767 characters/],
    ['two values in a cell', '<c r="A1"><v>1</v><v>500</v></c>', /A1 holds two values/],
    ['an element inside a value', '<c r="A1"><v>1<b>500</b></v></c>', /A1 holds two values/],
    ['a value and an inline text', '<c r="A1" t="inlineStr"><v>1</v><is><t>5</t></is></c>', /A1 holds two values/],
    ['a cell inside a cell', '<c r="A1"><c r="B1"><v>1</v></c></c>', /holds another cell/],
  ])('%s refuses the sheet', async (_, cell, says) => {
    const fault = await faultOf(
      'a.xlsx',
      workbookBytes({
        sheets: `<sheetData><row r="1">${cell}</row></sheetData>`,
        strings: '<si><t>x</t></si>',
        styles: dateStyles,
      }),
    );
    expect(fault).toMatchObject({ code: 'sheet-unreadable', exit: 3, message: expect.stringMatching(says) });
    expect(fault.remedy).not.toBe('');
  });
});

describe('rows and addresses', () => {
  test('rows and cells without addresses are counted', async () => {
    const rows = await rowsIn(
      '<sheetData><row><c><v>1</v></c><c><v>2</v></c></row><row r="4"><c r="C4"><v>3</v></c><c><v>4</v></c></row><row><c><v>5</v></c></row></sheetData>',
    );
    expect(rows.map(({ number, cells }) => [number, cells.map(({ address }) => address)])).toEqual([
      [1, ['A1', 'B1']],
      [4, ['C4', 'D4']],
      [5, ['A5']],
    ]);
  });

  test('rows that hold nothing are left out, and the stated dimension is not believed', async () => {
    const rows = await rowsIn(
      '<dimension ref="A1:A1"/><sheetData><row r="1"/><row r="3"><c r="AB3"><v>1</v></c></row><row r="9"><c r="A9"/></row></sheetData>',
    );
    expect(rows).toEqual([
      { number: 3, hidden: false, issues: [], cells: [{ column: 28, address: 'AB3', type: 'number', text: '1' }] },
    ]);
  });

  test('hidden rows are told', async () => {
    const row = (r: number, attributes: string) => `<row r="${r}" ${attributes}><c><v>1</v></c></row>`;
    const rows = await rowsIn(
      `<sheetData>${row(1, '')}${row(2, 'hidden="1"')}${row(3, 'hidden="true"')}${row(4, 'ht="0" customHeight="1"')}${row(5, 'hidden="0" ht="15"')}</sheetData>`,
    );
    expect(rows.filter(({ hidden }) => hidden).map(({ number }) => number)).toEqual([2, 3, 4]);
  });

  test.each([
    ['a repeated row number', '<row r="2"><c><v>1</v></c></row><row r="2"><c><v>2</v></c></row>', /It has row 2 twice/],
    ['a decreasing row number', '<row r="5"/><row r="2"/>', /Row 2 comes after row 5/],
    ['a row number that is none', '<row r="1e3"/>', /number "1e3"/],
    ['a row beyond the end', '<row r="1048577"/>', /number "1048577"/],
    ['a cell of another row', '<row r="2"><c r="A3"/></row>', /address "A3"/],
    ['a repeated cell', '<row r="2"><c r="A2"/><c r="A2"/></row>', /not in order at A2/],
    ['a decreasing cell', '<row r="2"><c r="B2"/><c r="A2"/></row>', /not in order at A2/],
    ['an address that is none', '<row r="2"><c r="2A"/></row>', /address "2A"/],
    ['a row inside a row', '<row r="2"><row r="3"/></row>', /holds another row/],
    ['a value far to the right', '<row r="2"><c r="AMK2"><v>1</v></c></row>', /Cell AMK2 holds a value/],
  ])('%s refuses the sheet', async (_, rows, says) => {
    const value = '<row r="1"><c><v>1</v></c></row>';
    expect((await faultIn(`<sheetData>${value}${rows}</sheetData>`)).message).toMatch(says);
  });
});

describe('merged ranges', () => {
  test('every cell inside says so, and the covered ones are there without a value', async () => {
    const rows = await rowsIn(
      '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="C1"><v>3</v></c></row><row r="2"><c r="A2"><v>4</v></c></row><row r="3"><c r="A3"><v>5</v></c><c r="C3"><v>6</v></c></row></sheetData><mergeCells count="1"><mergeCell ref="B1:C2"/></mergeCells>',
    );
    const summary = rows.map(({ cells }) => cells.map(({ address, text, merged }) => [address, text, merged ?? false]));
    expect(summary).toEqual([
      [
        ['A1', '1', false],
        ['B1', '2', true],
        ['C1', '3', true],
      ],
      [
        ['A2', '4', false],
        ['B2', '', true],
        ['C2', '', true],
      ],
      [
        ['A3', '5', false],
        ['C3', '6', false],
      ],
    ]);
  });

  test('a merged title does not add cells right of the table', async () => {
    const [title] = await rowsIn(
      '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1"/></mergeCells>',
    );
    expect(title?.cells).toHaveLength(1);
  });

  test('prefixes and quotes of the tag do not matter', async () => {
    const xml = `<x:worksheet xmlns:x="${mainNamespace}"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData><x:mergeCells><x:mergeCell\n ref='A1:A2' /></x:mergeCells></x:worksheet>`;
    const [row] = await rowsOf('a.xlsx', workbookBytes({ sheets: '', instead: { 'xl/worksheets/sheet1.xml': xml } }));
    expect(row?.cells).toEqual([{ column: 1, address: 'A1', type: 'number', text: '1', merged: true }]);
  });

  test.each([
    ['one that is no range', '<mergeCells><mergeCell ref="A1:B"/></mergeCells>', /"A1:B" is not one/],
    ['two that overlap', '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="B1:C1"/></mergeCells>', /overlap/],
  ])('%s refuses the sheet', async (_, merges, says) => {
    expect((await faultIn(`<sheetData><row><c><v>1</v></c></row></sheetData>${merges}`)).message).toMatch(says);
  });

  test.each([
    ['counts however its tag is written', '<mergeCells><mergeCell a=">" ref="A1:B1"/></mergeCells>', true],
    ['inside a comment is none', '<!-- <mergeCell ref="A1:B1"/> -->', undefined],
    ['of another vocabulary is none', '<x:a xmlns:x="urn:x"><mergeCell ref="A1:B1"/></x:a>', undefined],
  ])('one that %s', async (_, merges, merged) => {
    const [row] = await rowsIn(`<sheetData><row><c><v>1</v></c></row></sheetData>${merges}`);
    expect(row?.cells.map((cell) => cell.merged)).toEqual([merged]);
  });
});

describe('the ways a workbook may be written', () => {
  const strict = 'http://purl.oclc.org/ooxml/spreadsheetml/main';
  const value = '<sheetData><row r="1"><c r="A1"><v>7</v></c></row></sheetData>';

  test.each([
    ['strict namespaces', { 'xl/worksheets/sheet1.xml': worksheetXml(value).replace(mainNamespace, strict) }],
    [
      'absolute part names',
      { 'xl/_rels/workbook.xml.rels': relationships([['rId1', 'worksheet', '/xl/worksheets/sheet1.xml']]) },
    ],
    [
      'part names in other case, through a parent folder',
      { 'xl/_rels/workbook.xml.rels': relationships([['rId1', 'worksheet', '../XL/Worksheets/./sheet1.xml']]) },
    ],
    [
      'UTF-16 with a mark',
      { 'xl/worksheets/sheet1.xml': Buffer.from(`\ufeff${worksheetXml(value).replace('UTF-8', 'UTF-16')}`, 'utf16le') },
    ],
    ['a UTF-8 mark', { 'xl/worksheets/sheet1.xml': `\ufeff${worksheetXml(value)}` }],
    [
      'elements of other vocabularies',
      {
        'xl/worksheets/sheet1.xml': worksheetXml(
          `<y:row xmlns:y="urn:y"><y:c><row xmlns="${mainNamespace}"/></y:c></y:row>${value}<extLst><ext xmlns="urn:z"><row r="1"/></ext></extLst>`,
        ),
      },
    ],
  ])('%s are read', async (_, instead) => {
    expect(await textsOf('a.xlsx', workbookBytes({ sheets: value, instead }))).toEqual({ A1: '7' });
  });

  test.each([
    [
      'a worksheet that is missing',
      relationships([['rId1', 'worksheet', 'worksheets/none.xml']]),
      /none\.xml is missing/,
    ],
    ['a worksheet without relationship', relationships([]), /"Payouts" is missing/],
  ])('%s refuses the workbook', async (_, rels, says) => {
    const bytes = workbookBytes({ sheets: value, instead: { 'xl/_rels/workbook.xml.rels': rels } });
    expect((await faultOf('a.xlsx', bytes)).message).toMatch(says);
  });

  test('a worksheet in another file is never opened', async () => {
    const rels = relationships([['rId1', 'worksheet', 'file:///etc/passwd']]).replace('/>', ' TargetMode="External"/>');
    const fault = await faultOf(
      'a.xlsx',
      workbookBytes({ sheets: value, instead: { 'xl/_rels/workbook.xml.rels': rels } }),
    );
    expect(fault.message).toMatch(/No visible worksheet/);
  });

  test('a part that is cut off, or of another vocabulary, refuses the workbook', async () => {
    const cut = worksheetXml(value).slice(0, -20);
    const foreign = worksheetXml(value).replace(mainNamespace, 'urn:other');
    for (const xml of [cut, foreign, '<worksheet/>', '']) {
      const bytes = workbookBytes({ sheets: value, instead: { 'xl/worksheets/sheet1.xml': xml } });
      expect((await faultOf('a.xlsx', bytes)).message).toMatch(/damaged/);
    }
  });
});

describe('which worksheet is read', () => {
  const data = '<sheetData><row><c><v>1</v></c></row></sheetData>';
  const empty = '<sheetData/>';

  test('the only visible one with data, and hidden ones are told', async () => {
    const sheet = await opened(
      'a.xlsx',
      workbookBytes({
        sheets: [
          { name: 'Old', xml: data, state: 'hidden' },
          { name: 'Empty', xml: empty },
          {
            name: 'November',
            xml: `<cols><col min="2" max="3" hidden="1"/><col min="5" max="5" width="0"/></cols>${data}`,
          },
          { name: 'Secret', xml: data, state: 'veryHidden' },
        ],
      }),
    );
    expect(sheet).toMatchObject({
      format: 'xlsx',
      worksheet: 'November',
      hiddenColumns: [
        { from: 2, to: 3 },
        { from: 5, to: 5 },
      ],
      notices: [
        'The hidden worksheet "Old" holds data and was not read.',
        'The hidden worksheet "Secret" holds data and was not read.',
        'Columns B to C are hidden.',
        'Column E is hidden.',
      ],
    });
  });

  test('two with data refuse the workbook until one is named', async () => {
    const bytes = workbookBytes({
      sheets: [
        { name: 'Staff', xml: data },
        { name: 'Casuals', xml: data.replace('1', '2') },
      ],
    });
    expect((await faultOf('a.xlsx', bytes)).message).toBe(
      'The workbook has 2 worksheets with data: "Staff", "Casuals".',
    );
    expect(await textsOf('a.xlsx', bytes, { worksheet: 'casuals' })).toEqual({ A1: '2' });
    expect((await faultOf('a.xlsx', bytes, { worksheet: 'None' })).message).toMatch(/no worksheet "None"/);
  });

  const cell = (address: string, text: string): string => `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const table = (people: number): string => {
    const rows = Array.from({ length: people }, (_, at) => `<row r="${at + 3}">${cell(`A${at + 3}`, 'Jane')}</row>`);
    return `<sheetData><row r="2">${cell('A2', 'Net Pay')}</row>${rows.join('')}</sheetData>`;
  };
  const isHeadings = ({ cells }: SheetRow): boolean => cells[0]?.text === 'Net Pay';
  const months = workbookBytes({
    sheets: [
      { name: 'January', xml: table(2) },
      { name: 'February', xml: table(3) },
      { name: 'March', xml: table(0) },
      { name: 'Rates', xml: data },
      { name: 'Casuals', xml: table(1), state: 'hidden' },
    ],
  });

  test('the remedy proposes one that looks like a payout sheet', async () => {
    const bytes = workbookBytes({
      sheets: [
        { name: 'Guide', xml: `<sheetData><row r="1">${cell('A1', 'Rate')}${cell('B1', '500')}</row></sheetData>` },
        { name: 'Staff', xml: table(2) },
      ],
    });
    const { remedy } = await faultOf('a.xlsx', bytes, { isHeadings, typed: 'paybatch run a.xlsx' });
    expect(remedy).toBe('Name the one to pay, for example: paybatch run a.xlsx --worksheet Staff');
  });

  test('others that look like payout sheets are not paid, and that is a warning with their rows', async () => {
    expect(await opened('a.xlsx', months, { worksheet: 'January', isHeadings })).toMatchObject({
      warnings: [
        'The worksheet "February" is not paid: it has 3 rows under headings like those of a payout sheet.',
        'The hidden worksheet "Casuals" is not paid: it has 1 row under headings like those of a payout sheet.',
      ],
      notices: [
        'The worksheet "March" holds data and was not read.',
        'The worksheet "Rates" holds data and was not read.',
      ],
    });
  });

  test('a hidden one is refused even by its name', async () => {
    const { message, remedy } = await faultOf('a.xlsx', months, { worksheet: 'Casuals' });
    expect(message).toBe('The worksheet "Casuals" is hidden, so whoever approved the workbook may not have seen it.');
    expect(remedy).toMatch(/Show it in the spreadsheet program/);
  });

  test('the usual one is read only while no other looks like a payout sheet', async () => {
    const usual = { usualWorksheet: 'January', isHeadings };
    expect(await faultOf('a.xlsx', months, { ...usual, typed: 'paybatch run a.xlsx' })).toMatchObject({
      message: 'The mapping was learned on the worksheet "January", but these may be meant as well: "February".',
      remedy: 'Name the one to pay, for example: paybatch run a.xlsx --worksheet January',
    });
    const chosen = await opened('a.xlsx', months, { ...usual, chooseWorksheet: async () => 'February' });
    expect(chosen.worksheet).toBe('February');
    const alone = workbookBytes({
      sheets: [
        { name: 'Rates', xml: data },
        { name: 'March', xml: table(0) },
        { name: 'January', xml: table(2) },
      ],
    });
    expect(await opened('a.xlsx', alone, usual)).toMatchObject({ worksheet: 'January', warnings: [] });
  });

  test('the only one with payments is read beside one of text, and not beside one that may have others', async () => {
    const line = (...texts: readonly string[]): string =>
      `<sheetData><row r="1">${texts.map((text, at) => `<c r="${'AB'[at]}1" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row></sheetData>`;
    const beside = (xml: string) =>
      workbookBytes({
        sheets: [
          { name: 'Guide', xml },
          { name: 'January', xml: table(2) },
        ],
      });
    expect(await opened('a.xlsx', beside(line('Questions: call 0712345678')), { isHeadings })).toMatchObject({
      worksheet: 'January',
      notices: ['The worksheet "Guide" holds data and was not read.'],
    });
    expect((await opened('a.xlsx', beside(line('Column', 'What to write')), { isHeadings })).worksheet).toBe('January');
    expect((await faultOf('a.xlsx', beside(line('Jane', '0712345678')), { isHeadings })).message).toMatch(
      /2 worksheets/,
    );
  });

  test('a damaged one beside it refuses nothing', async () => {
    const broken = table(2).replace('r="A4"', 'r="A9"');
    const bytes = workbookBytes({
      sheets: [
        { name: 'January', xml: table(1) },
        { name: 'Old', xml: broken },
      ],
    });
    const sheet = await opened('a.xlsx', bytes, { worksheet: 'January', isHeadings });
    expect(sheet.notices).toEqual(['The worksheet "Old" holds data and was not read.']);
  });

  test('worksheets that templates and checked copies add are not taken for the table', async () => {
    const bytes = workbookBytes({
      sheets: [
        { name: 'Start here', xml: data },
        { name: 'Payouts', xml: data },
        { name: 'paybatch problems', xml: data },
      ],
    });
    expect(await opened('a.checked.xlsx', bytes)).toMatchObject({ worksheet: 'Payouts', notices: [] });
  });

  test('a workbook without data says so', async () => {
    expect((await faultIn('<sheetData><row r="1"><c r="A1" s="0"/></row></sheetData>')).message).toMatch(
      /No visible worksheet/,
    );
  });

  test('a results workbook is refused by its name and by its worksheets', async () => {
    const sheets = ['Summary', 'Results', 'Exceptions', 'Reconciliation', 'Audit'].map((name) => ({ name, xml: data }));
    const renamed = await faultOf('renamed.xlsx', workbookBytes({ sheets }), { worksheet: 'Results' });
    const named = await faultOf('a.b1.results.xlsx', workbookBytes({ sheets: data }));
    expect(renamed.message).toMatch(/holds paybatch results/);
    expect(named.message).toMatch(/holds paybatch results/);
  });
});
