import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BatchId } from '../../../src/domain/ids.ts';
import { keysInFolder } from '../../../src/ledger/key-folder.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { systemClock } from '../../../src/system.ts';
import { accountIn, openService, paidTraces, quickProfile, quickWaits } from '../../support/desk/account.ts';
import { type Desk, openDesk, stoppedOncePlanned, type Told } from '../../support/desk/command-line.ts';
import { csvOf, people, resultsIn, type SheetLine } from '../../support/desk/payroll-sheet.ts';
import { needsPseudoTerminal, onTerminal } from '../../support/desk/pseudo-terminal.ts';

/** What stays open is given up soon. */
const QUICK_POLLING = { firstMs: 20, maxMs: 100, deadlineMs: 500 };
const [FIRST, SECOND, THIRD] = [2, 3, 4];

/** Three ordinary people; a phone that ends otherwise takes the place of one. */
const sheet = (endings: Readonly<Record<number, string>> = {}): readonly SheetLine[] =>
  people(3).map((line, index) => ({ ...line, phone: `+25471200${endings[index + FIRST] ?? `${index}055`}` }));

const totals = ['--expect-count', '3', '--expect-total', '3003.75'];
const AMOUNTS: Readonly<Record<number, string>> = { [FIRST]: '1000.25', [SECOND]: '1001.25', [THIRD]: '1002.25' };

async function practised(endings: Readonly<Record<number, string>>): Promise<{ desk: Desk; batch: string }> {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(sheet(endings)));
  await desk.writeConfig({
    profiles: { sandbox: { ...quickWaits, polling: QUICK_POLLING } },
  });
  const { end } = await desk.tell(['run', 'pay.csv', '--scenario', 'settle-min=10,settle-max=20']);
  return { desk, batch: end.batch ?? '' };
}

async function liveOffice(endings: Readonly<Record<number, string>> = {}): Promise<{ desk: Desk; service: Sandbox }> {
  const [desk, service] = [await openDesk(), await openService()];
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
    clock: systemClock,
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

describe('a row that the service leaves open', () => {
  test('is paid by a word by hand: receipt and name in the results, no fee, nothing sent', async () => {
    const { desk, batch } = await practised({ [SECOND]: '0002' });
    const told = await desk.tell(['resolve', batch, '--row', String(SECOND), '--paid', 'QKL7X1', '--note', 'by phone']);
    expect(told.exit).toBe(0);
    expect(told.end.rows).toMatchObject({ total: 3, completed: 3, timedOut: 0 });
    expect(told.end.amounts[0]?.['completed']).toBe('3003.75');
    const row = await rowOf(told, SECOND);
    expect(row).toMatchObject({ Outcome: 'Completed', 'Pay again?': 'No', 'Receipt number': 'QKL7X1' });
    expect(row?.['Reason in plain words']).toMatch(/Resolved by hand as paid, receipt QKL7X1 by \S+.*: by phone\./);
    expect(row?.['Fee charged'] ?? '').toBe('');
    expect(await verified(desk)).toBe(0);
  });

  test('is failed by a word by hand, and may be paid again', async () => {
    const { desk, batch } = await practised({ [FIRST]: '0009' });
    const told = await desk.tell(['resolve', batch, '--row', String(FIRST), '--not-paid', '--note', 'ticket 4711']);
    expect(told.exit).toBe(6);
    expect(told.end.rows).toMatchObject({ completed: 2, failed: 1, inDoubt: 0 });
    const row = await rowOf(told, FIRST);
    expect(row).toMatchObject({ Outcome: 'Failed', 'Pay again?': 'Yes' });
    expect(row?.['Reason in plain words']).toContain('ticket 4711');
    expect(await verified(desk)).toBe(0);
  });

  test('stays as the person said when it is looked at again', async () => {
    const { desk, batch } = await practised({ [FIRST]: '0002', [SECOND]: '0009' });
    await desk.tell(['resolve', batch, '--row', String(FIRST), '--paid', 'QKL7X1']);
    await desk.tell(['resolve', batch, '--row', String(SECOND), '--not-paid', '--note', 'said the provider']);
    for (const command of ['status', 'resume']) {
      const told = await desk.tell([command, batch]);
      expect(told.exit).toBe(6);
      expect(told.end.rows).toMatchObject({ completed: 2, failed: 1 });
    }
    expect(await verified(desk)).toBe(0);
  });
});

describe('a row is not open to a word by hand', () => {
  test.each([
    ['that the service completed', FIRST, ['--not-paid', '--note', 'no']],
    ['that the service completed, even when it agrees', FIRST, ['--paid', 'QK1']],
    ['that the service rejected', SECOND, ['--paid', 'QK1']],
    ['that the service completed, as one that never arrived', FIRST, ['--never-arrived', '--note', 'ticket 1']],
    ['that the service rejected, as one that never arrived', SECOND, ['--never-arrived', '--note', 'ticket 1']],
    ['that is not in the sheet, as one that never arrived', 99, ['--never-arrived', '--note', 'ticket 1']],
    ['that is not in the sheet', 99, ['--paid', 'QK1']],
  ])('%s', async (_, row, words) => {
    const { desk, batch } = await practised({ [SECOND]: '0001' });
    const told = await desk.tell(['resolve', batch, '--row', String(row), ...words]);
    expect(told).toMatchObject({ exit: 2, fault: { code: 'usage' } });
    expect((await desk.tell(['status', batch])).end.rows).toMatchObject({ completed: 2, rejected: 1 });
  });

  test.each([
    ['no row', ['--paid', 'QK1']],
    ['neither word', ['--row', '3']],
    ['both words', ['--row', '3', '--paid', 'QK1', '--not-paid', '--note', 'x']],
    ['no reason', ['--row', '3', '--not-paid']],
    ['two other words', ['--row', '3', '--not-paid', '--never-arrived', '--note', 'x']],
    ['a receipt of what never arrived', ['--row', '3', '--paid', 'QK1', '--never-arrived', '--note', 'x']],
    ['no reason of what never arrived', ['--row', '3', '--never-arrived']],
    ['an empty receipt', ['--row', '3', '--paid', ' ']],
  ])('with %s', async (_, words) => {
    const { desk, batch } = await practised({ [SECOND]: '0002' });
    expect((await desk.tell(['resolve', batch, ...words])).exit).toBe(2);
    expect((await desk.tell(['status', batch])).end.rows).toMatchObject({ timedOut: 1 });
  });
});

describe('on a live account', () => {
  test('the exact amount of the row is needed', async () => {
    const { desk } = await liveOffice({ [SECOND]: '0002' });
    const { end } = await desk.tell(['run', 'pay.csv', ...totals]);
    const words = ['resolve', end.batch ?? '', '--row', String(SECOND), '--paid', 'QK1'];
    const none = await desk.tell(words);
    expect(none).toMatchObject({ exit: 2 });
    expect(none.fault?.['fix']).toContain(`--amount ${AMOUNTS[SECOND]}`);
    expect(await desk.tell([...words, '--amount', '1001.24'])).toMatchObject({ exit: 8 });
    expect((await desk.tell([...words, '--amount', '1,001.25'])).end.rows).toMatchObject({ completed: 3 });
  });

  test('a row that timed out with a receipt cannot be called not paid', async () => {
    const { desk } = await liveOffice({ [SECOND]: '0002' });
    const { end } = await desk.tell(['run', 'pay.csv', ...totals]);
    const batch = end.batch ?? '';
    const words = ['resolve', batch, '--row', String(SECOND), '--amount', AMOUNTS[SECOND] ?? ''];
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
    const told = await desk.tell([...words, '--not-paid', '--note', 'by phone']);
    expect(told).toMatchObject({ exit: 2, fault: { message: expect.stringContaining('TKQ1') } });
    const paid = await desk.tell([...words, '--paid', 'TKQ1']);
    expect(paid.end.rows).toMatchObject({ completed: 3 });
  });

  test('an alarm stops the batch until its row is resolved, and then the other rows go on', async () => {
    const { desk, service } = await liveOffice();
    const { end } = await desk.tell(['run', 'pay.csv', ...totals], stoppedOncePlanned());
    const batch = end.batch ?? '';
    expect(end.rows).toMatchObject({ unsent: 3 });
    await alarm(desk, batch, SECOND);
    expect((await desk.tell(['resume', batch])).exit).toBe(11);
    expect(paidTraces(service.books())).toEqual([]);

    const words = ['--not-paid', '--note', 'not ours', '--amount', AMOUNTS[SECOND] ?? ''];
    expect((await desk.tell(['resolve', batch, '--row', String(SECOND), ...words])).end.rows).toMatchObject({
      failed: 1,
      unsent: 2,
    });
    const after = await desk.tell(['resume', batch]);
    expect(after.exit).toBe(6);
    expect(after.end.rows).toMatchObject({ completed: 2, failed: 1 });
    expect(paidTraces(service.books())).toHaveLength(2);
    expect(await verified(desk)).toBe(0);
  });

  test('a terminal asks for the amount', async (context) => {
    needsPseudoTerminal(context);
    const { desk } = await liveOffice({ [SECOND]: '0002' });
    const { end } = await desk.tell(['run', 'pay.csv', ...totals]);
    const words = ['resolve', end.batch ?? '', '--row', String(SECOND), '--paid', 'QK1'];
    const wrong = await onTerminal(desk, words, [['Amount KES', '7.00\r']]);
    expect(wrong.exit).toBe(8);
    const stopped = await onTerminal(desk, words, [['Amount KES', { send: 'SIGINT' }]]);
    expect(stopped).toMatchObject({ exit: 8, screen: expect.stringContaining('Nothing was recorded') });
    const right = await onTerminal(desk, words, [['Amount KES', `${AMOUNTS[SECOND]}\r`]]);
    expect(right.exit).toBe(0);
  });
});
