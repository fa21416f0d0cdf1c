/** The people who were not paid: why, and the word that is recorded of a row on its page. */
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { accountIn, openService, quickProfile, quickWaits } from '../support/desk/account.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { startConsole, type Visitor } from '../support/desk/console-desk.ts';
import { csvOf, people, type SheetLine } from '../support/desk/payroll-sheet.ts';
import { formOn, overOn, seenText } from './page-text.ts';

const QUICK_POLLING = { firstMs: 20, maxMs: 100, deadlineMs: 500 };

/** Seven people: row 2 is paid; the others are rejected, time out, stay pending, are refused, fail, and are never final. */
const lines: readonly SheetLine[] = people(7).map((line, at) =>
  at === 0 ? line : { ...line, phone: `+2547120000${['', '01', '02', '03', '04', '08', '09'][at]}` },
);
const TIMED_OUT = 4;
const PENDING = 5;
const NEVER_FINAL = 8;

/** The answers of the practice service come soon. */
const QUICK = ['--scenario', 'settle-min=10,settle-max=20'];

/** A rehearsal of these people, of which nobody waits long for the end. */
async function rehearsed(rows = lines): Promise<{ desk: Desk; batch: string }> {
  const desk = await openDesk();
  await desk.write('pay.csv', csvOf(rows));
  await desk.writeConfig({ profiles: { sandbox: { ...quickWaits, polling: QUICK_POLLING } } });
  const { end } = await desk.emit(['run', 'pay.csv', ...QUICK]);
  return { desk, batch: String(end.batch) };
}

async function practised(): Promise<{ desk: Desk; batch: string; visitor: Visitor }> {
  const rehearsal = await rehearsed();
  return { ...rehearsal, visitor: await (await startConsole(rehearsal.desk)).enter() };
}

const again = (batch: string, ...rows: readonly number[]): string =>
  `unpaid/retry?id=${batch}${rows.map((row) => `&row=${row}`).join('')}`;

const rowAddress = (batch: string, row: number): string => `unpaid/row?id=${batch}&row=${row}`;

async function outcomesOf(desk: Desk, batch: string): Promise<Readonly<Record<string, unknown>>> {
  return (await desk.emit(['report', batch])).end.rows;
}

describe('the page of the people who were not paid', () => {
  test('says of each why, whether it is safe to pay again, and the order id, as the results do; a good batch has none', async () => {
    const { desk, batch, visitor } = await practised();
    const { text } = await visitor.ask(`unpaid?id=${batch}`);
    const page = seenText(text);
    expect(page).toContain('May have been paid Do not pay these people again.');
    expect(page).toContain('Certainly not paid');
    const { events } = await desk.emit(['report', batch, '--format', 'jsonl']);
    expect(events.length).toBeGreaterThan(0);
    for (const row of [3, 4, 5, 6, 7, 8]) expect(page).toContain(`row ${row} Person ${row - 1}`);
    expect(page).not.toContain('Person 1 ');
    expect(page).toContain('The service rejected the order before it was paid.');
    expect(text.match(/<code class="id">[0-9a-f-]{36}<\/code>/g)).toHaveLength(6);
    // What may have been paid has no tick.
    expect([...text.matchAll(/name="row" value="(\d+)" checked/g)].map(([, row]) => Number(row))).toEqual([3, 6, 7]);
    expect(page).toContain(`paybatch resolve ${batch} --row ${TIMED_OUT} --paid RECEIPT`);

    for (const from of [`batch?id=${batch}`, ''])
      expect((await visitor.ask(from)).text).toContain(`unpaid?id=${batch}`);
    await desk.write('good.csv', csvOf(people(2).map((line) => ({ ...line, amount: '77.00' }))));
    const { end } = await desk.emit(['run', 'good.csv', ...QUICK]);
    expect((await visitor.ask(`batch?id=${end.batch}`)).text).not.toContain('unpaid?id=');
    expect((await visitor.ask(`unpaid?id=${end.batch}`)).text).toContain('Everybody in this batch was paid.');
  });

  test('takes no word without a receipt or a note, none of a row that the service has settled, and tries nothing again that may have been paid', async () => {
    const { desk, batch, visitor } = await practised();
    const before = await outcomesOf(desk, batch);
    const { text } = await visitor.ask(rowAddress(batch, TIMED_OUT));
    const hidden = formOn(text, 'unpaid/paid');
    expect((await visitor.send('unpaid/paid', { ...hidden, receipt: ' ' })).status).toBe(400);
    expect((await visitor.send('unpaid/not-paid', { ...hidden, note: '' })).status).toBe(400);
    const settled = await visitor.send('unpaid/not-paid', { ...hidden, row: '2', note: 'Mary' });
    expect([settled.status, seenText(settled.text)]).toEqual([400, expect.stringContaining('Nothing was recorded.')]);
    expect((await visitor.ask(rowAddress(batch, 2))).text).not.toContain('unpaid/paid');
    expect((await visitor.send('unpaid/paid', { receipt: 'X', row: '4', id: batch })).status).toBe(400);

    const retry = (await visitor.ask(again(batch, TIMED_OUT))).text;
    expect(seenText(retry)).toContain('It cannot be tried again: it is "CHECK Timed out"');
    const refused = await visitor.send('unpaid/retry', formOn(retry, 'unpaid/retry'));
    expect([refused.status, seenText(refused.text)]).toEqual([
      400,
      expect.stringContaining(`Row ${TIMED_OUT} cannot be tried again`),
    ]);
    expect(await outcomesOf(desk, batch)).toEqual(before);
  });

  test('offers no other attempt at a row that failed as often as a row may, and says how it is paid', async () => {
    const { desk, batch } = await rehearsed(lines.slice(0, 2));
    for (let more = 0; more < 4; more++) expect((await desk.emit(['retry', batch, ...QUICK])).exit).toBe(6);
    expect((await desk.emit(['retry', batch, '--row', '3'])).fault?.['message']).toContain('it failed 5 times');

    const visitor = await (await startConsole(desk)).enter();
    const { text } = await visitor.ask(`unpaid?id=${batch}`);
    const page = seenText(text);
    expect(page).toContain('Not paid, and not sent again in this batch The reason, and how to pay them');
    expect(page).toContain('No "paybatch retry" pays it again: it failed 5 times, which is the most. Ask the provider');
    expect(page).not.toContain('May have been paid');
    expect(page).not.toContain('Ask the service to stop');
    expect(text).not.toContain('type="checkbox"');
  });

  test('of a ledger that was put back says so of every row that it calls unpaid, as the other pages do', async () => {
    const { desk, batch } = await rehearsed(lines.slice(0, 2));
    const [ledger, kept] = [path.join(desk.home, 'sandbox'), desk.path('kept')];
    await cp(ledger, kept, { recursive: true });
    await desk.emit(['retry', batch, ...QUICK]);
    for (const name of (await readdir(ledger)).filter((one) => one.startsWith('ledger.db')))
      await rm(path.join(ledger, name));
    for (const name of (await readdir(kept)).filter((one) => one.startsWith('ledger.db')))
      await cp(path.join(kept, name), path.join(ledger, name));

    const visitor = await (await startConsole(desk)).enter();
    const { text } = await visitor.ask(`unpaid?id=${batch}`);
    const page = seenText(text);
    expect(page).toContain('May have been paid Do not pay these people again. First do what is said next to each row');
    expect(page).toContain('Do not pay this row by other means before "paybatch resume" has found out');
    expect(page).not.toMatch(/certainly not paid/i);
    expect(text).not.toContain('type="checkbox"');
    expect(seenText((await visitor.ask('history')).text)).toContain('1 row that may have been paid');
    const about = seenText((await visitor.ask(`batch?id=${batch}`)).text);
    expect(about).toContain('Do not pay this row by other means before paybatch resume has found out');
    expect(about).not.toContain('Fix the cause');
  });
});

describe('a word on a row', () => {
  test('that it was paid is recorded with its receipt, once; a page that had not seen another word is refused; one that it was not paid lets it be tried again', async () => {
    const { desk, batch, visitor } = await practised();
    const { text } = await visitor.ask(rowAddress(batch, TIMED_OUT));
    expect(seenText(text)).toContain(`paybatch resolve ${batch} --row ${TIMED_OUT} --paid RECEIPT`);
    const fields = { ...formOn(text, 'unpaid/paid'), receipt: 'SAF123', amount: '' };
    const said = await visitor.send('unpaid/paid', fields);
    expect(said.status).toBe(303);
    expect(await outcomesOf(desk, batch)).toMatchObject({ completed: 2, timedOut: 0 });
    expect(seenText((await visitor.ask(rowAddress(batch, TIMED_OUT))).text)).toMatch(
      /Resolved by hand as paid, receipt SAF123 by .+ on \d{4}-\d\d-\d\d\./,
    );
    const again = await visitor.send('unpaid/paid', fields);
    expect([again.status, seenText(again.text)]).toEqual([409, expect.stringContaining('This page is out of date')]);

    const { text: old } = await visitor.ask(rowAddress(batch, NEVER_FINAL));
    await desk.emit(['resolve', batch, '--row', String(PENDING), '--not-paid', '--note', 'Mary']);
    const unseen = await visitor.send('unpaid/paid', { ...formOn(old, 'unpaid/paid'), receipt: 'SAF124' });
    expect([unseen.status, seenText(unseen.text)]).toEqual([
      409,
      expect.stringContaining(`batch ${batch} has continued since.`),
    ]);
    expect(await outcomesOf(desk, batch)).toMatchObject({ completed: 2 });

    const { text: now } = await visitor.ask(rowAddress(batch, NEVER_FINAL));
    const unpaid = { ...formOn(now, 'unpaid/not-paid'), note: 'Mary at the provider' };
    expect((await visitor.send('unpaid/not-paid', unpaid)).status).toBe(303);
    const page = (await visitor.ask(`unpaid?id=${batch}`)).text;
    expect(page).toContain(`name="row" value="${NEVER_FINAL}" checked`);
    expect((await desk.say(['verify'])).exit).toBe(0);
  });

  test('on a live account needs the exact amount of the row, and another attempt the total, typed', async () => {
    const [desk, service] = [await openDesk(), await openService()];
    await desk.write('pay.csv', csvOf(lines));
    await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes), polling: QUICK_POLLING } } });
    desk.payBy(accountIn(service));
    const { end } = await desk.emit([
      'run',
      'pay.csv',
      '--batch',
      'may',
      '--expect-count',
      '7',
      '--expect-total',
      '7022.75',
    ]);
    expect(end.rows['timedOut']).toBe(1);
    const visitor = await (await startConsole(desk)).enter();
    const { text } = await visitor.ask(rowAddress('may', TIMED_OUT));
    expect(text).toContain('REAL MONEY');
    const hidden = formOn(text, 'unpaid/paid');
    for (const [amount, status] of [
      ['', 400],
      ['1001.25', 409],
      ['1002.25', 303],
    ] as const)
      expect((await visitor.send('unpaid/paid', { ...hidden, receipt: 'SAF1', amount })).status).toBe(status);

    const posted = service.books().orders.length;
    const sent = async (total: string) => {
      const form = formOn((await visitor.ask(again('may', 3))).text, 'unpaid/retry');
      return visitor.send('unpaid/retry', { ...form, total });
    };
    const wrong = await sent('1001.24');
    expect([wrong.status, seenText(wrong.text)]).toEqual([409, expect.stringContaining('The control totals differ')]);
    const none = await sent(' ');
    expect([none.status, seenText(none.text)]).toEqual([409, expect.stringContaining('No total was typed')]);
    expect(service.books().orders.length).toBe(posted);
    await overOn(visitor, await sent('1001.25'));
    expect(service.books().orders.length).toBe(posted + 1);
  });
});

describe('a stop that is asked for', () => {
  test('of one row is what a look-up says of it afterwards, and of all that is not final names the rows of each end', async () => {
    const { desk, batch, visitor } = await practised();
    const { text } = await visitor.ask(rowAddress(batch, PENDING));
    const fields = { ...formOn(text, 'unpaid/reject'), note: 'has left' };
    const answer = await visitor.send('unpaid/reject', fields);
    expect(answer.status).toBe(303);
    const { text: says } = await visitor.ask(String(answer.headers.location));
    expect(seenText(says)).toContain(`Rejected, as the service now says itself: row ${PENDING}.`);
    expect(await outcomesOf(desk, batch)).toMatchObject({ rejected: 2, pending: 0 });
    // The same form again is the same request; another one of the same page is out of date.
    expect((await visitor.send('unpaid/reject', fields)).status).toBe(303);
    expect((await visitor.send('unpaid/reject', { ...fields, once: 'another' })).status).toBe(409);

    const { text: all } = await visitor.ask(`unpaid?id=${batch}`);
    const others = await visitor.send('unpaid/reject', { ...formOn(all, 'unpaid/reject'), note: '' });
    expect(others.status).toBe(303);
    const { text: saysOthers } = await visitor.ask(String(others.headers.location));
    expect(seenText(saysOthers)).toContain(`NOT KNOWN, may still be paid: row ${TIMED_OUT}, ${NEVER_FINAL}.`);
  });
});

describe('a row that is tried again', () => {
  test('gets one more attempt, by the same rows and no others, however often the form is sent', async () => {
    const { desk, batch, visitor } = await practised();
    const { text } = await visitor.ask(again(batch, 3, 7));
    expect(seenText(text)).toContain('Pay 2 rows again');
    expect(seenText(text)).toContain(`paybatch retry ${batch} --row 3 7`);
    const form = formOn(text, 'unpaid/retry');
    const [one, other] = await Promise.all([visitor.send('unpaid/retry', form), visitor.send('unpaid/retry', form)]);
    expect([one.status, other.status]).toEqual([303, 303]);
    await overOn(visitor, one);
    const rows = (await desk.emit(['report', batch, '--format', 'jsonl'])).end.files[0]?.path ?? '';
    const records = (await readFile(rows, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ row, attempt }) => [row, attempt])).toEqual([
      [2, 1],
      [3, 2],
      [4, 1],
      [5, 1],
      [6, 1],
      [7, 2],
      [8, 1],
    ]);
    expect((await desk.say(['verify'])).exit).toBe(0);
    const stale = await visitor.send('unpaid/retry', { ...form, once: 'another' });
    expect([stale.status, seenText(stale.text)]).toEqual([
      409,
      expect.stringContaining('another attempt at 2 rows of batch'),
    ]);
  });
});
