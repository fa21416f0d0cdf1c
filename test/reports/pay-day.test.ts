/** A pay day in a real browser: from a dropped sheet with mistakes to the downloaded workbook, and what goes wrong on the way. */
import { writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { axeIn } from '../support/browser/axe.ts';
import type { OpenPage, View } from '../support/browser/chromium.ts';
import { ownBrowser } from '../support/browser/own-browser.ts';
import { booksOf, paidTraces, play } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { type Desk, openDesk } from '../support/desk/command-line.ts';
import { startConsole } from '../support/desk/console-desk.ts';
import { type Office, openOffice, planOnly } from '../support/desk/live-office.ts';
import { csvOf, people, resultsIn, totalOf } from '../support/desk/payroll-sheet.ts';
import { passingClock } from '../support/fast-clock.ts';

/** What is answered within some seconds is never taken for lost. */
const PATIENT = {
  sending: { requestTimeoutMs: 5_000 },
  inDoubt: { unknownGapMs: 50, quietMs: 10_000 },
  polling: { firstMs: 30, maxMs: 200, deadlineMs: 1_200_000 },
};
/** Nothing is final before a test says so. */
const NEVER = 'settle-min=600000,settle-max=600000';
const MISTAKES = 12;

const browser = ownBrowser();

/** Waits until the page Today is there, and gives its address: all others lie below it. */
async function arrived(page: OpenPage): Promise<string> {
  await expect.poll(() => page.evaluate('document.querySelector("nav a[aria-current]")?.textContent')).toBe('Today');
  return page.evaluate('location.href');
}

/** A page in the browser that opened a console of the desk. */
async function opened(desk: Desk, view: View = {}): Promise<{ page: OpenPage; base: string }> {
  const page = await browser().open((await startConsole(desk)).url, view);
  return { page, base: await arrived(page) };
}

const textOf = (page: OpenPage): Promise<string> => page.evaluate('document.querySelector("main").innerText');
const shows = (page: OpenPage, text: string | RegExp): Promise<void> => expect.poll(() => textOf(page)).toMatch(text);
const click = (page: OpenPage, text: string): Promise<void> =>
  page.leads(() =>
    page.evaluate(
      `[...document.querySelectorAll('main a, main button')].find((one) => one.textContent.includes(${JSON.stringify(text)})).click()`,
    ),
  );
const fill = (page: OpenPage, name: string, value: string): Promise<unknown> =>
  page.evaluate(`document.querySelector('main form[method=post] [name=${name}]').value = ${JSON.stringify(value)}`);

/** What a link of the page hands out. */
async function download(page: OpenPage, text: string): Promise<Buffer> {
  const bytes = await page.evaluate<string>(
    `fetch([...document.querySelectorAll('main a')].find((one) => one.textContent.includes(${JSON.stringify(text)})).href)
      .then((answer) => answer.arrayBuffer()).then((all) => Array.from(new Uint8Array(all), (one) => one.toString(16).padStart(2, '0')).join(''))`,
  );
  return Buffer.from(bytes, 'hex');
}

/** An office whose sheet of three is there. */
async function office(scenario = 'settle-min=20,settle-max=80'): Promise<Office> {
  const site = await openOffice(scenario, PATIENT);
  await site.desk.write('pay.csv', csvOf(people(3)));
  return site;
}

/** Other programs of this computer open so many connections to the console of a page that those go at which nobody works. */
async function holdConnections(page: OpenPage): Promise<void> {
  const port = Number(new URL(await page.evaluate<string>('location.href')).port);
  for (let open = 0; open < 80; open++) {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.once('connect', resolve));
  }
}

/** Pays the sheet on a page, with the total typed. */
async function payOn(page: OpenPage, base: string, batch = 'pay'): Promise<void> {
  await page.goTo(`${base}statement?file=pay.csv&batch=${batch}`);
  await fill(page, 'total', totalOf(3));
  await click(page, 'Pay 3 payments');
}

test('a whole pay day: a sheet with twelve mistakes is dropped, mended, dropped again, paid, and its workbook downloaded', async () => {
  const desk = await openDesk();
  const good = people(30);
  const bad = good.map((line, row) => {
    if (row % 10 === 2) return { ...line, phone: '12' };
    if (row % 10 === 4) return { ...line, amount: '1.500' };
    if (row % 10 === 6) return { ...line, name: '' };
    if (row % 10 === 8) return { ...line, amount: 'many' };
    return line;
  });
  await desk.write('away/payroll.csv', csvOf(bad));
  const { page, base } = await opened(desk);
  const drop = async (): Promise<void> => {
    await page.goTo(`${base}check`);
    await page.drop('#sheet', desk.path('away/payroll.csv'));
    await page.leads(() => page.evaluate('document.querySelector("#sheet").form.submit()'));
  };
  await drop();
  expect(await page.evaluate('document.querySelectorAll("td.at-error").length')).toBe(MISTAKES);
  expect((await download(page, 'marked copy')).toString()).toContain('ERROR C4: Phone number');
  await desk.write('away/payroll.csv', csvOf(good));
  await drop();
  expect(await page.evaluate('document.querySelectorAll("td.at-error").length')).toBe(0);
  await click(page, 'What would it cost?');
  await click(page, 'Rehearse 30 payments');
  expect(await page.evaluate('location.pathname')).toMatch(/running$/);
  // The page is not loaded again: its parts change by themselves.
  await page.evaluate('window.isStill = true');
  await shows(page, /Nothing is left to do/);
  expect(await page.evaluate('window.isStill')).toBe(true);
  const file = desk.path('downloaded.xlsx');
  await writeFile(file, await download(page, 'Download the results workbook'));
  const rows = await resultsIn(file);
  expect(rows).toHaveLength(30);
  expect(new Set(rows.map(({ Outcome }) => Outcome))).toEqual(new Set(['Completed']));
  expect(page.complaints).toEqual([]);
});

test('with the keyboard alone a sheet is paid with real money: choose, look, type the total, pay', async () => {
  const { desk, service } = await office();
  const { page } = await opened(desk);
  const focused = () =>
    page.evaluate<string>('(document.activeElement?.labels?.[0] ?? document.activeElement)?.textContent?.trim() ?? ""');
  const tabTo = async (text: string): Promise<void> => {
    for (let tabs = 0; tabs < 60; tabs++) {
      await page.press('Tab', 9);
      if ((await focused()).includes(text)) return;
    }
    throw new Error(`no key leads to ${text}`);
  };
  const follow = (): Promise<void> => page.leads(() => page.press('Enter', 13));
  await tabTo('Statement');
  await follow();
  await tabTo('pay.csv');
  await follow();
  await tabTo('typed from your own papers');
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
  await page.type(totalOf(3));
  await tabTo('Pay 3 payments');
  await follow();
  await shows(page, /3 of 3 finished/);
  expect(paidTraces(await booksOf(service))).toHaveLength(3);
});

test('two tabs that pay one sheet pay it once, and the second is told what changed', async () => {
  const site = await office();
  const { page, base } = await opened(site.desk);
  const second = await browser().open(`${base}statement?file=pay.csv&batch=pay`);
  await fill(second, 'total', totalOf(3));
  await payOn(page, base);
  await click(second, 'Pay 3 payments');
  expect(await textOf(second)).toMatch(/out of date[\s\S]*batch pay was planned: 3 payments/);
  await click(second, 'Back to that page');
  // The payment is under way; once it is over, the page says that the sheet was paid.
  expect(await textOf(second)).toMatch(/Another run works on batch pay|was already/);
  await shows(page, /3 of 3 finished/);
  expect(paidTraces(await booksOf(site.service))).toHaveLength(3);
});

test('a page that loses the connection says so, and goes on when it is back; a reload and a second tab show the same', async () => {
  const site = await office(NEVER);
  const { page, base } = await opened(site.desk);
  await payOn(page, base);
  await shows(page, /waiting for 3 rows, at most/);
  const isLate = () => page.evaluate('document.querySelector(".late")?.checkVisibility({ visibilityProperty: true })');
  expect(await isLate()).toBe(false);
  await page.offline(true);
  // The console makes room for others, and the page's own connection goes.
  await holdConnections(page);
  await expect.poll(isLate).toBe(true);
  await page.offline(false);
  await expect.poll(isLate).toBe(false);
  const second = await browser().open(await page.evaluate<string>('location.href'));
  await shows(second, /waiting for 3 rows, at most/);
  await page.goTo(await page.evaluate<string>('location.href'));
  await shows(page, /waiting for 3 rows, at most/);
  await play(site.service, 'settle-min=20,settle-max=50');
  site.clock.pass(600_000);
  for (const one of [page, second]) await shows(one, /3 of 3 finished/);
  expect(paidTraces(await booksOf(site.service))).toHaveLength(3);
});

test('the keyboard stays on the links of a page that changes by itself', async () => {
  const site = await office(NEVER);
  const { page, base } = await opened(site.desk);
  await payOn(page, base);
  await shows(page, /waiting for 3 rows, at most/);
  for (const text of ['The batch and all its results', 'Reload this page']) {
    const link = `[...document.querySelectorAll('main a')].find((one) => one.textContent === '${text}')`;
    await page.evaluate(`(window.former = ${link}).focus()`);
    await expect.poll(() => page.evaluate('window.former.isConnected')).toBe(false);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(text);
  }
});

test('without scripts the page of a batch under way is loaded again by itself', async () => {
  const site = await office(NEVER);
  const { page, base } = await opened(site.desk, { scripts: false });
  await payOn(page, base);
  expect(await textOf(page)).toContain('Stop this batch');
  await play(site.service, 'settle-min=20,settle-max=50');
  site.clock.pass(600_000);
  await shows(page, /3 of 3 finished/);
});

test('a console that is killed while it pays has lost nothing: a new one shows the batch, goes on with it, and pays each once', async () => {
  // Processes of their own have the clock of the machine.
  const { desk, service } = await openOffice(NEVER, PATIENT, passingClock(1));
  await desk.write('pay.csv', csvOf(people(3)));
  const start = async (): Promise<{ child: Child; page: OpenPage; base: string }> => {
    const child = new Child(desk, ['console', '--json', '--no-open']);
    await child.until(/"url":"[^"]+"/);
    const page = await browser().open(/"url":"([^"]+)"/.exec(child.stdout)?.[1] ?? '');
    return { child, page, base: await arrived(page) };
  };
  const first = await start();
  await payOn(first.page, first.base);
  await expect.poll(async () => (await booksOf(service)).orders.length).toBe(3);
  first.child.kill('SIGKILL');
  expect((await first.child.end()).exit).toBe(-1);
  await expect
    .poll(() => first.page.evaluate('document.querySelector(".late").checkVisibility({ visibilityProperty: true })'))
    .toBe(true);
  const { page } = await start();
  // What was on its way when the console was killed had been answered or not.
  expect(await textOf(page)).toMatch(/1 batch (?:has|is not finished)/);
  await click(page, 'See the status and continue');
  await play(service, 'settle-min=20,settle-max=50');
  await click(page, 'Resume this batch');
  await shows(page, /finished/);
  // What the service has, it settles in its own time: nothing is sent a second time meanwhile.
  expect((await booksOf(service)).orders).toHaveLength(3);
});

describe.each(['light', 'dark'] as const)('in %s colours', (colours) => {
  test.each([undefined, 360, 700])(
    'axe finds nothing wrong with the pages that pay, and none moves to the side; width %s',
    async (width) => {
      const site = await office(NEVER);
      const view = { colours, ...(width !== undefined && { width }) };
      const { page, base } = await opened(site.desk, view);
      const look = async (): Promise<void> => {
        const { violations, passed } = await axeIn(page);
        expect(violations).toEqual([]);
        expect(passed).toBeGreaterThan(15);
        expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(
          0,
        );
        expect(page.complaints.filter((one) => !one.includes('status of 4'))).toEqual([]);
      };
      await planOnly(
        site.desk,
        people(2).map((line, row) => ({
          ...line,
          reference: `OLD-${row}`,
          phone: `+2547330${row}1234`,
          amount: '77.00',
        })),
        '--batch',
        'earlier',
      );
      await site.desk.write('pay.csv', csvOf(people(3)));
      await site.desk.write('twice.csv', csvOf([...people(2), ...people(1)].map(({ reference: _, ...line }) => line)));
      await page.goTo(`${base}statement?file=pay.csv&batch=pay`);
      await look();
      await page.goTo(`${base}statement?file=twice.csv`);
      await look();
      await page.goTo(`${base}running?id=earlier`);
      await look();
      await page.goTo(`${base}running`);
      await look();
      await page.goTo(`${base}statement?file=pay.csv&batch=pay`);
      await fill(page, 'total', '1');
      await click(page, 'Pay 3 payments');
      await look();
      await payOn(page, base);
      await shows(page, /waiting for 3 rows/);
      await look();
      await play(site.service, 'settle-min=20,settle-max=50');
      site.clock.pass(600_000);
      await shows(page, /3 of 3 finished/);
      await look();
    },
  );
});
