/** What a reader sees of a page, what its forms send, and where a payment leads to. */
import { expect } from 'vitest';
import { type Answer, formIn, type Visitor } from '../support/desk/console-desk.ts';

/** The page as one line of text. */
export const seenText = (html: string): string =>
  html
    .replace(/<(?:title|option)[^>]*>[^<]*<\/(?:title|option)>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/\s+/g, ' ');

/** What the form of a page sends as it stands there. Throws where the page has no such form. */
export function formOn(html: string, action: string): Readonly<Record<string, string>> {
  const form = formIn(html, action);
  if (form) return form;
  throw new Error(`the page has no form for ${action}: ${seenText(html)}`);
}

/** How long a reader waits before the next look: making a page takes a processor longer than most waits. */
export const BETWEEN_PAGES = { interval: 200 };

/** Waits until nobody is at work on the batch that a payment leads to, and gives the page of it. */
export async function overOn(visitor: Visitor, sent: Answer): Promise<string> {
  expect([sent.status, sent.status === 303 ? '' : sent.text]).toEqual([303, '']);
  let page = '';
  await expect
    .poll(async () => {
      page = (await visitor.ask(String(sent.headers.location))).text;
      return page.includes('sse-connect');
    }, BETWEEN_PAGES)
    .toBe(false);
  return seenText(page);
}
