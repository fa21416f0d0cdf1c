/** Forms that act, sent by whoever is not the page of this console, and pages of what others wrote. */
import { expect, test } from 'vitest';
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

test('no form is taken from another site or server, from a stranger, or without its token', async () => {
  const opened = await startConsole(await openDesk());
  const visitor = await opened.enter();
  const { origin } = opened;
  const long = { note: 'x'.repeat(100_000) };
  for (const act of ACTS) {
    const refused = [
      ...['http://evil.example', 'null', 'http://127.0.0.1:1', undefined].map((other) =>
        visitor.send(act, {}, { headers: { origin: other } }),
      ),
      ...['cross-site', 'same-site'].map((site) => visitor.send(act, {}, { headers: { 'sec-fetch-site': site } })),
      visitor.send(act, {}, { headers: { 'sec-fetch-dest': 'iframe' } }),
      opened.ask(visitor.base + act, { method: 'POST', headers: { origin } }),
    ];
    for (const answer of refused) expect([act, (await answer).status]).toEqual([act, 403]);
    expect([act, (await visitor.send(act, {}, { headers: { host: 'evil.example' } })).status]).toEqual([act, 421]);
    expect([act, (await visitor.send(act, long)).status]).toEqual([act, 413]);
    // A form without the console's token, without any field, and without what its page had shown.
    for (const answer of [
      visitor.send(act, { form: 'x'.repeat(43) }),
      visitor.ask(act, { method: 'POST', headers: { origin } }),
      visitor.send(act, {}),
    ])
      expect([act, (await answer).status]).toEqual([act, 400]);
    // Nothing is done by looking: some have a page of their own there, which was asked for nothing.
    expect([400, 404]).toContain((await visitor.ask(act)).status);
  }
});

test('a name that is HTML is text on each page that shows it', async () => {
  const office = await openApprovalOffice();
  const { desk } = office;
  await desk.write('pay.csv', csvOf(people(2).map((line, at) => (at === 0 ? { ...line, name: EVIL } : line))));
  await desk.emit(['plan', 'pay.csv', '--batch', 'november', '--key', 'mary.key']);
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
  const { end } = await desk.emit(['run', 'pay.csv', '--scenario', 'settle-min=10,settle-max=20']);
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
