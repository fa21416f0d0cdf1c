/** A ledger that is lost or put back after another batch took over rows: nothing is sent until that batch is known again. */
import { cp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { paidTraces, play } from '../support/desk/account.ts';
import type { Desk } from '../support/desk/command-line.ts';
import { type Office, openOffice, pay, totalsOf } from '../support/desk/live-office.ts';
import { people } from '../support/desk/payroll-sheet.ts';

const pace = 'settle-min=20,settle-max=80';
const rows = people(6);
const rest = rows.slice(3);
const reason = ['--batch', 'again', '--allow-duplicate', 'the rest'];
const lost = { exit: 8, fault: { code: 'lost-batches' } };
const submitted = ({ service }: Office): number => service.books().requests['submit-order'] ?? 0;

/** Three of six rows are paid by `pay`, and the others, as they are left, by `again`. */
async function takenOver(keep: (desk: Desk) => Promise<void>): Promise<Office> {
  const office = await openOffice(`${pace},balance=4000`);
  const { desk, service } = office;
  expect((await pay(desk, rows, '--up-to-balance', '3')).end.rows).toMatchObject({ completed: 3, unsent: 3 });
  await play(service, `${pace},balance=100000`);
  await keep(desk);
  expect(await pay(desk, rest, ...reason)).toMatchObject({ exit: 0 });
  return office;
}

const ledgerOf = (desk: Desk): string => desk.path('home', 'env');
const keep = (desk: Desk): Promise<void> => cp(ledgerOf(desk), desk.path('kept'), { recursive: true });

/** Deletes the ledger, but not its checkpoint. */
async function lose(desk: Desk): Promise<void> {
  const files = await readdir(ledgerOf(desk));
  for (const name of files.filter((one) => one.startsWith('ledger.db'))) await rm(path.join(ledgerOf(desk), name));
}

async function putBack(desk: Desk): Promise<void> {
  await lose(desk);
  const files = await readdir(desk.path('kept'));
  for (const name of files.filter((one) => one.startsWith('ledger.db')))
    await cp(path.join(desk.path('kept'), name), path.join(ledgerOf(desk), name));
}

test('rows that are unsent in a ledger that was put back are not sent before the later batch is known again', async () => {
  const office = await takenOver(keep);
  const { desk, service } = office;
  await putBack(desk);
  const refused = await desk.emit(['resume', 'pay']);
  expect(refused).toMatchObject(lost);
  expect(refused.fault?.['message']).toContain('1 batch that was begun here after pay: again (');
  expect(refused.fault?.['fix']).toContain('--batch again');
  expect((await desk.emit(['status', 'pay'])).end.rows).toMatchObject({ completed: 3, unsent: 3 });
  expect(submitted(office)).toBe(6);

  expect(await pay(desk, rest, ...reason)).toMatchObject({ exit: 0, end: { rows: { completed: 3 } } });
  expect((await desk.emit(['resume', 'pay'])).end.rows).toMatchObject({ completed: 3, unsent: 3 });
  expect(submitted(office)).toBe(6);
  expect(paidTraces(service.books())).toHaveLength(6);
});

test('rows that failed in a ledger that was put back are not tried again before', async () => {
  const office = await openOffice(`reject=1,${pace}`);
  const { desk, service } = office;
  expect((await pay(desk, rest)).end.rows).toMatchObject({ rejected: 3 });
  await play(service, pace);
  await keep(desk);
  const one = rest.slice(0, 1);
  expect(await pay(desk, one, '--batch', 'again')).toMatchObject({ exit: 0 });
  await putBack(desk);
  expect(await desk.emit(['retry', 'pay', ...totalsOf(rest)])).toMatchObject(lost);
  expect(submitted(office)).toBe(4);
  expect(await pay(desk, one, '--batch', 'again')).toMatchObject({ exit: 0 });
  expect((await desk.emit(['retry', 'pay', ...totalsOf(rest.slice(1))])).end.rows).toMatchObject({
    rejected: 1,
    completed: 2,
  });
  expect(submitted(office)).toBe(6);
});

test('the sheets of a ledger that is gone are run the latest first', async () => {
  const office = await takenOver(async () => undefined);
  const { desk, service } = office;
  await lose(desk);
  const refused = await pay(desk, rows);
  expect(refused).toMatchObject(lost);
  expect(refused.fault?.['fix']).toContain('the latest first (--batch again)');
  expect(await pay(desk, rest, '--batch', 'again')).toMatchObject({ exit: 0 });
  const told = await pay(desk, rows);
  expect(told).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
  expect(told.fault?.['fix']).toContain('--accept-paid-before 3');
  expect(await pay(desk, rows.slice(0, 3))).toMatchObject({ exit: 0, end: { rows: { completed: 3 } } });
  expect(submitted(office)).toBe(6);
  expect(paidTraces(service.books())).toHaveLength(6);
});

test('nothing shows the later batch where the checkpoint was put back too', async () => {
  const copy = (from: string, to: string) => cp(from, to, { recursive: true });
  const office = await takenOver((desk) => copy(desk.home, desk.path('kept')));
  const { desk } = office;
  await rm(desk.home, { recursive: true });
  await copy(desk.path('kept'), desk.home);
  expect(await desk.emit(['resume', 'pay'])).toMatchObject({ exit: 0, end: { rows: { completed: 6 } } });
  expect(submitted(office)).toBe(9);
});
