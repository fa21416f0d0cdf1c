/** The ledger of a live account is backed up while it is at work, lost, and put back. */
import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openDurable, openReader } from '../../../src/database/sqlite.ts';
import { paidTraces } from '../../support/desk/account.ts';
import type { Desk, Told } from '../../support/desk/command-line.ts';
import { openOffice, pay, planOnly } from '../../support/desk/live-office.ts';
import { people } from '../../support/desk/payroll-sheet.ts';

const ROWS = 12;

const LEDGER = ['ledger.db', 'ledger.db-wal', 'ledger.db-shm'];

/** How far the ledger went, as a command tells it. */
const headIn = ({ events }: Told): number => {
  const [seq = 0] = events.flatMap(({ type, seq: own, head }) =>
    type === 'ledger.head' ? [Number(own)] : head ? [(head as { readonly seq: number }).seq] : [],
  );
  return seq;
};

const removeLedger = (desk: Desk): Promise<unknown> =>
  Promise.all(LEDGER.map((name) => rm(desk.path('home', 'env', name), { force: true })));

test('a backup that was made in the middle of a run is put back, and nobody is paid twice or forgotten', async () => {
  // Long enough that the run is still waiting when the backup is made.
  const { desk, service } = await openOffice('settle-min=4000,settle-max=6000');
  await planOnly(desk, people(ROWS));
  const planned = headIn(await desk.emit(['ledger', 'backup', 'before.db']));
  expect(planned).toBeGreaterThan(ROWS);
  // Who reads an earlier moment keeps all that comes after it in the log.
  const reader = openReader(desk.path('home', 'env', 'ledger.db'));
  reader.exec('BEGIN');
  reader.all('SELECT COUNT(*) FROM fact');
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const running = desk.emit(['resume'], { onOutput: (text) => text.includes('"type":"progress"') && resolve() });
  await begun;
  const backup = await desk.emit(['ledger', 'backup', 'kept.db']);
  await copyFile(desk.path('home', 'env', 'ledger.db-wal'), desk.path('log-of-then'));
  reader.close();
  expect(backup).toMatchObject({ exit: 0, events: [{ type: 'ledger-backup', replaced: false }, { type: 'end' }] });
  // What is in the log alone is in the backup, too: the facts that the run has added by then.
  expect(headIn(backup)).toBeGreaterThan(planned + 1);
  expect((await running).exit).toBe(0);
  expect((await stat(desk.path('kept.db'))).mode & 0o777).toBe(0o600);
  // One plain file: no log beside it, and nothing of a draft.
  expect((await readdir(desk.folder)).filter((name) => /kept|tmp/.test(name))).toEqual(['kept.db']);

  // The ledger is lost, and its log is not: SQLite would read that as part of whatever takes its place.
  await removeLedger(desk);
  await copyFile(desk.path('log-of-then'), desk.path('home', 'env', 'ledger.db-wal'));
  expect(await desk.emit(['ledger', 'restore', 'kept.db'])).toMatchObject({ exit: 0 });
  // It is sound, and the workbook tells that it had been further.
  const { events } = await desk.emit(['verify']);
  const further = expect.stringMatching(
    /^the ledger: ends with fact \d+, and had fact \d+ when the workbook was made$/,
  );
  expect(events).toMatchObject([{ differences: [further] }, { exit: 10 }]);
  const status = await desk.emit(['status', 'pay']);
  expect(status.exit).not.toBe(10);
  expect(await desk.emit(['resume', 'pay'])).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
  expect(paidTraces(service.books())).toHaveLength(ROWS);
  expect((await desk.say(['verify'])).exit).toBe(0);
});

test('a backup replaces no file by itself, lies outside of the state folder, and is put back only where it is needed', async () => {
  const { desk, service } = await openOffice();
  await pay(desk, people(2));
  expect((await desk.emit(['ledger', 'backup', 'kept.db'])).exit).toBe(0);
  const before = await readFile(desk.path('kept.db'));
  const again = await desk.emit(['ledger', 'backup', 'kept.db']);
  expect(again).toMatchObject({ exit: 2, fault: { code: 'file-unwritten' } });
  expect((await readFile(desk.path('kept.db'))).equals(before)).toBe(true);
  expect(await desk.emit(['ledger', 'backup', 'home/env/kept.db'])).toMatchObject({ exit: 2 });
  expect(await desk.emit(['ledger', 'backup', 'no/such/folder/kept.db'])).toMatchObject({
    exit: 2,
    fault: { code: 'file-unwritten' },
  });

  // The ledger is sound, and knows more: putting the backup in its place would forget.
  await pay(desk, people(3), '--batch', 'later', '--allow-duplicate', 'another month');
  const needless = await desk.emit(['ledger', 'restore', 'kept.db']);
  expect(needless).toMatchObject({
    exit: 2,
    fault: { message: expect.stringMatching(/sound and goes to fact \d+; the/) },
  });

  // A damaged one is set aside; a backup that is damaged is not put in its place.
  for (const name of LEDGER) await writeFile(desk.path('home', 'env', name), 'damaged');
  const planned = before.indexOf('batch-planned');
  await writeFile(desk.path('changed.db'), Buffer.from(before.map((byte, at) => (at === planned ? byte ^ 1 : byte))));
  await writeFile(desk.path('other.db'), 'no database');
  for (const [name, exit] of [
    ['changed.db', 10],
    ['other.db', 2],
    ['nowhere.db', 2],
  ] as const) {
    const told = await desk.emit(['ledger', 'restore', name]);
    expect(told.exit, name).toBe(exit);
    expect(await readFile(desk.path('home', 'env', 'ledger.db'), 'utf8')).toBe('damaged');
  }
  expect(await desk.emit(['ledger', 'restore', 'kept.db'])).toMatchObject({
    exit: 0,
    events: [{ setAside: expect.stringContaining('ledger.db.set-aside-') }, {}],
  });
  expect((await desk.say(['verify'])).exit).toBe(0);

  // Its chains are whole and it goes as far, and all the same somebody has changed a row.
  expect((await desk.emit(['ledger', 'restore', 'kept.db'])).exit).toBe(2);
  const raw = openDurable(desk.path('home', 'env', 'ledger.db'));
  raw.exec("UPDATE payout SET name = 'Somebody else'");
  raw.close();
  expect((await desk.emit(['verify'])).exit).toBe(10);
  expect(await desk.emit(['ledger', 'restore', 'kept.db'])).toMatchObject({
    exit: 0,
    events: [{ setAside: expect.stringContaining('ledger.db.set-aside-') }, {}],
  });
  expect((await desk.say(['verify'])).exit).toBe(0);
  expect(await desk.emit(['resume', 'pay'])).toMatchObject({ exit: 0, end: { rows: { completed: 2 } } });
  expect(paidTraces(service.books())).toHaveLength(5);
});
