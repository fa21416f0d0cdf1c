import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/domain/clock.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import { keysInFolder } from '../../../src/ledger/key-folder.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { systemClock } from '../../../src/system.ts';
import { accountIn, openService, paidTraces, quickProfile, quickWaits } from '../../support/desk/account.ts';
import { type Desk, openDesk, stoppedOncePlanned, type Told } from '../../support/desk/command-line.ts';
import { csvOf, people, resultsIn, type SheetLine } from '../../support/desk/payroll-sheet.ts';
import { needsPseudoTerminal, onTerminal } from '../../support/desk/pseudo-terminal.ts';
import { fastClock } from '../../support/fast-clock.ts';

const clock = fastClock();

/** What stays open is given up soon. */
const QUICK_POLLING = { firstMs: 20, maxMs: 100, deadlineMs: 2000 };
const [FIRST, SECOND, THIRD] = [2, 3, 4];

/** Three ordinary people; a phone that ends otherwise takes the place of one. */
const sheet = (endings: Readonly<Record<number, string>> = {}): readonly SheetLine[] =>
  people(3).map((line, index) => ({ ...line, phone: `+25471200${endings[index + FIRST] ?? `${index}055`}` }));

const totals = ['--expect-count', '3', '--expect-total', '3003.75'];
const AMOUNTS: Readonly<Record<number, string>> = { [FIRST]: '1000.25', [SECOND]: '1001.25', [THIRD]: '1002.25' };

async function practised(endings: Readonly<Record<number, string>>): Promise<{ desk: Desk; batch: string }> {
  const desk = await openDesk(clock);
  await desk.write('pay.csv', csvOf(sheet(endings)));
  await desk.writeConfig({
    profiles: { sandbox: { ...quickWaits, polling: QUICK_POLLING } },
  });
  const { end } = await desk.emit(['run', 'pay.csv', '--scenario', 'settle-min=10,settle-max=20']);
  return { desk, batch: end.batch ?? '' };
}

async function liveOffice(
  endings: Readonly<Record<number, string>> = {},
  time: Clock = clock,
): Promise<{ desk: Desk; service: Sandbox }> {
  const [desk, service] = [await openDesk(time), await openService(undefined, time)];
  await desk.write('pay.csv', csvOf(sheet(endings)));
  await desk.writeConfig({
    profiles: { env: { ...quickProfile(service.routes), polling: QUICK_POLLING } },
  });
  desk.payBy(accountIn(service));
  return { desk, service };
}

async function withLedger<T>(desk: Desk, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const holder = { host: 'desk', pid: 1, description: 'a test' };
  const file = path.join(desk.home, 'env', 'ledger.db');
  const ledger = await openLedger({
    path: file,
    keys: keysInFolder(desk.path('keys')),
    clock,
    holder,
  });
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

/** The service contradicts the plan of a row, as a run would have recorded it. */
const alarm = (desk: Desk, batch: string, row: number): Promise<void> =>
  withLedger(desk, async (ledger) => {
    await ledger.takeLease(batch as BatchId);
    const found = await ledger.findRow(batch as BatchId, row);
    const order = found?.order && (await ledger.findOrder(batch as BatchId, found.order));
    if (!order) throw new Error(`row ${row} has an order`);
    const fact = { type: 'order-alarmed', order: order.state.id, at: 1, reason: `row ${row}: other payee` } as const;
    await ledger.record([{ order, facts: [fact], dueAt: null }]);
  });

const rowOf = async ({ end }: Told, row: number) =>
  (await resultsIn(end.files[0]?.path ?? '')).find((line) => line['Row'] === String(row));

const verified = async (desk: Desk): Promise<number> => (await desk.say(['verify'])).exit;

test('what a person knows of rows that the service leaves open is in the results, and stays when they are looked at again', async () => {
  const { desk, batch } = await practised({ [FIRST]: '0009', [SECOND]: '0002' });
  const paid = await desk.emit(['resolve', batch, '--row', String(SECOND), '--paid', 'QKL7X1', '--note', 'by phone']);
  expect(paid.end.rows).toMatchObject({ total: 3, completed: 2, timedOut: 0, inDoubt: 1 });
  expect(paid.end.amounts[0]?.['completed']).toBe('2003.50');
  const row = await rowOf(paid, SECOND);
  expect(row).toMatchObject({ Outcome: 'Completed', 'Pay again?': 'No', 'Receipt number': 'QKL7X1' });
  expect(row?.['Reason in plain words']).toMatch(/Resolved by hand as paid, receipt QKL7X1 by \S+.*: by phone\./);
  expect(row?.['Fee charged'] ?? '').toBe('');

  const failed = await desk.emit(['resolve', batch, '--row', String(FIRST), '--not-paid', '--note', 'ticket 4711']);
  expect(failed.exit).toBe(6);
  expect(failed.end.rows).toMatchObject({ completed: 2, failed: 1, inDoubt: 0 });
  const other = await rowOf(failed, FIRST);
  expect(other).toMatchObject({ Outcome: 'Failed', 'Pay again?': 'Yes' });
  expect(other?.['Reason in plain words']).toContain('ticket 4711');

  for (const command of ['status', 'resume']) {
    expect(await desk.emit([command, batch])).toMatchObject({ exit: 6, end: { rows: { completed: 2, failed: 1 } } });
  }
  expect(await verified(desk)).toBe(0);
});

test('a row is open to one word by hand that is whole, and only where the service left it open', async () => {
  const { desk, batch } = await practised({ [SECOND]: '0001', [THIRD]: '0002' });
  const row = (number: number, ...words: string[]) => ['--row', String(number), ...words];
  const arrived = ['--never-arrived', '--note', 'ticket 1'];
  const refused: readonly (readonly [string, readonly string[]])[] = [
    ['that the service completed', row(FIRST, '--not-paid', '--note', 'no')],
    ['that the service completed, even when it agrees', row(FIRST, '--paid', 'QK1')],
    ['that the service rejected', row(SECOND, '--paid', 'QK1')],
    ['that the service completed, as one that never arrived', row(FIRST, ...arrived)],
    ['that the service rejected, as one that never arrived', row(SECOND, ...arrived)],
    ['that is not in the sheet, as one that never arrived', row(99, ...arrived)],
    ['that is not in the sheet', row(99, '--paid', 'QK1')],
    ['no row', ['--paid', 'QK1']],
    ['neither word', row(THIRD)],
    ['both words', row(THIRD, '--paid', 'QK1', '--not-paid', '--note', 'x')],
    ['no reason', row(THIRD, '--not-paid')],
    ['two other words', row(THIRD, '--not-paid', '--never-arrived', '--note', 'x')],
    ['a receipt of what never arrived', row(THIRD, '--paid', 'QK1', '--never-arrived', '--note', 'x')],
    ['no reason of what never arrived', row(THIRD, '--never-arrived')],
    ['an empty receipt', row(THIRD, '--paid', ' ')],
  ];
  for (const [which, words] of refused) {
    expect(await desk.emit(['resolve', batch, ...words]), which).toMatchObject({ exit: 2, fault: { code: 'usage' } });
  }
  const { end } = await desk.emit(['status', batch]);
  expect(end.rows).toMatchObject({ completed: 1, rejected: 1, timedOut: 1 });
});

describe('on a live account', () => {
  test('the exact amount of the row is needed, and one with a receipt cannot be called not paid', async () => {
    const { desk } = await liveOffice({ [SECOND]: '0002' });
    const { end } = await desk.emit(['run', 'pay.csv', ...totals]);
    const batch = end.batch ?? '';
    const words = ['resolve', batch, '--row', String(SECOND)];
    const none = await desk.emit([...words, '--paid', 'TKQ1']);
    expect(none).toMatchObject({ exit: 2 });
    expect(none.fault?.['fix']).toContain(`--amount ${AMOUNTS[SECOND]}`);
    expect(await desk.emit([...words, '--paid', 'TKQ1', '--amount', '1001.24'])).toMatchObject({ exit: 8 });

    await withLedger(desk, async (ledger) => {
      await ledger.takeLease(batch as BatchId);
      const id = (await ledger.findRow(batch as BatchId, SECOND))?.order;
      const order = id === undefined ? undefined : await ledger.findOrder(batch as BatchId, id);
      const line = order?.state.lines.find((one) => one.row === SECOND);
      if (!order || !line?.report) throw new Error(`row ${SECOND} timed out`);
      const lines = [{ ...line.report, receipt: 'TKQ1' }];
      const fact = { type: 'order-observed', order: order.state.id, at: 1, processed: true, lines } as const;
      await ledger.record([{ order, facts: [fact], dueAt: null }]);
    });
    const told = await desk.emit([...words, '--amount', AMOUNTS[SECOND] ?? '', '--not-paid', '--note', 'by phone']);
    expect(told).toMatchObject({ exit: 2, fault: { message: expect.stringContaining('TKQ1') } });
    const paid = await desk.emit([...words, '--amount', '1,001.25', '--paid', 'TKQ1']);
    expect(paid.end.rows).toMatchObject({ completed: 3 });
  });

  test('an alarm stops the batch until its row is resolved, and then the other rows go on', async () => {
    const { desk, service } = await liveOffice();
    const { end } = await desk.emit(['run', 'pay.csv', ...totals], stoppedOncePlanned());
    const batch = end.batch ?? '';
    expect(end.rows).toMatchObject({ unsent: 3 });
    await alarm(desk, batch, SECOND);
    expect((await desk.emit(['resume', batch])).exit).toBe(11);
    expect(paidTraces(service.books())).toEqual([]);

    const words = ['--not-paid', '--note', 'not ours', '--amount', AMOUNTS[SECOND] ?? ''];
    expect((await desk.emit(['resolve', batch, '--row', String(SECOND), ...words])).end.rows).toMatchObject({
      failed: 1,
      unsent: 2,
    });
    const after = await desk.emit(['resume', batch]);
    expect(after.exit).toBe(6);
    expect(after.end.rows).toMatchObject({ completed: 2, failed: 1 });
    expect(paidTraces(service.books())).toHaveLength(2);
    expect(await verified(desk)).toBe(0);
  });

  test('a terminal asks for the amount', async (context) => {
    needsPseudoTerminal(context);
    const { desk } = await liveOffice({ [SECOND]: '0002' }, systemClock);
    const { end } = await desk.emit(['run', 'pay.csv', ...totals]);
    const words = ['resolve', end.batch ?? '', '--row', String(SECOND), '--paid', 'QK1'];
    const stopped = await onTerminal(desk, words, [['Amount KES', { send: 'SIGINT' }]]);
    expect(stopped).toMatchObject({ exit: 8, screen: expect.stringContaining('Nothing was recorded') });
    const right = await onTerminal(desk, words, [['Amount KES', `${AMOUNTS[SECOND]}\r`]]);
    expect(right.exit).toBe(0);
  });
});
