import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { SheetRow } from '../../../src/domain/cell.ts';
import { PROBLEMS_HEADING, PROBLEMS_SHEET } from '../../../src/domain/checked-copy.ts';
import { type Issue, issueFix, issueMessage } from '../../../src/domain/issue.ts';
import { openSheetFile } from '../../../src/sheet/sheet-file.ts';
import { defaultSheetLimits } from '../../../src/sheet/sheet-limits.ts';
import { openPackage } from '../../../src/sheet/xlsx/package.ts';
import { hasOpenpyxl, readWithOpenpyxl } from '../../support/second-readers/openpyxl.ts';
import { readWorkbook } from '../../support/second-readers/seen-workbook.ts';
import { checkFile, rowsIn } from '../../support/sheets/checked-copies.ts';
import { onDisk, temporaryFolder } from '../../support/sheets/sheet-on-disk.ts';
import { workbookBytes } from '../../support/sheets/xlsx-bytes.ts';

const DATE_STYLES = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';

const text = (address: string, value: string): string =>
  `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
const number = (address: string, value: string): string => `<c r="${address}"><v>${value}</v></c>`;

const headings = ['Reference', 'Name', 'Phone', 'Amount', 'Type', 'Paybill number', 'Account number', 'Note', 'Joined'];
const row = (at: number, cells: readonly string[], attributes = ''): string =>
  `<row r="${at}"${attributes}>${cells.join('')}</row>`;

/** One cell of every sort, titles, a gap, a hidden row, a merged range, a hidden column, signatures. */
const everySort = workbookBytes({
  styles: DATE_STYLES,
  sheets: [
    {
      name: "June (Bob's)",
      xml: `<cols><col min="8" max="8" width="9" hidden="1"/></cols><sheetData>${[
        row(1, [text('A1', 'Acme Ltd')]),
        row(
          4,
          headings.map((heading, at) => text(`${String.fromCharCode(65 + at)}4`, heading)),
        ),
        row(5, [
          text('A5', 'E1'),
          text('B5', '=1+1'),
          number('C5', '712345678'),
          number('D5', '1234.0999999999999'),
          text('E5', 'wallet'),
          text('H5', '  @two\nlines  '),
          '<c r="I5" s="1"><v>43832</v></c>',
        ]),
        row(6, [
          text('A6', 'E2'),
          text('B6', 'Bob'),
          text('C6', '07123456'),
          text('D6', '1.500'),
          text('E6', 'wallet'),
        ]),
        row(7, [
          text('A7', 'E3'),
          text('B7', '-Cee'),
          number('D7', '3E2'),
          text('E7', 'paybill'),
          number('F7', '400200'),
          number('G7', '12345678901234567890'),
        ]),
        row(8, [
          text('A8', 'E4'),
          text('B8', '+Dee'),
          text('C8', '0722345672'),
          number('D8', '300'),
          text('E8', 'paybill'),
          text('F8', '400200'),
          text('G8', '00123456789012345678'),
        ]),
        row(9, [text('A9', 'E5'), text('B9', 'Hid'), text('C9', '0722345673'), number('D9', '310')], ' hidden="1"'),
        row(10, [
          text('A10', 'E6'),
          text('B10', 'Eve'),
          text('C10', '0722345674'),
          '<c r="D10"><f>SUM(A1)</f></c>',
          '<c r="H10" t="b"><v>1</v></c>',
        ]),
        row(11, [text('A11', 'E7'), text('B11', 'Gus'), text('C11', '0722345675'), number('D11', '320')]),
        row(12, [text('A12', 'E8'), text('B12', 'Ida'), text('C12', '0722345676')]),
        row(13, [
          text('A13', 'E9'),
          text('B13', 'Odd'),
          '<c r="C13" t="e"><v>#REF!</v></c>',
          '<c r="D13" s="1"><v>46000.5</v></c>',
          text('I13', 'Odd _x005F_x0041_ _x0007_'),
        ]),
        row(14, [
          text('A14', 'E10'),
          text('B14', 'Kim'),
          text('C14', '0733345677'),
          '<c r="D14"><f>300+30</f><v>330</v></c>',
          text('E14', 'wallet'),
        ]),
        row(15, [text('A15', 'TOTAL'), number('D15', '17')]),
        row(18, [text('A18', 'Prepared by Amina')]),
      ].join('')}</sheetData><mergeCells count="2"><mergeCell ref="A1:D1"/><mergeCell ref="D11:D12"/></mergeCells>`,
    },
  ],
});

/** Rows without our own column. */
const withoutOurs = (rows: readonly SheetRow[]): readonly SheetRow[] =>
  rows.map((found) => ({ ...found, cells: found.cells.filter(({ column }) => column !== headings.length + 1) }));

/** What a checked copy is held to: everything of a cell but that a formula computed it. */
const comparable = (rows: readonly SheetRow[]): unknown =>
  rows.map(({ number: at, hidden, cells }) => ({
    at,
    hidden,
    cells: cells.map(({ address, type, text: said, formula, merged }) => [
      address,
      type,
      said,
      formula === 'missing',
      merged,
    ]),
  }));

async function readBack(file: string) {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const [table, list] = book.worksheets;
  if (!table || !list) throw new Error('a checked copy has two worksheets');
  return { table, list };
}

/** The XML of one part of a workbook. */
async function partOf(file: string, part: string): Promise<string> {
  const opened = await openSheetFile(file, defaultSheetLimits);
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of (await openPackage(opened, defaultSheetLimits)).read(part)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  } finally {
    await opened.close();
  }
}

const colourOf = (cell: ExcelJS.Cell): string | undefined =>
  cell.fill?.type === 'pattern' ? cell.fill.fgColor?.argb : undefined;

const noteOf = (cell: ExcelJS.Cell): string =>
  typeof cell.note === 'string' ? cell.note : (cell.note?.texts ?? []).map(({ text: part }) => part).join('');

const atCells = (issues: readonly Issue[]): unknown =>
  issues.map(({ code, level, cell, row: at, value }) => ({ code, level, cell, at, value }));

describe('the checked copy of a workbook', () => {
  test('holds every cell of the original at its address, with its type and its exact text', async () => {
    const original = await onDisk('pay.xlsx', everySort);
    const { copy } = await checkFile(original);
    expect(path.basename(copy)).toBe('pay.checked.xlsx');
    expect(comparable(withoutOurs(await rowsIn(copy)))).toEqual(comparable(await rowsIn(original)));
  });

  test('leaves the original as it was, and nothing else in the folder', async () => {
    const original = await onDisk('pay.xlsx', everySort);
    const before = createHash('sha256').update(readFileSync(original)).digest('hex');
    await checkFile(original);
    expect(createHash('sha256').update(readFileSync(original)).digest('hex')).toBe(before);
    expect(readdirSync(path.dirname(original)).sort()).toEqual(['pay.checked.xlsx', 'pay.xlsx']);
  });

  test('paints and notes the cell of every issue, and no other', async () => {
    const { copy, issues } = await checkFile(await onDisk('pay.xlsx', everySort));
    const { table } = await readBack(copy);
    const marked = new Set<string>();
    for (const found of issues) {
      if (found.cell === undefined) continue;
      const cell = table.getCell(found.cell);
      expect(colourOf(cell), found.cell).toBe(found.level === 'error' ? 'FFF8CBAD' : 'FFFFF2CC');
      marked.add(found.cell);
      // A covered cell of a merged range cannot be pointed at.
      if (found.cell === 'D12') continue;
      expect(noteOf(cell)).toContain(issueMessage(found));
      expect(noteOf(cell)).toContain(issueFix(found));
      expect(noteOf(cell)).toContain(found.code);
    }
    expect(marked).toContain('B9');
    expect(marked).toContain('D11');
    expect(marked).toContain('D12');
    expect(marked.size).toBeGreaterThan(8);
    table.eachRow((line) => {
      line.eachCell({ includeEmpty: true }, (cell, column) => {
        if (column > headings.length || marked.has(cell.address)) return;
        expect(['FFF8CBAD', 'FFFFF2CC'], cell.address).not.toContain(colourOf(cell));
        expect(cell.note, cell.address).toBeUndefined();
      });
    });
  });

  test('paints a cell with warnings only in yellow', async () => {
    const sheet = 'Name,Phone,Amount,Network\nAnn,0712345678,100,Airtel\n';
    const book = new ExcelJS.Workbook();
    const made = book.addWorksheet('Pay');
    for (const line of sheet.trim().split('\n')) made.addRow(line.split(','));
    const original = path.join(await temporaryFolder(), 'pay.xlsx');
    await book.xlsx.writeFile(original);
    const { copy, issues } = await checkFile(original);
    expect(issues.map(({ code }) => code)).toEqual(['PB-NETWORK-DIFFERS']);
    const { table } = await readBack(copy);
    expect(colourOf(table.getCell('D2'))).toBe('FFFFF2CC');
    expect(table.getCell('E2').text).toMatch(/^WARNING D2: /);
  });

  test('says in words beside each row what is wrong with it', async () => {
    const { copy, issues } = await checkFile(await onDisk('pay.xlsx', everySort));
    const { table } = await readBack(copy);
    expect(table.getCell('J4').text).toBe(PROBLEMS_HEADING);
    for (let at = 5; at <= 18; at++) {
      const own = issues.filter(({ row: of }) => of === at);
      const said = table.getRow(at).getCell(10).text;
      expect(said === '', String(at)).toBe(own.length === 0);
      for (const found of own) {
        expect(said).toContain(`${found.level.toUpperCase()} ${found.cell}: ${issueMessage(found)}`);
      }
    }
  });

  test('ends with a list of all issues, sorted by row, with links to their cells', async () => {
    const { copy, issues, checked } = await checkFile(await onDisk('pay.xlsx', everySort));
    const { list } = await readBack(copy);
    expect(list.name).toBe(PROBLEMS_SHEET);
    let top = 1;
    while (list.getCell(top, 1).text !== 'Row') top++;
    const above = Array.from({ length: top - 1 }, (_, at) => list.getCell(at + 1, 1).text).join('\n');
    expect(above).toContain(`${checked.errors} errors, ${checked.warnings} warnings`);
    expect(above).toContain(`${checked.payable} can be paid as they are: KES`);
    const listed = issues.map((_, at) => {
      const line = list.getRow(top + 1 + at);
      return Array.from({ length: 8 }, (__, column) => line.getCell(column + 1).text);
    });
    expect(
      listed.map(([at, cell, , value, problem, fix, level, code]) => [at, cell, value, problem, fix, level, code]),
    ).toEqual(
      issues.map((found) => [
        String(found.row ?? ''),
        found.cell ?? '',
        found.value,
        issueMessage(found),
        issueFix(found),
        found.level === 'error' ? 'Error' : 'Warning',
        found.code,
      ]),
    );
    expect(listed.map(([, cell, heading]) => [cell, heading])).toContainEqual(['G7', 'Account number']);
    expect(listed.map(([at]) => Number(at))).toEqual(listed.map(([at]) => Number(at)).toSorted((a, b) => a - b));
    expect(list.rowCount).toBe(top + issues.length);
  });

  test('keeps what is merged, hidden, dated and computed, without a formula of the user', async () => {
    const { copy } = await checkFile(await onDisk('pay.xlsx', everySort));
    const seen = (await readWorkbook(copy)).sheets["June (Bob's)"];
    expect(seen).toMatchObject({ freeze: 'A5', filter: 'A4:J18' });
    expect(seen?.cells['B5']).toMatchObject({ value: '=1+1', type: 's' });
    expect(seen?.cells['B7']).toMatchObject({ value: '-Cee', type: 's' });
    expect(seen?.cells['G8']).toMatchObject({ value: '00123456789012345678', type: 's', format: '@' });
    expect(seen?.cells['D14']).toMatchObject({ value: 330, type: 'n' });
    expect(seen?.cells['I5']).toMatchObject({ value: '2020-01-02T00:00:00', type: 'd' });
    const { table } = await readBack(copy);
    expect(table.model.merges).toEqual(['A1:D1', 'D11:D12']);
    expect(Array.from({ length: 18 }, (_, at) => at + 1).filter((at) => table.getRow(at).hidden)).toEqual([9]);
  });

  test('links every cell that its list names, within the workbook', async () => {
    const { copy, issues } = await checkFile(await onDisk('pay.xlsx', everySort));
    const { list } = await readBack(copy);
    // exceljs does not read links within a workbook.
    const xml = await partOf(copy, 'xl/worksheets/sheet2.xml');
    const links = [...xml.matchAll(/<hyperlink ref="([^"]+)" location="([^"]+)"/g)].map(([, at = '', to = '']) => [
      list.getCell(at).text,
      to.replaceAll('&apos;', "'"),
    ]);
    const cells = [...new Set(issues.flatMap(({ cell }) => cell ?? []))];
    expect(Object.fromEntries(links)).toEqual(
      Object.fromEntries(cells.map((cell) => [cell, `'June (Bob''s)'!${cell}`])),
    );
  });

  test.skipIf(!hasOpenpyxl)('is to openpyxl what it is to exceljs', async () => {
    const { copy } = await checkFile(await onDisk('pay.xlsx', everySort));
    const { sheets, names } = await readWorkbook(copy);
    const table = sheets["June (Bob's)"];
    // openpyxl leaves the escapes of ECMA-376 in place, and exceljs misses what is printed where a name has a quote.
    const cells = { ...table?.cells, I13: { value: 'Odd _x005F_x0041_ _x0007_', type: 's', format: '@' } };
    const asOpenpyxl = { ...sheets, "June (Bob's)": { ...table, cells, titleRows: '$4:$4' } };
    expect(readWithOpenpyxl(copy)).toEqual({ sheets: asOpenpyxl, names });
  });

  test('is refused for the same problems at the same cells when nothing was corrected, and again after that', async () => {
    const first = await checkFile(await onDisk('pay.xlsx', everySort));
    const second = await checkFile(first.copy);
    const third = await checkFile(second.copy);
    // The copy holds what formulas gave, so it no longer warns of them.
    const lasting = first.issues.filter(({ code }) => code !== 'PB-FORMULA-CACHED');
    expect(lasting.length).toBeLessThan(first.issues.length);
    expect(atCells(second.issues)).toEqual(atCells(lasting));
    expect(atCells(third.issues)).toEqual(atCells(lasting));
    expect(path.basename(second.copy)).toBe('pay.checked (2).xlsx');
    expect(path.basename(third.copy)).toBe('pay.checked (3).xlsx');
    expect(comparable(await rowsIn(third.copy))).toEqual(comparable(await rowsIn(second.copy)));
  });

  test('never takes the place of an older copy, in which somebody may be correcting', async () => {
    const original = await onDisk('pay.xlsx', everySort);
    const { copy } = await checkFile(original);
    await writeFile(copy, 'an hour of work');
    expect(path.basename((await checkFile(original)).copy)).toBe('pay.checked (2).xlsx');
    expect(readFileSync(copy, 'utf8')).toBe('an hour of work');
  });

  test('of a sheet without headings has the list alone', async () => {
    const sheet = workbookBytes({
      sheets: `<sheetData>${row(1, [text('A1', 'nothing'), text('B1', 'known')])}</sheetData>`,
    });
    const { copy, issues } = await checkFile(await onDisk('pay.xlsx', sheet));
    expect(issues.map(({ code }) => code)).toContain('PB-HEADER-UNKNOWN');
    const { table, list } = await readBack(copy);
    expect(table.getRow(1).cellCount).toBe(2);
    expect(list.getColumn(8).values).toContain('PB-HEADER-UNKNOWN');
  });

  test('marks a total row that says another sum, and two headings for one column', async () => {
    const sheet = workbookBytes({
      sheets: `<sheetData>${[
        row(1, [text('A1', 'Name'), text('B1', 'Phone'), text('C1', 'Amount'), text('D1', 'Mobile No.')]),
        row(2, [text('A2', 'Ann'), text('B2', '0712345678'), number('C2', '5')]),
        row(3, [text('A3', 'Total'), number('C3', '6')]),
      ].join('')}</sheetData>`,
    });
    const { copy } = await checkFile(await onDisk('pay.xlsx', sheet));
    const { table } = await readBack(copy);
    expect(colourOf(table.getCell('C3'))).toBe('FFF8CBAD');
    expect(table.getCell('E3').text).toMatch(/^ERROR C3: The total row says 6/);
    expect(colourOf(table.getCell('D1'))).toBe('FFF8CBAD');
    expect(noteOf(table.getCell('D1'))).toContain('PB-HEADER-TWICE');
    expect(table.getCell('E1').text).toBe(PROBLEMS_HEADING);
  });

  test('keeps its problem column free of cells that stand beside the table', async () => {
    const sheet = workbookBytes({
      sheets: `<sheetData>${[
        row(1, [text('A1', 'Name'), text('B1', 'Phone'), text('C1', 'Amount')]),
        row(2, [text('A2', 'Ann'), text('B2', '07123'), number('C2', '5'), text('F2', 'a remark')]),
      ].join('')}</sheetData>`,
    });
    const { copy } = await checkFile(await onDisk('pay.xlsx', sheet));
    const { table } = await readBack(copy);
    expect(table.getCell('G1').text).toBe(PROBLEMS_HEADING);
    expect(table.getCell('F2').text).toBe('a remark');
  });
});

describe('a sheet with an error in every row', () => {
  const PROGRAM = path.resolve('test/support/programs/check-many-rows.ts');

  async function peakOf(rows: number): Promise<{ aliveMb: number; errors: number; copy: string }> {
    const lines = Array.from({ length: rows }, (_, at) => {
      const y = at + 2;
      return row(y, [
        text(`A${y}`, `R${at}`),
        text(`B${y}`, `Person ${at}`),
        text(`C${y}`, '07123'),
        text(`D${y}`, '1.500'),
      ]);
    });
    const top = row(1, [text('A1', 'Reference'), text('B1', 'Name'), text('C1', 'Phone'), text('D1', 'Amount')]);
    const file = await onDisk('pay.xlsx', workbookBytes({ sheets: `<sheetData>${top}${lines.join('')}</sheetData>` }));
    return JSON.parse(execFileSync(process.execPath, ['--expose-gc', PROGRAM, file], { encoding: 'utf8' }));
  }

  test('is handed back in memory that does not grow with it', { timeout: 600_000 }, async () => {
    const small = await peakOf(10_000);
    const large = await peakOf(30_000);
    expect([small.errors, large.errors]).toEqual([20_000, 60_000]);
    // Something was measured; and holding the issues alone would take some 30 MB more.
    expect(small.aliveMb).toBeGreaterThan(5);
    expect(large.aliveMb).toBeLessThan(small.aliveMb + 15);
    expect((await rowsIn(large.copy)).length).toBe(30_001);
  });
});
