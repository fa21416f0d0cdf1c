/** A ledger on another computer, without its key, or without what a person told it: what the documentation says of each is what happens. */
import { cp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { paidTraces, quickProfile } from '../support/desk/account.ts';
import type { Told } from '../support/desk/command-line.ts';
import { openOffice, passDays, pay } from '../support/desk/live-office.ts';
import { people } from '../support/desk/payroll-sheet.ts';
import { ledgerFiles } from './lost-ledger.ts';

/** No longer new. */
const OLD_DAYS = 46;
const ENDS = 'settle-min=5,settle-max=10,duplicates=execute';

const warningsOf = ({ events }: Told) =>
  events.filter(({ type, level }) => type === 'notice' && level === 'warning').map(({ message }) => String(message));

test('a folder that another computer used last is in doubt, and that of a container that keeps its name is not', async () => {
  const office = await openOffice(ENDS);
  const { desk, service } = office;
  const payOn = (machine: string, person: number) => {
    desk.env['PAYBATCH_MACHINE'] = machine;
    return pay(desk, people(person).slice(-1), '--batch', `of-${person}`);
  };
  await payOn('payroll', 1);
  passDays(office, OLD_DAYS);
  const same = await payOn('payroll', 2);
  const other = await payOn('laptop', 3);
  expect([same.exit, other.exit]).toEqual([0, 0]);
  expect(warningsOf(same)).toEqual([]);
  expect(warningsOf(other)).toContainEqual(expect.stringContaining('another computer used it last'));
  expect(paidTraces(service.books())).toHaveLength(3);
});

test('a ledger whose key is lost for good is set aside, and its sheet is found to be paid', async () => {
  const { desk, service } = await openOffice(ENDS);
  expect((await pay(desk, people(3))).exit).toBe(0);
  await rm(desk.path('keys'), { recursive: true });
  expect(await pay(desk, people(3))).toMatchObject({
    exit: 2,
    fault: { fix: expect.stringContaining('set the ledger aside') },
  });

  for (const file of await ledgerFiles(desk)) await rename(file, desk.path(path.basename(file)));
  const told = await pay(desk, people(3));

  expect(told).toMatchObject({ exit: 0, end: { rows: { completed: 3 } } });
  expect(service.books().requests['submit-order']).toBe(3);
});

test('what a person told a ledger is gone when it is put back from before, and is told again', async () => {
  const { desk, service } = await openOffice(ENDS, { polling: { firstMs: 20, maxMs: 100, deadlineMs: 500 } });
  // An ending that stays open at the service.
  const rows = people(2).map((row, index) => (index === 0 ? { ...row, phone: '+254712000009' } : row));
  const first = await pay(desk, rows);
  expect(first).toMatchObject({ exit: 7, end: { rows: { inDoubt: 1 } } });
  await cp(desk.home, desk.path('backup'), { recursive: true });
  const say = () =>
    desk.emit(['resolve', 'pay', '--row', '2', '--not-paid', '--note', 'ticket 4711', '--amount', '1000.25']);
  expect((await say()).end.rows).toMatchObject({ inDoubt: 0, failed: 1 });

  await cp(desk.path('backup'), desk.home, { recursive: true });
  expect((await desk.emit(['status'])).end.rows).toMatchObject({ inDoubt: 1, failed: 0 });
  expect((await say()).end.rows).toMatchObject({ inDoubt: 0, failed: 1 });
  expect(service.books().requests['submit-order']).toBe(2);
});

test.each([
  ['without their references', { reference: '' }, {}],
  ['from an account that seems to be another one', {}, { idNamespace: 'acme-2' }],
])(
  'after a loss that left the checkpoint, a sheet under the name of its batch is stopped: %s',
  async (_, change, account) => {
    const { desk, service } = await openOffice(ENDS);
    const env = quickProfile(service.routes, 40_000);
    await desk.writeConfig({ profiles: { env } });
    expect((await pay(desk, people(4))).exit).toBe(0);
    for (const file of await ledgerFiles(desk)) await rm(file);
    await desk.writeConfig({ profiles: { env: { ...env, ...account } } });
    const rows = people(4).map((row) => ({ ...row, ...change }));
    const stopped = await pay(desk, rows);
    expect(stopped).toMatchObject({ exit: 8, fault: { code: 'lost-batches' } });
    expect(stopped.fault?.['message']).toContain('none of its first payments is in this sheet');

    await desk.writeConfig({ profiles: { env } });
    expect((await pay(desk, people(4).slice(2))).exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(4);
  },
);
