/** Next month's sheet, on a live account: who is new, who is gone, whose phone changed; and nothing is sent before that was answered for. */
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { paidTraces } from '../support/desk/account.ts';
import { type Office, openOffice, passDays, pay } from '../support/desk/live-office.ts';
import { csvOf, people, type SheetLine } from '../support/desk/payroll-sheet.ts';

const ROWS = 8;
const last = people(ROWS);

/** Three phones changed, two people are new, one is gone, and one gets more. */
const next: readonly SheetLine[] = [
  ...last.slice(0, 7).map((row, at) => ({
    ...row,
    ...(at < 3 && { phone: `+25472200${at}055` }),
    ...(at === 4 && { amount: '1501.00' }),
  })),
  { reference: 'EMP-90', name: 'Zawadi New', phone: '+254733000155', amount: '700' },
  { reference: 'EMP-91', name: 'Juma New', phone: '+254733000255', amount: '800' },
];

const named = {
  changed: ['row 2, Person 1: +2547•••••055', 'row 3, Person 2: +2547•••••155', 'row 4, Person 3: +2547•••••255'],
  others: ['row 9, Zawadi New', 'row 10, Juma New', 'row 9 there, Person 8', 'row 6, Person 5'],
};
const flags = ['--batch', 'salaries-2031-02'];
const refused = { exit: 8, fault: { code: 'payees-changed' } };

const submitted = ({ service }: Office): number | undefined => service.books().requests['submit-order'];

test('a sheet with three changed phones, two new people and one gone names them, is not sent unasked, and asks no more once they were paid', async () => {
  const office = await openOffice();
  const { desk } = office;
  expect(await pay(desk, last, '--batch', 'salaries-2031-01')).toMatchObject({ exit: 0 });
  passDays(office, 30);
  const none = await pay(desk, last, ...flags, '--accept-changed-payees', '1');
  expect(none).toMatchObject(refused);
  expect(none.fault?.['message']).toContain('No row is paid to another phone or account');

  await desk.write('pay.csv', csvOf(next));
  const { exit, stderr } = await desk.say(['run', 'pay.csv', '--dry-run', ...flags]);
  expect(exit).toBe(0);
  expect(stderr).toContain('phone or account: 3 rows');
  expect(stderr).toContain('Compared with batch salaries-2031-01 of ');
  for (const text of [...named.changed, ...named.others]) expect(stderr).toContain(text);

  const told = await pay(desk, next, ...flags);
  expect(told).toMatchObject(refused);
  expect(told.fault?.['fix']).toContain('--accept-changed-payees 3');
  expect(told.events.find(({ type }) => type === 'statement')?.['statement']).toMatchObject({
    changedPayees: { count: 3, rows: [{ name: 'Person 1', to: '+254722000055' }, { row: 3 }, { row: 4, rowThen: 4 }] },
    lastTime: {
      batch: 'salaries-2031-01',
      paid: { count: ROWS },
      newPeople: { count: 2, rows: [{ name: 'Zawadi New' }, { name: 'Juma New' }] },
      gonePeople: { count: 1, rows: [{ row: 9, name: 'Person 8', cell: 'D9' }] },
      changedAmounts: { count: 1, rows: [{ row: 6, was: { amount: '1004.25' } }], more: { amount: '496.75' } },
    },
  });
  expect(await pay(desk, next, ...flags, '--accept-changed-payees', '2')).toMatchObject(refused);
  const wrong = await desk.emit(['run', 'pay.csv', '--dry-run', ...flags, '--accept-changed-payees', '4']);
  expect(wrong).toMatchObject(refused);
  expect(submitted(office)).toBe(ROWS);

  const paid = await pay(desk, next, ...flags, '--accept-changed-payees', '3');
  expect(paid).toMatchObject({ exit: 0, end: { rows: { completed: next.length } } });
  expect(paidTraces(office.service.books())).toHaveLength(ROWS + next.length);
  const texts = await workbookOf(paid.end['files']);
  for (const text of [
    'Shown before it was paid',
    'Never paid before\n5 rows, KES 4,503.75: row 2, Person 1',
    'row 2, Person 1: now +254722000055, in batch salaries-2031-01 +2547•••••055',
    'row 4, Person 3: now +254722002055',
    '2 rows, KES 1,500.00: row 9, Zawadi New (KES 700.00); row 10, Juma New (KES 800.00)',
    '1 row, KES 1,007.25: row 9, Person 8 (KES 1,007.25)',
    'row 6, Person 5 (KES 1,501.00), before KES 1,004.25',
    'Just above a charge band\nrow 6, Person 5 (KES 1,501.00), KES 4.00 dearer',
    'changed phones and accounts: 3',
  ]) {
    expect(texts).toContain(text);
  }

  passDays(office, 30);
  const dry = await desk.emit(['run', 'pay.csv', '--dry-run', '--batch', 'salaries-2031-03']);
  const statement = dry.events.find(({ type }) => type === 'statement')?.['statement'];
  expect(statement).not.toHaveProperty('changedPayees');
  expect(statement).toMatchObject({ lastTime: { batch: 'salaries-2031-02', newPeople: { count: 0 } } });
});

test('a salary that was doubled is told a month later, however the batch is called, and the same amounts warn of nothing', async () => {
  const office = await openOffice();
  const { desk } = office;
  await desk.write('pay.csv', csvOf(last));
  const before = await desk.say(['run', 'pay.csv', '--dry-run', '--batch', 'payroll-2031-01']);
  expect(before.stderr).toContain('Nothing to compare with: no earlier batch paid most of these people');
  expect(await pay(desk, last, '--batch', 'payroll-2031-01')).toMatchObject({ exit: 0 });
  passDays(office, 30);
  await desk.write('pay.csv', csvOf(last.map((row, at) => (at === 4 ? { ...row, amount: '2008.50' } : row))));
  const doubled = await desk.say(['run', 'pay.csv', '--dry-run', '--batch', 'payments-2031-02']);
  expect(doubled.exit).toBe(0);
  expect(doubled.stderr).toContain('Compared with batch payroll-2031-01 of ');
  expect(doubled.stderr).toContain('amount: 1 row, KES 1,004.25 more');
  expect(doubled.stderr).toContain('row 6, Person 5: 1,004.25 → 2,008.50');
  await desk.write('pay.csv', csvOf(last));
  const same = await desk.say(['run', 'pay.csv', '--dry-run', '--batch', 'payments-2031-02']);
  expect(same.stderr).toContain('the same people, and the same amounts');
  expect(same.stderr).not.toContain('WARN');
});

/** Every text of the workbook, by a second reader. */
async function workbookOf(files: unknown): Promise<string> {
  const [{ path }] = files as [{ path: string }];
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(path);
  const texts: string[] = [];
  book.eachSheet((sheet) => sheet.eachRow((row) => row.eachCell(({ value }) => texts.push(String(value)))));
  return texts.join('\n');
}
