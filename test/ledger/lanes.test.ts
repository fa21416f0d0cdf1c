/** The lanes of one batch: several processes move its orders at the same time, each those of its own lane. */
import { describe, expect, test } from 'vitest';
import type { Fact, LineReport } from '../../src/domain/fact.ts';
import { lanesFor } from '../../src/domain/lanes.ts';
import { decimalOf, type Money } from '../../src/domain/money.ts';
import { ledgerOfLane } from '../../src/ledger/lane-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { StoredOrder } from '../../src/ledger/orders.ts';
import { systemClock } from '../../src/system.ts';
import { accepted, holder, kes, open, type Plan, planOf, reportOf, temporaryPath } from './builders.ts';
import { change, onEachDriver } from './drivers.ts';

const amina = holder('amina@desk: run salaries.xlsx', 11);
const otieno = holder('otieno@desk: worker, batch salaries', 12);

const plain = planOf({ name: 'salaries', rows: 8 });
const SALARIES: Plan = { ...plain, header: { ...plain.header, lanes: { count: 3, orders: 3 } } };
const { id } = SALARIES.header;

/** Rows that are counted in several pieces; some orders have rows in two of them, and some rows pay nobody. */
const long = planOf({ name: 'salaries', rows: 400, linesPerOrder: 3, invalid: 5 });
const LONG: Plan = { ...long, header: { ...long.header, lanes: { count: 3, orders: 50 } } };

/** Two ledgers on one path, as two processes have them; the batch is planned, and nobody has it. */
async function two(plan = SALARIES): Promise<readonly [first: Ledger, second: Ledger, path: string]> {
  const path = temporaryPath();
  const clock = systemClock;
  const first = await open({ path, clock, holder: amina });
  const second = await open({ path, clock, holder: otieno });
  await first.takeLease();
  await first.vouchNew();
  await first.planBatch(plan.header, plan.blocks);
  await first.releaseLease();
  await first.recordRun(id, '0.1.0');
  await first.recordStop('handed on', { opened: true });
  await first.releaseLease(id);
  return [first, second, path];
}

/** Claims and answers every order that is in sight, one after the other. */
async function sendAll(ledger: Ledger, epoch: number): Promise<number> {
  for (let sent = 0; ; sent += 1) {
    const [order] = await ledger.unsentOrders(id, 1);
    if (!order) return sent;
    const [claimed] = await ledger.claim([order], 1000, epoch, 2000);
    if (!claimed) throw new Error('the order is claimed');
    await ledger.record([{ order: claimed, facts: [accepted(claimed.state.id, 1100)], dueAt: 3000 }]);
  }
}

const observed = ({ state }: StoredOrder, status: number, more: Partial<LineReport>): Fact => ({
  type: 'order-observed',
  order: state.id,
  at: 1200,
  processed: true,
  lines: state.lines.map(({ trace, amount }) => reportOf(trace, status === 4 ? decimalOf(amount) : '0', status, more)),
});

async function begin(ledger: Ledger, lane: number): Promise<readonly [own: Ledger, epoch: number]> {
  const epoch = await ledger.takeLane(id, lane);
  const own = await ledgerOfLane(ledger, id, lane);
  await own.recordRun(id, '0.1.0');
  return [own, epoch];
}

test.each([
  [9999, undefined, undefined],
  [9999, 10_000, undefined],
  [19_999, 10_000, undefined],
  [20_000, 10_000, { count: 2, orders: 10_000 }],
  [25_001, 10_000, { count: 2, orders: 12_501 }],
  [1_000_000, 1000, { count: 32, orders: 31_250 }],
])('%i orders, %s a lane at least, are %o', (orders, least, lanes) => {
  expect(lanesFor(orders, least)).toEqual(lanes);
});

onEachDriver(() => {
  describe('the lanes of a batch', () => {
    test('stand one after the other, and each order is in one of them', async () => {
      const [first] = await two();
      const seen = await Promise.all(
        [1, 2, 3].map(async (lane) => (await ledgerOfLane(first, id, lane)).unsentOrders(id, 99)),
      );
      expect(seen.map(({ length }) => length)).toEqual([3, 3, 2]);
      const all = await first.unsentOrders(id, 99);
      expect(seen.flat().map(({ position }) => position)).toEqual(all.map(({ position }) => position));
    });

    test('are sent at the same time, no fact is lost, and what each recorded proves itself', async () => {
      const [first, second, path] = await two();
      const [[one, ours], [other, theirs]] = [await begin(first, 1), await begin(second, 2)];
      expect(await Promise.all([sendAll(one, ours), sendAll(other, theirs)])).toEqual([3, 3]);
      for (const ledger of [first, second]) expect(await ledger.verify()).toEqual([]);
      expect(await one.tallies(id)).toMatchObject([{ outcome: 'pending', count: 3 }]);
      const { tallies } = (await one.besideLane(id)) ?? { tallies: [] };
      expect(tallies).toMatchObject([
        { outcome: 'pending', count: 3 },
        { outcome: 'unsent', count: 2 },
      ]);
      expect(await first.besideLane(id)).toBeUndefined();
      // The plan and its orders, two facts of the opening, two runs, and for each order a claim and an answer.
      expect((await (await open({ path })).head())?.seq).toBe(1 + 8 + 2 + 2 + 2 * 6);
    });

    test('count the rows beside them before each claim, as they are then', async () => {
      const [first, second] = await two(LONG);
      const [[one, ours], [other, theirs]] = [await begin(first, 1), await begin(second, 2)];
      const expectCounted = async (above: bigint): Promise<void> => {
        const [all, own] = [await first.tallies(id), await one.tallies(id)];
        const beside = all.flatMap(({ outcome, count, amount, fees, ...more }) => {
          const inLane = own.find((tally) => tally.outcome === outcome);
          const left = count - (inLane?.count ?? 0);
          const less = (sum: Money, part?: Money): Money => kes(sum.minor - (part?.minor ?? 0n));
          return left === 0
            ? []
            : [{ outcome, count: left, amount: less(amount, inLane?.amount), fees: less(fees, inLane?.fees), ...more }];
        });
        expect(await one.besideLane(id)).toEqual({ tallies: beside, aboveQuotes: kes(above) });
      };
      await expectCounted(0n);
      let above = 0n;
      for (const [index, status] of [4, 7, 4, 8, 4].entries()) {
        const claimed = await other.claim(await other.unsentOrders(id, 7), 1000 + index, theirs, 2000);
        await one.claim(await one.unsentOrders(id, 2), 1000 + index, ours, 2000);
        await expectCounted(above);
        // The charge that was quoted is 13.00.
        const fee = { feeAmount: index === 2 ? '13.75' : '13.00' };
        const seen = claimed.map((order) => ({
          order,
          facts: [accepted(order.state.id, 1100), observed(order, status, fee)],
          dueAt: null,
        }));
        await other.record(seen);
        if (index === 2) above += 75n * BigInt(claimed.flatMap(({ state }) => state.lines).length);
        await expectCounted(above);
      }
    });

    test('have one holder each, and nobody has all of the batch while somebody has one', async () => {
      const [first, second] = await two();
      await first.takeLane(id, 2);
      await expect(second.takeLane(id, 2)).rejects.toMatchObject({
        code: 'ledger-held',
        exit: 75,
        message: expect.stringContaining('sends lane 2 of batch salaries: amina@desk'),
      });
      await expect(second.takeLease(id)).rejects.toMatchObject({ code: 'ledger-held' });
      // Who could not have all of it leaves nothing behind.
      expect(await second.heldLeases()).toMatchObject([{ name: 'lane 2 of batch salaries', batch: id, lane: 2 }]);
      await second.takeLane(id, 3);
      await second.releaseLease(id);
      await first.releaseLease(id);
      await second.takeLease(id);
      await expect(first.takeLane(id, 1)).rejects.toMatchObject({ code: 'ledger-held' });
      // Of whom has all of it, each lane is not named besides.
      expect(await first.heldLeases()).toMatchObject([{ name: 'batch salaries' }]);
    });

    test('give nothing more to write to who lost one', async () => {
      const [first, second, path] = await two();
      const [own, epoch] = await begin(first, 1);
      const [order] = await own.unsentOrders(id, 1);
      if (!order) throw new Error('an order is there');
      // As if it had been silent for a minute.
      await change(path, `UPDATE lease SET holder = NULL, heartbeat_at = NULL WHERE name = 'lane 1 of batch salaries'`);
      const [theirs, later] = await begin(second, 1);
      expect(later).toBeGreaterThan(epoch);
      const before = (await second.head())?.seq;
      await expect(own.claim([order], 1000, epoch, null)).rejects.toMatchObject({ code: 'ledger-held' });
      await expect(own.recordStop('finished')).rejects.toMatchObject({ code: 'ledger-held' });
      expect((await second.head())?.seq).toBe(before);
      expect(await sendAll(theirs, later)).toBe(3);
    });

    test('show and move no order of another one', async () => {
      const [first] = await two();
      const [own, epoch] = await begin(first, 1);
      const [foreign] = (await first.unsentOrders(id, 99)).slice(-1);
      if (!foreign) throw new Error('an order is there');
      expect(await own.findOrder(id, foreign.state.id)).toBeUndefined();
      await expect(own.claim([foreign], 1000, epoch, null)).rejects.toThrow('stands in the lane');
      expect((await own.smallestUnsent(id, 99)).length).toBe(3);
    });

    test('end the run of who finds facts of its own orders that somebody else recorded', async () => {
      const [first, second, path] = await two();
      const [own, epoch] = await begin(first, 1);
      const [order] = await own.unsentOrders(id, 1);
      if (!order) throw new Error('an order is there');
      // Somebody has taken the lane as well, and says in the tables that nobody did.
      const leases = `UPDATE lease SET holder = NULL, heartbeat_at = NULL WHERE name = 'lane 1 of batch salaries'`;
      await change(path, leases);
      const [theirs, later] = await begin(second, 1);
      await sendAll(theirs, later);
      await change(path, `UPDATE lease SET epoch = ${epoch} WHERE name = 'lane 1 of batch salaries'`);
      await expect(own.claim([order], 1000, epoch, null)).rejects.toMatchObject({
        code: 'ledger-held',
        cause: expect.stringContaining('somebody else has recorded facts of batch salaries'),
      });
    });

    test('cannot be doubted alone, so a doubt ends every run of the batch', async () => {
      const [first, second] = await two();
      const [[own], [other, theirs]] = [await begin(first, 1), await begin(second, 2)];
      await expect(own.suspect()).rejects.toMatchObject({ code: 'ledger-unsafe', exit: 10 });
      const [order] = await other.unsentOrders(id, 1);
      if (!order) throw new Error('an order is there');
      await expect(other.claim([order], 1000, theirs, null)).rejects.toMatchObject({ code: 'ledger-unsafe' });
    });

    test('are not begun in a doubt that arose before', async () => {
      const [first, second] = await two();
      const [own] = await begin(first, 1);
      await expect(own.suspect()).rejects.toMatchObject({ code: 'ledger-unsafe' });
      await second.takeLane(id, 2);
      const other = await ledgerOfLane(second, id, 2);
      await expect(other.recordRun(id, '0.1.0')).rejects.toMatchObject({ code: 'ledger-unsafe', exit: 10 });
    });

    test('are told apart in the history of the batch: how each ended, since it was opened', async () => {
      const [first, second] = await two();
      const [[one], [other]] = [await begin(first, 1), await begin(second, 2)];
      await one.recordStop('handed on');
      await other.recordStop('the wallet is empty', { code: 'balance', todo: 'Top up' });
      const { stopped, lanes } = await first.runHistory(id);
      expect(stopped).toMatchObject({ reason: 'handed on', opened: true });
      expect(lanes).toMatchObject([{ lane: 2, code: 'balance' }, { lane: 1 }]);
      for (const ledger of [first, second]) await ledger.releaseLease(id);
      await first.takeLease(id);
      await first.recordRun(id, '0.1.0');
      expect(await first.runHistory(id)).not.toHaveProperty('lanes');
    });
  });
});
