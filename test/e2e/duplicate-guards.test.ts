/** Nobody is paid twice from a corrected sheet, and next month's salaries go out: on a live account, by the service's books. */
import { describe, expect, test } from 'vitest';
import { openDurable } from '../../src/ledger/sqlite.ts';
import { paidTraces, quickProfile } from '../support/desk/account.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { DAY_MS, type Office, openOffice, passDays, pay } from '../support/desk/live-office.ts';
import { csvOf, people, resultsIn, type SheetLine, totalOf } from '../support/desk/payroll-sheet.ts';

const ROWS = 20;

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
  ['without its last rows', salaries.slice(0, 8), again],
  ['corrected, under the name that it had', changed(3, { name: 'Corrected' }), ['--batch', ' PAY ']],
  ['corrected, under the name of another month', changed(3, { name: 'C' }), ['--batch', 'salaries-2031-01']],
  ['as it is, under the name of another month', salaries, ['--batch', 'salaries-2031-01']],
];

describe('a sheet that was paid and is run again', () => {
  test.each([
    ['the same day', 0],
    ['the next day', 1],
  ])('pays nobody %s, whatever was corrected', async (_, days) => {
    const office = await openOffice();
    const first = await pay(office.desk, salaries);
    passDays(office, days);
    for (const [what, rows, flags] of repeated) {
      const told = await pay(office.desk, rows, ...flags);
      expect(told, what).toMatchObject(alreadyPaid);
      expect(told.fault?.['message'], what).toMatch(new RegExp(`batch ${first.end.batch} `, 'i'));
      expect(told.fault?.['message'], what).toContain('Nothing was sent');
    }
    expect(paidIn(office)).toBe(ROWS);
    expect(office.service.books().requests['submit-order']).toBe(ROWS);
  });

  test('names batch, money, rows with their cells, and what to do', async () => {
    const office = await openOffice();
    const first = await pay(office.desk, salaries);
    const { fault } = await pay(office.desk, changed(3, { amount: '5.00' }), ...again);
    expect(fault?.['message']).toContain(`19 of the 20 payments of this sheet (KES 19,191.75 of KES 19,196.75)`);
    expect(fault?.['message']).toContain(`(pay.csv): row 2 (Person 1, KES 1,000.25), row 3 (Person 2, KES 1,001.25)`);
    expect(fault?.['message']).toContain('16 more');
    for (const way of [`paybatch resume ${first.end.batch}`, 'paybatch retry', '--allow-duplicate']) {
      expect(fault?.['fix']).toContain(way);
    }
    // No other name would help on the same day.
    expect(fault?.['fix']).not.toContain('--batch');
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

  test('is stopped in a dry run, and told of by validate', async () => {
    const { desk } = await openOffice();
    const first = await pay(desk, salaries);
    const rows = changed(3, { name: 'Corrected' });
    expect(await pay(desk, rows, '--dry-run', ...again)).toMatchObject(alreadyPaid);
    const told = await desk.tell(['validate', 'pay.csv']);
    const earlier = told.events.find(({ type }) => type === 'earlier');
    expect(told.exit).toBe(0);
    expect(earlier?.['paidBefore']).toMatchObject({ count: ROWS, batches: [{ batch: first.end.batch, count: ROWS }] });
    const { stderr } = await desk.say(['validate', 'pay.csv']);
    expect(stderr).toContain(`Paid before: ${ROWS} rows, KES ${Number(totalOf(ROWS)).toLocaleString('en-US')}`);
    expect(stderr).toContain('row 2, Person 1: KES 1,000.25');
  });
});

describe('the salaries of the next month', () => {
  test.each<[string, readonly string[]]>([
    ['after its month', ['--batch', `salaries-${monthIn(0)}`]],
    ['by a word', ['--batch', 'november']],
  ])('go out unattended under the name of their month, the last batch named %s', async (_, last) => {
    const office = await openOffice();
    await pay(office.desk, salaries, ...last);
    passDays(office, 31);
    const told = await pay(office.desk, salaries, '--batch', `salaries-${monthIn(31)}`);
    expect(told).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
    const statement = told.events.find(({ type }) => type === 'statement')?.['statement'];
    expect(statement).toMatchObject({ paidBefore: { count: ROWS } });
    expect(paidIn(office)).toBe(2 * ROWS);
  });

  test('are stopped early under a name that says no month, and told which name lets them go', async () => {
    const office = await openOffice();
    await pay(office.desk, salaries);
    passDays(office, 24);
    const told = await pay(office.desk, changed(0, { amount: '1500' }), ...again);
    expect(told).toMatchObject(alreadyPaid);
    expect(told.fault?.['fix']).toMatch(/--batch NAME-20\d\d-(?:w?\d\d)\)/);
    expect(paidIn(office)).toBe(ROWS);
  });

  test('are stopped when the batch of the same month is only called otherwise', async () => {
    const office = await openOffice();
    await pay(office.desk, salaries, '--batch', `salaries-${monthIn(0)}`);
    passDays(office, 20);
    expect(await pay(office.desk, salaries, '--batch', `salaries-${monthIn(0)}-fixed`)).toMatchObject(alreadyPaid);
    expect(paidIn(office)).toBe(ROWS);
  });
});

describe('weekly wages', () => {
  const wages = (week: number): readonly SheetLine[] =>
    salaries.map((row, at) => ({ ...row, amount: String(500 + ((at * 37 + week * 911) % 400)) }));

  test('of other amounts go out under any name', async () => {
    const office = await openOffice();
    await pay(office.desk, wages(1));
    passDays(office, 7);
    expect(await pay(office.desk, wages(2), ...again)).toMatchObject({ exit: 0, end: { rows: { completed: ROWS } } });
  });

  test('of the same amounts go out under the name of their week', async () => {
    const office = await openOffice();
    await pay(office.desk, salaries, '--batch', 'wages-2031-w05');
    passDays(office, 7);
    expect(await pay(office.desk, salaries, ...again)).toMatchObject(alreadyPaid);
    expect(await pay(office.desk, salaries, '--batch', 'wages-2031-w06')).toMatchObject({ exit: 0 });
    expect(paidIn(office)).toBe(2 * ROWS);
  });
});

describe('a sheet of which some rows were paid before', () => {
  const others = people(60).slice(ROWS);

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

  test('is told of a few without references, and goes on', async () => {
    const office = await openOffice();
    const unreferenced = (rows: readonly SheetLine[]) => rows.map(({ reference: _, ...row }) => row);
    await pay(office.desk, unreferenced(salaries));
    const told = await pay(office.desk, unreferenced([...others, ...salaries.slice(0, 2)]), ...again);
    expect(told.exit).toBe(0);
    const statement = told.events.find(({ type }) => type === 'statement')?.['statement'];
    expect(statement).toMatchObject({ paidBefore: { count: 2 }, newPayees: { count: others.length } });
  });

  test('pays what failed in the earlier batch without a question', async () => {
    const office = await openOffice();
    // The service fails this payee by its number.
    const rows = changed(3, { phone: '+254712300001' });
    const first = await pay(office.desk, rows);
    expect(first.end.rows).toMatchObject({ completed: ROWS - 1 });
    const corrected = await pay(office.desk, salaries.slice(3, 4), ...again);
    expect(corrected).toMatchObject({ exit: 0, end: { rows: { completed: 1 } } });
    expect(paidIn(office)).toBe(ROWS);
  });

  test('is not paid from the batch in which it failed, when it was corrected and paid since', async () => {
    const office = await openOffice();
    const failing = (at: number) => ({ phone: `+2547123${at}0001` });
    const rows = salaries.map((row, at) => (at === 3 || at === 4 ? { ...row, ...failing(at) } : row));
    const first = await pay(office.desk, rows);
    await pay(office.desk, salaries.slice(3, 4), ...again);
    const retry = (...flags: readonly string[]) =>
      office.desk.tell(['retry', first.end.batch ?? '', '--expect-count', '1', '--expect-total', '1004.25', ...flags]);
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

  test('is told who is paid elsewhere than the last time, with the old number masked', async () => {
    const office = await openOffice();
    const { desk } = office;
    const first = await pay(desk, salaries);
    passDays(office, 30);
    await desk.write('pay.csv', csvOf(changed(3, { phone: '+254719999955' })));
    const flags = ['--dry-run', '--batch', `salaries-${monthIn(30)}`];
    const { stderr } = await desk.say(['run', 'pay.csv', ...flags]);
    expect(stderr).toContain(`Compared with batch ${first.end.batch} of `);
    expect(stderr).toContain('phone or account: 1 row');
    expect(stderr).toContain('row 5, Person 4: +2547•••••355 → +254719999955\n');
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

  test.each(['', '   ', 'x'.repeat(201)])('is a few words: %j is a usage error', async (reason) => {
    const { desk, service } = await openOffice();
    expect((await pay(desk, salaries, '--allow-duplicate', reason)).exit).toBe(2);
    expect(paidTraces(service.books())).toEqual([]);
  });
});

test('a rehearsal is repeated as often as one likes, and told that it is one', async () => {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(people(4)));
  await desk.tell(['run', 'pay.csv']);
  await desk.write('pay.csv', csvOf(people(4).map((row) => ({ ...row, name: `${row.name} X` }))));
  const told = await desk.tell(['run', 'pay.csv']);
  expect(told.exit).toBe(0);
  const statement = told.events.find(({ type }) => type === 'statement')?.['statement'];
  expect(statement).toMatchObject({ paidBefore: { count: 4 } });
});
