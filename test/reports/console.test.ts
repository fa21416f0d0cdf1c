/** The console in a real browser: who gets in and who does not, what axe finds, the keyboard alone, narrow windows, paper. */

import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/system.ts';
import { axeIn } from '../support/browser/axe.ts';
import { Chromium, chromiumPath, type OpenPage, type View } from '../support/browser/chromium.ts';
import { Desk } from '../support/desk/command-line.ts';
import { type RunningConsole, startConsole } from '../support/desk/console-desk.ts';
import { csvOf, people } from '../support/desk/payroll-sheet.ts';
import { needs } from '../support/needs.ts';

let browser: Chromium | undefined;
let desk: Desk | undefined;
let batch = '';

/** A sheet with twelve mistakes, of several kinds. */
const MISTAKES = 12;
const badLines = people(30).map((line, row) => {
  if (row % 10 === 2) return { ...line, phone: '12' };
  if (row % 10 === 4) return { ...line, amount: '1.500' };
  if (row % 10 === 6) return { ...line, name: '' };
  if (row % 10 === 8) return { ...line, amount: 'many' };
  return line;
});

beforeAll(async () => {
  if (chromiumPath === undefined) return;
  browser = await Chromium.start(chromiumPath);
  desk = new Desk(await mkdtemp(path.join(tmpdir(), 'paybatch-console-')), systemClock);
  const paid = people(8).map((line, row) => (row === 3 ? { ...line, phone: '+254712340002' } : line));
  await desk.write('october.csv', csvOf(paid));
  await desk.write('november.csv', csvOf(people(9).map((line, row) => ({ ...line, amount: `${2000 + row}.00` }))));
  await desk.write('bad.csv', csvOf(badLines));
  await desk.write('two.csv', 'name,phone,Salary,Payable\nJane,0712345655,5000,4000\nTom,0712345755,6000,5000\n');
  await desk.write(
    '<b>evil & "co".csv',
    csvOf([{ name: '<img src=x onerror=alert(1)>', phone: '12', amount: '<b>1</b>' }]),
  );
  const { end } = await desk.emit(['run', 'october.csv']);
  batch = String(end.batch);
  await desk.emit(['schedule', 'add', 'payroll', '--sheet', '{period}.csv', '--on', 'last weekday', '--at', '09:00']);
});

afterAll(async () => {
  await browser?.close();
  if (desk) await rm(desk.folder, { recursive: true, force: true, maxRetries: 3 });
});

beforeEach(needs(chromiumPath !== undefined, 'Chromium (apt-get install chromium)'));

function theirs(): { readonly browser: Chromium; readonly desk: Desk } {
  if (!browser || !desk) throw new Error('the browser and the desk are there');
  return { browser, desk };
}

/** Waits until the page Today is there, and gives its address: all others lie below it. */
async function arrived(page: OpenPage): Promise<string> {
  await expect.poll(() => page.evaluate('document.querySelector("nav a[aria-current]")?.textContent')).toBe('Today');
  return page.evaluate('location.href');
}

/** A console, and a page in the browser that opened it. */
async function opened(view: View = {}): Promise<{ running: RunningConsole; page: OpenPage; base: string }> {
  const running = await startConsole(theirs().desk);
  const page = await theirs().browser.open(running.url, view);
  return { running, page, base: await arrived(page) };
}

const pages = {
  Today: () => '',
  'choosing a sheet': () => 'check',
  'a check with problems': () => 'check?file=bad.csv',
  'a check of every row': () => 'check?file=bad.csv&show=all',
  'a question about headings': () => 'check?file=two.csv',
  'a check of HTML': () => `check?file=${encodeURIComponent('<b>evil & "co".csv')}`,
  'a statement': () => 'statement?file=november.csv',
  'a statement that is refused': () => 'statement?file=october.csv',
  History: () => 'history?search=person',
  'a batch': () => `batch?id=${batch}`,
  'what did not work': () => 'check?file=nothing.csv',
} as const satisfies Record<string, () => string>;
type PageName = keyof typeof pages;
const names = Object.keys(pages) as PageName[];

describe.each(['light', 'dark'] as const)('in %s colours', (colours) => {
  test.each(names)('axe finds nothing wrong with %s', async (name) => {
    const { page, base } = await opened({ colours });
    await page.goTo(base + pages[name]());
    const { violations, passed } = await axeIn(page);
    expect(violations).toEqual([]);
    expect(passed).toBeGreaterThan(15);
  });
});

// A phone, and a window of 1400 pixels at 200 %.
describe.each([360, 700])('%i pixels wide,', (width) => {
  test.each(names)('%s needs no moving to the side but in its tables', async (name) => {
    const { page, base } = await opened({ width });
    await page.goTo(base + pages[name]());
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });
});

test('every page asks this console alone, runs nothing, and breaks no rule of its own policy', async () => {
  const { page, base, running } = await opened();
  for (const name of names) {
    if (name === 'what did not work') continue;
    await page.goTo(base + pages[name]());
    expect(await page.evaluate('document.scripts.length')).toBe(0);
  }
  expect(page.complaints).toEqual([]);
  expect([...new Set(page.requests.map((url) => new URL(url).origin))]).toEqual([running.origin]);
});

describe('the browser of the user', () => {
  test('is opened by a file for the user alone that leads to the console, and is told no address itself', async () => {
    const { desk, browser } = theirs();
    const folder = desk.path('bin');
    const told = desk.path('opened.txt');
    await desk.write(
      'bin/xdg-open',
      `#!/bin/sh\nprintf '%s ' "$@" > "${told}.part"\nenv >> "${told}.part"\nmv "${told}.part" "${told}"\n`,
    );
    await chmod(path.join(folder, 'xdg-open'), 0o700);
    const stop = new AbortController();
    const env = { PATH: `${folder}:${process.env['PATH']}`, PAYBATCH_CLIENT_SECRET: 'nobody-else' };
    const ended = desk.say(['console'], { signal: stop.signal, env });
    onTestFinished(async () => {
      stop.abort('SIGINT');
      await ended;
    });
    await expect.poll(() => readFile(told, 'utf8').catch(() => '')).not.toBe('');
    const said = await readFile(told, 'utf8');
    const [file = ''] = said.split(' ');
    expect(file).toMatch(/open\.html$/);
    expect(said).not.toMatch(/http|nobody-else|PAYBATCH_/);
    const page = await browser.open(file);
    await arrived(page);
    // The address is used up.
    const again = await browser.open(file);
    await expect.poll(() => again.evaluate('document.body.innerText')).toContain('used already');
  });

  test('goes through a check with the keyboard alone', async () => {
    const { page } = await opened({ scripts: false });
    const focused = () => page.evaluate<string>('document.activeElement?.textContent?.trim() ?? ""');
    const tabTo = async (text: string): Promise<void> => {
      for (let tabs = 0; tabs < 40; tabs++) {
        await page.press('Tab', 9);
        if ((await focused()).includes(text)) return;
      }
      throw new Error(`no key leads to ${text}`);
    };
    await page.press('Tab', 9);
    expect(await focused()).toBe('Skip to the content');
    await tabTo('Check');
    await page.leads(() => page.press('Enter', 13));
    await tabTo('november.csv');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.leads(() => page.press('Enter', 13));
    expect(await page.evaluate('document.querySelector("h1").textContent')).toBe('Check of november.csv');
    await tabTo('What would it cost?');
    await page.leads(() => page.press('Enter', 13));
    expect(await page.evaluate('document.querySelector("h1").textContent')).toBe('Statement of november.csv');
    expect(await page.evaluate('document.querySelector("main").innerText')).toContain('Wallet after');
  });

  test('drops a sheet with twelve mistakes, and sees each at its cell, without any script', async () => {
    const { page, base } = await opened({ scripts: false });
    await page.goTo(`${base}check`);
    await page.drop('#sheet', theirs().desk.path('bad.csv'));
    await page.leads(() => page.evaluate('document.querySelector("#sheet").form.submit()'));
    expect(await page.evaluate('document.querySelector(".verdict").textContent')).toContain(`${MISTAKES} errors`);
    expect(await page.evaluate('document.querySelectorAll("td.at-error").length')).toBe(MISTAKES);
    expect(
      await page.evaluate(
        '[...document.querySelectorAll("td.at-error")].every((cell) => cell.innerText.includes("Error:"))',
      ),
    ).toBe(true);
  });

  test('prints a statement without what only a screen needs', async () => {
    const { page, base } = await opened({ media: 'print', colours: 'dark' });
    await page.goTo(`${base}statement?file=november.csv`);
    expect(await page.printedPages()).toBeGreaterThan(0);
    const shown = (selector: string) =>
      page.evaluate(`[...document.querySelectorAll('${selector}')].some((one) => one.checkVisibility())`);
    expect([await shown('nav'), await shown('form'), await shown('.banner'), await shown('table')]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  });
});

describe('a page of another server of this computer, in the browser that has the console open,', () => {
  /** Serves a page under 127.0.0.1, and keeps what it was sent. */
  async function otherServer(html: (own: string) => string): Promise<{ url: string; cookies: (string | undefined)[] }> {
    const cookies: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      cookies.push(request.headers.cookie);
      response.setHeader('content-type', 'text/html').end(html(`http://${request.headers.host}`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, cookies };
  }

  test('sends a form in vain, and is sent no cookie', async () => {
    const { page, base, running } = await opened();
    const token = await page.evaluate<string>('document.querySelector("input[name=form]").value');
    // Even with the token of our forms, which it could not know.
    const { url, cookies } = await otherServer(
      () => `<form id="f" method="post" action="${base}end"><input name="form" value="${token}"></form>`,
    );
    const other = await theirs().browser.open(url);
    await other.leads(() => other.evaluate('document.getElementById("f").submit()'));
    expect(await other.evaluate('document.body.innerText')).toContain('not from a page of this console');
    expect(cookies.filter((cookie) => cookie !== undefined)).toEqual([]);
    expect((await running.ask('/')).status).toBe(403);
    await page.goTo(base);
    expect(await arrived(page)).toBe(base);
  });

  test('reads nothing, frames nothing, and cannot lead into it with what it was shown', async () => {
    const { base } = await opened();
    const { url } = await otherServer(
      () =>
        `<iframe id="i" src="${base}history"></iframe><img id="p" src="${base}style.css"><a id="a" href="${base}history">x</a>`,
    );
    const other = await theirs().browser.open(url);
    expect(await other.evaluate(`fetch('${base}history').then((answer) => answer.text(), () => 'refused')`)).toBe(
      'refused',
    );
    expect(
      await other.evaluate(
        `fetch('${base}history', { mode: 'no-cors', credentials: 'include' }).then((answer) => answer.type, () => 'refused')`,
      ),
    ).toMatch(/^(?:opaque|refused)$/);
    expect(
      await other.evaluate(
        '(() => { try { return document.getElementById("i").contentDocument?.body?.innerText ?? "closed"; } catch { return "closed"; } })()',
      ),
    ).toBe('closed');
    await other.leads(() => other.evaluate('document.getElementById("a").click()'));
    expect(await other.evaluate('document.body.innerText')).toContain('from another site');
  });
});
