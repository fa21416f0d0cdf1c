/** A batch that was stopped goes on without the rows that a later batch holds: by the books of the service, live. */
import { describe, expect, test, vi } from 'vitest';
import { paidTraces, quickWaits } from '../support/desk/account.ts';
import type { Told } from '../support/desk/command-line.ts';
import { type Office, openOffice, pay, planOnly, totalsOf } from '../support/desk/live-office.ts';
import { people, resultsIn, type SheetLine } from '../support/desk/payroll-sheet.ts';

const ROWS = 20;

const salaries = people(ROWS);
const urgent = salaries.slice(0, 5);
const again = ['--batch', 'urgent', '--allow-duplicate', 'the first one was stopped'] as const;
const idOf = ({ end }: Told): string => end.batch ?? '';
const paidIn = ({ service }: Office): number => paidTraces(service.books()).length;
const noticeOf = ({ events }: Told): unknown => events.find(({ code }) => code === 'superseded')?.['message'];

/** People whom the service fails by their number. */
const failing = (row: SheetLine, at: number): SheetLine => ({ ...row, phone: `+2547123${at}0001` });

describe('rows that a later batch paid', () => {
  test('are left out, and the others are sent', async () => {
    const office = await openOffice();
    const { desk, service } = office;
    const first = await planOnly(desk, salaries);
    expect(first.end.rows).toMatchObject({ unsent: ROWS });
    const second = await pay(desk, urgent, ...again);
    expect(second).toMatchObject({ exit: 0, end: { rows: { completed: 5 } } });

    const resumed = await desk.emit(['resume', idOf(first)]);
    expect(resumed).toMatchObject({
      exit: 6,
      end: { rows: { completed: ROWS - 5, unsent: 5 }, superseded: { rows: 5 } },
    });
    expect(noticeOf(resumed)).toContain(`Batch ${idOf(second)} of `);
    expect(noticeOf(resumed)).toContain('row 2 (Person 1, KES 1,000.25)');
    expect(noticeOf(resumed)).toContain('and 2 more');
    expect(paidIn(office)).toBe(ROWS);

    // Again and again, with the same end and without another payment.
    expect(await desk.emit(['resume', idOf(first)])).toMatchObject({ exit: 6, end: { rows: { unsent: 5 } } });
    expect(service.books().requests['submit-order']).toBe(ROWS);
    expect((await desk.say(['verify'])).exit).toBe(0);
  });

  test('are told of by status and by the workbook, which names the later batch and what to do', async () => {
    const { desk } = await openOffice();
    const first = await planOnly(desk, salaries);
    const second = await pay(desk, urgent, ...again);
    const resumed = await desk.emit(['resume', idOf(first)]);
    const status = await desk.emit(['status', idOf(first)]);
    expect(status).toMatchObject({ exit: 6, end: { superseded: { rows: 5, batches: [idOf(second)] } } });
    expect(noticeOf(status)).toBe(noticeOf(resumed));

    const [row, ...others] = await resultsIn(resumed.end.files[0]?.path ?? '');
    expect(row).toMatchObject({ Outcome: 'Not sent', 'Pay again?': 'Check first' });
    expect(row?.['Reason in plain words']).toContain(`batch ${idOf(second)}, planned later, holds the same payment`);
    expect(others.at(-1)).toMatchObject({ Outcome: 'Completed', 'Pay again?': 'No' });
    // Nothing is left to go on with: a resume without a name does not find this batch.
    expect((await desk.emit(['resume'])).end.batch).toBe(idOf(second));
  });

  test('leave nothing to send when they are all, however long ago both were planned', async () => {
    const office = await openOffice();
    const first = await planOnly(office.desk, salaries);
    await pay(office.desk, salaries, ...again);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90 * 86_400_000 });
    try {
      const resumed = await office.desk.emit(['resume', idOf(first)]);
      expect(resumed).toMatchObject({ exit: 6, end: { rows: { unsent: ROWS } } });
    } finally {
      vi.useRealTimers();
    }
    expect(paidIn(office)).toBe(ROWS);
  });

  test('do not stand in the way of a retry of others', async () => {
    const office = await openOffice();
    const rows = salaries.map((row, at) => (at === 9 ? failing(row, 3) : row));
    const first = await planOnly(office.desk, rows);
    await pay(office.desk, urgent, ...again);
    expect((await office.desk.emit(['resume', idOf(first)])).end.rows).toMatchObject({ rejected: 1, unsent: 5 });
    const retried = await office.desk.emit(['retry', idOf(first), ...totalsOf(rows.slice(9, 10))]);
    expect(retried).toMatchObject({ exit: 6, end: { rows: { rejected: 1, unsent: 5, completed: ROWS - 6 } } });
    expect(paidIn(office)).toBe(ROWS - 1);
  });
});

describe('of two batches that hold a payment the later one alone sends it', () => {
  test('also when it was stopped before it did', async () => {
    const office = await openOffice();
    const { desk } = office;
    const first = await planOnly(desk, salaries);
    const second = await planOnly(desk, urgent, ...again);
    expect((await desk.emit(['resume', idOf(first)])).end.rows).toMatchObject({ completed: ROWS - 5, unsent: 5 });
    expect(await desk.emit(['resume', idOf(second)])).toMatchObject({ exit: 0, end: { rows: { completed: 5 } } });
    await desk.emit(['resume', idOf(first)]);
    expect(paidIn(office)).toBe(ROWS);
  });

  test('also when it failed there, where it may be tried again', async () => {
    const office = await openOffice();
    const { desk, service } = office;
    const rows = salaries.map((row, at) => (at < 2 ? failing(row, 3 + at) : row));
    const first = await planOnly(desk, rows);
    const second = await pay(desk, rows.slice(0, 2), ...again);
    expect(second.end.rows).toMatchObject({ rejected: 2 });
    expect((await desk.emit(['resume', idOf(first)])).end.rows).toMatchObject({ completed: ROWS - 2, unsent: 2 });
    expect(service.books().requests['submit-order']).toBe(ROWS);
    expect(await desk.emit(['retry', idOf(second), ...totalsOf(rows.slice(0, 2))])).toMatchObject({ exit: 6 });
    expect(service.books().requests['submit-order']).toBe(ROWS + 2);
  });

  test('also when it failed in both: the earlier one does not try it again', async () => {
    const { desk } = await openOffice();
    const rows = salaries.map((row, at) => (at === 0 ? failing(row, 3) : row));
    const first = await pay(desk, rows);
    const second = await pay(desk, rows.slice(0, 1), '--batch', 'second');
    const told = await desk.emit(['retry', idOf(first), ...totalsOf(rows.slice(0, 1))]);
    expect(told).toMatchObject({ exit: 8, fault: { code: 'already-paid' } });
    expect(told.fault?.['fix']).toContain(`paybatch retry ${idOf(second)}`);
    const reported = await desk.emit(['report', idOf(first)]);
    const [row] = await resultsIn(reported.end.files[0]?.path ?? '');
    expect(row).toMatchObject({ Outcome: 'Rejected', 'Pay again?': 'Check first' });
    expect(row?.['Reason in plain words']).toContain(`batch ${idOf(second)}, planned later, holds the same payment`);
    expect((await desk.emit(['status', idOf(first)])).end).not.toHaveProperty('superseded');
  });
});

test('an order is left out as a whole, and its other rows are told of', async () => {
  const sending = { ...quickWaits.sending, linesPerOrder: 5 };
  const office = await openOffice('settle-min=20,settle-max=60', { sending });
  const first = await planOnly(office.desk, salaries);
  await pay(office.desk, salaries.slice(3, 4), ...again);
  const resumed = await office.desk.emit(['resume', idOf(first)]);
  expect(resumed).toMatchObject({
    exit: 6,
    end: { rows: { completed: ROWS - 5, unsent: 5 }, superseded: { rows: 5 } },
  });
  expect(noticeOf(resumed)).toContain('Rows that share an order with them: 4');
  const results = await resultsIn(resumed.end.files[0]?.path ?? '');
  const words = results
    .map((line) => line['Reason in plain words'] ?? '')
    .filter((reason) => reason.includes('shares an order'));
  expect(words).toHaveLength(4);
  expect(paidIn(office)).toBe(ROWS - 4);
});
