import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { type Desk, openDesk, SAMPLES } from '../support/command-line.ts';
import { resultsIn } from '../support/payroll-sheet.ts';

const samples = readdirSync(SAMPLES).filter((name) => /\.(xlsx|csv)$/.test(name));

async function booksOf(desk: Desk): Promise<unknown> {
  const { events } = await desk.tell(['sandbox', 'books']);
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

test('there are samples to run', () => {
  expect(samples.length).toBeGreaterThanOrEqual(2);
});

describe.each(samples)('the sample %s', (name) => {
  test('is paid as it is, with one outcome for every row', { timeout: 20_000 }, async () => {
    const desk = await openDesk();
    await desk.takeSamples();

    const { exit, end, events } = await desk.tell(['run', name]);

    expect(exit).toBe(0);
    const summary = events.find(({ type }) => type === 'sheet.summary');
    expect(end.rows['total']).toBe(summary?.['rows']);
    expect(end.rows['completed']).toBe(end.rows['total']);
    expect(end.amounts[0]?.['completed']).toBe(end.amounts[0]?.['planned']);
    const results = await resultsIn(end.files[0]?.path ?? '');
    expect(results).toHaveLength(end.rows['total'] ?? -1);
    expect(new Set(results.map((row) => row['Outcome']))).toEqual(new Set(['Completed']));
    expect(new Set(results.map((row) => row['Receipt number'])).size).toBe(results.length);
  });

  test('is not paid again under another name and in another order', { timeout: 20_000 }, async () => {
    const desk = await openDesk();
    await desk.takeSamples();
    const first = await desk.tell(['run', name]);
    const before = await booksOf(desk);
    const again = `payment list (final)${name.slice(name.lastIndexOf('.'))}`;
    await turnedRound(desk, name, again);

    const second = await desk.say(['run', again]);

    expect(second.exit).toBe(8);
    expect(second.stderr).toContain('Nothing was sent');
    expect(second.stderr).toContain(`paybatch status ${first.end.batch}`);
    expect(second.stderr).toContain('--batch');
    expect(await booksOf(desk)).toEqual(before);
  });

  test('can be rehearsed again under a name of its own', { timeout: 20_000 }, async () => {
    const desk = await openDesk();
    await desk.takeSamples();
    await desk.say(['run', name]);

    const { exit, end } = await desk.tell(['run', name, '--batch', 'other']);

    expect(exit).toBe(0);
    expect(end.batch).toBe('other');
    expect(end.rows['completed']).toBe(end.rows['total']);
  });
});
