/** What the wallet holds afterwards, as the service says, against what this ledger expects. */
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { openDurable } from '../../src/database/sqlite.ts';
import { play } from '../support/desk/account.ts';
import { openOffice, pay, planOnly } from '../support/desk/live-office.ts';
import { people } from '../support/desk/payroll-sheet.ts';

const pace = 'settle-min=20,settle-max=80';
const BALANCE = 100_000;
/** Amounts of 1,000.25 and 1,001.25, and 5 for each row. */
const two = people(2);
const TWO = 2011.5;

/** The lines of a worksheet by their labels, by a second reader. */
async function linesOf(file: string | undefined, name: string): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file ?? '');
  const lines = new Map<string, readonly unknown[]>();
  book.getWorksheet(name)?.eachRow((row) => {
    const [, label, ...values] = row.values as unknown[];
    lines.set(String(label), [...new Set(values)]);
  });
  return lines;
}

test('a wallet that only this batch has used holds what is expected, and nothing is said above', async () => {
  const { desk } = await openOffice(`${pace},balance=${BALANCE}`);
  const { end, exit } = await pay(desk, two);
  expect(exit).toBe(0);
  const wallet = await linesOf(end.files[0]?.path, 'Reconciliation');
  expect(wallet.get('Balance after')?.[0]).toBe(BALANCE - TWO);
  expect(wallet.get('Moved outside paybatch')).toEqual([0, 'Nothing: the balance is what this ledger expects.']);
  expect(wallet.has('Other batches')).toBe(false);
  expect((await linesOf(end.files[0]?.path, 'Summary')).has('Wallet after the run')).toBe(false);
});

test('money that went elsewhere is named with its amount, and the exit code stays that of the outcomes', async () => {
  const { desk, service } = await openOffice(`${pace},balance=${BALANCE}`);
  await planOnly(desk, two);
  await play(service, `${pace},balance=${BALANCE - 7}`);
  const { end, exit } = await desk.emit(['resume']);
  expect(exit).toBe(0);
  const wallet = await linesOf(end.files[0]?.path, 'Reconciliation');
  expect(wallet.get('Moved outside paybatch')).toEqual([
    -7,
    'It left: other systems, or fees that the service did not report. The statement of the wallet says which.',
  ]);
  expect((await linesOf(end.files[0]?.path, 'Summary')).get('Wallet after the run')).toEqual([
    'It held KES 7.00 less than this ledger expects: moved outside paybatch. See the worksheet Reconciliation.',
  ]);
  expect((await desk.emit(['verify'])).exit).toBe(0);
});

test('what another batch of the ledger paid meanwhile, and a top-up, are told apart', async () => {
  const { desk, service } = await openOffice(`${pace},balance=3000`);
  const short = await pay(desk, people(3), '--up-to-balance', '2');
  expect(short.exit).toBe(7);
  // With the plan, so that a process that dies before its first run forgets no limit.
  const ledger = openDurable(desk.path('home', 'env', 'ledger.db'));
  const [plan] = ledger.all("SELECT data FROM fact WHERE type = 'batch-planned'");
  ledger.close();
  expect(JSON.parse(String(plan?.['data']))).toMatchObject({ header: { rowsMost: 2 } });
  await play(service, `${pace},balance=${BALANCE}`);
  const batch = short.end.batch ?? '';
  expect((await pay(desk, people(5).slice(3), '--batch', 'others')).exit).toBe(0);
  const { end, exit } = await desk.emit(['resume', batch]);
  expect(exit).toBe(0);
  const wallet = await linesOf(end.files[0]?.path, 'Reconciliation');
  expect(wallet.get('Other batches')?.[0]).toBe(2017.5);
  expect(wallet.get('Moved outside paybatch')).toEqual([
    BALANCE - (3000 - TWO),
    'It came in: a top-up, or money that came back. The statement of the wallet says which.',
  ]);
  expect((await desk.emit(['verify', batch])).exit).toBe(0);
});

test('of a batch that had begun before this one was planned, only what it paid since is counted', async () => {
  const { desk, service } = await openOffice(`${pace},balance=3000`);
  const earlier = (await pay(desk, people(3), '--up-to-balance', '2')).end.batch ?? '';
  await play(service, `${pace},balance=${BALANCE}`);
  await planOnly(desk, people(5).slice(3), '--batch', 'later');
  expect((await desk.emit(['resume', earlier])).exit).toBe(0);
  const { end, exit } = await desk.emit(['resume', 'later']);
  expect(exit).toBe(0);
  const wallet = await linesOf(end.files[0]?.path, 'Reconciliation');
  expect(wallet.get('Other batches')?.[0]).toBe(1007.25);
  expect(wallet.get('Moved outside paybatch')).toEqual([0, 'Nothing: the balance is what this ledger expects.']);
});

test('what another batch had paid before its ledger was lost is not counted again when it is found', async () => {
  const { desk } = await openOffice(`${pace},balance=${BALANCE}`);
  expect((await pay(desk, two, '--batch', 'first')).exit).toBe(0);
  desk.env['PAYBATCH_HOME'] = desk.path('another-home');
  await planOnly(desk, people(5).slice(3), '--batch', 'later');
  const found = await pay(desk, two, '--batch', 'first');
  expect(found.end.rows).toMatchObject({ completed: 2 });
  const { end } = await desk.emit(['resume', 'later']);
  expect(end.rows).toMatchObject({ completed: 2 });
  const wallet = await linesOf(end.files[0]?.path, 'Reconciliation');
  expect(wallet.has('Other batches')).toBe(false);
  expect(wallet.get('Moved outside paybatch')?.[0]).toBe(0);
});
