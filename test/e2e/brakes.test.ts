/** What stops a run before all is sent, on the real command line; the books of the service show that the rest was not sent. */
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { Books } from '../../src/sandbox/sandbox.ts';
import { systemClock } from '../../src/system.ts';
import { accountIn, openService, paidTraces, play, quickProfile } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { type Desk, openDesk, type Told, toldOf } from '../support/desk/command-line.ts';
import { csvOf, people, type SheetLine, totalOf } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';

/** Status number of a line that is paid. */
const COMPLETED = 4;
const ROWS = 40;
const QUICK = 'settle-min=10,settle-max=40';
const timings = {
  polling: { firstMs: 20, maxMs: 100, deadlineMs: 10_000 },
  inDoubt: { unknownGapMs: 20, quietMs: 40 },
};

/** People of whom those at the indexes end as their magic digits say. */
const peopleWith = (magic: Readonly<Record<number, string>>, count = ROWS): readonly SheetLine[] =>
  people(count).map((line, index) => (magic[index] ? { ...line, phone: `+25471200${magic[index]}` } : line));

async function deskWith(lines: readonly SheetLine[], sending: object = {}, clock = fastClock()): Promise<Desk> {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(lines));
  await desk.writeConfig({ profiles: { sandbox: { ...timings, sending } } });
  return desk;
}

async function booksOf(desk: Desk): Promise<Books> {
  const { events } = await desk.tell(['sandbox', 'books']);
  return events.find(({ type }) => type === 'sandbox.books')?.['books'] as Books;
}

const stopsIn = ({ events }: Told): readonly string[] =>
  events.filter(({ code }) => String(code).startsWith('stopped-')).map(({ message }) => String(message));

async function summaryOf(told: Told): Promise<string> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(told.end.files[0]?.path ?? '');
  const texts: string[] = [];
  book.getWorksheet('Summary')?.eachRow((row) => row.eachCell((cell) => texts.push(String(cell.value ?? ''))));
  return texts.join('\n');
}

describe('--canary', () => {
  test('sends so many rows alone, and the rest when all of them are paid', async () => {
    const desk = await deskWith(people(ROWS));
    const told = await desk.tell(['run', 'pay.csv', '--canary', '3', '--scenario', QUICK]);
    expect(told.exit).toBe(0);
    expect(told.end.rows).toMatchObject({ total: ROWS, completed: ROWS });
    expect(stopsIn(told)).toEqual([]);
  });

  test('sends nothing else when one of them fails, says why everywhere, and resume sends others ahead', async () => {
    const desk = await deskWith(peopleWith({ 1: '0008', 3: '0001' }));
    const first = await desk.tell(['run', 'pay.csv', '--canary', '3', '--scenario', QUICK]);
    expect(first.exit).toBe(7);
    expect(first.end.rows).toMatchObject({ completed: 2, failed: 1, unsent: ROWS - 3 });
    expect((await booksOf(desk)).orders).toHaveLength(3);
    const why = /of the 3 rows that go ahead alone \(canary\), only 2 completed/;
    expect(stopsIn(first)).toEqual([expect.stringMatching(why)]);
    expect(stopsIn(first)[0]).toContain(`paybatch resume ${first.end.batch}`);
    expect(await summaryOf(first)).toMatch(/Sending stopped\nOf the 3 rows/);

    const looked = await desk.tell(['status']);
    expect(stopsIn(looked)).toEqual([expect.stringMatching(why)]);
    const said = await desk.say(['status']);
    expect(said.stderr).toMatch(/WARN .*The last run stopped sending: of the 3 rows/);
    expect((await booksOf(desk)).orders).toHaveLength(3);

    // The row that goes ahead in place of the failed one is rejected, and so nothing else leaves.
    const second = await desk.tell(['resume', '--scenario', QUICK]);
    expect(second.end.rows).toMatchObject({ completed: 2, failed: 1, rejected: 1, unsent: ROWS - 4 });
    expect((await booksOf(desk)).orders).toHaveLength(4);

    const third = await desk.tell(['resume', '--scenario', QUICK]);
    expect(third.exit).toBe(6);
    expect(third.end.rows).toMatchObject({ completed: ROWS - 2, failed: 1, rejected: 1, unsent: 0 });
    expect(await summaryOf(third)).not.toContain('Sending stopped');
    expect((await desk.say(['verify'])).exit).toBe(0);
  });

  test('0 on resume sends everything after all', async () => {
    const desk = await deskWith(peopleWith({ 0: '0008', 1: '0008' }), { canary: 2 });
    const first = await desk.tell(['run', 'pay.csv', '--scenario', QUICK]);
    expect(first.end.rows).toMatchObject({ failed: 2, unsent: ROWS - 2 });
    const second = await desk.tell(['resume', '--canary', '0', '--scenario', QUICK]);
    expect(second.end.rows).toMatchObject({ completed: ROWS - 2, failed: 2, unsent: 0 });
  });

  test('of a retry counts only what is tried again', async () => {
    const desk = await deskWith(peopleWith({ 5: '0008', 6: '0001', 7: '0008' }));
    const { end } = await desk.tell(['run', 'pay.csv', '--scenario', QUICK]);
    const again = await desk.tell(['retry', end.batch ?? '', '--canary', '1', '--scenario', QUICK]);
    expect(again.exit).toBe(7);
    expect(again.end.rows).toMatchObject({ completed: ROWS - 3, unsent: 2 });
    expect(stopsIn(again)).toEqual([expect.stringContaining('of the 1 row ')]);
  });

  test('is kept by whoever resumes, however often the run is killed', async () => {
    const ahead = 4;
    const desk = await deskWith(people(ROWS), {}, systemClock);
    for (const command of [['run', 'pay.csv', '--canary', String(ahead)], ['resume'], ['resume']]) {
      const child = new Child(desk, [...command, '--scenario', 'settle-min=4000,settle-max=6000', '--json']);
      await child.until(/"type":"progress"/);
      child.kill('SIGKILL');
      await child.end();
      const { orders } = await booksOf(desk);
      const paid = orders.flatMap(({ lines }) => lines.filter(({ status }) => status === COMPLETED));
      if (command[0] === 'run') expect([orders.length <= ahead, paid.length]).toEqual([true, 0]);
      expect(orders.length <= ahead || paid.length >= ahead).toBe(true);
    }
    await desk.writeConfig({
      profiles: { sandbox: { ...timings, polling: { ...timings.polling, deadlineMs: 20_000 } } },
    });
    const told = toldOf(await new Child(desk, ['resume', '--scenario', QUICK, '--json']).end());
    expect(told.end.rows).toMatchObject({ total: ROWS, completed: ROWS });
    const lines = (await booksOf(desk)).orders.flatMap((order) => order.lines);
    expect(lines).toHaveLength(ROWS);
    expect(new Set(lines.map(({ trace }) => trace)).size).toBe(ROWS);
  });
});

describe('--stop-after-failures', () => {
  test('stops sending; what was sent is followed, and resume goes on', async () => {
    const count = 60;
    const desk = await deskWith(peopleWith({ 0: '0008', 1: '0001', 2: '0008' }, count), { concurrency: 1 });
    const slowly = `${QUICK},slow=40`;
    const first = await desk.tell(['run', 'pay.csv', '--stop-after-failures', '3', '--scenario', slowly]);
    expect(first.exit).toBe(7);
    expect(stopsIn(first)).toEqual([expect.stringMatching(/3 rows of this run ended without being paid/)]);
    const unsent = first.end.rows['unsent'] ?? 0;
    expect(unsent).toBeGreaterThan(0);
    expect(first.end.rows).toMatchObject({ failed: 2, rejected: 1, pending: 0, inDoubt: 0 });
    expect((await booksOf(desk)).orders).toHaveLength(count - unsent);
    const second = await desk.tell(['resume', '--scenario', QUICK]);
    expect(second.end.rows).toMatchObject({ completed: count - 3, unsent: 0 });
  });

  test('is 20 rows of 20 when nobody says anything, and 0 switches it off', async () => {
    const count = 60;
    const desk = await deskWith(people(count), { concurrency: 1 });
    const failing = 'fail=1,settle-min=1,settle-max=5';
    const first = await desk.tell(['run', 'pay.csv', '--scenario', `${failing},slow=40`]);
    expect(stopsIn(first)).toEqual([expect.stringContaining('were not paid')]);
    expect(first.end.rows['unsent']).toBeGreaterThan(0);
    const second = await desk.tell(['resume', '--stop-after-failures', '0', '--scenario', failing]);
    expect(second.end.rows).toMatchObject({ failed: count, unsent: 0 });
  });
});

describe('a wallet that others empty while a run goes on', () => {
  test('stops it before the rows that it does not cover; resume goes on after a top-up', async () => {
    // The wallet is read again after each 100 rows.
    const count = 240;
    const desk = await openDesk();
    const service = await openService(`${QUICK},slow=15`);
    await desk.write('pay.csv', csvOf(people(count)));
    await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes), sending: { concurrency: 4 } } } });
    Object.assign(desk.env, accountIn(service));
    const totals = ['--expect-count', String(count), '--expect-total', totalOf(count)];

    const child = new Child(desk, ['run', 'pay.csv', ...totals, '--json']);
    await child.until(/"type":"progress","done":[1-9]/);
    // Enough for what is on its way, and not for the rest.
    await play(service, `${QUICK},slow=15,balance=150000`);
    const first = toldOf(await child.end());
    expect(first.exit).toBe(7);
    expect(stopsIn(first)).toEqual([expect.stringMatching(/the wallet holds KES .* need KES .*Top up the wallet/)]);
    const unsent = first.end.rows['unsent'] ?? 0;
    expect(unsent).toBeGreaterThan(0);
    expect(first.end.rows['completed']).toBe(count - unsent);
    expect(service.books().orders).toHaveLength(count - unsent);

    const still = await desk.tell(['resume']);
    expect(still.end.rows['unsent']).toBe(unsent);
    expect(service.books().orders).toHaveLength(count - unsent);

    await play(service, `${QUICK},balance=90000000`);
    const last = await desk.tell(['resume']);
    expect(last.exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(count);
  });
});
