/** In a real browser: rows left out, plans that two people sign with their keys, people who were not paid, and the settings. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/system.ts';
import { axeIn } from '../support/browser/axe.ts';
import { Chromium, chromiumPath, type OpenPage, type View } from '../support/browser/chromium.ts';
import { quickWaits } from '../support/desk/account.ts';
import { type ApprovalOffice, openApprovalOffice } from '../support/desk/approval-desk.ts';
import { Desk } from '../support/desk/command-line.ts';
import { startConsole } from '../support/desk/console-desk.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { needs } from '../support/needs.ts';

let browser: Chromium | undefined;
let desk: Desk | undefined;
let batch = '';

const TIMED_OUT = 4;

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  browser = await Chromium.start(chromiumPath);
  desk = new Desk(await mkdtemp(path.join(tmpdir(), 'paybatch-console-')), systemClock);
  const endings = ['', '01', '02', '03', '04', '08', '09'];
  const lines = people(7).map((line, at) => (at === 0 ? line : { ...line, phone: `+2547120000${endings[at]}` }));
  await desk.write('pay.csv', csvOf(lines));
  await desk.write('next.csv', csvOf(people(9).map((line, at) => (at === 4 ? { ...line, phone: '12' } : line))));
  const polling = { firstMs: 20, maxMs: 100, deadlineMs: 500 };
  await desk.writeConfig({ profiles: { sandbox: { ...quickWaits, polling } } });
  const { end } = await desk.emit(['run', 'pay.csv', '--scenario', 'settle-min=10,settle-max=20']);
  batch = String(end.batch);
  await desk.write('good.csv', csvOf(people(4)));
  await desk.emit(['plan', 'good.csv', '--batch', 'november']);
});

afterAll(async () => {
  await browser?.close();
  if (desk) await rm(desk.folder, { recursive: true, force: true, maxRetries: 3 });
});

beforeEach(needs(chromiumPath !== undefined, 'Chromium (apt-get install chromium)'));

async function opened(on: Pick<ApprovalOffice, 'desk'> | undefined, view: View = {}) {
  const own = on?.desk ?? desk;
  if (!browser || !own) throw new Error('the browser and the desk are there');
  const { url } = await startConsole(own);
  const page = await browser.open(url, view);
  await expect.poll(() => page.evaluate('document.querySelector("nav a[aria-current]")?.textContent')).toBe('Today');
  return { page, base: await page.evaluate<string>('location.href') };
}

const pages = {
  'what waits for somebody': () => '',
  'a check with rows to leave out': () => 'check?file=next.csv&show=all',
  'the people who were not paid': () => `unpaid?id=${batch}`,
  'a row that nobody knows of': () => `unpaid/row?id=${batch}&row=${TIMED_OUT}`,
  'a row in doubt': () => `unpaid/row?id=${batch}&row=8`,
  'rows to try again': () => `unpaid/retry?id=${batch}&row=3&row=7`,
  'the plans': () => 'plans',
  'a plan': () => 'plan?plan=good.SANDBOX-november.plan.json',
  'a plan to make': () => 'plan/new?file=good.csv',
  'the settings': () => 'settings',
  'what a pay day needs': () => 'settings/doctor',
} as const satisfies Record<string, () => string>;
type PageName = keyof typeof pages;
const names = Object.keys(pages) as PageName[];

describe.each(['light', 'dark'] as const)('in %s colours', (colours) => {
  test('axe finds nothing wrong with any of these pages', async () => {
    const { page, base } = await opened(undefined, { colours });
    for (const name of names) {
      await page.goTo(base + pages[name]());
      const { violations, passed } = await axeIn(page);
      expect([name, violations]).toEqual([name, []]);
      expect(passed).toBeGreaterThan(15);
    }
  });
});

test.each([360, 700])('%i pixels wide, none needs moving to the side but in its tables', async (width) => {
  const { page, base } = await opened(undefined, { width });
  for (const name of names) {
    await page.goTo(base + pages[name]());
    const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect([name, await page.evaluate(over)]).toEqual([name, 0]);
  }
});

test('none runs anything, or breaks a rule of its own policy', async () => {
  const { page, base } = await opened(undefined);
  for (const name of names) await page.goTo(base + pages[name]());
  expect(page.complaints).toEqual([]);
});

/** Goes with the keyboard to the link, button or field that is called so, or whose name begins so. */
async function tabTo(page: OpenPage, wanted: string): Promise<void> {
  const named =
    '[document.activeElement.textContent.trim(), document.activeElement.ariaLabel, document.activeElement.labels?.[0]?.textContent].filter(Boolean)';
  const passed: string[] = [];
  for (let tabs = 0; tabs < 90; tabs++) {
    await page.press('Tab', 9);
    const names = await page.evaluate<readonly string[]>(named);
    // A table that can be moved has all that stands in it as its text.
    if (names.some((name) => name.startsWith(wanted))) return;
    passed.push(names.join(' | ').slice(0, 40));
  }
  throw new Error(`no key leads to ${wanted}, only to: ${passed.join(' / ')}`);
}

const typed = (page: OpenPage, text: string): Promise<unknown> =>
  page.evaluate(`document.activeElement.value = ${JSON.stringify(text)}`);

const said = (page: OpenPage): Promise<string> => page.evaluate('document.querySelector("main").innerText');

test('a row is left out and taken back with the keyboard alone, without any script', async () => {
  const { page, base } = await opened(undefined, { scripts: false });
  await page.goTo(`${base}check?file=next.csv&show=all`);
  await tabTo(page, 'Leave rows out');
  await page.press('Enter', 13);
  await tabTo(page, 'Reason');
  await typed(page, 'phone is not known');
  await tabTo(page, 'Leave out row 6');
  await page.press(' ', 32);
  await page.leads(() => page.evaluate('document.getElementById("leave-out").requestSubmit()'));
  expect(await said(page)).toContain('Ready to pay: no problems were found.');
  expect(await said(page)).toContain('phone is not known');
  await tabTo(page, 'Undo: pay row 6');
  await page.leads(() => page.press('Enter', 13));
  expect(await said(page)).toContain('Not ready: 1 error');
});

test('two people sign with keys of their own: one makes the plan, the other one approves it', async () => {
  const office = await openApprovalOffice();
  await office.desk.write('pay.csv', csvOf(people(3)));
  const mary = await opened(office, { scripts: false });
  await mary.page.goTo(`${mary.base}check?file=pay.csv`);
  await tabTo(mary.page, 'Make a plan for others to approve');
  await mary.page.leads(() => mary.page.press('Enter', 13));
  await tabTo(mary.page, 'Your key file');
  await typed(mary.page, 'mary.key');
  await tabTo(mary.page, 'Make the plan');
  await mary.page.leads(() => mary.page.press('Enter', 13));
  expect(await said(mary.page)).toContain('Waiting: 0 of 1 approval.');
  // At another desk, with the same folder.
  const jane = await opened(office, { scripts: false });
  expect(await said(jane.page)).toContain('1 plan is waiting for a signature.');
  await tabTo(jane.page, 'pay-');
  await jane.page.leads(() => jane.page.press('Enter', 13));
  await tabTo(jane.page, 'Total KES');
  await typed(jane.page, '3003.75');
  await tabTo(jane.page, 'Your key file');
  await typed(jane.page, 'jane.key');
  await tabTo(jane.page, 'Sign: it may be paid');
  await jane.page.leads(() => jane.page.press('Enter', 13));
  expect(await said(jane.page)).toContain('Approved: 1 of 1 approval.');
  expect((await readdir(office.desk.folder)).filter((name) => name.endsWith('.jane.approval.json'))).toHaveLength(1);
  await tabTo(jane.page, 'Pay this plan now');
  await jane.page.leads(() => jane.page.press('Enter', 13));
  await until(jane.page, '3 of 3 finished');
  expect(office.service.books().orders).toHaveLength(3);
});

/** Loads the page again until it says so, as a person does without scripts. */
async function until(page: OpenPage, text: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.goTo(await page.evaluate('location.href'));
      return said(page);
    })
    .toContain(text);
}

test('a row that failed is tried again with the keyboard alone: ticked, looked at, and paid once more', async () => {
  const { page, base } = await opened(undefined, { scripts: false });
  await page.goTo(`${base}unpaid?id=${batch}`);
  for (const row of [6, 7]) {
    await tabTo(page, `Try row ${row} again`);
    await page.press(' ', 32);
  }
  await tabTo(page, 'Try the ticked rows again');
  await page.leads(() => page.press('Enter', 13));
  expect(await said(page)).toContain('Pay 1 row again');
  await tabTo(page, 'Try them again now');
  await page.leads(() => page.press('Enter', 13));
  await until(page, 'Download the results');
  const told = await desk?.emit(['report', batch, '--format', 'jsonl']);
  const rows = (await readFile(told?.end.files[0]?.path ?? '', 'utf8'))
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row));
  expect(rows.filter(({ attempt }) => attempt === 2).map(({ row }) => row)).toEqual([3]);
});

test('the word of the provider on a row that nobody knows of is recorded, and a second page is out of date', async () => {
  const { page, base } = await opened(undefined, { scripts: false });
  const second = await opened(undefined, { scripts: false });
  const address = pages['a row that nobody knows of']();
  await second.page.goTo(second.base + address);
  await page.goTo(base + address);
  await tabTo(page, 'Receipt number of the network');
  await typed(page, 'SAF99');
  await tabTo(page, 'Record that it was paid');
  await page.leads(() => page.press('Enter', 13));
  expect(await said(page)).toMatch(/Resolved by hand as paid, receipt SAF99/);
  await tabTo(second.page, 'Receipt number of the network');
  await typed(second.page, 'SAF99');
  await tabTo(second.page, 'Record that it was paid');
  await second.page.leads(() => second.page.press('Enter', 13));
  expect(await said(second.page)).toContain('has continued since.');
});
