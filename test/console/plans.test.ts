/** Plans and approvals on pages: made, signed by two people with keys of their own, declined, and told when they are out of date. */
import { existsSync } from 'node:fs';
import { readdir, symlink } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type ApprovalOffice, openApprovalOffice } from '../support/desk/approval-desk.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { startConsole, type Visitor } from '../support/desk/console-desk.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { formOn, overOn, seenText } from './page-text.ts';

const TOTAL = '3003.75';

async function opened(): Promise<{ office: ApprovalOffice; visitor: Visitor }> {
  const office = await openApprovalOffice();
  await office.desk.write('pay.csv', csvOf(people(3)));
  return { office, visitor: await (await startConsole(office.desk)).enter() };
}

/** Makes a plan on its page, and gives its address. */
async function made(visitor: Visitor, query = 'file=pay.csv', key = 'mary.key'): Promise<string> {
  const { text } = await visitor.ask(`plan/new?${query}`);
  const fields = { ...formOn(text, 'plan/make'), batch: 'november', key };
  const { status, headers, text: says } = await visitor.send('plan/make', fields);
  expect([status, seenText(says)]).toEqual([303, expect.anything()]);
  return `plan?${String(headers.location).split('?')[1]}`;
}

async function approved(visitor: Visitor, address: string, said: Readonly<Record<string, string>>) {
  const { text } = await visitor.ask(address);
  const { status, text: says } = await visitor.send('plan/approve', { ...formOn(text, 'plan/approve'), ...said });
  return { status, says: seenText(says) };
}

describe('a plan', () => {
  test('is made by one person and signed by another one, and says who has and who is waited for', async () => {
    const { office, visitor } = await opened();
    const address = await made(visitor);
    expect(await readdir(office.desk.folder)).toContain('pay.november.plan.json');
    const before = seenText((await visitor.ask(address)).text);
    expect(before).toContain('Waiting: 0 of 1 approval.');
    expect(before).toContain('Nothing has changed since it was made');
    expect(before).toContain('signed by mary');
    expect(seenText((await visitor.ask('')).text)).toContain('1 plan is waiting for a signature.');
    const word = { total: TOTAL, key: 'jane.key', note: 'seen the contracts' };
    expect(await approved(visitor, address, word)).toMatchObject({ status: 303 });
    const after = seenText((await visitor.ask(address)).text);
    expect(after).toContain('Approved: 1 of 1 approval.');
    expect(after).toMatch(/jane approved ?seen the contracts \d{4}-\d\d-\d\d/);
    expect(seenText((await visitor.ask('')).text)).not.toContain('waiting for a signature');
    expect(seenText((await visitor.ask('plans')).text)).toContain('november KES 3,003.75 mary');
    const { end, exit } = await office.desk.emit(['apply', 'pay.november.plan.json']);
    expect([exit, end.rows['completed']]).toEqual([0, 3]);
    expect(seenText((await visitor.ask(address)).text)).toContain('Paid.');
  });

  test('of a sheet that was dropped is kept with the sheet, which is gone with the console', async () => {
    const { office, visitor } = await opened();
    const sheet = new File([csvOf(people(3))], 'dropped.csv');
    const { headers } = await visitor.send('check/upload', { sheet });
    await made(visitor, String(headers.location).split('?')[1]);
    expect(await readdir(office.desk.folder)).toEqual(
      expect.arrayContaining(['dropped.csv', 'dropped.november.plan.json']),
    );
    expect((await office.desk.emit(['approve', 'dropped.november.plan.json', '--key', 'jane.key'])).exit).toBe(0);
    expect((await office.desk.emit(['apply', 'dropped.november.plan.json'])).exit).toBe(0);
  });

  test('that is out of date says what has changed, line by line', async () => {
    const { office, visitor } = await opened();
    const address = await made(visitor);
    await office.desk.write('pay.csv', csvOf(people(3).map((line) => ({ ...line, amount: '9.00' }))));
    const page = seenText((await visitor.ask(address)).text);
    expect(page).toContain('Out of date: today it would pay something else.');
    expect(page).toContain('KES 3,003.75 then');
    expect(page).toContain('KES 27.00 now');
  });

  test('that was declined says by whom and why, and nobody who declined it approves it', async () => {
    const { visitor } = await opened();
    const address = await made(visitor);
    const { text } = await visitor.ask(address);
    const fields = { ...formOn(text, 'plan/decline'), reason: 'row 3  has left', key: 'ali.key' };
    expect((await visitor.send('plan/decline', fields)).status).toBe(303);
    const page = seenText((await visitor.ask(address)).text);
    expect(page).toContain('Declined.');
    expect(page).toMatch(/ali declined it at .+: row 3 has left\./);
    expect(await approved(visitor, address, { total: TOTAL, key: 'ali.key' })).toMatchObject({
      status: 409,
      says: expect.stringContaining('ali has declined this plan'),
    });
  });

  test('in a rehearsal needs nobody, and none but its own sheet', async () => {
    const desk = await openDesk();
    await desk.write('pay.csv', csvOf(people(3)));
    const visitor = await (await startConsole(desk)).enter();
    const address = await made(visitor, 'file=pay.csv', '');
    expect(seenText((await visitor.ask(address)).text)).toContain('It needs no approval.');
  });
});

describe('a plan that is paid from its page', () => {
  test('is paid exactly and once, by two clicks at once, with nobody asked', async () => {
    const { office, visitor } = await opened();
    const address = await made(visitor);
    await approved(visitor, address, { total: TOTAL, key: 'jane.key' });
    const form = formOn((await visitor.ask(address)).text, 'plan/apply');
    const [one, other] = await Promise.all([visitor.send('plan/apply', form), visitor.send('plan/apply', form)]);
    expect([one.status, other.status]).toEqual([303, 303]);
    expect(await overOn(visitor, one)).toContain('3 of 3 finished');
    expect(office.service.books().orders).toHaveLength(3);
    const stale = await visitor.send('plan/apply', { ...form, once: 'another' });
    expect([stale.status, seenText(stale.text)]).toEqual([409, expect.stringContaining('batch november was planned')]);
    const { end } = await office.desk.emit(['status', 'november']);
    expect(end.rows['completed']).toBe(3);
    expect((await office.desk.say(['verify'])).exit).toBe(0);
  });

  test('is not paid while nobody has approved it, after it was declined, or when its sheet is another one', async () => {
    const { office, visitor } = await opened();
    const address = await made(visitor);
    const pay = async () => {
      const form = formOn((await visitor.ask(address)).text, 'plan/apply');
      const { status, text } = await visitor.send('plan/apply', form);
      return [status, seenText(text)];
    };
    expect(await pay()).toEqual([409, expect.stringContaining('Nobody has approved this plan')]);
    await approved(visitor, address, { total: TOTAL, key: 'jane.key' });
    await office.desk.write('pay.csv', csvOf(people(3).map((line) => ({ ...line, amount: '9.00' }))));
    expect(await pay()).toEqual([409, expect.stringContaining('This is no longer what was approved')]);
    await office.desk.write('pay.csv', csvOf(people(3)));
    const { text } = await visitor.ask(address);
    await visitor.send('plan/decline', { ...formOn(text, 'plan/decline'), reason: 'wrong month', key: 'ali.key' });
    expect(await pay()).toEqual([409, expect.stringContaining('ali declined it')]);
    expect(office.service.books().orders).toHaveLength(0);
  });
});

describe('nothing is signed', () => {
  test('for another total, by its maker, by what is no key, or by a key that is not in the folder of the console', async () => {
    const { office, visitor } = await opened();
    const elsewhere = await openDesk();
    await elsewhere.say(['approver', 'create', 'jane', '--key', 'jane.key', '--no-passphrase']);
    await symlink(elsewhere.path('jane.key'), office.desk.path('link.key'));
    const address = await made(visitor);
    for (const [said, status, says] of [
      [{ total: '3003.76', key: 'jane.key' }, 409, 'The control totals differ'],
      [{ total: TOTAL, key: 'mary.key' }, 409, 'mary made this plan'],
      [{ total: TOTAL, key: 'pay.csv' }, 409, 'is not the key of an approver'],
      [{ total: TOTAL, key: 'nobody.key' }, 400, 'There is no key "nobody.key"'],
      [{ total: TOTAL, key: '../jane.key' }, 400, 'There is no key'],
      // A link that leads elsewhere.
      [{ total: TOTAL, key: 'link.key' }, 400, 'There is no key "link.key"'],
      [{ total: TOTAL, key: '' }, 400, 'There is no key ""'],
    ] as const)
      expect(await approved(visitor, address, said)).toEqual({ status, says: expect.stringContaining(says) });
    expect((await readdir(office.desk.folder)).filter((name) => name.endsWith('.approval.json'))).toEqual([]);
  });

  test('by a key with a passphrase, unless that is typed, and no page shows it', async () => {
    const { office, visitor } = await opened();
    await office.desk.write('phrase.txt', 'four words put together\n');
    const created = await office.desk.say([
      'approver',
      'create',
      'ali',
      '--key',
      'locked.key',
      '--passphrase-file',
      'phrase.txt',
    ]);
    expect(created.exit).toBe(0);
    const address = await made(visitor);
    const key = { total: TOTAL, key: 'locked.key' };
    expect(await approved(visitor, address, key)).toMatchObject({ status: 400 });
    const wrong = await approved(visitor, address, { ...key, passphrase: 'some other words here' });
    expect(wrong).toMatchObject({ status: 400, says: expect.stringContaining('is not the passphrase of') });
    expect(wrong.says).not.toContain('some other words here');
    expect(await approved(visitor, address, { ...key, passphrase: 'four words put together' })).toMatchObject({
      status: 303,
    });
    // This key is not the one that the profile names for ali.
    expect(seenText((await visitor.ask(address)).text)).toContain('A file next to it does not count.');
  });

  test('by the second of an approval and a refusal that are sent at once', async () => {
    const { office, visitor } = await opened();
    const address = await made(visitor);
    const { text } = await visitor.ask(address);
    const answers = await Promise.all([
      visitor.send('plan/approve', { ...formOn(text, 'plan/approve'), total: TOTAL, key: 'jane.key' }),
      visitor.send('plan/decline', { ...formOn(text, 'plan/decline'), reason: 'wrong month', key: 'jane.key' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(seenText(refused?.text ?? '')).toContain('Somebody has approved or declined the plan since.');
    const words = (await readdir(office.desk.folder)).filter((name) =>
      /\.(?:approval|refusal|declin\w*)\.json$/.test(name),
    );
    expect(words).toHaveLength(1);
  });

  test('of a plan that is another one than its page showed', async () => {
    const { office, visitor } = await opened();
    const address = await made(visitor);
    const { text } = await visitor.ask(address);
    await office.desk.write('pay.csv', csvOf(people(4)));
    const other = await office.desk.emit(['plan', 'pay.csv', '--batch', 'december', '--key', 'mary.key']);
    const fields = { ...formOn(text, 'plan/approve'), total: '4006.50', key: 'jane.key' };
    expect(existsSync(other.end.files[0]?.path ?? '')).toBe(true);
    const { status, text: says } = await visitor.send('plan/approve', { ...fields, plan: 'pay.december.plan.json' });
    expect([status, seenText(says)]).toEqual([409, expect.stringContaining('This file now holds a different plan')]);
  });
});

test('a plan of a folder that is no plan is named, and the others are listed', async () => {
  const { office, visitor } = await opened();
  await made(visitor);
  await office.desk.write('broken.plan.json', '{ "v": 1 }');
  const page = seenText((await visitor.ask('plans')).text);
  expect(page).toContain('november KES 3,003.75');
  expect(page).toContain('broken.plan.json cannot be read as a plan');
});
