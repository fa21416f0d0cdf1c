/** The admission: how long planned orders wait, and what wakes who rests. */
import { describe, expect, test } from 'vitest';
import type { OrderId } from '../../src/domain/ids.ts';
import type { StoredOrder } from '../../src/ledger/orders.ts';
import { admissionOf, orders, type Setting, sentBefore, stored, tally } from './admitted-orders.ts';
import { policy } from './doubted-order.ts';

const NEVER = new AbortController().signal;
const { firstMs, maxMs } = policy.polling;
const oneAhead = { rows: 1, base: { completed: 0, open: 0, lost: 0 } };

describe('planned orders wait', () => {
  test('for nothing where the first of them may go', () => {
    expect(admissionOf().admission.waitMsOf(orders(1))).toBeUndefined();
  });

  test('as long as sending pauses', async () => {
    const { admission, clock, pause } = admissionOf();
    pause();
    expect(admission.waitMsOf(orders(1))).toBe(firstMs);
    await clock.pass(firstMs - 1);
    expect(admission.waitMsOf(orders(1))).toBe(1);
    await clock.pass(1);
    expect(admission.waitMsOf(orders(1))).toBeUndefined();
  });

  test('longer after each trial, and no longer than the longest pause', async () => {
    const { admission, clock, pause, trial } = admissionOf();
    pause();
    const waits: unknown[] = [];
    for (let trials = 0; trials < 5; trials++) {
      await clock.pass(maxMs);
      trial('ambiguous');
      waits.push(admission.waitMsOf(orders(1)));
    }
    expect(waits).toEqual([4_000, 8_000, 16_000, 32_000, maxMs]);
  });

  test.each<[string, Setting, readonly StoredOrder[], readonly string[]]>([
    [
      'until those that went ahead are paid',
      { canary: oneAhead, tallies: [tally('unsent', 9), tally('pending', 1)] },
      orders(1),
      [],
    ],
    [
      'where sending stops',
      { canary: oneAhead, tallies: [tally('unsent', 9), tally('failed', 1)] },
      orders(1),
      ['canary'],
    ],
    ['where there are none', { tallies: [] }, [], []],
  ])('until something is learnt: %s', (_, setting, planned, reasons) => {
    const { admission, stops } = admissionOf(setting);
    expect(admission.waitMsOf(planned)).toBe(0);
    expect(stops.map(({ code }) => code)).toEqual(reasons);
  });

  test('until something is learnt where no more may be in flight', () => {
    const { admission, pause, answer } = admissionOf({ sending: { concurrency: 1 } });
    pause();
    answer('accepted');
    admission.choose(orders(1));
    expect(admission.waitMsOf(orders(1, 2))).toBe(0);
  });

  test('for an order that is wanted though all rows were sent', () => {
    const { admission, pause } = admissionOf({ tallies: [tally('in-doubt', 1)] });
    pause();
    expect(admission.waitMsOf([stored('again', sentBefore)])).toBe(firstMs);
    expect(admission.review()).toEqual({ do: 'claim', rows: 0, orders: 0 });
  });
});

describe('who rests', () => {
  /** How long a rest of a second lasts, where something happens after 400 ms of it. */
  async function rested(
    { admission, clock }: ReturnType<typeof admissionOf>,
    news: () => void,
    signal = NEVER,
  ): Promise<number> {
    const began = clock.now();
    let endedAt: number | undefined;
    const over = admission.rest(1_000, signal).then(() => {
      endedAt = clock.now();
    });
    await clock.pass(400);
    news();
    await clock.pass(600);
    await over;
    return (endedAt ?? 0) - began;
  }

  test('wakes when the time is up', async () => {
    expect(await rested(admissionOf(), () => undefined)).toBe(1_000);
  });

  test('wakes when something is learnt, each time', async () => {
    const run = admissionOf();
    expect(await rested(run, () => run.admission.wake())).toBe(400);
    expect(await rested(run, () => run.admission.wake())).toBe(400);
  });

  test('wakes when an order is back', async () => {
    const run = admissionOf();
    run.admission.choose(orders(1));
    expect(await rested(run, () => run.landed('o1' as OrderId))).toBe(400);
  });

  test('wakes when the run is interrupted', async () => {
    const interrupted = new AbortController();
    expect(await rested(admissionOf(), () => interrupted.abort(), interrupted.signal)).toBe(400);
  });
});
