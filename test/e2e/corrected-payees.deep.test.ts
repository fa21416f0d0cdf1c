/** A phone that was corrected in another sheet, of people whom only their names tell: each is paid from one sheet alone. */
import { describe, expect, test } from 'vitest';
import { seenText } from '../console/page-text.ts';
import { play } from '../support/desk/account.ts';
import { startConsole } from '../support/desk/console-desk.ts';
import { type Office, openOffice, passDays, pay, planOnly, totalsOf } from '../support/desk/live-office.ts';
import { people, type SheetLine } from '../support/desk/payroll-sheet.ts';

const pace = 'settle-min=20,settle-max=80';
const FAILS = '+254712300008';
const REFUSED = '+254712300004';
const RIGHT = '+254719999955';

const unreferenced = (from: number, to: number): readonly SheetLine[] =>
  people(to)
    .slice(from)
    .map(({ name, phone, amount }) => ({ name, phone, amount }));

const salaries = unreferenced(0, 6);
const with2nd = (change: Partial<SheetLine>): readonly SheetLine[] =>
  salaries.map((row, at) => (at === 1 ? { ...row, ...change } : row));
/** The second person alone, with something corrected. */
const only = (change: Partial<SheetLine>): readonly SheetLine[] => with2nd(change).slice(1, 2);
const again = ['--batch', 'again'];
const reason = ['--allow-duplicate', 'a phone was corrected'];
const alreadyPaid = { exit: 8, fault: { code: 'already-paid' } };
const submitted = ({ service }: Office): number => service.books().requests['submit-order'] ?? 0;

const retry = ({ desk }: Office, batch: string, rows: readonly SheetLine[], ...flags: readonly string[]) =>
  desk.emit(['retry', batch, ...totalsOf(rows), ...flags]);

/** An office in which the second of six people was not paid. */
async function failedOffice(phone = FAILS): Promise<Office> {
  const office = await openOffice(pace);
  expect((await pay(office.desk, with2nd({ phone }))).end.rows).toMatchObject({ completed: 5 });
  return office;
}

describe('a row that failed, corrected and paid from another sheet', () => {
  test.each([
    ['failed', FAILS],
    ['was refused', REFUSED],
  ])('of a payment that %s is not tried again, named or not, and offered nowhere', async (_, phone) => {
    const office = await failedOffice(phone);
    expect(await pay(office.desk, only({ phone: RIGHT }), ...again)).toMatchObject({ exit: 0 });
    const before = submitted(office);
    for (const flags of [[], ['--row', '3']]) {
      const told = await retry(office, 'pay', only({}), ...flags);
      expect(told).toMatchObject(alreadyPaid);
      expect(told.fault?.['message']).toContain('row 3 (Person 2, KES 1,001.25). Nothing was tried again.');
      expect(told.fault?.['fix']).toContain('new sheet, with --allow-duplicate');
    }
    const { stderr } = await office.desk.say(['status', 'pay']);
    expect(stderr).toContain('Rows that failed and are in a later batch are tried again there; see that batch.');
    expect(stderr).not.toContain('paybatch retry pay');
    const visitor = await (await startConsole(office.desk)).enter();
    const { text } = await visitor.ask('unpaid?id=pay');
    expect(seenText(text)).toContain('It is not sent from here: batch again, planned later, holds the same payment.');
    expect(text).not.toContain('type="checkbox"');
    expect(submitted(office)).toBe(before);
  });

  test('is not tried again after the people of the other batch were deleted', async () => {
    const office = await failedOffice();
    await pay(office.desk, only({ phone: RIGHT }), ...again);
    passDays(office, 60);
    expect((await office.desk.say(['purge', '--batch', 'again', '--older-than', '50d'])).exit).toBe(0);
    const before = submitted(office);
    expect(await retry(office, 'pay', only({}), '--row', '3')).toMatchObject(alreadyPaid);
    expect(submitted(office)).toBe(before);
  });

  test('is tried again from the latest of its batches alone, while it fails', async () => {
    const office = await failedOffice();
    const second = await pay(office.desk, only({ phone: REFUSED }), ...again);
    expect(second.end.rows).toMatchObject({ refused: 1 });
    expect(await retry(office, 'pay', only({}))).toMatchObject(alreadyPaid);
    expect((await retry(office, 'again', only({}))).end.rows).toMatchObject({ refused: 1 });
    expect(await pay(office.desk, only({ phone: RIGHT }), '--batch', 'third')).toMatchObject({ exit: 0 });
    const before = submitted(office);
    for (const batch of ['pay', 'again']) {
      const told = await retry(office, batch, only({}));
      expect(told).toMatchObject(alreadyPaid);
      expect(told.fault?.['message']).toContain('Batch third of');
    }
    expect(submitted(office)).toBe(before);
  });

  test('is tried again where another person of that name is meant, as the references say', async () => {
    const office = await openOffice(pace);
    const of = (reference: string, rows: readonly SheetLine[]) => rows.map((row) => ({ ...row, reference }));
    await pay(office.desk, of('EMP-2', only({ phone: FAILS })));
    expect(await pay(office.desk, of('EMP-7', only({ phone: RIGHT })), ...again)).toMatchObject({ exit: 0 });
    const left = await retry(office, 'pay', only({}));
    expect(left).toMatchObject({ exit: 2 });
    expect(left.events).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('name the row: --row 2') }),
    );
    expect((await retry(office, 'pay', only({}), '--row', '2')).end.rows).toMatchObject({ failed: 1 });
    expect(submitted(office)).toBe(3);
  });
});

describe('a person who was paid another amount since', () => {
  const corrected = { phone: RIGHT, amount: '900.00' };

  test.each<[string, Partial<SheetLine>]>([
    ['under the same name', corrected],
    ['at the same phone under a name that was corrected', { name: 'Second Person', amount: '900.00' }],
  ])('%s is not paid by a retry, and not ticked in the console, unless the row is chosen', async (_, change) => {
    const office = await openOffice(`reject=1,${pace}`);
    await pay(office.desk, only({}));
    await play(office.service, pace);
    await pay(office.desk, only(change), ...again);

    const visitor = await (await startConsole(office.desk)).enter();
    const since =
      'Batch again has paid the same person since, or may have. Choose the row only if both payments are due.';
    const page = (await visitor.ask('unpaid?id=pay')).text;
    expect(page).toContain('<input type="checkbox" name="row" value="2" aria-label');
    expect(seenText(page)).toContain(since);
    expect(seenText(page)).not.toContain('paybatch retry pay --row');
    expect(seenText((await visitor.ask('unpaid/retry?id=pay&row=2')).text)).toContain(since);

    expect(await retry(office, 'pay', only({}))).toMatchObject({ exit: 2 });
    expect(submitted(office)).toBe(2);
    expect((await retry(office, 'pay', only({}), '--row', '2')).end.rows).toMatchObject({ completed: 1 });
  });

  test('by another attempt of an earlier batch is not paid by the retry of the later one', async () => {
    const office = await openOffice(`reject=1,${pace}`);
    await pay(office.desk, only({}));
    expect((await pay(office.desk, only(corrected), ...again)).end.rows).toMatchObject({ rejected: 1 });
    await play(office.service, pace);
    expect((await retry(office, 'pay', only({}))).end.rows).toMatchObject({ completed: 1 });
    const told = await retry(office, 'again', only(corrected));
    expect(told.events).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('batch pay has paid the same person since') }),
    );
    expect(told).toMatchObject({ exit: 2 });
    expect(submitted(office)).toBe(3);
  });
});

describe('a row that was never sent, corrected and paid from another sheet', () => {
  test('is not sent, though nobody of its batch was paid, and each payment has a reference of its own', async () => {
    const office = await openOffice(pace);
    const under = (series: string, rows: readonly SheetLine[]) =>
      rows.map((row, at) => ({ ...row, reference: `${series}-${at + 1}` }));
    await planOnly(office.desk, under('NOV', salaries));
    const corrected = under('AGAIN', with2nd({ phone: RIGHT }));
    expect(await pay(office.desk, corrected, ...again, ...reason)).toMatchObject({ exit: 0 });
    expect((await office.desk.emit(['resume', 'pay'])).end.rows).toMatchObject({ completed: 0, unsent: 6 });
    expect(submitted(office)).toBe(6);
  });

  test('is sent beside one of the same words, where a word such as Staff names nobody', async () => {
    const office = await openOffice(pace);
    const staff = unreferenced(0, 12).map((row) => ({ ...row, name: 'Staff', amount: '500.00' }));
    await planOnly(office.desk, staff);
    const others = unreferenced(12, 14).map((row) => ({ ...row, name: 'Staff', amount: '500.00' }));
    expect(await pay(office.desk, others, ...again)).toMatchObject({ exit: 0 });
    expect((await office.desk.emit(['resume', 'pay'])).end.rows).toMatchObject({ completed: 12 });
  });

  test('is sent where the name was corrected too: nothing tells who it is', async () => {
    const office = await openOffice(pace);
    await planOnly(office.desk, salaries);
    expect(await pay(office.desk, only({ name: 'Second', phone: RIGHT }), ...again)).toMatchObject({ exit: 0 });
    expect((await office.desk.emit(['resume', 'pay'])).end.rows).toMatchObject({ completed: 6 });
    expect(submitted(office)).toBe(7);
  });

  test('needs its number where the other people of the sheet are new, and is not sent then', async () => {
    const office = await openOffice(`${pace},balance=4000`);
    await pay(office.desk, salaries, '--up-to-balance', '3');
    await play(office.service, `${pace},balance=100000`);
    const rows = [...unreferenced(10, 20), { ...salaries[4], phone: RIGHT } as SheetLine];
    const told = await pay(office.desk, rows, ...again);
    expect(told).toMatchObject(alreadyPaid);
    expect(told.fault?.['message']).toContain('row 12 (Person 5, KES 1,004.25; paid there to Person 5, +2547•••••455)');
    expect(await pay(office.desk, rows, ...again, '--accept-paid-before', '1')).toMatchObject({ exit: 0 });
    expect((await office.desk.emit(['resume', 'pay'])).end.rows).toMatchObject({ completed: 5, unsent: 1 });
    expect(submitted(office)).toBe(3 + rows.length + 2);
  });
});
