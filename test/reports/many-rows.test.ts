/**
 * A long payroll on the pages: checked, stated, paid and handed out, in pages and memory that do not grow with it. 2,000 rows here;
 * `npm run campaign:many-rows` has 20,000.
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { OpenPage } from '../support/browser/chromium.ts';
import { ownBrowser } from '../support/browser/own-browser.ts';
import { booksOf, paidTraces } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { openOffice } from '../support/desk/live-office.ts';
import { csvOf, resultsIn, type SheetLine } from '../support/desk/payroll-sheet.ts';
import { passingClock } from '../support/fast-clock.ts';

const ROWS = Number(process.env['PAYBATCH_TEST_ROWS'] ?? 2_000);
/** Bytes of a page, however long the sheet is. */
const PAGE_BYTES_MAX = 2_000_000;
/** What the process of the console may use, in MB: most of it is what Node.js has not given back yet. */
const PEAK_MB_MAX = 700;
/** How long a busy machine may take to pay them, in milliseconds. */
const PATIENCE_MS = 1_800_000;
/** What is answered within half a minute is never taken for lost, and each payment is followed until the test lets it end. */
const PATIENT = {
  sending: { requestTimeoutMs: 30_000 },
  polling: { firstMs: 30, maxMs: 1000, deadlineMs: PATIENCE_MS },
  inDoubt: { unknownGapMs: 50, quietMs: 60_000 },
};
/** Payments end within this of the service's clock, which the test lets pass in quarters: a fast machine shows as many steps as a slow one. Milliseconds. */
const SETTLED_WITHIN_MS = 600_000;

const browser = ownBrowser();

const lines: readonly SheetLine[] = Array.from({ length: ROWS }, (_, at) => ({
  reference: `EMP-${at + 1}`,
  name: `Person ${at + 1}`,
  phone: `+25471${String(at).padStart(5, '0')}55`,
  amount: `${100 + (at % 400)}.00`,
}));
const total = lines.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(2);

/** The most memory that a process has had, in MB. */
const peakMbOf = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Does what leads to another page, and finds that page short. */
async function toShortPage(page: OpenPage, work: () => Promise<unknown>): Promise<void> {
  await page.leads(work);
  const bytes = await page.evaluate<number>('new TextEncoder().encode(document.documentElement.outerHTML).length');
  expect(bytes).toBeLessThan(PAGE_BYTES_MAX);
}

const click = (page: OpenPage, text: string): Promise<unknown> =>
  page.evaluate(
    `[...document.querySelectorAll('main a, main button')].find((one) => one.textContent.includes(${JSON.stringify(text)})).click()`,
  );
/** What a link of the page hands out. */
async function downloaded(page: OpenPage, text: string): Promise<Buffer> {
  const bytes = await page.evaluate<string>(
    `fetch([...document.querySelectorAll('main a')].find((one) => one.textContent.includes(${JSON.stringify(text)})).href)
      .then((answer) => answer.arrayBuffer()).then((all) => new Uint8Array(all).toBase64())`,
  );
  return Buffer.from(bytes, 'base64');
}

const textOf = (page: OpenPage): Promise<string> => page.evaluate('document.querySelector("main").innerText');

test(`${ROWS} rows are checked and paid on pages that stay short, and come back in one workbook`, {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  // Processes of their own have the clock of the machine.
  const slow = `settle-min=${SETTLED_WITHIN_MS / 10},settle-max=${SETTLED_WITHIN_MS}`;
  const { desk, service, clock } = await openOffice(slow, PATIENT, passingClock(1));
  await desk.write('away/pay.csv', csvOf(lines));
  const child = new Child(desk, ['console', '--json', '--no-open']);
  await child.until(/"url":"[^"]+"/);
  const page = await browser().open(/"url":"([^"]+)"/.exec(child.stdout)?.[1] ?? '');
  await expect.poll(() => page.evaluate('document.querySelector("nav a[aria-current]")?.textContent')).toBe('Today');
  const base = await page.evaluate<string>('location.href');

  await page.goTo(`${base}check`);
  await page.drop('#sheet', desk.path('away/pay.csv'));
  await toShortPage(page, () => page.evaluate('document.querySelector("#sheet").form.submit()'));
  expect(await page.evaluate('document.querySelector("#rows").textContent')).toContain(`Page 1 of ${ROWS / 200}`);
  await toShortPage(page, () => click(page, 'What would it cost?'));
  await page.evaluate(`document.querySelector('form.act [name=total]').value = '${total}'`);
  await toShortPage(page, () => click(page, `Pay ${ROWS.toLocaleString('en')} payments`));
  const batch = await page.evaluate<string>('new URL(location.href).searchParams.get("id")');
  // The page is not loaded again: what it shows goes on by itself.
  await page.evaluate('window.isStill = true');
  const seen = new Set<number>();
  const done = async (): Promise<number> => {
    const rows = await page.evaluate<number>('document.querySelector("progress").value');
    seen.add(rows);
    return rows;
  };
  const isAllSent = async (): Promise<boolean> =>
    (await done()) === ROWS || (await booksOf(service)).orders.length === ROWS;
  await expect.poll(isAllSent, { timeout: PATIENCE_MS }).toBe(true);
  for (let before = await done(); before < ROWS; before = await done()) {
    clock.pass(SETTLED_WITHIN_MS / 4);
    await expect.poll(done, { timeout: PATIENCE_MS }).toBeGreaterThan(before);
  }
  expect(seen.size).toBeGreaterThan(3);
  await expect.poll(() => textOf(page), { timeout: PATIENCE_MS }).toMatch(/Nothing is left to do/);
  expect(await page.evaluate('window.isStill')).toBe(true);
  for (const way of ['', 'history', 'running', `batch?id=${batch}`, `unpaid?id=${batch}`, 'history?search=Person 7'])
    await toShortPage(page, () => page.goTo(base + way));
  expect(await textOf(page)).toContain('Person 7');

  await page.goTo(`${base}running?id=${batch}`);
  const file = desk.path('downloaded.xlsx');
  await writeFile(file, await downloaded(page, 'Download the results workbook'));
  const rows = await resultsIn(file);
  expect(rows).toHaveLength(ROWS);
  expect(new Set(rows.map(({ Outcome }) => Outcome))).toEqual(new Set(['Completed']));
  expect(paidTraces(await booksOf(service))).toHaveLength(ROWS);
  expect(peakMbOf(child.process.pid)).toBeLessThan(PEAK_MB_MAX);
});
