/** A wallet that does not cover the sheet: what it covers is paid, the rest waits under its own ids, and nobody is paid twice. */
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { paidTraces, play } from '../support/desk/account.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { type Office, openOffice, pay, planOnly } from '../support/desk/live-office.ts';
import { csvOf, people, resultsIn } from '../support/desk/payroll-sheet.ts';

const ROWS = 6;
/** Amounts from 1,000.25 to 1,005.25, and 5 for each row as the practice service charges: three rows need 3,018.75. */
const salaries = people(ROWS);
const THREE = 'balance=4000';
const refused = { exit: 5, fault: { code: 'balance-short' } };
const submitted = ({ service }: Office): number => service.books().requests['submit-order'] ?? 0;
const pace = 'settle-min=20,settle-max=80';
const statementOf = (told: Awaited<ReturnType<typeof pay>>) =>
  told.events.find(({ type }) => type === 'statement')?.['statement'];

test('as many rows as it covers are paid in sheet order, once their number was given, and resume pays the others', async () => {
  const office = await openOffice(`${pace},${THREE}`);
  const { desk, service } = office;
  const short = await pay(desk, salaries);
  expect(short).toMatchObject(refused);
  expect(short.fault?.['fix']).toContain('--up-to-balance 3');
  expect(statementOf(short)).toMatchObject({ covered: { rows: 3, charges: { amount: '15.00' } } });
  for (const wrong of ['2', '4']) expect(await pay(desk, salaries, '--up-to-balance', wrong)).toMatchObject(refused);
  expect(submitted(office)).toBe(0);

  const part = await pay(desk, salaries, '--up-to-balance', '3');
  expect(part).toMatchObject({ exit: 7, end: { rows: { total: ROWS, completed: 3, unsent: 3 } } });
  expect(submitted(office)).toBe(3);
  const file = part.end.files[0]?.path ?? '';
  const outcomes = (await resultsIn(file)).map((row) => [row['Row'], row['Outcome']]);
  expect(outcomes).toEqual([2, 3, 4, 5, 6, 7].map((row) => [String(row), row < 5 ? 'Completed' : 'Not sent']));
  const planned = (await resultsIn(file)).map((row) => row['Order id']);
  expect(await summaryOf(file)).toContain('Only the first 3 unsent rows were sent, because the wallet covered no more');

  // Still short: nothing leaves. Topped up: the others leave under the ids that they were planned with.
  expect(await desk.emit(['resume'])).toMatchObject({ exit: 7, end: { rows: { completed: 3, unsent: 3 } } });
  expect(submitted(office)).toBe(3);
  await play(service, `${pace},balance=100000`);
  expect(await pay(desk, salaries)).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
  const rest = await desk.emit(['resume']);
  expect(rest).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
  const { orders } = service.books();
  expect(new Set(orders.map(({ id }) => id))).toEqual(new Set(planned));
  expect(orders.every(({ posts }) => posts === 1)).toBe(true);
  expect(new Set(paidTraces(service.books())).size).toBe(ROWS);
});

test('resume pays so many of the others as the wallet covers by then, once their number was given', async () => {
  const office = await openOffice(`${pace},${THREE}`);
  const { desk, service } = office;
  expect(await pay(desk, salaries, '--up-to-balance', '3')).toMatchObject({ exit: 7, end: { rows: { unsent: 3 } } });
  const upTo = (rows: string) => desk.emit(['resume', 'pay', '--up-to-balance', rows]);
  expect(await upTo('1')).toMatchObject(refused);
  // What is there pays two of the three, and not what another batch needs of it.
  await play(service, `${pace},balance=3000`);
  const wrong = await upTo('1');
  expect(wrong.fault).toMatchObject({
    message: expect.stringContaining('It covers 2 of them, not 1. Nothing was sent.'),
    fix: expect.stringContaining('--up-to-balance 2'),
  });
  expect(submitted(office)).toBe(3);
  const part = await upTo('2');
  expect(part).toMatchObject({ exit: 7, end: { rows: { completed: 5, unsent: 1 } } });
  expect(await summaryOf(part.end.files[0]?.path ?? '')).toContain('nly the first 2 unsent rows were sent');
  await play(service, `${pace},balance=100000`);
  expect((await planOnly(desk, people(8).slice(6), '--batch', 'rent')).end.rows).toMatchObject({ unsent: 2 });
  await play(service, `${pace},balance=2020`);
  const spoken = await desk.emit(['resume', 'pay', '--up-to-balance', '1']);
  expect(spoken).toMatchObject(refused);
  expect(spoken.fault?.['message']).toContain('KES 2,023.50 are reserved');
  await play(service, `${pace},balance=100000`);
  expect(await upTo('1')).toMatchObject({ exit: 5, fault: { code: 'preflight-refused' } });
  expect(await desk.emit(['resume', 'pay'])).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
  expect(new Set(paidTraces(service.books())).size).toBe(ROWS);
  expect(service.books().orders.every(({ posts }) => posts === 1)).toBe(true);
});

test('the first payments that go ahead are among those that it covers', async () => {
  // A rehearsal trusts its ledger, so nothing was looked up that could keep others back; of 40 ids the smallest are others.
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(people(40)));
  const scenario = ['--scenario', 'balance=4000,settle-min=5,settle-max=10'];
  const part = await desk.emit(['run', 'pay.csv', '--up-to-balance', '3', ...scenario]);
  expect(part).toMatchObject({ exit: 7, end: { rows: { completed: 3, unsent: 37 } } });
  const results = await resultsIn(part.end.files[0]?.path ?? '');
  expect(results.flatMap(({ Row, Outcome }) => (Outcome === 'Completed' ? [Row] : []))).toEqual(['2', '3', '4']);
});

test('orders of several rows are covered whole, or not at all', async () => {
  const office = await openOffice(`${pace},${THREE}`, { sending: { linesPerOrder: 2, requestTimeoutMs: 500 } });
  const told = await pay(office.desk, salaries, '--up-to-balance', '3');
  expect(told.fault?.['message']).toContain('It covers 2 of 6 rows, not 3.');
  const part = await pay(office.desk, salaries, '--up-to-balance', '2');
  expect(part).toMatchObject({ exit: 7, end: { rows: { completed: 2, unsent: 4 } } });
  expect(office.service.books().orders.map(({ lines }) => lines.length)).toEqual([2]);
});

test('a number is refused where the wallet covers every row, and where it covers none', async () => {
  const office = await openOffice(pace);
  const all = await pay(office.desk, salaries, '--up-to-balance', String(ROWS));
  expect(all).toMatchObject({ exit: 5, fault: { code: 'preflight-refused' } });
  await play(office.service, `${pace},balance=10`);
  const none = await pay(office.desk, salaries, '--up-to-balance', '1');
  expect(none).toMatchObject(refused);
  expect(none.fault?.['fix']).not.toContain('--up-to-balance');
  expect(submitted(office)).toBe(0);
});

test('what another batch still owes is spoken for', async () => {
  const office = await openOffice(pace);
  const { desk, service } = office;
  await planOnly(desk, salaries.slice(0, 2), '--batch', 'rent-2031-01');
  await play(service, `${pace},balance=6200`);
  // Four rows need 4,035.00, and the two that wait 2,011.50: together more than there is.
  const others = salaries.slice(2).map((row) => ({ ...row, amount: '1200' }));
  const short = await pay(desk, others, '--batch', 'salaries-2031-01');
  expect(short).toMatchObject(refused);
  expect(short.fault?.['message']).toContain('KES 2,011.50 are reserved for batch rent-2031-01 (2 rows)');
  expect(statementOf(short)).toMatchObject({
    owed: { amount: { amount: '2011.50' }, batches: [{ batch: 'rent-2031-01', rows: 2 }] },
    covered: { rows: 3 },
  });
  const { stderr } = await desk.say(['run', 'pay.csv', '--dry-run', '--batch', 'salaries-2031-01']);
  expect(stderr).toContain('The balance covers the first 3 of 4 rows: KES 3,615.00');
  expect(stderr).toContain('by batch rent-2031-01: 2 rows, KES 2,011.50');
  expect(submitted(office)).toBe(0);
});

test('what the sheet takes over from another batch is not spoken for twice', async () => {
  const office = await openOffice(pace);
  const { desk, service } = office;
  await planOnly(desk, salaries.slice(0, 2), '--batch', 'first');
  await play(service, `${pace},balance=3100`);
  const taken = await pay(desk, salaries.slice(0, 3), '--batch', 'second', '--allow-duplicate', 'instead of first');
  expect(taken).toMatchObject({ exit: 0, end: { rows: { completed: 3 } } });
  expect(statementOf(taken)).not.toHaveProperty('owed');
});

test('a run that waits for the wallet goes on when it suffices, and gives up when the time is over', async () => {
  const office = await openOffice(`${pace},${THREE}`);
  const { desk, service } = office;
  const late = await pay(desk, salaries, '--wait-for-balance', '1s');
  expect(late).toMatchObject(refused);
  // Once, and once more when the time is over; on a busy machine an answer may be lost, and is asked for again.
  expect(service.books().requests['get-wallet-balance']).toBeGreaterThanOrEqual(2);
  const dry = await desk.say(['run', 'pay.csv', '--dry-run', '--wait-for-balance', '2h']);
  expect(dry.stderr).not.toContain('The balance is checked every');
  let asked = false;
  const paid = await desk.emit(
    ['run', 'pay.csv', '--expect-count', String(ROWS), '--expect-total', '6016.50', '--wait-for-balance', '24h'],
    {
      onOutput: (text) => {
        if (asked || !text.includes('The balance is checked every')) return;
        asked = true;
        void play(service, `${pace},balance=100000`);
      },
    },
  );
  expect(paid).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
});

test.each(['0s', '25h', '5', '2d', '1y', ''])('a wait of %j is a usage error', async (time) => {
  const { desk } = await openOffice();
  expect((await pay(desk, salaries, '--wait-for-balance', time)).exit).toBe(2);
});

/** Every text of the Summary worksheet, by a second reader. */
async function summaryOf(file: string): Promise<string> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const texts: string[] = [];
  book.getWorksheet('Summary')?.eachRow((row) => row.eachCell(({ value }) => texts.push(String(value))));
  return texts.join('\n');
}

test('rows that it did not cover are not paid from two sheets, also where a phone was corrected and names alone tell who it is', async () => {
  const office = await openOffice(`${pace},${THREE}`);
  const { desk, service } = office;
  const rows = salaries.map(({ name, phone, amount }) => ({ name, phone, amount }));
  const first = await pay(desk, rows, '--up-to-balance', '3');
  expect(first.end.rows).toMatchObject({ completed: 3, unsent: 3 });
  await play(service, `${pace},balance=100000`);

  const rest = rows.slice(3).map((row, at) => (at === 1 ? { ...row, phone: '+254719999955' } : row));
  const answers = ['--allow-duplicate', 'a phone was corrected', '--accept-changed-payees', '1'];
  const second = await pay(desk, rest, '--batch', 'again', ...answers);
  expect(second).toMatchObject({ exit: 0, end: { rows: { completed: 3 } } });

  const resumed = await desk.emit(['resume', first.end.batch ?? '']);
  expect(resumed.end.rows).toMatchObject({ completed: 3, unsent: 3 });
  expect(submitted(office)).toBe(ROWS);
  expect(paidTraces(service.books())).toHaveLength(ROWS);
});
