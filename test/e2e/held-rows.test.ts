/** Rows that a sheet leaves out on purpose, from the sheet to the books of the service: told everywhere, sent nowhere, paid later. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { planIn } from '../../src/approval/plan.ts';
import { paidTraces } from '../support/desk/account.ts';
import { type Office, openOffice, passDays } from '../support/desk/live-office.ts';
import { resultsIn } from '../support/desk/payroll-sheet.ts';

const HEADINGS = 'Staff No,Name,Phone,Amount,Type,Hold';
const jane = 'E1,Jane Wanjiku,0711000155,1000.25,wallet,';
const ann = 'E4,Ann Atieno,0711000355,700,wallet,';
const ali = (hold: string) => `E2,Ali Hassan,0711000255,2000.50,wallet,${hold}`;
const inCash = 'E3,Peter Otieno,,1500,cash,';
const unread = 'E5,Mary Achieng,0712,to be agreed,wallet,new contract';

const november = [HEADINGS, jane, ali('on maternity leave'), inCash, ann, unread, 'TOTAL,,,1700.25,,'];
const totals = ['--expect-count', '2', '--expect-total', '1700.25'];

const paidIn = ({ service }: Office): number => paidTraces(service.books()).length;

async function paidOffice(): Promise<Office & { readonly results: string }> {
  const office = await openOffice();
  await office.desk.write('pay.csv', november.join('\n'));
  const run = await office.desk.emit(['run', 'pay.csv', ...totals, '--batch', 'november']);
  expect(run).toMatchObject({
    exit: 0,
    end: {
      rows: { total: 5, completed: 2, invalid: 0, leftOut: 3 },
      leftOut: { rows: 3, amount: '3500.50', unread: 1 },
    },
  });
  expect(run.end.amounts).toMatchObject([{ planned: '1700.25', completed: '1700.25' }]);
  return { ...office, results: run.end.files[0]?.path ?? '' };
}

test('rows that are held or paid in cash are told with their reason wherever the batch is told, and end no run with 6', async () => {
  const { desk, service, results } = await paidOffice();
  expect(paidTraces(service.books())).toHaveLength(2);
  const rows = await resultsIn(results);
  expect(rows.map((row) => [row['Row'], row['Name'], row['Amount'], row['Outcome'], row['Pay again?']])).toEqual([
    ['2', 'Jane Wanjiku', '1000.25', 'Completed', 'No'],
    ['3', 'Ali Hassan', '2000.5', 'Left out', 'Yes'],
    ['4', 'Peter Otieno', '1500', 'Left out', 'Yes'],
    ['5', 'Ann Atieno', '700', 'Completed', 'No'],
    // Our column is empty, and the sheet's own says this.
    ['6', 'Mary Achieng', 'to be agreed', 'Left out', 'Yes'],
  ]);
  expect(rows[1]?.['Reason in plain words']).toContain('on maternity leave');
  expect(rows[2]?.['Reason in plain words']).toContain('Reason: cash.');
  expect(await desk.emit(['verify'])).toMatchObject({ exit: 0 });
  expect(await desk.emit(['status', 'november'])).toMatchObject({ exit: 0, end: { rows: { leftOut: 3 } } });

  const csv = (await desk.emit(['report', 'november', '--format', 'csv'])).end.files[0]?.path ?? '';
  expect(await readFile(csv, 'utf8')).toMatch(/Ali Hassan.*2000\.50,Left out,Yes.*on maternity leave/);
  const lines = (await desk.emit(['report', 'november', '--format', 'jsonl'])).end.files[0]?.path ?? '';
  const [, held] = (await readFile(lines, 'utf8')).split('\n').map((line) => line && JSON.parse(line));
  expect(held).toMatchObject({ row: 3, outcome: 'left-out', name: 'Ali Hassan', amount: '2000.50', currency: 'KES' });
  const page = (await desk.emit(['report', 'november', '--format', 'html'])).end.files[0]?.path ?? '';
  expect(await readFile(page, 'utf8')).toContain('2 of 5 rows paid; 3 left out on purpose.');
  const { stdout } = await desk.say(['history']);
  expect(stdout).toContain('2 completed, 3 left-out');
});

test('the check and the run say on the screen who is left out, and that the total row holds them not', async () => {
  const { desk } = await openOffice();
  await desk.write('pay.csv', november.join('\n'));
  const { exit, stderr } = await desk.say(['validate', 'pay.csv']);
  expect(exit).toBe(0);
  expect(stderr).toContain('5 rows: 2 ready, 0 with errors, 3 left out; no problems');
  expect(stderr).toContain('3 rows, KES 3,500.50 (the amount of 1 row cannot be read): on hold or in cash');
  expect(stderr).toContain('row 3  Ali Hassan, KES 2,000.50: on maternity leave');
  expect(stderr).toContain('The total row (D7) matches the sum of the rows, excluding those that are left out.');
  const told = await desk.emit(['validate', 'pay.csv']);
  expect(told.events.find(({ type }) => type === 'sheet.summary')).toMatchObject({
    ready: 2,
    withErrors: 0,
    leftOut: { rows: 3, amount: { amount: '3500.50', currency: 'KES' }, unread: 1 },
  });
  expect(told.events.filter(({ type }) => type === 'row.left-out').map(({ row, reason }) => [row, reason])).toEqual([
    [3, 'on maternity leave'],
    [4, 'cash'],
    [6, 'new contract'],
  ]);
});

test('the check as a page and as a document lists who is left out', async () => {
  const { desk } = await openOffice();
  await desk.write('pay.csv', november.join('\n'));
  const { stdout: page } = await desk.say(['validate', 'pay.csv', '--format', 'html']);
  const html = await readFile(page.trim(), 'utf8');
  expect(html).toContain('Left out on purpose: 3 rows, KES 3,500.50 (the amount of 1 row cannot be read)');
  expect(html).toMatch(
    /row 3<\/th><td><bdi>Ali Hassan<\/bdi><\/td><td class="figure">KES 2,000\.50<\/td><td><bdi>on maternity leave/,
  );
  const document = JSON.parse((await desk.say(['validate', 'pay.csv', '--format', 'json'])).stdout);
  expect(document.summary.leftOut).toMatchObject({ rows: 3 });
  expect(document.leftOut).toContainEqual({ row: 6, name: 'Mary Achieng', reason: 'new contract' });
});

test('a plan names the rows that are left out, so that who approves it sees them', async () => {
  const { desk } = await openOffice();
  await desk.write('pay.csv', november.join('\n'));
  const planned = await desk.emit(['plan', 'pay.csv', '--batch', 'november']);
  const file = planned.end.files[0]?.path ?? '';
  const { plan } = planIn(file);
  expect(plan.setAside).toEqual([]);
  expect(plan.leftOut?.map(({ row, reason }) => [row, reason])).toEqual([
    [3, 'on maternity leave'],
    [4, 'cash'],
    [6, 'new contract'],
  ]);
});

test('people are found who were left out, and the template of the next sheet keeps what holds them', async () => {
  const { desk } = await paidOffice();
  const { stdout } = await desk.say(['find', 'ali hassan']);
  expect(stdout).toContain('KES 2,000.50  Left out  pay again? Yes');
  expect(stdout).toContain('Reason: on maternity leave.');
  const told = await desk.emit(['template', '--from', 'november', '--format', 'csv']);
  const file = told.events.find(({ type }) => type === 'template')?.['path'] as string;
  expect(await readFile(file, 'utf8')).toMatch(/Ali Hassan.*on maternity leave/);
});

test('no resume, retry or word by hand pays a row that was left out, and each says what does', async () => {
  const office = await paidOffice();
  const { desk } = office;
  expect(await desk.emit(['resume', 'november'])).toMatchObject({
    exit: 0,
    end: { rows: { completed: 2, leftOut: 3 } },
  });
  const retried = await desk.emit(['retry', 'november', '--row', '3', ...totals]);
  expect(retried.fault).toMatchObject({
    message: expect.stringContaining('its sheet leaves it out (on maternity leave)'),
  });
  for (const word of [['--paid', 'R-1'], ['--not-paid'], ['--never-arrived']]) {
    const { fault } = await desk.emit([
      'resolve',
      'november',
      '--row',
      '4',
      ...word,
      '--note',
      'x',
      '--amount',
      '1500',
    ]);
    expect(fault, word[0]).toMatchObject({ message: expect.stringContaining('(cash), so it was never sent') });
    expect(fault?.['message']).toContain('another batch name');
  }
  expect(paidIn(office)).toBe(2);
});

test('a later batch pays whose hold was cleared; the same name does not, and whoever was paid is still found', async () => {
  const office = await paidOffice();
  const { desk } = office;
  const one = ['--expect-count', '1', '--expect-total', '2000.50'];
  await desk.write('pay.csv', [HEADINGS, ali('')].join('\n'));
  expect(await desk.emit(['run', 'pay.csv', ...one, '--batch', 'november'])).toMatchObject({ exit: 8 });

  await desk.write('both.csv', [HEADINGS, jane, ali('')].join('\n'));
  const both = ['--expect-count', '2', '--expect-total', '3000.75'];
  const doubled = await desk.emit(['run', 'both.csv', ...both, '--batch', 'november-2']);
  expect(doubled).toMatchObject({ exit: 8 });
  expect(JSON.stringify(doubled.fault)).toContain('Jane Wanjiku');
  expect(JSON.stringify(doubled.fault)).not.toContain('Ali Hassan');
  expect(paidIn(office)).toBe(2);

  const later = await desk.emit(['run', 'pay.csv', ...one, '--batch', 'november-2']);
  expect(later).toMatchObject({ exit: 0, end: { rows: { total: 1, completed: 1 } } });
  expect(paidIn(office)).toBe(3);
});

test('a sheet of which every row is left out has nothing to pay, and says so: 3', async () => {
  const { desk, service } = await openOffice();
  await desk.write('pay.csv', [HEADINGS, ali('sick'), inCash].join('\n'));
  for (const command of [
    ['validate', 'pay.csv'],
    ['run', 'pay.csv', '--batch', 'none', ...totals],
  ]) {
    const told = await desk.emit(command);
    expect(told).toMatchObject({ exit: 3, end: { rows: { total: 2, leftOut: 2 } } });
    expect(told.fault).toMatchObject({
      message: 'There is nothing to pay: the sheet leaves out 2 rows, KES 3,500.50.',
    });
  }
  expect(service.books().orders).toEqual([]);
});

test('the reason of a hold is in the evidence pack, and is forgotten with the people of the batch', async () => {
  const office = await paidOffice();
  const { desk } = office;
  const pack = (await desk.emit(['report', 'november', '--format', 'pack'])).end.files[0]?.path ?? '';
  expect(await desk.emit(['verify', pack])).toMatchObject({ exit: 0 });
  passDays(office, 90);
  const purged = await desk.emit(['purge', '--older-than', '60d']);
  expect(purged.exit).toBe(0);
  const lines = (await desk.emit(['report', 'november', '--format', 'jsonl'])).end.files[0]?.path ?? '';
  const text = await readFile(lines, 'utf8');
  expect(text).not.toMatch(/maternity|Ali Hassan/);
  expect(text).toContain('"outcome":"left-out"');
  expect(text).toContain('"amount":"2000.50"');
  expect(await desk.emit(['verify'])).toMatchObject({ exit: 0 });
});
