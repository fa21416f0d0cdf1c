/** What people read after a command that worked on a batch: the rows that were not completed, and one next step. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { RowRecord } from '../../src/domain/row-record.ts';
import { quickWaits } from '../support/desk/account.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { csvOf } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';

const sheet = csvOf([
  { reference: 'R-1', name: 'Jane Wanjiku', phone: '+254712340778', amount: '1500.00' },
  { reference: 'R-2', name: 'Ali Hassan', phone: '+254712340001', amount: '2500.00' },
  { reference: 'R-3', name: 'Esther Ochieng', phone: '+254712340008', amount: '48250.50' },
]);

async function openPractice(): Promise<Desk> {
  const desk = await openDesk(fastClock());
  const sandbox = { polling: { firstMs: 50, maxMs: 200, deadlineMs: 8000 }, ...quickWaits };
  await desk.writeConfig({ profiles: { sandbox } });
  await desk.write('pay.csv', sheet);
  return desk;
}

/** The lines from the rows to the end, without paths and times. */
const endOf = (stderr: string): readonly string[] => {
  const lines = stderr.trimEnd().split('\n');
  const from = lines.findIndex((line) => line.startsWith('Rows '));
  return lines.slice(from < 0 ? lines.length - 1 : from).filter((line) => !/^(?:Results|Time) /.test(line));
};

const notCompleted = [
  'Rows      2 rows are not completed',
  '    3  Ali Hassan      +254712340001   KES 2,500.00  Rejected',
  '       The service rejected the order before it was paid. The service says: Declined.',
  '    4  Esther Ochieng  +254712340008  KES 48,250.50  Failed',
  '       The payment failed for good. The service says: Invalid credit account.',
  '',
  'Next      Deal with the reasons, then pay the failed rows again: paybatch retry november',
];

test('a dry run, a run, status, resume and retry name who was not paid and why, and end with one next step', async () => {
  const desk = await openPractice();
  const dry = await desk.say(['run', 'pay.csv', '--batch', 'november', '--dry-run']);
  expect(dry.exit).toBe(0);
  expect(endOf(dry.stderr)).toEqual(['Next      Nothing was sent. To pay: paybatch run pay.csv --batch november']);
  const run = await desk.say(['run', 'pay.csv', '--batch', 'november']);
  expect(run.exit).toBe(6);
  expect(endOf(run.stderr)).toEqual(notCompleted);
  expect(run.stderr.match(/\.results\.xlsx/g)).toHaveLength(1);
  for (const argv of [['status'], ['resume', 'november'], ['retry', 'november']]) {
    const { stderr } = await desk.say(argv);
    expect([argv, endOf(stderr)]).toEqual([argv, notCompleted]);
    expect(stderr).toMatch(
      /^Batch {5}november {2}\(SANDBOX\)\nSheet {5}pay\.csv, 3 rows, KES 52,250\.50\nPlanned {3}\d{4}-/m,
    );
    expect(stderr.match(/^Batch /gm)).toHaveLength(1);
  }
  const again = await desk.say(['run', 'pay.csv', '--batch', 'november']);
  expect(endOf(again.stderr)).toEqual([expect.stringMatching(/^Next {6}To rehearse it again, name it/)]);
});

test('--jsonl, report and the events of --json have the same rows, and no sheet is ever written over', async () => {
  const desk = await openPractice();
  const told = await desk.emit(['run', 'pay.csv', '--batch', 'november', '--jsonl', 'rows.jsonl']);
  expect(told.end.files.map(({ kind }) => kind)).toEqual(['results', 'rows']);
  const rowsOf = (text: string): RowRecord[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RowRecord);
  const rows = rowsOf(await readFile(desk.path('rows.jsonl'), 'utf8'));
  expect(rows.map(({ row, outcome, amount }) => [row, outcome, amount])).toEqual([
    [2, 'completed', '1500.00'],
    [3, 'rejected', '2500.00'],
    [4, 'failed', '48250.50'],
  ]);
  const events = told.events.filter(({ type }) => type === 'row.outcome').map(({ at, ...event }) => event);
  expect(events).toEqual(rows);
  expect((await desk.say(['report', '-o', 'all.jsonl'])).exit).toBe(0);
  expect(rowsOf(await readFile(desk.path('all.jsonl'), 'utf8'))).toEqual(rows);
  expect((await desk.say(['report', '-o', 'pay.csv'])).stderr).toMatch(/pay\.csv already exists/);
  expect(await readFile(desk.path('pay.csv'), 'utf8')).toBe(sheet);
  for (const name of ['pay.csv', 'pay.csv/rows.jsonl']) {
    const refused = await desk.emit(['run', 'pay.csv', '--batch', 'december', '--jsonl', name]);
    expect(refused).toMatchObject({ exit: 2, fault: { code: 'usage' } });
  }
  expect((await desk.emit(['history'])).events[0]).toMatchObject({ batches: [{ batch: 'november' }] });
});
