import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DueQueue } from '../../src/sandbox/books/due-queue.ts';
import { parseScenario } from '../../src/sandbox/scenario.ts';
import { paymentMagic, planOf } from '../../src/sandbox/settle.ts';
import { fieldsIn, orderBody, type Practice, practise } from './practice.ts';

/** Status and result code of every line of an order, and whether the service is done with it. */
async function standing(practice: Practice, id: string): Promise<unknown> {
  const { body } = await practice.find(id);
  return {
    processed: body.isProcessed,
    lines: body.orderLines.map(
      (line: { transactionOutcome: Record<string, unknown> }) =>
        `${line.transactionOutcome['transactionStatus']} ${line.transactionOutcome['resultCode']}`,
    ),
  };
}

describe('an order goes its way in time', () => {
  test('from Pending through an undocumented Queued to Completed', async () => {
    const practice = await practise({ scenario: 'settle-min=1000,settle-max=1000' });
    await practice.post(orderBody('o'));
    expect(await standing(practice, 'o')).toEqual({ processed: false, lines: ['0 null'] });
    practice.clock.pass(990);
    expect(await standing(practice, 'o')).toEqual({ processed: false, lines: ['1 null'] });
    practice.clock.pass(10);
    expect(await standing(practice, 'o')).toEqual({ processed: true, lines: ['4 0'] });
  });

  test('the lines of one order end at different times, and it is processed when all have ended', async () => {
    const practice = await practise();
    await practice.post(orderBody('o', {}, { payee: '+254712000003' }));
    practice.clock.pass(60_000);
    expect(await standing(practice, 'o')).toEqual({ processed: false, lines: ['4 0', '0 null'] });
    practice.clock.pass(61_000);
    expect(await standing(practice, 'o')).toEqual({ processed: true, lines: ['4 0', '4 0'] });
  });

  test('the same part meets the same end whatever was planned before it', () => {
    const scenario = parseScenario('mixed');
    const plan = planOf('order|0', undefined, scenario);
    planOf('another|0', undefined, scenario);
    expect(planOf('order|0', undefined, scenario)).toEqual(plan);
  });

  test('shares of a scenario are met over many orders', () => {
    const scenario = parseScenario('timeout=0.5');
    const plans = Array.from({ length: 1_000 }, (_, index) => planOf(`o${index}`, undefined, scenario));
    const timedOut = plans.filter(({ end }) => end === 'timed-out').length;
    expect(timedOut).toBeGreaterThan(400);
    expect(timedOut).toBeLessThan(600);
    expect(plans.every(({ queuedMs, endMs }) => 0 < queuedMs && queuedMs < endMs && endMs <= 600)).toBe(true);
  });

  test('what is due comes in order of time, then of adding', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), fc.nat(20), (times, until) => {
        const queue = new DueQueue<number>();
        for (const [index, at] of times.entries()) queue.add(at, index);
        const taken: number[] = [];
        for (let due = queue.take(until); due; due = queue.take(until)) taken.push(due.item);
        const expected = [...times.entries()]
          .filter(([, at]) => at <= until)
          .sort((a, b) => a[1] - b[1] || a[0] - b[0]);
        expect(taken).toEqual(expected.map(([index]) => index));
      }),
    );
  });
});

describe('magic endings', () => {
  test.each([
    ['0001', '7 18', true],
    ['0002', '8 -1', true],
    ['0007', '7 22', false],
    ['0008', '5 6', true],
    ['0009', '6 null', false],
  ])('%s ends with %s and is not paid', async (ending, line, processed) => {
    const practice = await practise();
    await practice.post(orderBody('o', { payee: `+25471200${ending}` }));
    practice.clock.pass(60_000);
    expect(await standing(practice, 'o')).toEqual({ processed, lines: [line] });
    expect(practice.sandbox.books().paid['KES']).toBe('0.00');
  });

  test('0003 stays pending for two minutes', async () => {
    const practice = await practise();
    await practice.post(orderBody('o', { payee: '+254712000003' }));
    practice.clock.pass(119_999);
    expect(await standing(practice, 'o')).toEqual({ processed: false, lines: ['0 null'] });
    practice.clock.pass(1_000);
    expect(await standing(practice, 'o')).toEqual({ processed: true, lines: ['4 0'] });
  });

  test('0004 is refused at once and leaves nothing in the books', async () => {
    const practice = await practise();
    const answer = await practice.post(orderBody('o', { payee: '+254712000004' }));
    expect([answer.status, fieldsIn(answer)]).toEqual([400, ['PhoneNumber']]);
    expect((await practice.find('o')).status).toBe(404);
  });

  test('0005 is taken although the connection breaks', async () => {
    const practice = await practise();
    await expect(practice.post(orderBody('o', { payee: '+254712000005' }))).rejects.toThrow();
    expect((await practice.find('o')).status).toBe(200);
    expect((await practice.post(orderBody('o', { payee: '+254712000005' }))).status).toBe(200);
    const [order] = practice.sandbox.books().orders;
    expect([order?.posts, order?.lines.length]).toEqual([2, 1]);
  });

  test('0006 is lost the first time and taken the second time', async () => {
    const practice = await practise();
    await expect(practice.post(orderBody('o', { payee: '+254712000006' }))).rejects.toThrow();
    expect((await practice.find('o')).status).toBe(404);
    expect((await practice.post(orderBody('o', { payee: '+254712000006' }))).status).toBe(200);
    expect(practice.sandbox.books().orders[0]?.posts).toBe(2);
  });

  test('every ending of the table has a test here', () => {
    const endings = ['0001', '0002', '0003', '0004', '0005', '0006', '0007', '0008', '0009'];
    expect(Object.keys(paymentMagic).sort()).toEqual(endings);
  });
});

describe('rejecting an order', () => {
  test('stops the lines that are Pending or Queued, and only those', async () => {
    const practice = await practise({ scenario: 'settle-min=1000,settle-max=1000' });
    await practice.post(
      orderBody('o', {}, { payee: '+254712000003' }, { payee: '+254712000002' }, { payee: '+254712000009' }),
    );
    practice.clock.pass(2_000);
    const { status, body } = await practice.reject('o');
    expect(status).toBe(200);
    const said = body.paymentOrderlines.map(
      (line: Record<string, unknown>) => `${line['resultCode']} ${line['transactionStatus']}`,
    );
    expect(said).toEqual(['1 4', '0 7', '1 8', '1 6']);
    practice.clock.pass(200_000);
    expect(await standing(practice, 'o')).toEqual({ processed: false, lines: ['4 0', '7 18', '8 -1', '6 null'] });
    expect(practice.sandbox.books().paid['KES']).toBe('1000.00');
  });

  test('stops a line that is Queued', async () => {
    const practice = await practise({ scenario: 'settle-min=1000,settle-max=1000' });
    await practice.post(orderBody('o'));
    practice.clock.pass(900);
    expect(await standing(practice, 'o')).toEqual({ processed: false, lines: ['1 null'] });
    expect((await practice.reject('o')).body.paymentOrderlines[0].resultCode).toBe('0');
    practice.clock.pass(900);
    expect(await standing(practice, 'o')).toEqual({ processed: true, lines: ['7 18'] });
  });

  test('of many lines stops exactly those that are Pending or Queued at that moment', async () => {
    const practice = await practise({ scenario: 'seed=5,settle-min=100,settle-max=5000,reject=0.1,timeout=0.1' });
    const lines = Array.from({ length: 200 }, () => ({ amount: 100 }));
    await practice.post(orderBody('o', ...lines));
    practice.clock.pass(1_500);
    const statuses = async (): Promise<readonly number[]> =>
      (await practice.find('o')).body.orderLines.map(
        (line: { transactionOutcome: { transactionStatus: number } }) => line.transactionOutcome.transactionStatus,
      );
    const before = await statuses();
    for (const status of [0, 1, 4, 7, 8]) expect(before.filter((one) => one === status).length).toBeGreaterThan(5);

    const { body } = await practice.reject('o');
    const said = body.paymentOrderlines.map(
      (line: Record<string, unknown>) => `${line['resultCode']} ${line['transactionStatus']}`,
    );
    expect(said).toEqual(before.map((status) => (status <= 1 ? '0 7' : `1 ${status}`)));
    expect(await statuses()).toEqual(before.map((status) => (status <= 1 ? 7 : status)));
    practice.clock.pass(60_000);
    expect(await statuses()).toEqual(before.map((status) => (status <= 1 ? 7 : status)));
    const completed = before.filter((status) => status === 4).length;
    expect(practice.sandbox.books().paid['KES']).toBe(`${completed * 100}.00`);
  });

  test('a second time answers that it is not possible', async () => {
    const practice = await practise();
    await practice.post(orderBody('o'));
    await practice.reject('o');
    const { body } = await practice.reject('o');
    expect(body.paymentOrderlines[0]).toMatchObject({ resultCode: '1', transactionStatus: 7 });
  });
});
