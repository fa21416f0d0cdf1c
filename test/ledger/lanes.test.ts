/** The lanes of one batch: several processes move its orders at the same time, each those of its own lane. */
import { describe, expect, test } from 'vitest';
import { lanesFor } from '../../src/domain/lanes.ts';
import { ledgerOfLane } from '../../src/ledger/lane-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/system.ts';
import { accepted, holder, open, type Plan, planOf, temporaryPath } from './builders.ts';
import { change, onEachDriver } from './drivers.ts';

const amina = holder('amina@desk: run salaries.xlsx', 11);
const otieno = holder('otieno@desk: worker, batch salaries', 12);

const plain = planOf({ name: 'salaries', rows: 8 });
const SALARIES: Plan = { ...plain, header: { ...plain.header, lanes: { count: 3, orders: 3 } } };
const { id } = SALARIES.header;

/** Two ledgers on one path, as two processes have them; the batch is planned, and nobody has it. */
async function two(): Promise<readonly [first: Ledger, second: Ledger, path: string]> {
  const path = temporaryPath();
  const clock = systemClock;
  const first = await open({ path, clock, holder: amina });
  const second = await open({ path, clock, holder: otieno });
  await first.takeLease();
  await first.vouchNew();
  await first.planBatch(SALARIES.header, SALARIES.blocks);
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
