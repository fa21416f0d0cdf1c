/** Forms that act, sent by whoever is not the page of this console, and pages of what others wrote. */
import { describe, expect, test } from 'vitest';
import { openApprovalOffice } from '../support/desk/approval-desk.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { startConsole } from '../support/desk/console-desk.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';

/** Each address that takes a form which changes something. */
const ACTS = [
  'pay',
  'running/stop',
  'running/resume',
  'running/look',
  'check/heading',
  'check/leave-out',
  'check/release',
  'unpaid/paid',
  'unpaid/not-paid',
  'unpaid/never-arrived',
  'unpaid/reject',
  'unpaid/retry',
  'plan/make',
  'plan/approve',
  'plan/decline',
  'plan/apply',
];

const EVIL = '<img src=x onerror=alert(1)>';

describe.each(ACTS)('the form of %s', (act) => {
  test('is taken from no other site or server, from no stranger, and not without its token', async () => {
    const opened = await startConsole(await openDesk());
    const visitor = await opened.enter();
    const { origin } = opened;
    const status = async (answer: Promise<{ readonly status: number | string }>) => (await answer).status;
    expect(await status(visitor.send(act, {}, { headers: { origin: 'http://evil.example' } }))).toBe(403);
    expect(await status(visitor.send(act, {}, { headers: { origin: 'null' } }))).toBe(403);
    expect(await status(visitor.send(act, {}, { headers: { origin: 'http://127.0.0.1:1' } }))).toBe(403);
    expect(await status(visitor.send(act, {}, { headers: { 'sec-fetch-site': 'cross-site' } }))).toBe(403);
    expect(await status(visitor.send(act, {}, { headers: { host: 'evil.example' } }))).toBe(421);
    expect(await status(opened.ask(visitor.base + act, { method: 'POST', headers: { origin } }))).toBe(403);
    expect(await status(visitor.send(act, { form: 'x'.repeat(43) }))).toBe(400);
    expect(await status(visitor.ask(act, { method: 'POST', headers: { origin } }))).toBe(400);
    expect(await status(visitor.send(act, { note: 'x'.repeat(100_000) }))).toBe(413);
    // Nothing is done by looking: some have a page of their own there, which was asked for nothing.
    expect([400, 404]).toContain(await status(visitor.ask(act)));
    expect(await status(visitor.send(act, {}))).toBe(400);
  });
});

test('a name that is HTML is text on each page that shows it', async () => {
  const office = await openApprovalOffice();
  const { desk } = office;
  await desk.write('pay.csv', csvOf(people(2).map((line, at) => (at === 0 ? { ...line, name: EVIL } : line))));
  await desk.tell(['plan', 'pay.csv', '--batch', 'november', '--key', 'mary.key']);
  const visitor = await (await startConsole(desk)).enter();
  const pages = ['plans', 'plan?plan=pay.november.plan.json', 'check?file=pay.csv'];
  for (const page of pages) {
    const { text } = await visitor.ask(page);
    expect(text).not.toContain('<img');
    expect([page, text.includes('&lt;img')]).toEqual([page, page !== 'plans']);
  }
});

test('what a row says of itself is text on the pages of the people who were not paid', async () => {
  const desk = await openDesk();
  await desk.write(
    'pay.csv',
    csvOf(people(2).map((line, at) => (at === 0 ? { ...line, name: EVIL, phone: '+254712000001' } : line))),
  );
  const { end } = await desk.tell(['run', 'pay.csv', '--scenario', 'settle-min=10,settle-max=20']);
  for (const language of ['en', 'sw']) {
    const visitor = await (await startConsole(desk, { flags: ['--lang', language] })).enter();
    for (const page of [`unpaid?id=${end.batch}`, `unpaid/row?id=${end.batch}&row=2`]) {
      const { text } = await visitor.ask(page);
      expect(text).not.toContain('<img');
      expect([page, text.includes('&lt;img')]).toEqual([page, true]);
    }
  }
});

test('what an address names is text, too', async () => {
  const visitor = await (await startConsole(await openDesk())).enter();
  for (const page of ['unpaid?id=', 'unpaid/row?id=', 'plan?plan=', 'template?from=', 'check?file=']) {
    const { status, text } = await visitor.ask(page + encodeURIComponent(EVIL));
    expect([page, status]).toEqual([page, 400]);
    expect(text).not.toContain('<img');
  }
});
