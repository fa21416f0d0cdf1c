import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import Database from 'better-sqlite3';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { type Desk, openDesk, SAMPLES } from '../../support/desk/command-line.ts';
import { csvOf, people } from '../../support/desk/payroll-sheet.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

const ROWS = 4;

/** A desk where a sheet was paid, with the path of its results. */
async function paidDesk(): Promise<{ readonly desk: Desk; readonly results: string; readonly batch: string }> {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(people(ROWS)));
  const { end } = await desk.emit(['run', 'pay.csv']);
  expect(end.exit).toBe(0);
  return { desk, results: end.files[0]?.path ?? '', batch: end.batch ?? '' };
}

/** What is wrong with the ledger and the workbook that was kept of a batch. */
async function differencesOf(desk: Desk, batch: string): Promise<unknown> {
  const told = await desk.emit(['verify', batch, '--results', 'kept.xlsx']);
  return told.events.find(({ type }) => type === 'verify')?.['differences'];
}

describe('verify', () => {
  test('says that ledger and workbook are sound, or where it looked for one that is not there, and how to name another place', async () => {
    const { desk, results, batch } = await paidDesk();
    const { end, events } = await desk.emit(['verify']);
    expect(end.exit).toBe(0);
    expect(events.find(({ type }) => type === 'verify')).toMatchObject({ differences: [], workbook: results });
    const { stdout } = await desk.say(['verify']);
    expect(stdout).toContain('The ledger is sound');
    expect(stdout).toContain(results);

    await rm(results);
    const { stdout: without, exit } = await desk.say(['verify']);
    expect(exit).toBe(0);
    expect(without).toContain(`there is none at ${results}`);
    expect(without).toContain(`paybatch verify ${batch} --results FILE`);
  });

  test('of a workbook in which an outcome, an amount or its head was changed names rows and values, or the head', async () => {
    const { desk, results, batch } = await paidDesk();
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
    await book.xlsx.writeFile(desk.path('kept.xlsx'));
    const { end, events } = await desk.emit(['verify', '--results', 'kept.xlsx']);
    expect(end.exit).toBe(10);
    const { differences } = events.find(({ type }) => type === 'verify') ?? {};
    expect(differences).toEqual([
      'Results G2 (row 2, Outcome) is "Failed" in the workbook and "Completed" by the ledger',
      expect.stringMatching(/^Results F3 \(row 3, Amount\) is "1" in the workbook and "[\d.]+" by the ledger$/),
      'Results: row 5 is missing in the workbook',
    ]);

    book.getWorksheet('Audit')?.eachRow((row) =>
      row.eachCell((cell) => {
        const text = String(cell.value ?? '');
        if (/^fact \d+, /.test(text)) cell.value = text.replace(/^fact \d+/, 'fact 3');
      }),
    );
    await book.xlsx.writeFile(desk.path('kept.xlsx'));
    expect(await differencesOf(desk, batch)).toContain(
      'the workbook: its head was not signed with a key of this ledger',
    );
  });

  test('finds the workbook of a shipped sample, which the run writes elsewhere than beside its sheet', async () => {
    const desk = await openDesk(clock);
    const { end } = await desk.emit(['run', path.join(SAMPLES, 'all-kinds.csv')]);
    const results = end.files[0]?.path;
    expect(results).toContain(desk.path('results'));
    const { events } = await desk.emit(['verify']);
    expect(events.find(({ type }) => type === 'verify')).toMatchObject({ workbook: results });
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

  test('of the workbook of an earlier batch compares its rows, and says of one from before it went on that it is older', async () => {
    const { desk, results, batch } = await paidDesk();
    await cp(results, desk.path('kept.xlsx'));
    await desk.write('more.csv', csvOf(people(2)));
    await desk.emit(['run', 'more.csv', '--batch', 'second', '--allow-duplicate', 'a rehearsal']);
    const { stdout } = await desk.say(['verify', batch, '--results', results]);
    expect(stdout).toContain('The workbook agrees with it');

    await desk.emit(['resume', batch]);
    const told = await desk.emit(['verify', batch, '--results', 'kept.xlsx']);
    expect(told.exit).toBe(0);
    expect(told.events.find(({ type }) => type === 'verify')).toMatchObject({
      differences: [],
      older: { workbook: expect.any(Number), ledger: expect.any(Number) },
    });
    expect((await desk.say(['verify', batch, '--results', 'kept.xlsx'])).stdout).toMatch(
      /The workbook is older than the ledger \(fact \d+ of \d+\) and of the same history; its cells were not compared/,
    );

    const { events } = await desk.emit(['history']);
    expect(events.find(({ type }) => type === 'history')).toMatchObject({
      batches: [
        { batch: 'second', sheet: 'more.csv', rows: 2, counts: { completed: 2 }, exit: 0 },
        { sheet: 'pay.csv', rows: ROWS, counts: { completed: ROWS }, exit: 0 },
      ],
    });
    const last = await desk.say(['history', '--last', '1']);
    expect(last.stdout).toContain('more.csv');
    expect(last.stdout).not.toContain('pay.csv');
    expect(last.stdout).toContain('1 more');
  });

  test('of a ledger with another history than a workbook that somebody has kept says so', async () => {
    const { desk, results, batch } = await paidDesk();
    await cp(desk.home, desk.path('earlier'), { recursive: true });
    await desk.write('more.csv', csvOf(people(6).slice(4)));
    await desk.emit(['run', 'more.csv', '--batch', 'more']);
    await desk.emit(['report', batch]);
    await cp(results, desk.path('kept.xlsx'));

    await rm(desk.home, { recursive: true });
    await cp(desk.path('earlier'), desk.home, { recursive: true });
    expect(await differencesOf(desk, batch)).toEqual([
      expect.stringMatching(/^the ledger: ends with fact \d+, and had fact \d+/),
    ]);
    await desk.write('other.csv', csvOf(people(9).slice(4)));
    await desk.emit(['run', 'other.csv', '--batch', 'other']);
    expect(await differencesOf(desk, batch)).toEqual([
      expect.stringMatching(/^the ledger: its facts up to \d+ have changed since/),
    ]);
  });

  test('of an empty ledger finds nothing wrong', async () => {
    const desk = await openDesk(clock);
    expect((await desk.say(['verify'])).exit).toBe(0);
  });
});

describe('history', () => {
  test('of a ledger without batches says so', async () => {
    const desk = await openDesk(clock);
    expect((await desk.say(['history'])).stdout).toContain('There is no batch yet.');
  });
});
