/** The pages that paybatch makes, in a real browser: what axe finds, what the script does, what is printed and fetched. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { axeIn } from '../support/browser/axe.ts';
import { Chromium, chromiumPath, type OpenPage, type View } from '../support/browser/chromium.ts';
import { Desk } from '../support/desk/command-line.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { fastClock } from '../support/fast-clock.ts';
import { needs } from '../support/needs.ts';

const clock = fastClock();

/** Endings of the practice service: paid, and not. */
const endings = ['0055', '0055', '0055', '0055', '0055', '0001', '0002', '0004', '0008', '0001'];
const names = ['<img src=x onerror=alert(1)>', '=HYPERLINK("x")', 'Jane Wanjiku', 'سلام Otieno', 'Tom & "Sons"'];
const PAID = 5;

const kinds = ['html', 'slips', 'evidence', 'plan', 'check'] as const;
type Kind = (typeof kinds)[number];
const files = new Map<Kind, string>();
let browser: Chromium | undefined;
let folder: string | undefined;

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  browser = await Chromium.start(chromiumPath);
  folder = await mkdtemp(path.join(tmpdir(), 'paybatch-pages-'));
  const desk = new Desk(folder, clock);
  const lines = people(endings.length).map((line, index) => ({
    ...line,
    name: names[index % names.length] ?? '',
    phone: `+25471${String(index).padStart(3, '0')}${endings[index]}`,
  }));
  await desk.write('pay.csv', csvOf(lines));
  const write = async (kind: Kind, ...words: readonly string[]) => {
    const { end } = await desk.emit([...words]);
    const file = end.files.find(({ path: name }) => name.endsWith('.html'))?.path;
    files.set(kind, path.resolve(desk.folder, file ?? `no page of ${kind}`));
  };
  await write('check', 'validate', 'pay.csv', '--format', 'html');
  await write('plan', 'plan', 'pay.csv', '--page');
  await desk.emit(['run', 'pay.csv']);
  await write('html', 'report', '--format', 'html');
  await write('slips', 'report', '--format', 'slips');
  await write('evidence', 'report', '--format', 'evidence', '--row', '8');
});

afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

beforeEach(needs(chromiumPath !== undefined, 'Chromium (apt-get install chromium)'));

function open(kind: Kind, view?: View): Promise<OpenPage> {
  const file = files.get(kind);
  if (!browser || file === undefined) throw new Error('the browser is there, and so is the page');
  return browser.open(file, view);
}

/** Numbers of the rows that are shown, from above. */
const shownRows = (page: OpenPage): Promise<readonly number[]> =>
  page.evaluate(
    `[...document.querySelectorAll('#rows tbody tr')].filter((row) => row.checkVisibility()).map((row) => Number(row.cells[0].textContent))`,
  );

describe.each(kinds)('the page "%s"', (kind) => {
  test.each(['light', 'dark'] as const)('has nothing that axe finds wrong in %s colours', async (colours) => {
    const { violations, passed } = await axeIn(await open(kind, { colours }));
    expect(violations).toEqual([]);
    expect(passed).toBeGreaterThan(15);
  });

  test('fetches nothing, breaks no rule of its own policy, and has no error', async () => {
    const page = await open(kind);
    expect(await page.evaluate('document.images.length')).toBe(0);
    expect(page.requests).toHaveLength(1);
    expect(page.complaints).toEqual([]);
  });

  test('is dark where the reader wants it so, and light on paper', async () => {
    const paper = (page: OpenPage) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(await paper(await open(kind, { colours: 'light' }))).toBe('rgb(255, 255, 255)');
    expect(await paper(await open(kind, { colours: 'dark' }))).toBe('rgb(23, 25, 28)');
    expect(await paper(await open(kind, { colours: 'dark', media: 'print' }))).toBe('rgb(255, 255, 255)');
  });
});

describe('the report', () => {
  const count = (page: OpenPage) => page.evaluate<string>(`document.getElementById('filter-count').textContent`);
  const all = endings.map((_, index) => index + 2);

  test('filters its rows by words and by outcome, and says how many are shown', async () => {
    const page = await open('html');
    expect([await shownRows(page), await count(page)]).toEqual([all, '10 of 10 rows shown']);
    await page.evaluate(
      `{ const words = document.getElementById('filter-text'); words.value = 'JANE  emp-3'; words.dispatchEvent(new Event('input')); }`,
    );
    expect([await shownRows(page), await count(page)]).toEqual([[4], '1 of 10 rows shown']);
    await page.evaluate(
      `{ const words = document.getElementById('filter-text'); words.value = ''; const outcome = document.getElementById('filter-outcome'); outcome.value = 'completed'; outcome.dispatchEvent(new Event('change')); }`,
    );
    expect([await shownRows(page), await count(page)]).toEqual([all.slice(0, PAID), '5 of 10 rows shown']);
    expect(await page.evaluate(`document.getElementById('filter-count').getAttribute('role')`)).toBe('status');
  });

  test.each([980, 1100, 1400])('shows every column next to a plot, with Pay again?; width %d', async (width) => {
    const page = await open('html', { width });
    const hidden = `[...document.querySelectorAll('.plotted .scroll')].map((at) => at.scrollWidth - at.clientWidth)`;
    const beyond = await page.evaluate<readonly number[]>(hidden);
    expect(beyond.length).toBeGreaterThan(0);
    expect(new Set(beyond)).toEqual(new Set([0]));
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });

  test('is sorted by the keyboard, by figures as figures, up and down', async () => {
    const page = await open('html');
    await page.evaluate(
      `[...document.querySelectorAll('#rows thead button')].find(({ textContent }) => textContent === 'Amount').focus()`,
    );
    const sorted = () =>
      page.evaluate(
        `[...document.querySelectorAll('#rows thead th')].find(({ textContent }) => textContent === 'Amount').getAttribute('aria-sort')`,
      );
    await page.press('Enter', 13);
    expect([await sorted(), await shownRows(page)]).toEqual(['ascending', all]);
    await page.press('Enter', 13);
    expect([await sorted(), await shownRows(page)]).toEqual(['descending', all.toReversed()]);
  });

  test('without its script shows every row, and nothing that would not work', async () => {
    const page = await open('html', { scripts: false });
    expect(await shownRows(page)).toEqual(all);
    expect(await page.evaluate(`document.getElementById('filter').checkVisibility()`)).toBe(false);
    expect(await page.evaluate(`document.querySelectorAll('button').length`)).toBe(0);
  });
});

test('slips are printed four to a page of paper, and nothing else is', async () => {
  const page = await open('slips');
  expect(await page.evaluate(`document.querySelectorAll('.slip').length`)).toBe(PAID);
  expect(await page.printedPages()).toBe(Math.ceil(PAID / 4));
});

test('the data of evidence are not run, and can be read', async () => {
  const page = await open('evidence');
  const read = `JSON.parse(document.getElementById('evidence').textContent).row.row`;
  expect(await page.evaluate(read)).toBe(8);
});
