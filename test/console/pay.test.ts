/** Paying from a page: the same as `paybatch run`, held to what its page had shown. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { booksOf, openService, paidTraces, quickProfile } from '../support/desk/account.ts';
import { openApprovalOffice } from '../support/desk/approval-desk.ts';
import { type Desk, openDesk, stoppedOncePlanned } from '../support/desk/command-line.ts';
import { formIn, startConsole, type Visitor } from '../support/desk/console-desk.ts';
import { type Office, openOffice, pay } from '../support/desk/live-office.ts';
import { csvOf, people, type SheetLine, totalOf } from '../support/desk/payroll-sheet.ts';
import { formOn, overOn, seenText } from './page-text.ts';

/** What is answered within two seconds is never taken for lost. */
const PATIENT = { sending: { requestTimeoutMs: 2_000 }, inDoubt: { unknownGapMs: 50, quietMs: 4_000 } };

const visit = async (desk: Desk): Promise<Visitor> => (await startConsole(desk)).enter();

/** What the form of a page sends that pays. */
const payFormOf = async (visitor: Visitor, query = 'file=pay.csv'): Promise<Readonly<Record<string, string>>> =>
  formOn((await visitor.ask(`statement?${query}`)).text, 'pay');

/** An office whose sheet is there, and nothing was paid. */
async function office(rows: readonly SheetLine[] = people(3)): Promise<Office & { readonly visitor: Visitor }> {
  const opened = await openOffice('settle-min=20,settle-max=80', PATIENT);
  await opened.desk.write('pay.csv', csvOf(rows));
  return { ...opened, visitor: await visit(opened.desk) };
}

const postsAt = async ({ service }: Office): Promise<number> => (await booksOf(service)).orders.length;

describe('a rehearsal', () => {
  test('is paid by one click below its statement, asks nothing, and hands back the workbook', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(4)));
    const visitor = await visit(desk);
    const form = await payFormOf(visitor);
    expect(Object.keys(form)).not.toContain('total');
    const page = await overOn(visitor, await visitor.send('pay', form));
    expect(page).toContain('4 of 4 finished');
    expect(page).toContain('Nothing is left to do. Keep the results for the books.');
    const results = /Results: (\S+\.xlsx)/.exec(page)?.[1] ?? '';
    expect(existsSync(results)).toBe(true);
    const { end } = await desk.emit(['status']);
    expect(end.rows).toMatchObject({ completed: 4 });
    const again = seenText((await visitor.ask('statement?file=pay.csv')).text);
    expect(again).toContain('This sheet was already paid as batch');
  });

  test('of a sheet that was dropped leaves its results in the folder of the console, and is found after it has ended', async () => {
    const desk = await openDesk();
    const running = await startConsole(desk);
    const visitor = await running.enter();
    const dropped = await visitor.send('check/upload', { sheet: new File([csvOf(people(2))], 'dropped.csv') });
    const upload = new URL(String(dropped.headers.location), running.origin).searchParams.get('upload');
    const form = await payFormOf(visitor, `upload=${upload}`);
    const page = await overOn(visitor, await visitor.send('pay', form));
    const results = /Results: (\S+\.xlsx)/.exec(page)?.[1] ?? '';
    expect(results.startsWith(desk.folder)).toBe(true);
    expect(results.startsWith(desk.home)).toBe(false);
    await running.end();
    await rm(results);
    const { exit } = await desk.emit(['report']);
    expect([exit, existsSync(results)]).toEqual([0, true]);
  });
});

describe('with real money', () => {
  test('the total is typed: another one, or none, pays nobody, in the words of the terminal; the right one pays each row once', async () => {
    const site = await office();
    const { visitor, desk, service } = site;
    const wrong = await visitor.send('pay', { ...(await payFormOf(visitor)), total: '3001.75' });
    expect([wrong.status, seenText(wrong.text)]).toEqual([
      409,
      expect.stringContaining(
        'The control totals differ: the sheet makes 3 payments, KES 3,003.75; expected KES 3,001.75. Nothing was sent.',
      ),
    ]);
    const none = await visitor.send('pay', { ...(await payFormOf(visitor)), total: ' ' });
    expect([none.status, seenText(none.text)]).toEqual([
      409,
      expect.stringContaining('No total was typed. Nothing was sent.'),
    ]);
    expect(await postsAt(site)).toBe(0);
    expect((await desk.emit(['history'])).events.filter(({ type }) => type === 'batch')).toEqual([]);

    const form = await payFormOf(visitor);
    const page = await overOn(visitor, await visitor.send('pay', { ...form, total: totalOf(3) }));
    expect(page).toContain('3 of 3 finished');
    const traces = paidTraces(await booksOf(service));
    expect([traces.length, new Set(traces).size]).toEqual([3, 3]);
    const book = new ExcelJS.Workbook();
    const results = /Results: (\S+\.xlsx)/.exec(page)?.[1] ?? '';
    await book.xlsx.readFile(results);
    const audit = book.getWorksheet('Audit')?.getSheetValues().flat().join('\n') ?? '';
    expect(audit).toContain('typed: KES 3,003.75');
    expect((await desk.emit(['verify'])).exit).toBe(0);
    expect(seenText((await visitor.ask('')).text)).toContain('No payment is in doubt');
  });

  test('what the terminal wants acknowledged is asked with its exact number: rows that repeat another one, and rows with errors', async () => {
    const twice = people(3).map(({ reference: _, ...line }) => line);
    const [first] = twice;
    if (!first) throw new Error('there are three');
    const site = await office([...twice, first, { ...first, name: 'Nobody', phone: '12' }]);
    const { visitor, desk, service } = site;
    const asks = async (answers: string) => (await visitor.ask(`statement?file=pay.csv${answers}`)).text;
    const refused = await asks('');
    expect(formIn(refused, 'pay')).toBeUndefined();
    // One button sends the name together with the answers.
    expect(Object.keys(formIn(refused, 'statement') ?? {})).toEqual(['file', 'identical', 'batch']);
    expect(formIn(await asks('&identical=2'), 'pay')).toBeUndefined();
    expect(await asks('&identical=1')).toContain('name="skip"');
    expect(seenText(await asks('&identical=1&skip=2'))).toContain('1 row has errors, but --skip-invalid says 2.');
    const right = await asks('&identical=1&skip=1');
    expect(right).toContain('paybatch run pay.csv --batch pay-');
    expect(right).toContain('--allow-identical 1');
    const form = formIn(right, 'pay') ?? {};
    expect([form['identical'], form['skip']]).toEqual(['1', '1']);
    // A form that was changed on its way is held to the same.
    for (const without of ['identical', 'skip'])
      expect((await visitor.send('pay', { ...form, [without]: '', total: '4004.00' })).status).toBe(409);
    expect(await postsAt(site)).toBe(0);

    // No field of a page that pays has a text that would not count for the payment.
    const pays = await asks('&identical=1&skip=1&batch=salaries');
    const inPayment = /<form[^>]*action="[^"]*\/pay"[\s\S]*?<\/form>/.exec(pays)?.[0] ?? '';
    const shown = (text: string): readonly string[] => text.match(/<input(?![^>]*type="hidden")[^>]*>/g) ?? [];
    expect(shown(pays)).toEqual(shown(inPayment));
    expect(seenText(pays)).toContain('How many rows repeat another row on purpose? 1 --allow-identical');
    const change = /href="([^"]*)">Change the name or the answers</.exec(pays)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const changing = (await visitor.ask(change)).text;
    expect(formIn(changing, 'pay')).toBeUndefined();
    expect(formIn(changing, 'statement')).toMatchObject({ skip: '1', identical: '1', batch: 'salaries' });

    const last = await payFormOf(visitor, 'file=pay.csv&identical=1&skip=1&batch=overtime');
    const page = await overOn(visitor, await visitor.send('pay', { ...last, total: '4004.00' }));
    expect(page).toContain('4 of 4 finished');
    expect(page).toContain('Invalid 1');
    expect((await desk.emit(['status', 'overtime'])).end.rows).toMatchObject({ completed: 4, invalid: 1 });
    expect(paidTraces(await booksOf(service))).toHaveLength(4);
  });

  test('the statement says what other batches need and what it is compared with, and asks for changed phones by their number', async () => {
    const site = await office();
    const { visitor, desk, clock } = site;
    const nothing = 'Nothing to compare with: no earlier batch paid most of these people.';
    expect(seenText((await visitor.ask('check?file=pay.csv')).text)).toContain(
      `Compared with earlier batches ${nothing}`,
    );
    expect((await pay(desk, people(3))).exit).toBe(0);
    clock.pass(30 * 86_400_000);
    const other = { name: 'Other Person', phone: '+254719999955', reference: 'RENT', amount: '1000.25' };
    await desk.write('rent.csv', csvOf([other]));
    await desk.emit(
      ['run', 'rent.csv', '--batch', 'rent', '--expect-count', '1', '--expect-total', other.amount],
      stoppedOncePlanned(),
    );
    const compared = seenText((await visitor.ask('statement?file=pay.csv&batch=later')).text);
    expect(compared).toMatch(
      /Reserved by other batches, for rows that are not sent, or not finished: KES 1,0\d\d\.\d\d/,
    );
    expect(compared).toContain('rent 1 KES');
    expect(compared).toMatch(
      /Compared with batch \S+ of \d{4}-\d\d-\d\d: 3 rows, KES 3,003\.75 then\. The same people, and the same amounts\./,
    );
    expect(compared).not.toContain('Nothing to compare with');

    await desk.write(
      'pay.csv',
      csvOf(
        people(3).map((line, row) => ({
          ...line,
          amount: `${2000 + row}.00`,
          ...(row === 1 && { phone: '+254712345678' }),
        })),
      ),
    );
    const query = 'file=pay.csv&batch=overtime-2026-12&duplicate=overtime';
    const form = await payFormOf(visitor, query);
    expect(Object.keys(form)).toContain('changed');
    for (const changed of ['', '2']) {
      const refused = await visitor.send('pay', { ...form, changed, total: '6003.00' });
      expect([changed, refused.status, seenText(refused.text)]).toEqual([
        changed,
        409,
        expect.stringContaining('1 row is paid to another phone or account than last time'),
      ]);
    }
    const page = await overOn(visitor, await visitor.send('pay', { ...form, changed: '1', total: '6003.00' }));
    expect(page).toContain('3 of 3 finished');
  });
});

describe('a page that is out of date pays nothing, and says what changed:', () => {
  test('the same batch was paid in the terminal meanwhile', async () => {
    const site = await office();
    const { visitor, desk, service } = site;
    const form = await payFormOf(visitor, 'file=pay.csv&batch=pay');
    expect((await pay(desk, people(3))).exit).toBe(0);
    const { status, text } = await visitor.send('pay', { ...form, total: totalOf(3) });
    expect([status, seenText(text)]).toEqual([
      409,
      expect.stringMatching(
        /Something has changed since this page was made.*batch pay was planned: 3 payments, KES 3,003\.75/,
      ),
    ]);
    expect(text).toMatch(/href="[^"]*batch\?id=pay"/);
    expect(paidTraces(await booksOf(service))).toHaveLength(3);
  });

  test('the sheet pays other amounts, people or accounts', async () => {
    const site = await office();
    const { visitor, desk } = site;
    const form = await payFormOf(visitor);
    const [first, second, third] = people(3);
    if (!first || !second || !third) throw new Error('there are three');
    const swapped = [{ ...first, amount: second.amount }, { ...second, amount: first.amount }, third];
    await desk.write('pay.csv', csvOf(swapped));
    const { status, text } = await visitor.send('pay', { ...form, total: totalOf(3) });
    expect([status, seenText(text)]).toEqual([409, expect.stringContaining('The sheet was changed')]);
    expect(await postsAt(site)).toBe(0);
  });

  test('the settings name another account', async () => {
    const site = await office();
    const { visitor, desk } = site;
    const form = await payFormOf(visitor);
    await desk.writeConfig({ organisation: 'Somebody else', profiles: { env: quickProfile(site.service.routes) } });
    const { status, text } = await visitor.send('pay', { ...form, total: totalOf(3) });
    expect([status, seenText(text)]).toEqual([409, expect.stringContaining('It is Somebody else · profile env')]);
    expect(await postsAt(site)).toBe(0);
  });
});

describe('two tabs and two clicks pay once:', () => {
  test('one form that is sent twice at once leads to one payment', async () => {
    const site = await office();
    const { visitor, service } = site;
    const form = { ...(await payFormOf(visitor)), total: totalOf(3) };
    const answers = await Promise.all([visitor.send('pay', form), visitor.send('pay', form)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1);
    for (const answer of answers) await overOn(visitor, answer);
    expect((await visitor.send('pay', form)).status).toBe(303);
    expect(paidTraces(await booksOf(service))).toHaveLength(3);
  });

  test('a form that has lost its number pays nobody', async () => {
    const { visitor, service } = await office();
    const { once: _, ...form } = await payFormOf(visitor);
    expect((await visitor.send('pay', { ...form, total: totalOf(3) })).status).toBe(400);
    expect(paidTraces(await booksOf(service))).toEqual([]);
  });

  test('of two pages of one sheet, under two names, the second is out of date', async () => {
    const site = await office();
    const { visitor, service } = site;
    const [one, other] = [
      await payFormOf(visitor, 'file=pay.csv&batch=one'),
      await payFormOf(visitor, 'file=pay.csv&batch=other'),
    ];
    const answers = await Promise.all([one, other].map((form) => visitor.send('pay', { ...form, total: totalOf(3) })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    const [paid] = answers.filter(({ status }) => status === 303);
    if (!paid) throw new Error('one of them pays');
    await overOn(visitor, paid);
    expect(paidTraces(await booksOf(service))).toHaveLength(3);
  });
});

test('no browser that has no cookie pays, and no form that does not say what its page had seen', async () => {
  const site = await office();
  const { visitor, desk } = site;
  const form: Readonly<Record<string, string>> = { ...(await payFormOf(visitor)), total: totalOf(3) };
  expect((await visitor.send('pay', form, { headers: { cookie: undefined } })).status).toBe(403);
  expect((await visitor.send('pay', form, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
  expect((await visitor.send('pay', { ...form, form: 'x' })).status).toBe(400);
  expect((await visitor.ask(`pay?${new URLSearchParams(form)}`)).status).toBe(404);
  const { 'seen-ledger': _, ...unseen } = form;
  expect((await visitor.send('pay', unseen)).status).toBe(400);
  expect(await postsAt(site)).toBe(0);
  expect((await desk.emit(['history'])).events.filter(({ type }) => type === 'batch')).toEqual([]);
});

test('a sheet that people have to approve first says so on its statement, and has no form that pays', async () => {
  const site = await openApprovalOffice();
  await site.desk.write('pay.csv', csvOf(people(3)));
  const visitor = await visit(site.desk);
  const { text } = await visitor.ask('statement?file=pay.csv&batch=pay');
  expect(formIn(text, 'pay')).toBeUndefined();
  expect(seenText(text)).toContain('1 person must approve before KES 3,003.75 is sent, and nobody has.');
  expect(seenText(text)).toContain('paybatch plan pay.csv --batch pay');
});

test('a console that was started for a rehearsal shows and does nothing once the settings name an account', async () => {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(people(3)));
  const visitor = await visit(desk);
  const form = await payFormOf(visitor);
  const service = await openService('settle-min=20,settle-max=80');
  const place = { baseUrl: service.url, clientId: service.clientId, secretOrigins: [service.url] };
  const profile = { ...quickProfile(service.routes), ...place };
  const file = await desk.writeConfig({ defaultProfile: 'live', profiles: { live: profile } });
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  expect((await desk.say(['config', 'trust', file, '--sha256', sha256])).exit).toBe(0);
  desk.payBy({ PAYBATCH_CLIENT_SECRET: service.clientSecret });
  const says =
    'it was started for a rehearsal (profile sandbox), and they lead to REAL MONEY (profile live) now. Nothing was done, and nothing was sent.';
  const refused = await visitor.send('pay', { ...form, total: totalOf(3) });
  expect([refused.status, seenText(refused.text)]).toEqual([409, expect.stringContaining(says)]);
  for (const page of ['', 'check', 'statement?file=pay.csv', 'history', 'settings', 'results?id=pay', 'running']) {
    const { status, text } = await visitor.ask(page);
    expect([page, status, seenText(text)]).toEqual([page, 409, expect.stringContaining(says)]);
    expect(text).not.toContain('class="banner real"');
  }
  expect((await booksOf(service)).orders).toEqual([]);
  const anew = await visit(desk);
  expect(seenText((await anew.ask('')).text)).toContain('REAL MONEY Payments of this account are real.');
});
