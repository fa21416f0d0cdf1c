/** A batch that is being paid, as a page shows it: for who comes later, who stops it, and who goes on with it. */
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { UNUSED_MS } from '../../src/console/open-console.ts';
import { systemClock } from '../../src/system.ts';
import { accountIn, booksOf, openService, paidTraces, play, quickProfile } from '../support/desk/account.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { formIn, type RunningConsole, startConsole, type Visitor } from '../support/desk/console-desk.ts';
import { type Office, openOffice, planOnly } from '../support/desk/live-office.ts';
import { csvOf, people, type SheetLine, totalOf } from '../support/desk/payroll-sheet.ts';
import { passingClock } from '../support/fast-clock.ts';
import { BETWEEN_PAGES, seenText } from './page-text.ts';

/** What is answered within two seconds is never taken for lost. */
const PATIENT = { sending: { requestTimeoutMs: 2_000 }, inDoubt: { unknownGapMs: 50, quietMs: 4_000 } };
/** Nothing is final before a test says so. */
const NEVER = 'settle-min=600000,settle-max=600000';

interface Paying extends Office {
  readonly running: RunningConsole;
  readonly visitor: Visitor;
  /** Address of the page Running. */
  readonly page: string;
}

/** A batch under way that somebody began on a page. */
async function paying(scenario: string, rows: readonly SheetLine[] = people(3)): Promise<Paying> {
  const office = await openOffice(scenario, PATIENT);
  await office.desk.write('pay.csv', csvOf(rows));
  const running = await startConsole(office.desk);
  const visitor = await running.enter();
  const { text } = await visitor.ask('statement?file=pay.csv&batch=pay');
  const sent = await visitor.send('pay', { ...formIn(text, 'pay'), total: totalOf(rows.length) });
  expect([sent.status, sent.status === 303 ? '' : sent.text]).toEqual([303, '']);
  return { ...office, running, visitor, page: String(sent.headers.location) };
}

/** Waits until the service has so many orders. */
const taken = ({ service }: Office, count: number): Promise<void> =>
  expect.poll(async () => (await booksOf(service)).orders.length).toBe(count);

/** Waits until the page shows a text, and gives what it shows. */
async function shows(visitor: Visitor, page: string, text: string | RegExp): Promise<string> {
  let html = '';
  await expect
    .poll(async () => {
      html = (await visitor.ask(page)).text;
      return seenText(html);
    }, BETWEEN_PAGES)
    .toMatch(text);
  return html;
}

/** What a page hears while it is open: everything until the last word. */
async function heard({
  running,
  visitor,
  page,
}: Paying): Promise<{ text: () => string; over: Promise<void>; close: () => void }> {
  const cookie = visitor.cookie;
  const asked = request(`${running.origin}${page.replace('running?', 'running/events?')}`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
    agent: false,
  });
  asked.end();
  asked.on('error', () => undefined);
  onTestFinished(() => void asked.destroy());
  const [answer] = await once(asked, 'response');
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  answer.on('error', () => undefined);
  const over = new Promise<void>((resolve) => answer.once('close', resolve));
  return { text: () => text, over, close: () => asked.destroy() };
}

test('what a page hears is how the batch stands, until it is over; text of the sheet is never markup in it', async () => {
  const evil = people(3).map((line, row) => ({ ...line, name: `<img src=x onerror=alert(${row})>` }));
  const site = await paying(NEVER, evil);
  const first = await heard(site);
  await taken(site, 3);
  await expect.poll(() => first.text()).toContain('waiting for 3 rows');
  expect(first.text()).toMatch(/waiting for 3 rows, at most \d+ s/);
  // A second page, and one that lost the connection, hear it as it stands.
  first.close();
  const second = await heard(site);
  await expect.poll(() => second.text()).toContain('waiting for 3 rows');
  await play(site.service, 'settle-min=20,settle-max=50');
  site.clock.pass(600_000);
  await second.over;
  expect(second.text()).toContain('3 of 3 finished');
  expect(second.text()).toContain('event: over');
  expect(second.text()).not.toContain('<img');
});

describe('stop', () => {
  test('lets nothing more leave, needs a reason, and is taken back by resume', async () => {
    const site = await paying(`${NEVER},slow=100`, people(24));
    const { visitor, page, desk, service } = site;
    await expect.poll(async () => (await booksOf(service)).orders.length).toBeGreaterThan(0);
    const { text } = await visitor.ask(page);
    const form = formIn(text, 'running/stop');
    expect((await visitor.send('running/stop', { ...form, reason: ' ' })).status).toBe(400);
    const stopped = await visitor.send('running/stop', { ...form, reason: 'Mary <b>left</b>' });
    expect(stopped.status).toBe(303);
    const { events } = await desk.emit(['status', 'pay']).catch(() => ({ events: [] }));
    expect(JSON.stringify(events)).not.toContain('"exit":0');
    await shows(visitor, page, /stopped the batch \(Mary <b>left<\/b>\)|stopped the batch \(Mary &lt;b/);
    expect((await visitor.ask(page)).text).not.toContain('paybatch stop');
    expect((await visitor.ask(page)).text).not.toContain('<b>left');
    site.clock.pass(600_000);
    const html = await shows(visitor, page, /Resume this batch/);
    const left = (await booksOf(service)).orders.length;
    expect(left).toBeLessThan(24);
    await play(service, 'settle-min=20,settle-max=50');
    const resumed = await visitor.send('running/resume', formIn(html, 'running/resume') ?? {});
    expect([resumed.status, resumed.status === 303 ? '' : resumed.text]).toEqual([303, '']);
    await shows(visitor, page, /24 of 24 finished/);
    const traces = paidTraces(await booksOf(service));
    expect([traces.length, new Set(traces).size]).toEqual([24, 24]);
  });
});

describe('the end of the console while a payment is under way', () => {
  test.each(['Ctrl-C', 'the button'])(
    'by %s: what flies lands and is saved, and a new console goes on',
    async (how) => {
      const site = await paying(NEVER);
      const { running, visitor, desk, service } = site;
      await taken(site, 3);
      if (how === 'Ctrl-C') void running.end();
      else expect((await visitor.send('end', {})).text).toContain('requests in flight are finished');
      const { exit, lines } = await running.ended;
      expect(exit).toBe(130);
      expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({
        type: 'end',
        batch: 'pay',
        rows: { pending: 3, completed: 0 },
      });
      const next = await (await startConsole(desk)).enter();
      const today = (await next.ask('')).text;
      expect(seenText(today)).toContain('1 batch is not finished.');
      expect(today).toMatch(/href="[^"]*running\?id=pay"/);
      const { text } = await next.ask('running?id=pay');
      await play(service, 'settle-min=20,settle-max=50');
      site.clock.pass(600_000);
      const resumed = await next.send('running/resume', formIn(text, 'running/resume') ?? {});
      expect(resumed.status).toBe(303);
      await shows(next, 'running?id=pay', /3 of 3 finished/);
      expect(paidTraces(await booksOf(service))).toHaveLength(3);
    },
  );
});

describe('look again', () => {
  test('asks the service about each row that is not final, shows what it says, and sends nothing', async () => {
    const site = await paying(NEVER);
    const { running, page, desk, service, clock } = site;
    await taken(site, 3);
    await running.end();
    const next = await (await startConsole(desk)).enter();
    const at = `running${new URL(page, running.origin).search}`;
    const html = await shows(next, at, /The service is asked once about 3 rows that are not final/);
    await play(service, 'settle-min=20,settle-max=50');
    clock.pass(600_000);
    const looked = await next.send('running/look', formIn(html, 'running/look') ?? {});
    expect([looked.status, looked.status === 303 ? '' : looked.text]).toEqual([303, '']);
    const after = await shows(next, at, /3 of 3 finished/);
    expect(formIn(after, 'running/look')).toBeUndefined();
    expect((await booksOf(service)).orders).toHaveLength(3);
  });

  test('is no way to send: a row that never left stays where it is', async () => {
    const office = await openOffice('settle-min=20,settle-max=50', PATIENT);
    const { desk, service } = office;
    await planOnly(desk, people(3));
    const visitor = await (await startConsole(desk)).enter();
    const { text } = await visitor.ask('running?id=pay');
    // There is nothing to ask about, so the page has no such form.
    expect(formIn(text, 'running/look')).toBeUndefined();
    const looked = await visitor.send('running/look', formIn(text, 'running/resume') ?? {});
    expect(looked.status).toBe(303);
    await shows(visitor, 'running?id=pay', /Resume this batch/);
    expect((await booksOf(service)).orders).toHaveLength(0);
  });
});

test('a page from which somebody would resume is out of date once somebody else has gone on', async () => {
  const office = await openOffice('settle-min=20,settle-max=50', PATIENT);
  const { desk, service } = office;
  await planOnly(desk, people(3));
  const visitor = await (await startConsole(desk)).enter();
  const { text } = await visitor.ask('running?id=pay');
  const form = formIn(text, 'running/resume') ?? {};
  expect((await desk.emit(['resume', 'pay'])).exit).toBe(0);
  const { status, text: says } = await visitor.send('running/resume', form);
  expect([status, seenText(says)]).toEqual([409, expect.stringContaining('batch pay has continued since')]);
  expect(paidTraces(await booksOf(service))).toHaveLength(3);
});

test('a batch that a terminal pays is shown as it goes on, and resuming it meanwhile is refused', async () => {
  const office = await openOffice(NEVER, PATIENT);
  const { desk, service, clock } = office;
  await planOnly(desk, people(3));
  const visitor = await (await startConsole(desk)).enter();
  const form = formIn((await visitor.ask('running?id=pay')).text, 'running/resume') ?? {};
  const terminal = desk.emit(['resume', 'pay']);
  await taken(office, 3);
  const html = await shows(visitor, 'running?id=pay', /Another command is working on it/);
  expect(html).toContain('sse-connect');
  expect(formIn(html, 'running/resume')).toBeUndefined();
  expect((await visitor.send('running/resume', form)).status).toBe(409);
  expect(seenText((await visitor.ask('running')).text)).toMatch(/In progress now: .*resume/);
  await play(service, 'settle-min=20,settle-max=50');
  clock.pass(600_000);
  expect((await terminal).exit).toBe(0);
  await shows(visitor, 'running?id=pay', /3 of 3 finished/);
});

test('rows that were not paid are counted by their reason', async () => {
  const office = await openOffice('settle-min=20,settle-max=50', PATIENT);
  const { desk } = office;
  const rows = people(4).map((line, row) => (row < 2 ? { ...line, phone: `+2547120${row}0001` } : line));
  await desk.write('pay.csv', csvOf(rows));
  const visitor = await (await startConsole(desk)).enter();
  const { text } = await visitor.ask('statement?file=pay.csv&batch=pay');
  await visitor.send('pay', { ...formIn(text, 'pay'), total: totalOf(4) });
  const html = await shows(visitor, 'running?id=pay', /Why rows were not paid.*Download the results workbook/);
  const reasons = (await desk.emit(['status', 'pay'])).events.flatMap(({ type, reason, outcome }) =>
    type === 'row.outcome' && outcome === 'rejected' ? [String(reason)] : [],
  );
  expect(reasons).toHaveLength(2);
  expect(seenText(html)).toContain(`2 ${reasons[0]?.replace(/\s+/g, ' ')}`);
});

test('while others are still waited for, the page counts those that failed, with their reasons', async () => {
  const rows = people(3).map((line, row) => (row === 0 ? { ...line, phone: '+254712000001' } : line));
  const site = await paying(
    'settle-min=20,settle-max=50',
    rows.map((line, row) => (row === 1 ? { ...line, phone: '+254712000003' } : line)),
  );
  const page = await heard(site);
  await expect.poll(() => seenText(page.text())).toMatch(/Rejected 1 .*Why rows were not paid .*rejected/);
  expect(page.text()).not.toContain('event: over');
});

test('a payment under way keeps a console open that nobody uses', async () => {
  const leaping = passingClock();
  const [desk, service] = [await openDesk(leaping), await openService(NEVER)];
  const polling = { firstMs: 30, maxMs: 60_000, deadlineMs: 10 * UNUSED_MS };
  await desk.writeConfig({ profiles: { env: { ...quickProfile(service.routes), ...PATIENT, polling } } });
  desk.payBy(accountIn(service));
  await desk.write('pay.csv', csvOf(people(2)));
  const running = await startConsole(desk);
  const visitor = await running.enter();
  const { text } = await visitor.ask('statement?file=pay.csv&batch=pay');
  await visitor.send('pay', { ...formIn(text, 'pay'), total: totalOf(2) });
  await expect.poll(async () => (await booksOf(service)).orders.length).toBe(2);
  for (let hours = 0; hours < 3; hours++) {
    leaping.pass(UNUSED_MS + 60_000);
    await systemClock.sleep(50);
  }
  expect((await visitor.ask('running?id=pay')).status).toBe(200);
});
