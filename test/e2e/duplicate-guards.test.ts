/** Nobody is paid twice from a corrected sheet, and next month's salaries go out: on a live account, by the service's books. */
import { describe, expect, test } from 'vitest';
import { openDurable } from '../../src/database/sqlite.ts';
import { paidTraces, quickProfile } from '../support/desk/account.ts';
import { DAY_MS, type Office, openOffice, passDays, pay } from '../support/desk/live-office.ts';
import { people, resultsIn, type SheetLine, totalOf } from '../support/desk/payroll-sheet.ts';

const ROWS = 10;

/** The month that it will be in so many days, as people write it into the name of a batch. */
const monthIn = (days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi', dateStyle: 'short' })
    .format(Date.now() + days * DAY_MS)
    .slice(0, 7);

const salaries = people(ROWS);
const changed = (at: number, change: Partial<SheetLine>): readonly SheetLine[] =>
  salaries.map((row, index) => (index === at ? { ...row, ...change } : row));
/** Another name than the one that the first sheet had. */
const again = ['--batch', 'again'];
const alreadyPaid = { exit: 8, fault: { code: 'already-paid' } };
const paidIn = ({ service }: Office): number => paidTraces(service.books()).length;

/** Sheets that repeat the salaries, and the flags that they are run with. */
const repeated: readonly (readonly [string, readonly SheetLine[], readonly string[]])[] = [
  ['with one name corrected', changed(3, { name: 'Corrected' }), again],
  ['with one amount corrected', changed(3, { amount: '5.00' }), again],
  ['with one phone corrected', changed(3, { phone: '+254719999955' }), again],
  ['with another reference in each row', salaries.map((row, at) => ({ ...row, reference: `INV-${at}` })), again],
  ['with the amounts of all corrected', salaries.map((row, at) => ({ ...row, amount: `${700 + at}` })), again],
  ['with one row added', [...salaries, { name: 'Late', phone: '+254719999955', amount: '10' }], again],
  ['without its last rows', salaries.slice(0, 4), again],
  ['corrected, under the name that it had', changed(3, { name: 'Corrected' }), ['--batch', ' PAY ']],
  ['corrected, under the name of another month', changed(3, { name: 'C' }), ['--batch', 'salaries-2031-01']],
  ['as it is, under the name of another month', salaries, ['--batch', 'salaries-2031-01']],
];

describe('a sheet that was paid and is run again', () => {
  test('pays nobody the same day or the next one, whatever was corrected, and says who was paid, where, and what to do', async () => {
    const office = await openOffice();
    const { desk } = office;
    const first = await pay(desk, salaries);
    for (const day of ['the same day', 'the next day']) {
      for (const [what, rows, flags] of repeated) {
        const told = await pay(desk, rows, ...flags);
        const which = `${what}, ${day}`;
        expect(told, which).toMatchObject(alreadyPaid);
        expect(told.fault?.['message'], which).toMatch(new RegExp(`batch ${first.end.batch} `, 'i'));
        expect(told.fault?.['message'], which).toContain('Nothing was sent');
      }
      passDays(office, 1);
    }
    const { fault } = await pay(desk, changed(3, { amount: '5.00' }), ...again);
    expect(fault?.['message']).toContain(`9 of the 10 payments of this sheet (KES 9,044.25 of KES 9,049.25)`);
    expect(fault?.['message']).toContain(`(pay.csv): row 2 (Person 1, KES 1,000.25), row 3 (Person 2, KES 1,001.25)`);
    expect(fault?.['message']).toContain('6 more');
    for (const way of [`paybatch resume ${first.end.batch}`, 'paybatch retry', '--allow-duplicate']) {
      expect(fault?.['fix']).toContain(way);
    }
    // No other name would help so soon.
    expect(fault?.['fix']).not.toContain('--batch');

    // A dry run is stopped as well, and validate tells of it.
    const corrected = changed(3, { name: 'Corrected' });
    expect(await pay(desk, corrected, '--dry-run', ...again)).toMatchObject(alreadyPaid);
    const told = await desk.emit(['validate', 'pay.csv']);
    const earlier = told.events.find(({ type }) => type === 'earlier');
    expect(told.exit).toBe(0);
    expect(earlier?.['paidBefore']).toMatchObject({ count: ROWS, batches: [{ batch: first.end.batch, count: ROWS }] });
    const { stderr } = await desk.say(['validate', 'pay.csv']);
    expect(stderr).toContain(`Paid before: ${ROWS} rows, KES ${Number(totalOf(ROWS)).toLocaleString('en-US')}`);
    expect(stderr).toContain('row 2, Person 1: KES 1,000.25');
    expect(paidIn(office)).toBe(ROWS);
    expect(office.service.books().requests['submit-order']).toBe(ROWS);
  });

  test('is stopped as well while its first batch is not finished', async () => {
    const { desk, service } = await openOffice('settle-min=60000,settle-max=60000');
    const profile = quickProfile(service.routes);
    await desk.writeConfig({
      profiles: { env: { ...profile, polling: { firstMs: 30, maxMs: 100, deadlineMs: 200 } } },
    });
    expect(await pay(desk, salaries)).toMatchObject({ exit: 7, end: { rows: { completed: 0 } } });
    expect(await pay(desk, changed(0, { name: 'Corrected' }), ...again)).toMatchObject(alreadyPaid);
    expect(service.books().requests['submit-order']).toBe(ROWS);
  });
});

test('the salaries of a month go out once, and those of the next one unattended under the name of their month', async () => {
  const office = await openOffice();
  const { desk } = office;
  await pay(desk, salaries, '--batch', `salaries-${monthIn(0)}`);
  passDays(office, 20);
  expect(await pay(desk, salaries, '--batch', `salaries-${monthIn(0)}-fixed`)).toMatchObject(alreadyPaid);
  passDays(office, 4);
  const early = await pay(desk, changed(0, { amount: '1500' }), ...again);
  expect(early).toMatchObject(alreadyPaid);
  expect(early.fault?.['fix']).toMatch(/--batch NAME-20\d\d-(?:w?\d\d)\)/);
  expect(paidIn(office)).toBe(ROWS);
  passDays(office, 7);
  const told = await pay(desk, salaries, '--batch', `salaries-${monthIn(31)}`);
  expect(told).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
  const statement = told.events.find(({ type }) => type === 'statement')?.['statement'];
  expect(statement).toMatchObject({ paidBefore: { count: ROWS } });
  expect(paidIn(office)).toBe(2 * ROWS);
});

test('weekly wages of the same amounts go out under the name of their week, and of other amounts under any name', async () => {
  const office = await openOffice();
  const { desk } = office;
  const others = salaries.map((row, at) => ({ ...row, amount: String(500 + ((at * 37) % 400)) }));
  await pay(desk, salaries, '--batch', 'wages-2031-w05');
  passDays(office, 7);
  expect(await pay(desk, salaries, ...again)).toMatchObject(alreadyPaid);
  expect(await pay(desk, salaries, '--batch', 'wages-2031-w06')).toMatchObject({ exit: 0 });
  passDays(office, 7);
  expect(await pay(desk, others, ...again)).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
  expect(paidIn(office)).toBe(3 * ROWS);
});

describe('a sheet of which some rows were paid before', () => {
  const others = people(ROWS + 20).slice(ROWS);

  test('needs their exact number when their references say so', async () => {
    const office = await openOffice();
    await pay(office.desk, salaries);
    const rows = [...others, ...salaries.slice(0, 1)];
    const told = await pay(office.desk, rows, ...again);
    expect(told).toMatchObject(alreadyPaid);
    expect(told.fault?.['fix']).toContain('--accept-paid-before 1');
    expect(await pay(office.desk, rows, ...again, '--accept-paid-before', '2')).toMatchObject(alreadyPaid);
    expect(await pay(office.desk, others, ...again, '--accept-paid-before', '1')).toMatchObject(alreadyPaid);
    expect(paidIn(office)).toBe(ROWS);
    expect(await pay(office.desk, rows, ...again, '--accept-paid-before', '1')).toMatchObject({ exit: 0 });
    expect(paidIn(office)).toBe(ROWS + rows.length);
  });

  test('is told of one in twenty without a reference, and goes on', async () => {
    const office = await openOffice();
    const unreferenced = (rows: readonly SheetLine[]) => rows.map(({ reference: _, ...row }) => row);
    await pay(office.desk, unreferenced(salaries));
    const told = await pay(office.desk, unreferenced([...others, ...salaries.slice(0, 1)]), ...again);
    expect(told.exit).toBe(0);
    const statement = told.events.find(({ type }) => type === 'statement')?.['statement'];
    expect(statement).toMatchObject({ paidBefore: { count: 1 }, newPayees: { count: others.length } });
  });

  test('pays what failed in the earlier batch without a question, and is not paid from that batch any more', async () => {
    const office = await openOffice();
    const { desk } = office;
    // The service fails these payees by their numbers.
    const failing = (at: number) => ({ phone: `+2547123${at}0001` });
    const rows = salaries.map((row, at) => (at === 3 || at === 4 ? { ...row, ...failing(at) } : row));
    const first = await pay(desk, rows);
    expect(first.end.rows).toMatchObject({ completed: ROWS - 2 });
    const corrected = await pay(desk, salaries.slice(3, 4), ...again);
    expect(corrected).toMatchObject({ exit: 0, end: { rows: { completed: 1 } } });
    expect(paidIn(office)).toBe(ROWS - 1);
    const retry = (...flags: readonly string[]) =>
      desk.emit(['retry', first.end.batch ?? '', '--expect-count', '1', '--expect-total', '1004.25', ...flags]);
    const named = await retry('--row', '5');
    expect(named).toMatchObject(alreadyPaid);
    expect(named.fault?.['message']).toContain('row 5 (Person 4, KES 1,003.25)');
    const all = await retry();
    expect(all.end.rows).toMatchObject({ rejected: 2 });
    expect(all.events).toContainEqual(
      expect.objectContaining({
        message: expect.stringMatching(/^Row 5 is not tried again: batch .* holds the same payment\.$/),
      }),
    );
    expect(paidIn(office)).toBe(ROWS - 1);
  });

  test('pays one person more the next day, with an amount that was not paid yet', async () => {
    const office = await openOffice();
    await pay(office.desk, salaries);
    passDays(office, 1);
    const more = salaries.slice(3, 4).map((row) => ({ ...row, amount: '250' }));
    expect(await pay(office.desk, more, ...again)).toMatchObject({ exit: 0 });
    expect(await pay(office.desk, salaries.slice(5, 6), '--batch', 'third')).toMatchObject(alreadyPaid);
    expect(paidIn(office)).toBe(ROWS + 1);
  });
});

describe('a reason', () => {
  test('lets a sheet be paid once more, and is kept in ledger, workbook, status, report and history', async () => {
    const { desk, service } = await openOffice();
    const first = await pay(desk, salaries);
    const reason = 'bonus approved by the director';
    const told = await pay(desk, changed(0, { name: 'Corrected' }), ...again, '--allow-duplicate', reason);
    expect(told.exit).toBe(0);
    expect(paidTraces(service.books())).toHaveLength(2 * ROWS);

    const said = `${ROWS} of its payments were already in earlier batches (${first.end.batch}); allowed: ${reason}`;
    expect((await desk.say(['status'])).stderr).toContain(said);
    expect((await desk.say(['report'])).stderr).toContain(said);
    expect((await desk.say(['history'])).stdout).toContain(said);
    expect((await desk.say(['verify'])).exit).toBe(0);
    const results = told.end.files[0]?.path ?? '';
    expect(await resultsIn(results)).toHaveLength(ROWS);
    const raw = openDurable(desk.path('home', 'env', 'ledger.db'));
    expect(JSON.stringify(raw.all(`SELECT data FROM fact WHERE type = 'batch-planned'`))).toContain(reason);
    raw.close();
  });

  test('is a few words: none, and more than a line of them, are usage errors', async () => {
    const { desk, service } = await openOffice();
    for (const reason of ['', '   ', 'x'.repeat(301)])
      expect((await pay(desk, salaries, '--allow-duplicate', reason)).exit, reason).toBe(2);
    expect(paidTraces(service.books())).toEqual([]);
  });
});
