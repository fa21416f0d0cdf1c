/** The service calls back, the receiver keeps, and a run makes use of it: three processes that share no memory. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Inbox } from '../../src/callbacks/inbox.ts';
import type { Books } from '../../src/sandbox/sandbox.ts';
import { practise } from '../sandbox/practice.ts';
import { sendGiven, sendMessage } from '../sandbox/send-message.ts';
import { accountIn, openService, quickProfile } from '../support/desk/account.ts';
import { Child } from '../support/desk/child.ts';
import { type Desk, type JsonLine, openDesk } from '../support/desk/command-line.ts';
import { resultsIn } from '../support/desk/payroll-sheet.ts';
import { messageNamed, specCallbacks } from '../support/spec-messages.ts';

const WRITTEN = /https:\/\/callbacks\.example\.test(\/\w+)/g;

async function listenAt(desk: Desk): Promise<{ readonly child: Child; readonly url: string }> {
  const child = new Child(desk, ['listen', '--port', '0', '--json']);
  await child.until(/\n/);
  return { child, url: String(eventsOf(child, 'listening')[0]?.['url']) };
}

const eventsOf = ({ stdout }: Child, type: string): readonly JsonLine[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JsonLine)
    .filter((event) => event['type'] === type);

/** Callbacks that the practice service sends by itself, and that are read as a result. */
const sent = [...specCallbacks.values()].filter(({ sentAfter, read }) => sentAfter !== undefined && read !== false);

describe('the practice service and the receiver', () => {
  test.each([
    ['at an address for each topic', true],
    ['at one address for all', false],
  ])('understand each other in every topic, %s', async (_, byTopic) => {
    const desk = await openDesk();
    const { child, url } = await listenAt(desk);
    const practice = await practise();
    for (const { sentAfter = '' } of sent) {
      const text = JSON.stringify(messageNamed(sentAfter)).replaceAll(WRITTEN, byTopic ? `${url}$1` : url);
      const message = JSON.parse(text) as ReturnType<typeof messageNamed>;
      const answer = await sendMessage(practice, message, await sendGiven(practice, message));
      expect(answer.status, answer.text).toBe(200);
    }
    practice.clock.pass(60_000);
    // Time passes; the service notices at the next thing that it is asked.
    await practice.get('/__sandbox/books');
    await expect.poll(() => eventsOf(child, 'callback').length).toBe(sent.length);

    const told = eventsOf(child, 'callback');
    expect(new Set(told.map(({ topic }) => topic))).toEqual(new Set(sent.map(({ topic }) => topic)));
    expect(told.filter(({ fits }) => fits !== true)).toEqual([]);
    const inbox = new Inbox(path.join(desk.home, 'sandbox', 'callbacks.db'));
    const kept = await inbox.since(0, 100);
    await inbox.close();
    expect(kept.map(({ seq, subject }) => [seq, subject])).toEqual(told.map(({ seq, subject }) => [seq, subject]));
    child.kill('SIGINT');
    expect((await child.end()).exit).toBe(0);
    expect(eventsOf(child, 'listened')).toMatchObject([
      { kept: sent.length, unreadable: 0, unwritten: 0, turnedAway: 0 },
    ]);
  });
});

describe('airtime at a service that cannot be asked about it', () => {
  const SHEET = `Name,Payment type,Phone,Amount
Jane Wanjiku,airtime,0712345655,100
Ali Hassan,airtime,+254712000155,250
`;
  const totals = ['--expect-count', '2', '--expect-total', '350.00'];

  /** A desk with an account, whose orders name a receiver. */
  async function deskWith(callbackUrlOf: (desk: Desk) => Promise<string>): Promise<readonly [Desk, () => Books]> {
    const desk = await openDesk();
    const service = await openService();
    desk.payBy(accountIn(service));
    await desk.write('airtime.csv', SHEET);
    const profile = { ...quickProfile(service.routes), polling: { firstMs: 30, maxMs: 200, deadlineMs: 3000 } };
    await desk.writeConfig({ profiles: { env: profile } });
    await desk.writeConfig({ profiles: { env: { ...profile, callbacks: { url: await callbackUrlOf(desk) } } } });
    return [desk, () => service.books()];
  }

  test('ends by its callback, at the latest when somebody looks again', async () => {
    const listening: Child[] = [];
    const [desk, books] = await deskWith(async (at) => {
      const { child, url } = await listenAt(at);
      listening.push(child);
      return url;
    });
    const ran = await desk.emit(['run', 'airtime.csv', ...totals, '--accept-unverifiable', '2']);
    expect(ran.events.filter(({ type }) => type === 'fault')).toEqual([]);
    const told = (): number => listening.flatMap((child) => eventsOf(child, 'callback')).length;
    await expect.poll(told).toBe(2);

    const looked = await desk.emit(['status']);
    expect(looked).toMatchObject({ exit: 0, end: { rows: { total: 2, completed: 2 } } });
    const report = await desk.emit(['report']);
    const results = await resultsIn(report.end.files[0]?.path ?? '');
    expect(results.map((row) => row['Outcome'])).toEqual(['Completed', 'Completed']);
    expect(books().requests['buy-airtime']).toBe(2);
  });

  test('stays open while nobody listens, and is never bought again', async () => {
    const [desk, books] = await deskWith(async () => 'http://127.0.0.1:9/nobody');
    const told = await desk.emit(['run', 'airtime.csv', ...totals, '--accept-unverifiable', '2']);
    expect(told).toMatchObject({ exit: 7, end: { rows: { total: 2, completed: 0 } } });
    expect((await desk.emit(['resume'])).exit).toBe(7);
    expect(books().requests['buy-airtime']).toBe(2);
  });
});
