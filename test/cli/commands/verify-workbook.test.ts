import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';

const SHEETS = ['Summary', 'Results', 'Exceptions', 'Reconciliation', 'Audit'] as const;

/** A desk where a sheet was paid but for two rows. Nothing changes its ledger, so one payment is enough for the whole file. */
let desk: Desk;
let results = '';

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-verify-'));
  desk = new Desk(folder, fastClock());
  const rejected = ['0712340001', '0712350001'];
  await desk.write(
    'pay.csv',
    csvOf(people(6).map((person, at) => ({ ...person, phone: rejected[at] ?? person.phone }))),
  );
  const { end } = await desk.emit(['run', 'pay.csv', '--group-by', 'phone', '--group-by', 'NAME']);
  results = end.files[0]?.path ?? '';
});

afterAll(() => rm(desk.folder, { recursive: true, force: true, maxRetries: 3 }));

/** What `verify` says of a copy of the workbook that somebody has worked on. */
async function verified(work: (book: ExcelJS.Workbook) => void) {
  const book = await opened(results);
  work(book);
  await book.xlsx.writeFile(desk.path('kept.xlsx'));
  const { events, exit } = await desk.emit(['verify', '--results', 'kept.xlsx']);
  const said = events.find(({ type }) => type === 'verify') ?? {};
  const differences = (said['differences'] ?? []) as readonly string[];
  expect(exit).toBe(differences.length === 0 ? 0 : 10);
  return { differences, unstored: said['unstoredResults'], hidden: said['hidden'] };
}

const differencesAfter = async (work: (book: ExcelJS.Workbook) => void): Promise<readonly string[]> =>
  (await verified(work)).differences;

async function opened(file: string): Promise<ExcelJS.Workbook> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  return book;
}

const sheetOf = (book: ExcelJS.Workbook, name: string): ExcelJS.Worksheet => {
  const sheet = book.getWorksheet(name);
  if (!sheet) throw new Error(`the workbook has no worksheet ${name}`);
  return sheet;
};

/** A cell of each column that holds something, below the headings. */
function cellsToChange(book: ExcelJS.Workbook, name: string): readonly string[] {
  const cells = new Map<number, string>();
  sheetOf(book, name).eachRow((row, number) => {
    row.eachCell((cell, column) => {
      if (number > 1 && cell.text !== '' && cell.master === cell) cells.set(column, cells.get(column) ?? cell.address);
    });
  });
  return [...cells.values()];
}

describe('a results workbook', () => {
  test('in which one cell of each column of each worksheet was changed names each of them, and nothing else', async () => {
    const book = await opened(results);
    const changed = SHEETS.flatMap((name) => {
      // Where a row of a table has another number, it is another row: that is a test of its own.
      const cells = cellsToChange(book, name).filter((address) => !(isTable(name) && address.startsWith('A')));
      expect(cells.length, name).toBeGreaterThan(2);
      return cells.map((address) => ({ name, address }));
    });
    const differences = await differencesAfter((copy) => {
      for (const { name, address } of changed) sheetOf(copy, name).getCell(address).value = 'changed';
    });
    for (const { name, address } of changed) {
      const said = new RegExp(`^${name} ${address} .*is "changed" in the workbook and "`);
      expect(differences).toContainEqual(expect.stringMatching(said));
    }
    expect(differences).toHaveLength(changed.length);
  });

  test('in which a number format shows something else than the cell holds names what it shows', async () => {
    const formats: readonly (readonly [string, string])[] = [
      ['F2', '"9,999,999.00"'],
      ['F3', ';;;'],
      ['F4', '0,'],
      ['F5', '#,##0.0000 "KES"'],
      ['G2', ';;;"Completed"'],
    ];
    const book = await opened(results);
    const held = (address: string): string => String(sheetOf(book, 'Results').getCell(address).value);
    const differences = await differencesAfter((copy) => {
      for (const [address, numFmt] of formats) {
        const cell = sheetOf(copy, 'Results').getCell(address);
        // Cells that look alike share their style.
        cell.style = { ...cell.style, numFmt };
      }
    });
    expect(differences.map((text) => text.replace(/ \(row \d+, [^)]*\)/, ''))).toEqual([
      `Results F2 shows "9,999,999.00" in the workbook and is "${held('F2')}" by the ledger`,
      `Results G2 shows "Completed" in the workbook and is "${held('G2')}" by the ledger`,
      `Results F3 shows nothing in the workbook and is "${held('F3')}" by the ledger`,
      expect.stringMatching(/^Results F4 shows "\d*" in the workbook/),
    ]);
  });

  test('of which rows were removed, moved, added or repeated names those rows alone', async () => {
    const differences = await differencesAfter((book) => {
      sheetOf(book, 'Exceptions').spliceRows(3, 1);
      const sheet = sheetOf(book, 'Results');
      const [third, fourth] = [sheet.getRow(3).values, sheet.getRow(4).values];
      sheet.getRow(3).values = fourth;
      sheet.getRow(4).values = third;
      sheet.addRow([99, 'EMP-99', 'Somebody Else']);
      sheet.addRow(sheet.getRow(5).values);
      sheet.spliceRows(7, 1);
    });
    expect(differences).toEqual([
      'Results: row 3 is in another place',
      'Results: row 7 is missing in the workbook',
      'Results: row 99 is in the workbook, but does not follow from the ledger',
      'Results: row 5 is in the workbook, but does not follow from the ledger',
      'Exceptions: row 3 is missing in the workbook',
    ]);
  });

  test('with another formula, or one in place of a figure, says so, also when it shows the same or holds no result', async () => {
    const differences = await differencesAfter((book) => {
      const cell = sheetOf(book, 'Results').getCell('F3');
      cell.value = { formula: '1+1', result: Number(cell.value) };
      sheetOf(book, 'Summary').eachRow((row) => {
        const figure = row.getCell(2);
        if (row.getCell(1).text === 'Completed') figure.value = { formula: `${figure.formula}+0`, result: 4 };
        if (row.getCell(1).text === 'Rejected' && figure.formula) figure.value = { formula: '2+0' };
      });
    });
    expect(differences).toEqual([
      expect.stringMatching(
        /^Summary B\d+ is "4" of the formula "COUNT.*\+0" in the workbook and "4" of the formula "COUNT/,
      ),
      expect.stringMatching(
        /^Summary B\d+ is empty of the formula "2\+0" in the workbook and "2" of the formula "COUNT/,
      ),
      expect.stringMatching(
        /^Results F3 \(row 3, Amount\) is "[\d.]+" of the formula "1\+1" in the workbook and "[\d.]+" by the ledger$/,
      ),
    ]);
  });

  test('without one of its worksheets says which', async () => {
    expect(await differencesAfter((book) => book.removeWorksheet('Exceptions'))).toEqual([
      'the workbook: its worksheet Exceptions is missing',
    ]);
    expect(await differencesAfter((book) => book.removeWorksheet('Audit'))).toEqual([
      'the workbook: it has no worksheet Audit, so it contains no ledger head',
    ]);
  });

  test('agrees when another program has saved it, with what people fill in and worksheets of their own', async () => {
    const differences = await differencesAfter((book) => {
      const exceptions = sheetOf(book, 'Exceptions');
      const settledBy = (exceptions.getRow(1).values as string[]).indexOf('Settled by');
      exceptions.getCell(2, settledBy).value = 'Jane, by cheque';
      book.addWorksheet('Notes').getCell('A1').value = 'ask the bank';
      const groups = sheetOf(book, 'Audit').getColumn(2).values;
      expect(groups).toContain('["Phone","Name"]');
    });
    expect(differences).toEqual([]);
  });

  test('whose formulas another program saved without results says that once, and the one difference stands out', async () => {
    let formulas = 0;
    const withoutResults = (book: ExcelJS.Workbook): void => {
      formulas = 0;
      for (const sheet of book.worksheets) {
        sheet.eachRow((row) =>
          row.eachCell((cell) => {
            if (!cell.formula || cell.master !== cell) return;
            formulas += 1;
            cell.value = { formula: cell.formula };
          }),
        );
      }
    };
    expect(await verified(withoutResults)).toEqual({ differences: [], unstored: formulas });
    expect(formulas).toBeGreaterThan(50);
    const { lines } = await desk.say(['verify', '--results', 'kept.xlsx']);
    expect(lines.filter((line) => line.includes('no result'))).toEqual([
      expect.stringMatching(new RegExp(`^${formulas} formulas of the workbook hold no result: .* was not compared`)),
    ]);

    const changed = await verified((book) => {
      withoutResults(book);
      sheetOf(book, 'Results').getCell('F3').value = 1;
    });
    expect(changed.differences).toEqual([
      expect.stringMatching(/^Results F3 \(row 3, Amount\) is "1" in the workbook and /),
    ]);
    expect(changed.unstored).toBe(formulas);
  });

  test('of which somebody hid worksheets, rows or columns agrees, and is told as hidden', async () => {
    const hidden = await verified((book) => {
      sheetOf(book, 'Exceptions').state = 'veryHidden';
      const sheet = sheetOf(book, 'Results');
      for (const row of [3, 4, 6]) sheet.getRow(row).hidden = true;
      sheet.getColumn(6).hidden = true;
      sheet.getColumn(sheet.columnCount + 3).hidden = true;
    });
    expect(hidden).toEqual({
      differences: [],
      hidden: [
        'rows 3 to 4, 6 of the worksheet Results',
        'column F of the worksheet Results',
        'the worksheet Exceptions',
      ],
    });
    const { lines } = await desk.say(['verify', '--results', 'kept.xlsx']);
    expect(lines[0]).toMatch(
      /^Hidden in the workbook, .*: rows 3 to 4, 6 of the worksheet Results; column F .*Exceptions\.$/,
    );
  });

  test('is grouped by headings that its sheet has; with any other nothing is sent, and those that there are are named', async () => {
    await desk.write('other.csv', csvOf(people(2)));
    const { events, end } = await desk.emit(['run', 'other.csv', '--group-by', 'Department']);
    expect([end.exit, end.batch]).toEqual([2, null]);
    const fault = JSON.stringify(events.find(({ type }) => type === 'fault'));
    expect(fault).toContain('The sheet has no column');
    expect(fault).toContain('Name one of its headings with --group-by');
  });

  test('of another schema is not called changed, and does not agree', async () => {
    const differences = await differencesAfter((book) => {
      sheetOf(book, 'Audit').eachRow((row) => {
        if (row.getCell(1).text === 'Schema of the results') row.getCell(2).value = '7';
      });
    });
    expect(differences).toEqual([
      'the workbook: has the schema of results 7, and this paybatch knows 1: compare it with the paybatch that wrote it',
    ]);
  });
});

const isTable = (name: string): boolean => name === 'Results' || name === 'Exceptions';
