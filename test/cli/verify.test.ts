import path from 'node:path';
import Database from 'better-sqlite3';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';

const clock = fastClock();

const ROWS = 4;

/** A desk where a sheet was paid, with the path of its results. */
async function paidDesk(): Promise<{ readonly desk: Desk; readonly results: string }> {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(people(ROWS)));
  const { end } = await desk.tell(['run', 'pay.csv']);
  expect(end.exit).toBe(0);
  return { desk, results: end.files[0]?.path ?? '' };
}

describe('verify', () => {
  test('says that ledger and workbook are sound after a run', async () => {
    const { desk, results } = await paidDesk();
    const { end, events } = await desk.tell(['verify']);
    expect(end.exit).toBe(0);
    expect(events.find(({ type }) => type === 'verify')).toMatchObject({ differences: [], workbook: results });
    const { stdout } = await desk.say(['verify']);
    expect(stdout).toContain('The ledger is sound');
    expect(stdout).toContain(results);
  });

  test('of a workbook in which an outcome and an amount were changed names rows and values', async () => {
    const { desk, results } = await paidDesk();
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(results);
    const sheet = book.getWorksheet('Results');
    const headings = (sheet?.getRow(1).values ?? []) as readonly string[];
    const columnOf = (heading: string): number => headings.indexOf(heading);
    if (sheet) {
      sheet.getCell(2, columnOf('Outcome')).value = 'Failed';
      sheet.getCell(3, columnOf('Amount')).value = 1;
      sheet.spliceRows(5, 1);
    }
    const changed = desk.path('changed.results.xlsx');
    await book.xlsx.writeFile(changed);
    const { end, events } = await desk.tell(['verify', '--results', 'changed.results.xlsx']);
    expect(end.exit).toBe(10);
    const { differences } = events.find(({ type }) => type === 'verify') ?? {};
    expect(differences).toEqual([
      expect.stringMatching(/^row 2: Outcome is "Failed" in the workbook and "Completed" in the ledger$/),
      expect.stringMatching(/^row 3: Amount is "1" in the workbook and "[\d.]+" in the ledger$/),
      'row 5: missing in the workbook',
    ]);
  });

  test('of a ledger in which somebody changed an outcome says so', async () => {
    const { desk } = await paidDesk();
    const database = new Database(path.join(desk.home, 'sandbox', 'ledger.db'));
    const { changes } = database.prepare(`UPDATE payout SET outcome = 'failed' WHERE sheet_row = 3`).run();
    database.close();
    expect(changes).toBe(1);
    const { exit, stdout } = await desk.say(['verify']);
    expect(exit).toBe(10);
    expect(stdout).toContain('row 3');
    expect(stdout).not.toContain('The ledger is sound');
  });

  test('of an empty ledger finds nothing wrong', async () => {
    const desk = await openDesk(clock);
    expect((await desk.say(['verify'])).exit).toBe(0);
  });
});

describe('history', () => {
  test('names each batch with what became of it, the latest first', async () => {
    const { desk } = await paidDesk();
    await desk.write('more.csv', csvOf(people(2)));
    await desk.tell(['run', 'more.csv', '--batch', 'second']);
    const { events } = await desk.tell(['history']);
    const told = events.find(({ type }) => type === 'history');
    expect(told).toMatchObject({
      batches: [
        { batch: 'second', sheet: 'more.csv', rows: 2, counts: { completed: 2 }, exit: 0 },
        { sheet: 'pay.csv', rows: ROWS, counts: { completed: ROWS }, exit: 0 },
      ],
    });
    const { stdout } = await desk.say(['history', '--last', '1']);
    expect(stdout).toContain('more.csv');
    expect(stdout).not.toContain('pay.csv');
    expect(stdout).toContain('1 more');
  });

  test('of a ledger without batches says so', async () => {
    const desk = await openDesk(clock);
    expect((await desk.say(['history'])).stdout).toContain('There is no batch yet.');
  });
});
