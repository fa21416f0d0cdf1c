import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { SheetRow } from '../../../src/domain/cell.ts';
import { PROBLEMS_HEADING, PROBLEMS_SHEET } from '../../../src/domain/checked-copy.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import { openSheetFile } from '../../../src/sheet/sheet-file.ts';
import { defaultSheetLimits } from '../../../src/sheet/sheet-limits.ts';
import { openPackage } from '../../../src/sheet/xlsx/package.ts';
import { issueFix, issueMessage } from '../../../src/texts/issue-message.ts';
import { needsOpenpyxl, readWithOpenpyxl } from '../../support/second-readers/openpyxl.ts';
import { readWorkbook } from '../../support/second-readers/seen-workbook.ts';
import { checkFile, rowsIn } from '../../support/sheets/checked-copies.ts';
import { everySort, headings, number, row, text } from '../../support/sheets/every-sort.ts';
import { faultySheet } from '../../support/sheets/faulty-sheet.ts';
import { onDisk, temporaryFolder } from '../../support/sheets/sheet-on-disk.ts';
import { workbookBytes } from '../../support/sheets/xlsx-bytes.ts';

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

  test('shows the dates of a workbook that counts from 1904 as they were', async () => {
    const rows = [
      row(
        1,
        ['Name', 'Phone', 'Amount', 'Due'].map((heading, at) => text(`${'ABCD'[at]}1`, heading)),
      ),
      row(2, [text('A2', 'Jane'), text('B2', '0712'), number('C2', '1500'), '<c r="D2" s="1"><v>44525</v></c>']),
    ];
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
    const sheets = `<sheetData>${rows.join('')}</sheetData>`;
    const { copy } = await checkFile(await onDisk('old.xlsx', workbookBytes({ sheets, styles, from1904: true })));
    const { table } = await readBack(copy);
    expect(table.getCell('D2').value).toEqual(new Date(Date.UTC(2025, 10, 26)));
  });

  test('counts no row as one that can be paid while the sheet as a whole has an error', async () => {
    const cells = (at: number, ...values: readonly string[]) =>
      row(
        at,
        values.map((value, column) => text(`${'ABCD'[column]}${at}`, value)),
      );
    const rows = [
      cells(1, 'Reference', 'Name', 'Phone', 'Amount'),
      cells(2, 'R-1', 'Jane Wanjiku', '0712345678', '1500'),
      cells(3, 'R-1', 'Ali Hassan', '0722345678', '900'),
    ];
    const sheets = `<sheetData>${rows.join('')}</sheetData>`;
    const { copy } = await checkFile(await onDisk('pay.xlsx', workbookBytes({ sheets })));
    const { list } = await readBack(copy);
    expect(list.getCell('A3').text).toBe('2 rows: none can be paid as it is; 0 with errors');
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

  test('is to openpyxl what it is to exceljs', async (context) => {
    needsOpenpyxl(context);
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
    expect(table.getCell('E3').text).toMatch(/^ERROR C3: The total says 6/);
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

test('a sheet with two errors in every row is handed back whole', async () => {
  const { checked, copy } = await checkFile(await faultySheet(400));
  expect(checked.errors).toBe(800);
  expect(await rowsIn(copy)).toHaveLength(401);
});
