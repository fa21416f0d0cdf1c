import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { type Desk, openDesk, type Told } from '../support/desk/command-line.ts';
import { fastClock } from '../support/fast-clock.ts';

const clock = fastClock();

const HEADINGS = ['Staff No', 'Employee Name', 'Mobile No.', 'Net Pay', 'Type', 'Paybill number', 'Account number'];

/** Wrong values by address, and what they are corrected to. */
const corrections = { C3: '0712345612', D4: 1500.5, G5: '00123456789012345678', A6: 'E4' } as const;

async function saveWorkbook(desk: Desk, name: string, isCorrect: boolean): Promise<string> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('June 2026');
  sheet.addRow(HEADINGS);
  sheet.addRow(['E1', '=Ann', 254712345611, 1000.25, 'wallet']);
  sheet.addRow(['E2', 'Bob', '07123', 1200, 'wallet']);
  sheet.addRow(['E3', 'Cee', '0722345613', '1.500', 'wallet']);
  sheet.addRow(['E5', 'Water', null, 300, 'paybill', 400200]);
  sheet.addRow(['E1', 'Dee', '0722345614', 310, 'wallet']);
  if (isCorrect) for (const [address, value] of Object.entries(corrections)) sheet.getCell(address).value = value;
  const file = desk.path(name);
  await book.xlsx.writeFile(file);
  return file;
}

/** Corrects the copy as a person would: in its own cells, everything else left as it is. */
async function correct(file: string): Promise<void> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const sheet = book.worksheets[0];
  for (const [address, value] of Object.entries(corrections)) {
    const cell = sheet?.getCell(address);
    if (cell) cell.value = value;
  }
  await book.xlsx.writeFile(file);
}

const problemsOf = ({ events }: Told): unknown =>
  events
    .filter(({ type }) => type === 'row.problem')
    .map(({ code, cell, row, level, value }) => [code, cell, row, level, value]);

const checkedFile = ({ end }: Told): string => {
  const found = end.files.filter(({ kind }) => kind === 'checked');
  expect(found).toHaveLength(1);
  return found[0]?.path ?? '';
};

/** Ids of the orders in the books of the practice service. */
async function orderIds(desk: Desk): Promise<readonly string[]> {
  const { events } = await desk.emit(['sandbox', 'books']);
  const text = JSON.stringify(events);
  return [...new Set(text.match(/[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g))].sort();
}

describe('a workbook with problems', () => {
  test('comes back checked; corrected there it is the same batch as the corrected original', async () => {
    const desk = await openDesk(clock);
    await saveWorkbook(desk, 'pay.xlsx', false);
    const refused = await desk.emit(['run', 'pay.xlsx']);
    expect(refused.exit).toBe(3);
    const copy = checkedFile(refused);
    expect(copy).toBe(desk.path('pay.checked.xlsx'));
    await correct(copy);

    const paid = await desk.emit(['run', 'pay.checked.xlsx']);

    expect(paid.exit).toBe(0);
    expect(paid.end.rows).toMatchObject({ total: 5, completed: 5 });
    expect(paid.end.files.map(({ kind }) => kind)).toEqual(['results']);

    const other = await openDesk(clock);
    await saveWorkbook(other, 'right.xlsx', true);
    const direct = await other.emit(['run', 'right.xlsx']);
    expect(direct.exit).toBe(0);
    expect(direct.end.batch).toBe(paid.end.batch);
    const ids = await orderIds(desk);
    expect(ids.length).toBeGreaterThanOrEqual(5);
    expect(ids).toEqual(await orderIds(other));
    await saveWorkbook(desk, 'right.xlsx', true);
    expect((await desk.emit(['run', 'right.xlsx'])).exit).toBe(8);
  });

  test('is refused for the same problems when its copy is run uncorrected', async () => {
    const desk = await openDesk(clock);
    await saveWorkbook(desk, 'pay.xlsx', false);
    const first = await desk.emit(['validate', 'pay.xlsx']);
    expect(first.exit).toBe(3);
    const second = await desk.emit(['run', path.basename(checkedFile(first))]);
    expect(second.exit).toBe(3);
    expect(problemsOf(second)).toEqual(problemsOf(first));
    expect(checkedFile(second)).toBe(desk.path('pay.checked (2).xlsx'));
  });

  test.each(['pay.xlsx', 'pay.csv'])('of %s is one file, however often the sheet is checked', async (name) => {
    const desk = await openDesk();
    if (name.endsWith('.csv')) await desk.write(name, 'Name,Phone,Amount\nAnn,0712,5\n');
    else await saveWorkbook(desk, name, false);
    const files = async (): Promise<string> => checkedFile(await desk.emit(['validate', name]));
    const first = await files();
    // A zip counts in steps of two seconds.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(await files()).toBe(first);
  });

  test('is announced with what to do next', async () => {
    const desk = await openDesk(clock);
    await saveWorkbook(desk, 'pay.xlsx', false);
    const { stderr, lines } = await desk.say(['validate', 'pay.xlsx']);
    const copy = desk.path('pay.checked.xlsx');
    expect(stderr).toContain(`A copy of your sheet with every problem marked:  ${copy}`);
    expect(stderr).toContain(`paybatch run ${copy}`);
    expect(lines).toEqual([copy]);
  });

  test('has no copy when none is wanted', async () => {
    const desk = await openDesk(clock);
    await saveWorkbook(desk, 'pay.xlsx', false);
    for (const command of ['validate', 'run']) {
      const told = await desk.emit([command, 'pay.xlsx', '--no-copy']);
      expect(told.exit).toBe(3);
      expect(told.end.files).toEqual([]);
    }
    expect((await readdir(desk.folder)).filter((name) => name.includes('checked'))).toEqual([]);
  });

  test('has its copy in the folder that is named; one that cannot be written is told and hides nothing', async () => {
    const desk = await openDesk(clock);
    await saveWorkbook(desk, 'pay.xlsx', false);
    await desk.write('out/kept.txt', '');
    const told = await desk.emit(['validate', 'pay.xlsx', '--out', 'out']);
    expect(checkedFile(told)).toBe(desk.path('out', 'pay.checked.xlsx'));

    const failed = await desk.emit(['validate', 'pay.xlsx', '--out', 'nowhere/new']);
    expect(failed).toMatchObject({ exit: 3, fault: { code: 'sheet-refused' } });
    expect(failed.end.files).toEqual([]);
    const [notice] = failed.events.filter(({ type, level }) => type === 'notice' && level === 'warning');
    expect(notice?.['message']).toMatch(/nowhere.*could not be written.*--no-copy/);
  });
});

test('a template that nobody filled in has no copy: there is nothing to mark', async () => {
  const desk = await openDesk(clock);
  await desk.emit(['template', '--type', 'wallet', '-o', 'empty.xlsx']);
  const told = await desk.emit(['validate', 'empty.xlsx']);
  expect(told).toMatchObject({ exit: 3, end: { files: [] } });
  expect(problemsOf(told)).toEqual([['PB-EMPTY', null, null, 'error', '']]);
});

describe('a sheet with warnings only', () => {
  const sheet = 'Name,Phone,Amount,Network\nAnn,0712345611,100,Airtel\n';

  test('has no copy, because it can be paid as it is', async () => {
    const desk = await openDesk(clock);
    await desk.write('pay.csv', sheet);
    const checked = await desk.say(['validate', 'pay.csv']);
    expect(checked).toMatchObject({ exit: 0, stdout: '' });
    expect(checked.stderr).toContain('WARN      D2');
    expect(checked.stderr).not.toContain('Correct');
    expect(readdirSync(desk.folder).filter((name) => name.startsWith('pay'))).toEqual(['pay.csv']);
    const paid = await desk.emit(['run', 'pay.csv']);
    expect(paid.exit).toBe(0);
    expect(paid.end.files.map(({ kind }) => kind)).toEqual(['results']);
  });
});

test('a sheet without a problem has no copy', async () => {
  const desk = await openDesk(clock);
  await saveWorkbook(desk, 'pay.xlsx', true);
  const told = await desk.emit(['validate', 'pay.xlsx']);
  expect(told).toMatchObject({ exit: 0, end: { files: [] } });
});

test('a CSV file comes back checked; corrected there it is the same batch as the corrected original', async () => {
  const desk = await openDesk(clock);
  const wrong =
    'Reference,Name,Phone,Amount\nE1,=Ann,0712345611,100.50\nE2,"Bob, junior",07123,200\nE3,Cee,0722345613\n';
  await desk.write('pay.csv', wrong);
  const refused = await desk.emit(['run', 'pay.csv']);
  expect(refused.exit).toBe(3);
  const copy = checkedFile(refused);
  const marked = readFileSync(copy, 'utf8');
  const mended = marked
    .replace('"=""07123"""', '0712345612')
    .replace('"=""0722345613""",', '0722345613,300')
    .replace(/,<< 1/, '');
  await desk.write('pay.checked.csv', mended);
  const paid = await desk.emit(['run', 'pay.checked.csv']);
  expect(paid.exit).toBe(0);
  expect(paid.end.rows).toMatchObject({ total: 3, completed: 3 });
  await desk.write('right.csv', wrong.replace('07123,', '0712345612,').replace('0722345613', '0722345613,300'));
  const again = await desk.emit(['run', 'right.csv']);
  expect(again).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
  expect(again.end.batch).toBe(paid.end.batch);
});

test('a template that cannot be written is a matter of the call, not of a report', async () => {
  const desk = await openDesk(clock);
  const told = await desk.emit(['template', '--output', 'nowhere/new/pay.xlsx']);
  expect(told).toMatchObject({ exit: 2, fault: { code: 'file-unwritten' } });
  expect(told.fault?.['fix']).toContain('--output');
});
