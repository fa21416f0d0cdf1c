import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../src/domain/fault.ts';
import { chargeOf, chargeRecordOf, rails } from '../../src/sandbox/catalogue.ts';
import { codeOf } from '../../src/sandbox/draw.ts';
import { lasting, orderBody, type Practice, practise, TestClock, temporaryFolder } from './practice.ts';
import { BILLS, billBody } from './requests.ts';

async function pay(practice: Practice): Promise<void> {
  await practice.post(orderBody('done', { amount: 1500.5 }, { payee: '+254712000001' }));
  await practice.post(orderBody('done'));
  await expect(practice.post(orderBody('lost', { payee: '+254712000006' }))).rejects.toThrow();
  await practice.post(orderBody('stopped'));
  await practice.reject('stopped');
  practice.clock.pass(10_000);
  await practice.post(orderBody('open', { amount: 70 }));
}

describe('the books', () => {
  test('opening less paid less fees is the balance, and the wallet says the same', async () => {
    const practice = await practise();
    await practice.post(orderBody('a', { amount: 1500.5 }, { amount: 20_000.01 }, { payee: '+254712000002' }));
    practice.clock.pass(10_000);
    const { opening, paid, fees, balance } = practice.sandbox.books();
    expect({ opening, paid, fees, balance }).toEqual({
      opening: { KES: '500000000.00', UGX: '10000000000', TZS: '5000000000.00' },
      paid: { KES: '21500.51', UGX: '0', TZS: '0.00' },
      fees: { KES: '22.00', UGX: '0', TZS: '0.00' },
      balance: { KES: '499978477.49', UGX: '10000000000', TZS: '5000000000.00' },
    });
    const wallet = await practice.get('/v1/customer-accounts/get-wallet-balance?ccy=404');
    expect(wallet.body.balance).toBe(499_978_477.49);
  });

  test('a payment that the wallet does not cover fails for lack of funds and moves no money', async () => {
    const practice = await practise({ openingBalances: { KES: '1004.99' } });
    await practice.post(orderBody('a', { amount: 1000 }));
    practice.clock.pass(10_000);
    const books = practice.sandbox.books();
    expect(books.orders[0]?.lines[0]).toMatchObject({ status: 5, resultCode: '1', receipt: null, fee: '0.00' });
    expect(books.balance).toEqual({ KES: '1004.99' });
  });

  test('a payment may take the last cent', async () => {
    const practice = await practise({ openingBalances: { KES: '1005.00' } });
    await practice.post(orderBody('a', { amount: 1000 }));
    practice.clock.pass(10_000);
    expect(practice.sandbox.books().balance).toEqual({ KES: '0.00' });
  });

  test('a payment above the scale of its route exceeds the limit', async () => {
    const practice = await practise();
    await practice.post(orderBody('a', { amount: 250_000.01 }));
    practice.clock.pass(10_000);
    expect(practice.sandbox.books().orders[0]?.lines[0]).toMatchObject({ status: 5, resultCode: '2' });
  });

  test('are shown over HTTP as the process sees them', async () => {
    const practice = await practise();
    await practice.post(orderBody('a'));
    const { body } = await practice.send('/__sandbox/books', {});
    expect(body).toEqual(practice.sandbox.books());
    expect([body.tokenRequests, body.requests]).toEqual([1, { 'submit-order': 1 }]);
  });

  test('survive a restart, and settling goes on', async () => {
    const folder = await temporaryFolder();
    const clock = new TestClock();
    const first = await practise({ folder, clock });
    await pay(first);
    const before = lasting(first.sandbox.books());
    const record = await first.find('done');
    await first.sandbox.close();

    const second = await practise({ folder, clock });
    expect(lasting(second.sandbox.books())).toEqual(before);
    expect((await second.find('done')).body).toEqual(record.body);
    await second.play('duplicates=refuse');
    expect((await second.post(orderBody('done'))).status).toBe(400);
    await second.play('happy');
    expect((await second.post(orderBody('lost', { payee: '+254712000006' }))).status).toBe(200);
    clock.pass(10_000);
    expect(second.sandbox.books().paid['KES']).toBe('2570.50');
  });

  test('keep an order that was taken before a rule was made', async () => {
    const folder = await temporaryFolder();
    const clock = new TestClock();
    const first = await practise({ folder, clock });
    expect((await first.post(orderBody('a'))).status).toBe(200);
    await first.sandbox.close();
    const file = join(folder, 'books.ndjson');
    const earlier = (await readFile(file, 'utf8')).replace('63902', '99999').replace('Amina Otieno', 'A'.repeat(90));
    await writeFile(file, earlier.replaceAll('+254712000777', 'hello'));
    const second = await practise({ folder, clock });
    clock.pass(10_000);
    expect(second.sandbox.books().orders[0]?.lines).toMatchObject([{ status: 4, payee: 'hello' }]);
    const again = { payee: 'hello', network: '99999', trace: 'another' };
    expect((await second.post(orderBody('b', again))).status).toBe(400);
  });

  test('are read as an earlier version wrote them, when payment orders had facts of their own', async () => {
    const folder = await temporaryFolder();
    const plans = [{ queuedMs: 5, endMs: 10, end: 'completed' }];
    const at = new TestClock().now();
    const facts = [
      { type: 'funded', currency: 'KES', minor: '500000', at },
      { type: 'lost', id: 'a', at },
      { type: 'lost', id: 'pay-bill|b', at },
      { type: 'taken', at, plans, callback: 'http://127.0.0.1:9/', order: orderBody('a') },
      { type: 'taken', at, plans, order: orderBody('c') },
      { type: 'repeated', id: 'a', answer: 'replayed', at },
      { type: 'rejected', id: 'c', lines: [0], at: at + 1 },
      { type: 'called-back', key: 'order|a|1', tries: 2, retries: 1, end: 'acknowledged', at: at + 20 },
    ];
    await writeFile(join(folder, 'books.ndjson'), facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
    const practice = await practise({ folder });
    expect(practice.sandbox.books()).toMatchObject({
      balance: { KES: '3995.00' },
      orders: [
        { id: 'a', posts: 3, lines: [{ status: 4 }] },
        { id: 'c', posts: 1, lines: [{ status: 7 }] },
      ],
      repeats: { replayed: 1 },
      callbacks: { sent: 2, retried: 1, acknowledged: 1 },
    });
    // Clients keep the identifiers of the service.
    expect((await practice.find('a')).body.conversationId).toBe('8fb9598b-fb74-a481-0cad-a5c1da4c1be5');
    await practice.submit(BILLS, billBody('b'));
    expect(practice.sandbox.books().register['pay-bill']).toMatchObject([{ id: 'b', posts: 2 }]);
  });

  test('a body over several lines is one line of the journal', async () => {
    const folder = await temporaryFolder();
    const clock = new TestClock();
    const first = await practise({ folder, clock });
    expect((await first.post(JSON.stringify(orderBody('a'), null, 2))).status).toBe(200);
    await first.sandbox.close();
    const second = await practise({ folder, clock });
    expect(second.sandbox.books().orders.map(({ id }) => id)).toEqual(['a']);
  });

  test('a torn last line is cut off and the books go on', async () => {
    const folder = await temporaryFolder();
    const clock = new TestClock();
    const first = await practise({ folder, clock });
    await first.post(orderBody('a'));
    await first.sandbox.close();
    await appendFile(join(folder, 'books.ndjson'), '{"type":"taken","at":17959');

    const second = await practise({ folder, clock });
    expect(second.sandbox.books().orders.map(({ id }) => id)).toEqual(['a']);
    await second.post(orderBody('b'));
    await second.sandbox.close();
    const third = await practise({ folder, clock });
    expect(third.sandbox.books().orders.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('a damaged line in the middle is a fault that says which', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'books.ndjson'), '{"type":\n{}\n');
    await expect(practise({ folder })).rejects.toThrow(Fault);
    await expect(practise({ folder })).rejects.toThrow('Line 1');
  });

  test('a clock that goes back changes nothing that has happened', async () => {
    const practice = await practise({ scenario: 'settle-min=1000,settle-max=1000' });
    await practice.post(orderBody('a'));
    practice.clock.pass(900);
    const before = practice.sandbox.books();
    expect(before.orders[0]?.lines[0]?.statusText).toBe('Queued');
    practice.clock.pass(-3_600_000);
    expect(practice.sandbox.books()).toEqual(before);
  });
});

describe('receipt and tracking codes', () => {
  test('use every code of their length once before any repeats', () => {
    const codes = new Set(Array.from({ length: 36 ** 3 }, (_, sequence) => codeOf(sequence, 3)));
    expect(codes.size).toBe(36 ** 3);
    expect([...codes].every((code) => /^[0-9A-Z]{3}$/.test(code))).toBe(true);
  });
});

describe('every scale of charges', () => {
  test.each(rails.map(({ scale }) => [scale.name, scale] as const))('%s has no gap and no overlap', (_name, scale) => {
    expect(scale.bands[0]?.from).toBe(1n);
    for (const [index, band] of scale.bands.entries()) {
      expect(band.from <= band.to).toBe(true);
      expect(scale.bands[index + 1]?.from ?? band.to + 1n).toBe(band.to + 1n);
      expect([chargeOf(scale, band.from), chargeOf(scale, band.to)]).toEqual([band.charge, band.charge]);
    }
    expect(chargeOf(scale, (scale.bands.at(-1)?.to ?? 0n) + 1n)).toBeUndefined();
    expect(chargeRecordOf(scale)).toMatchObject({ currencyName: scale.currency });
  });
});
