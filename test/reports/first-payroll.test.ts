/** How much a finance officer does and reads from `npx paybatch console` to a rehearsed payroll, counted on the way. */
import { expect, test } from 'vitest';
import type { OpenPage } from '../support/browser/chromium.ts';
import { ownBrowser } from '../support/browser/own-browser.ts';
import { openDesk } from '../support/desk/command-line.ts';
import { startConsole } from '../support/desk/console-desk.ts';

/** The same way in the terminal, as people were watched on it. */
const IN_THE_TERMINAL = { commands: 5, words: 880 };

const browser = ownBrowser();

/** Somebody who clicks, and reads all that a page shows of it but what does the same in a terminal. */
class Walker {
  readonly #page: OpenPage;
  clicks = 0;
  typed = 0;
  words = 0;

  constructor(page: OpenPage) {
    this.#page = page;
  }

  async read(): Promise<void> {
    const text = await this.#page.evaluate<string>(`(() => {
      const main = document.querySelector('main').cloneNode(true);
      for (const one of main.querySelectorAll('.command, .spoken, .late, details > :not(summary)')) one.remove();
      document.body.append(main);
      const text = main.innerText;
      main.remove();
      return text;
    })()`);
    this.words += text.split(/\s+/).filter((word) => /\p{L}|\d/u.test(word)).length;
  }

  /** Clicks on a link or button whose words begin so. */
  async click(words: string): Promise<void> {
    const found = `[...document.querySelectorAll('nav a, main a, main button')].find((one) => one.textContent.trim().startsWith(${JSON.stringify(words)}))`;
    this.clicks += 1;
    // What the form of a button does not take empty, somebody has to type.
    this.typed += await this.#page.evaluate<number>(`${found}.form?.querySelectorAll(':invalid').length ?? 0`);
    await this.#page.leads(() => this.#page.evaluate(`${found}.click()`));
  }
}

test('a first payroll is rehearsed with four clicks, nothing typed, and less than half the words of the terminal', async () => {
  const desk = await openDesk();
  await desk.takeSamples();
  const page = await browser().open((await startConsole(desk)).url);
  await expect.poll(() => page.evaluate('document.querySelector("nav a[aria-current]")?.textContent')).toBe('Today');
  const walker = new Walker(page);
  await walker.read();
  for (const step of ['Check', 'payroll.xlsx', 'What would it cost?', 'Rehearse']) {
    await walker.click(step);
    if (step !== 'Rehearse') await walker.read();
  }
  await expect.poll(() => page.evaluate('document.querySelector("main").innerText')).toMatch(/Nothing is left to do/);
  await walker.read();
  expect([walker.clicks, walker.typed]).toEqual([4, 0]);
  expect(walker.clicks).toBeLessThan(IN_THE_TERMINAL.commands);
  expect(walker.words).toBeLessThan(IN_THE_TERMINAL.words / 2);
});
