/** What stops a run before all is sent, on the real command line; the books of the service show that the rest was not sent. */
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { Told } from '../support/desk/command-line.ts';
import { people } from '../support/desk/payroll-sheet.ts';
import { booksOf, deskWith, peopleWith, QUICK, ROWS, stopsIn } from './braked-run.ts';

async function summaryOf(told: Told): Promise<string> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(told.end.files[0]?.path ?? '');
  const texts: string[] = [];
  book.getWorksheet('Summary')?.eachRow((row) => row.eachCell((cell) => texts.push(String(cell.value ?? ''))));
  return texts.join('\n');
}

/** So many of the smallest unsent ids go first, three of them ahead of the others. */
const SMALLEST = 13;

/** Three at most are sent by the first run, so the next draws from the 13 smallest of what is left. */
const FAILING = SMALLEST + 3;

/** A name gives the same ids for the same references, whatever the phones. */
const NAMED = ['--batch', 'ahead'];

/** Which people go ahead of the others, as their places in the sheet: those of the smallest ids. */
async function drawnAhead(): Promise<readonly number[]> {
  const desk = await deskWith(people(ROWS));
  await desk.emit(['run', 'pay.csv', ...NAMED, '--scenario', QUICK]);
  const { orders } = await booksOf(desk);
  const phones = people(ROWS).map(({ phone }) => phone);
  return orders
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ lines: [line] }) => phones.findIndex((phone) => line?.payee.endsWith(phone.slice(-9))));
}

let drawn: Promise<readonly number[]> | undefined;
const aheadOfAll = (): Promise<readonly number[]> => (drawn ??= drawnAhead());

describe('--canary', () => {
  test('sends so many rows alone, and the rest when all of them are paid', async () => {
    const desk = await deskWith(people(ROWS));
    const told = await desk.emit(['run', 'pay.csv', '--canary', '3', '--scenario', QUICK]);
    expect(told.exit).toBe(0);
    expect(told.end.rows).toMatchObject({ total: ROWS, completed: ROWS });
    expect(stopsIn(told)).toEqual([]);
  });

  test('sends nothing else when one of them fails, says why everywhere, and resume sends others ahead', async () => {
    // Which of the smallest ids go ahead is drawn, so all of them fail.
    const ahead = (await aheadOfAll()).slice(0, FAILING);
    const desk = await deskWith(peopleWith(Object.fromEntries(ahead.map((one) => [one, '0008']))));
    const first = await desk.emit(['run', 'pay.csv', ...NAMED, '--canary', '3', '--scenario', QUICK]);
    expect(first.exit).toBe(7);
    // They leave one by one, and none of them after one that has failed.
    const lost = first.end.rows['failed'] ?? 0;
    expect(lost).toBeLessThanOrEqual(3);
    expect(first.end.rows).toMatchObject({ completed: 0, failed: lost, unsent: ROWS - lost });
    expect((await booksOf(desk)).orders).toHaveLength(lost);
    const why = /only 0 of the 3 rows that go ahead alone \(canary\) were completed/;
    expect(stopsIn(first)).toEqual([expect.stringMatching(why)]);
    expect(stopsIn(first)[0]).toContain(`paybatch resume ${first.end.batch}`);
    expect(await summaryOf(first)).toMatch(/Sending stopped\nOnly 0 of the 3 rows/);

    const looked = await desk.emit(['status']);
    expect(stopsIn(looked)).toEqual([expect.stringMatching(why)]);
    const said = await desk.say(['status']);
    expect(said.stderr).toMatch(/WARN .*The last run stopped sending: only 0 of the 3 rows/);
    expect((await booksOf(desk)).orders).toHaveLength(lost);

    // The rows that go ahead in place of those that failed fail as well, and so nothing else leaves.
    const again = await desk.emit(['resume', '--scenario', QUICK]);
    const lostAgain = again.end.rows['failed'] ?? 0;
    expect(lostAgain).toBeGreaterThan(lost);
    expect(lostAgain).toBeLessThanOrEqual(lost + 3);
    expect(again.end.rows).toMatchObject({ completed: 0, failed: lostAgain, unsent: ROWS - lostAgain });
    expect((await booksOf(desk)).orders).toHaveLength(lostAgain);

    const third = await desk.emit(['resume', '--canary', '0', '--scenario', QUICK]);
    expect(third.exit).toBe(6);
    expect(third.end.rows).toMatchObject({ completed: ROWS - FAILING, failed: FAILING, unsent: 0 });
    expect(await summaryOf(third)).not.toContain('Sending stopped');
    expect((await desk.say(['verify'])).exit).toBe(0);
  });

  test('0 on resume sends everything after all', async () => {
    const ahead = (await aheadOfAll()).slice(0, FAILING);
    const desk = await deskWith(peopleWith(Object.fromEntries(ahead.map((one) => [one, '0008']))), { canary: 2 });
    const first = await desk.emit(['run', 'pay.csv', ...NAMED, '--scenario', QUICK]);
    const lost = first.end.rows['failed'] ?? 0;
    expect(lost).toBeGreaterThan(0);
    expect(first.end.rows).toMatchObject({ failed: lost, unsent: ROWS - lost });
    expect(lost).toBeLessThanOrEqual(2);
    const second = await desk.emit(['resume', '--canary', '0', '--scenario', QUICK]);
    expect(second.end.rows).toMatchObject({ completed: ROWS - FAILING, failed: FAILING, unsent: 0 });
  });

  test('of a retry counts only what is tried again', async () => {
    const desk = await deskWith(peopleWith({ 5: '0008', 6: '0001', 7: '0008' }));
    const { end } = await desk.emit(['run', 'pay.csv', '--scenario', QUICK]);
    const again = await desk.emit(['retry', end.batch ?? '', '--canary', '1', '--scenario', QUICK]);
    expect(again.exit).toBe(7);
    expect(again.end.rows).toMatchObject({ completed: ROWS - 3, unsent: 2 });
    expect(stopsIn(again)).toEqual([expect.stringContaining('of the 1 row ')]);
  });
});

describe('--stop-after-failures', () => {
  test('stops sending; what was sent is followed, and resume goes on', async () => {
    const count = 30;
    const desk = await deskWith(peopleWith({ 0: '0008', 1: '0001', 2: '0008' }, count), { concurrency: 1 });
    const slowly = `${QUICK},slow=40`;
    const first = await desk.emit(['run', 'pay.csv', '--stop-after-failures', '3', '--scenario', slowly]);
    expect(first.exit).toBe(7);
    expect(stopsIn(first)).toEqual([expect.stringMatching(/3 rows of this run ended without being paid/)]);
    const unsent = first.end.rows['unsent'] ?? 0;
    expect(unsent).toBeGreaterThan(0);
    expect(first.end.rows).toMatchObject({ failed: 2, rejected: 1, pending: 0, inDoubt: 0 });
    expect((await booksOf(desk)).orders).toHaveLength(count - unsent);
    const second = await desk.emit(['resume', '--scenario', QUICK]);
    expect(second.end.rows).toMatchObject({ completed: count - 3, unsent: 0 });
  });

  test('is 20 rows of 20 when nobody says anything, and 0 switches it off', async () => {
    const count = 30;
    const desk = await deskWith(people(count), { concurrency: 1 });
    const failing = 'fail=1,settle-min=1,settle-max=5';
    const first = await desk.emit(['run', 'pay.csv', '--scenario', `${failing},slow=40`]);
    expect(stopsIn(first)).toEqual([expect.stringContaining('were not paid')]);
    expect(first.end.rows['unsent']).toBeGreaterThan(0);
    const second = await desk.emit(['resume', '--stop-after-failures', '0', '--scenario', failing]);
    expect(second.end.rows).toMatchObject({ failed: count, unsent: 0 });
  });
});
