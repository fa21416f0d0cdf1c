import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forgetPeople } from '../../../src/sandbox/books/forget-people.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { specMessages } from '../../support/spec-messages.ts';
import { practise, temporaryFolder } from '../practice.ts';
import { sendGiven, sendMessage } from '../send-message.ts';

/** What the books say of money, and of everything that moved some. */
function figuresOf(sandbox: Sandbox): unknown {
  const { opening, received, paid, fees, balance, orders } = sandbox.books();
  const lines = orders.map(({ id, posts, lines: all }) => ({
    id,
    posts,
    lines: all.map(({ trace, amount, status }) => ({ trace, amount, status })),
  }));
  return { opening, received, paid, fees, balance, lines };
}

/** What the fields of people say, wherever they stand. */
const FIELD = /"\w*(?:name|phone|account|email|msisdn|idnumber|nationalid|address)\w*":"([^"]{5,})"/gi;

test('books whose people were taken out begin again with the same figures, whatever was taken', async () => {
  const folder = await temporaryFolder();
  const first = await practise({ folder });
  let taken = 0;
  for (const message of [...specMessages.values()].filter(({ request }) => request.method !== 'GET')) {
    const answer = await sendMessage(first, message, await sendGiven(first, message).catch(() => new Map()));
    if (answer.status === 200) taken += 1;
  }
  expect(taken).toBeGreaterThan(10);
  first.clock.pass(600_000);
  const before = figuresOf(first.sandbox);
  await first.sandbox.close();
  const journal = (): string => readFileSync(join(folder, 'books.ndjson'), 'utf8');
  const people = new Set(Array.from(journal().matchAll(FIELD), ([, text = '']) => text));
  const requests = journal()
    .split('\n')
    .filter((line) => /"type":"(taken|requested|link-changed)"/.test(line)).length;
  expect(await forgetPeople(folder, async () => true)).toBeGreaterThanOrEqual(requests);
  const after = await practise({ folder });
  after.clock.pass(600_000);
  expect(figuresOf(after.sandbox)).toEqual(before);
  await after.sandbox.close();
  expect(people.size).toBeGreaterThan(10);
  expect([...people].filter((text) => journal().includes(text))).toEqual([]);
  expect(await forgetPeople(folder, async () => true)).toBe(0);
});
