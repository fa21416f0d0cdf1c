import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { type Desk, openDesk, SAMPLES, sampleSheets } from '../support/desk/command-line.ts';
import { resultsIn } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';

const clock = fastClock();

async function booksOf(desk: Desk): Promise<unknown> {
  const { events } = await desk.emit(['sandbox', 'books']);
  const books = events.find(({ type }) => type === 'sandbox.books')?.['books'] as Record<string, unknown>;
  const { opening, paid, fees, balance, orders } = books;
  return { opening, paid, fees, balance, orders };
}

/** The same people in another order: rows of the table turned round, titles and totals where they were. */
async function turnedRound(desk: Desk, name: string, as: string): Promise<void> {
  if (name.endsWith('.csv')) {
    const [heading = '', ...rows] = (await readFile(desk.path(name), 'utf8')).trim().split('\n');
    await desk.write(as, [heading, ...rows.reverse()].join('\n'));
    return;
  }
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(desk.path(name));
  const sheet = book.worksheets[0];
  if (!sheet) throw new Error('the sample has a worksheet');
  const people: number[] = [];
  sheet.eachRow((row, number) => {
    if (/^(EMP|INV|[A-Z]+)-?\d+/.test(row.getCell(1).text)) people.push(number);
  });
  expect(people.length).toBeGreaterThan(10);
  const values = people.map((number) => sheet.getRow(number).values);
  for (const [index, number] of people.entries()) sheet.getRow(number).values = values.at(-1 - index) ?? [];
  await book.xlsx.writeFile(desk.path(as));
}

test.each(sampleSheets)(
  'the sample %s is paid as it is, with one outcome for every row, and once under each name',
  async (name) => {
    const desk = await openDesk(clock);
    await desk.takeSamples();

    const { exit, end, events } = await desk.emit(['run', name]);

    expect(exit).toBe(0);
    const summary = events.find(({ type }) => type === 'sheet.summary');
    expect(end.rows['total']).toBe(summary?.['rows']);
    expect(end.rows['completed']).toBe(end.rows['total']);
    expect(end.amounts[0]?.['completed']).toBe(end.amounts[0]?.['planned']);
    const results = await resultsIn(end.files[0]?.path ?? '');
    expect(results).toHaveLength(end.rows['total'] ?? -1);
    expect(new Set(results.map((row) => row['Outcome']))).toEqual(new Set(['Completed']));
    expect(new Set(results.map((row) => row['Receipt number'])).size).toBe(results.length);

    // Another name of the file and another order of its rows make no other batch.
    const before = await booksOf(desk);
    const turned = `payment list (final)${name.slice(name.lastIndexOf('.'))}`;
    await turnedRound(desk, name, turned);
    const second = await desk.say(['run', turned]);
    expect(second.exit).toBe(8);
    expect(second.stderr).toContain('Nothing was sent');
    expect(second.stderr).toContain(`paybatch status ${end.batch}`);
    expect(second.stderr).toContain('--batch');
    expect(await booksOf(desk)).toEqual(before);

    const other = await desk.emit(['run', name, '--batch', 'other']);
    expect(other).toMatchObject({ exit: 0, end: { batch: 'other', rows: { completed: end.rows['total'] } } });
  },
);

describe('a rehearsal of a sample where it was shipped', () => {
  const shipped = path.join(SAMPLES, 'suppliers.csv');

  test('leaves its results in the folder `results` of where it was called, none among the samples, and is told of them when it is called again', async () => {
    const desk = await openDesk(clock);
    const before = readdirSync(SAMPLES);
    const { exit, end } = await desk.emit(['run', shipped]);

    expect(exit).toBe(0);
    expect(end.files.map(({ path: file }) => path.dirname(file))).toEqual([desk.path('results')]);
    expect(readdirSync(desk.path('results'))).toEqual([`suppliers.SANDBOX-${end.batch}.results.xlsx`]);
    expect(readdirSync(SAMPLES)).toEqual(before);

    const again = await desk.say(['run', shipped]);
    expect(again.exit).toBe(8);
    expect(again.stderr).toContain('This sheet was already paid');
    expect(again.stderr).toContain('--batch NAME');
    expect(again.stderr).toContain(`Its results: ${end.files[0]?.path}\n`);
  });

  test('without its results names the command that writes them, into the same folder', async () => {
    const desk = await openDesk(clock);
    const first = await desk.emit(['run', shipped, '--out', 'elsewhere']);
    expect(path.dirname(first.end.files[0]?.path ?? '')).toBe(desk.path('elsewhere'));
    const again = await desk.say(['run', shipped]);
    expect(again.stderr).toContain(`paybatch report ${first.end.batch}`);
    const { end } = await desk.emit(['report', String(first.end.batch)]);
    expect(path.dirname(end.files[0]?.path ?? '')).toBe(desk.path('results'));
  });

  test('leaves the results of an approved plan there as well', async () => {
    const desk = await openDesk(clock);
    const before = readdirSync(SAMPLES);
    const { end: planned } = await desk.emit(['plan', shipped, '--batch', 'november']);
    const { exit, end } = await desk.emit(['apply', planned.files[0]?.path ?? '']);

    expect(exit).toBe(0);
    expect(end.files.map(({ path: file }) => path.dirname(file))).toEqual([desk.path('results')]);
    expect(readdirSync(SAMPLES)).toEqual(before);
  });

  test('leaves its checked copy there as well', async () => {
    const desk = await openDesk(clock);
    const { end } = await desk.emit(['verify-payees', path.join(SAMPLES, 'payroll.xlsx')]);
    expect(end.files.map(({ path: file }) => path.dirname(file))).toEqual([desk.path('results')]);
  });

  test('is told from a copy of the same name elsewhere, whose results stand beside it', async () => {
    const desk = await openDesk(clock);
    await desk.write('samples/suppliers.csv', await readFile(shipped));
    const { end } = await desk.emit(['run', 'samples/suppliers.csv']);
    expect(path.dirname(end.files[0]?.path ?? '')).toBe(desk.path('samples'));
  });
});
