/** The practice service calls back until it is heard, this machine only, and across restarts. */
import { describe, expect, test } from 'vitest';
import { isLoopback } from '../../src/sandbox/books/callback-book.ts';
import { parseScenario, startSandbox } from '../../src/sandbox/sandbox.ts';
import { systemClock, systemRandom } from '../../src/system.ts';
import { deadUrl, serve } from '../support/loopback.ts';
import { orderBody, Practice, practise, TestClock, temporaryFolder } from './practice.ts';
import {
  ACCOUNTS,
  AIRTIME,
  accountBody,
  airtimeBody,
  BILLS,
  billBody,
  CHECKOUTS,
  checkoutBody,
  DEPOSITS,
  depositBody,
  PERSONS,
  personBody,
} from './requests.ts';

/** A receiver that answers its first requests with these statuses, and 200 from then on. */
const receiverOf = (...statuses: readonly number[]): ReturnType<typeof serve> => {
  const left = [...statuses];
  return serve((_request, response) => void response.writeHead(left.shift() ?? 200).end());
};

/** Lets time pass; the service notices at the next thing that it is asked. */
async function pass(practice: Practice, ms: number): Promise<void> {
  practice.clock.pass(ms);
  await practice.send('/__sandbox/books', {});
}

const countsOf = (practice: Practice): unknown => practice.sandbox.books().callbacks;
const none = { sent: 0, acknowledged: 0, retried: 0, givenUp: 0, notSent: 0 };

describe('a callback', () => {
  test('is tried again, after longer and longer waits, until it is acknowledged with 200', async () => {
    const receiver = await receiverOf(500, 204);
    const practice = await practise();
    await practice.submit(BILLS, billBody('b', { callBackUrl: `${receiver.url}/bills` }));
    expect(countsOf(practice)).toEqual(none);
    await pass(practice, 10_000);
    await expect.poll(() => countsOf(practice)).toEqual({ ...none, sent: 3, acknowledged: 1, retried: 2 });
    expect(receiver.arrived.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(3).fill('POST /bills'));
    expect(new Set(receiver.arrived.map(({ body }) => body)).size).toBe(1);
    expect(JSON.parse(receiver.arrived[0]?.body ?? '')).toMatchObject({
      originatorConversationId: 'b',
      billRequestOutcome: { status: 4, thirdPartyPayload: { reference: expect.any(String) } },
    });
    expect(practice.clock.sleeps.filter((ms) => ms === 500 || ms === 1_000)).toEqual([500, 1_000]);
  });

  test('tells of every repetition as a duplicate, and of the end as it is, whichever comes first', async () => {
    const receiver = await receiverOf();
    const practice = await practise({ scenario: 'settle-min=1000,settle-max=1000' });
    const bill = billBody('b', { callBackUrl: `${receiver.url}/bills` });
    const heard = (): unknown[] =>
      receiver.arrived.map(({ body }) => {
        const { resultCode, thirdPartyPayload } = JSON.parse(body).billRequestOutcome;
        return `${resultCode} ${thirdPartyPayload.reference === null ? 'without' : 'with'} receipt`;
      });
    await practice.submit(BILLS, bill);
    await practice.submit(BILLS, bill);
    await expect.poll(heard).toEqual(['9 without receipt']);
    await pass(practice, 10_000);
    await expect.poll(heard).toEqual(['9 without receipt', '0 with receipt']);
    await practice.submit(BILLS, bill);
    await expect.poll(heard).toEqual(['9 without receipt', '0 with receipt', '9 without receipt']);
    await expect.poll(() => countsOf(practice)).toEqual({ ...none, sent: 3, acknowledged: 3 });
  });

  test('that nobody acknowledges is given up after a bounded number of tries', async () => {
    const practice = await practise();
    await practice.submit(BILLS, billBody('b', { callBackUrl: await deadUrl() }));
    await pass(practice, 10_000);
    await expect.poll(() => countsOf(practice)).toEqual({ ...none, sent: 7, retried: 6, givenUp: 1 });
  });

  test('is sent for every operation whose request names an address', async () => {
    const receiver = await receiverOf();
    const practice = await practise();
    const at = (word: string): string => `${receiver.url}/${word}`;
    await practice.submit(AIRTIME, airtimeBody('a', [['254712000777', 10]], { callbackURL: at('airtime') }));
    await practice.submit(CHECKOUTS, checkoutBody('c', { checkoutCallbackUrl: at('checkout') }));
    await practice.submit(PERSONS, personBody('p', { kycRequestCallBackURL: at('person') }));
    await practice.submit(ACCOUNTS, accountBody('v', '+254712345678', { callBackUrl: at('account') }));
    await pass(practice, 10_000);
    await expect.poll(() => receiver.arrived.length).toBe(4);
    const said = new Map(receiver.arrived.map(({ path, body }) => [path, JSON.parse(body)]));
    expect(said.get('/airtime')).toMatchObject({ originatorConversationId: 'a', status: 4, amount: 10 });
    expect(said.get('/checkout')).toMatchObject({ originatorConversationId: 'c', checkoutOutcome: { status: 4 } });
    expect(said.get('/person')).toMatchObject({
      systemTraceAuditNumber: 'p',
      responseCode: '0',
      statusDesc: 'Completed',
    });
    expect(said.get('/account')).toMatchObject({
      systemTraceAuditNumber: 'v',
      transactionCreditParty: '254712345678 - JANE WANJIKU',
    });
  });

  test('of a deposit comes in two: the wrapped one of the provider, then the final one', async () => {
    const receiver = await receiverOf(500);
    const practice = await practise();
    await practice.submit(DEPOSITS, depositBody('d', { CallBackUrl: receiver.url }));
    await pass(practice, 10_000);
    await expect.poll(() => countsOf(practice)).toEqual({ ...none, sent: 3, retried: 1, acknowledged: 1 });
    const [first, again, last] = receiver.arrived.map(({ body }) => JSON.parse(body));
    expect(again).toEqual(first);
    expect(first.Body.StkCallback).toMatchObject({ ResultCode: 0 });
    expect(last).toMatchObject({ OriginatorConversationId: 'd', PaymentAmount: 1500.5, Status: 'Completed' });
  });

  test('of several recipients is sent once, when the last of them has ended', async () => {
    const receiver = await receiverOf();
    const practice = await practise();
    const recipients = [
      ['254712000777', 10],
      ['254712000003', 10],
    ] as const;
    await practice.submit(AIRTIME, airtimeBody('a', recipients, { callbackURL: receiver.url }));
    await pass(practice, 60_000);
    await pass(practice, 61_000);
    await expect.poll(() => countsOf(practice)).toEqual({ ...none, sent: 1, acknowledged: 1 });
    expect(JSON.parse(receiver.arrived[0]?.body ?? '').recipients).toMatchObject([{ status: 4 }, { status: 4 }]);
  });

  test('of a payment order goes to the address of the dashboard, in the shape of a look-up', async () => {
    const receiver = await receiverOf();
    const practice = await practise({ orderCallbackUrl: receiver.url });
    await practice.post(orderBody('o', {}, { payee: '+254712000003' }));
    await pass(practice, 10_000);
    expect(receiver.arrived).toEqual([]);
    await practice.reject('o');
    await expect.poll(() => receiver.arrived.length).toBe(1);
    expect(JSON.parse(receiver.arrived[0]?.body ?? '')).toEqual((await practice.find('o')).body);
  });

  test('to another machine is counted and never sent', async () => {
    const practice = await practise();
    await practice.submit(BILLS, billBody('b'));
    await pass(practice, 10_000);
    expect(countsOf(practice)).toEqual({ ...none, notSent: 1 });
  });

  test.each([
    ['http://127.0.0.1:8080/a', true],
    ['http://127.9.9.9/', true],
    ['http://localhost:1/', true],
    ['http://[::1]:1/', true],
    ['https://127.0.0.1/', false],
    ['http://127.0.0.1.example.test/', false],
    ['http://localhost.example.test/', false],
    ['http://example.test/?127.0.0.1', false],
    ['http://127.0.0.1@example.test/', false],
    ['http://0.0.0.0/', false],
    ['no address', false],
  ])('%s is on this machine: %s', (address, here) => {
    expect(isLoopback(address)).toBe(here);
  });

  test('waits its turn: a receiver that is slow sees eight at a time', async () => {
    const held: (() => void)[] = [];
    const receiver = await serve((_request, response) => void held.push(() => response.writeHead(200).end()));
    const practice = await practise();
    for (let n = 0; n < 20; n += 1) await practice.submit(BILLS, billBody(`b${n}`, { callBackUrl: receiver.url }));
    await pass(practice, 10_000);
    for (const arrived of [8, 16, 20]) {
      await expect.poll(() => receiver.arrived.length).toBe(arrived);
      for (const answer of held.splice(0)) answer();
    }
    await expect.poll(() => countsOf(practice)).toEqual({ ...none, sent: 20, acknowledged: 20 });
  });

  test('that a restart interrupts is sent after it, and one that was acknowledged is not', async () => {
    const folder = await temporaryFolder();
    const clock = new TestClock();
    let hears = false;
    const receiver = await serve((_request, response, socket) => {
      if (hears) response.writeHead(200).end();
      else socket.destroy();
    });
    const first = await practise({ folder, clock });
    await first.submit(BILLS, billBody('b', { callBackUrl: receiver.url }));
    await first.sandbox.close();
    clock.pass(10_000);

    hears = true;
    const second = await practise({ folder, clock });
    await expect.poll(() => countsOf(second)).toEqual({ ...none, sent: 1, acknowledged: 1 });
    await second.sandbox.close();

    const third = await practise({ folder, clock });
    await pass(third, 10_000);
    expect(countsOf(third)).toEqual({ ...none, sent: 1, acknowledged: 1 });
    await third.sandbox.close();
    expect(receiver.arrived.length).toBe(1);
  });

  test('needs nobody to ask: the service watches for what will end', async () => {
    const receiver = await receiverOf();
    const scenario = parseScenario('settle-min=20,settle-max=60');
    const sandbox = await startSandbox({ clock: systemClock, random: systemRandom, scenario });
    try {
      const practice = new Practice(sandbox, new TestClock());
      await practice.renewToken();
      const slow = { accountNumber: '37000003', callBackUrl: `${receiver.url}/slow` };
      await practice.submit(BILLS, billBody('slow', slow));
      await practice.submit(BILLS, billBody('quick', { callBackUrl: `${receiver.url}/quick` }));
      await expect.poll(() => receiver.arrived.map(({ path }) => path)).toEqual(['/quick']);
    } finally {
      await sandbox.close();
    }
  });
});
