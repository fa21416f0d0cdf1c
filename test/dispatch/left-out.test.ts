/** Orders that a run leaves out are never submitted, the first time or again; what was sent of them is followed. */
import { describe, expect, test } from 'vitest';
import type { OrderId } from '../../src/domain/ids.ts';
import { withoutOrders } from '../../src/ledger/left-out.ts';
import { systemClock } from '../../src/system.ts';
import { type Batch, kes, open, ordinaryPayees, planBatch, quick, quickSettings } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { practiceOnRealTime } from './practice-on-real-time.ts';

const QUICK_ENDS = 'settle-min=5,settle-max=40';
const ROWS = 20;

const idsOf = async (batch: Batch, rows: readonly number[]): Promise<ReadonlySet<OrderId>> => {
  const found = (await batch.inspect()).rows.filter(({ row }) => rows.includes(row));
  return new Set(found.flatMap(({ order }) => order ?? []));
};

/** Leaves these rows out; so many of them count as not sent. */
const leavingOut = (orders: ReadonlySet<OrderId>, rows = orders.size) => ({
  orders,
  unsent: { rows, unprovable: 0, amount: kes(0n), charges: kes(0n) },
});

/** Claims orders as a process does that is killed before it submits them. */
async function claimAndDie(batch: Batch, count: number): Promise<void> {
  const ledger = await open(batch.path, systemClock);
  const epoch = await ledger.takeLease();
  await ledger.recordRun(batch.header.id, '0.1.0');
  await ledger.claim(await ledger.unsentOrders(batch.header.id, count), systemClock.now(), epoch, null);
  await ledger.close();
}

describe('an order that is left out', () => {
  test('is not sent, and the others are', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      const leftOut = leavingOut(await idsOf(batch, [2, 3, 11, 21]));
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const { counts, result, differences } = await batch.run(practice.url, {
        settings: { ...quickSettings, leftOut },
      });
      expect(counts).toMatchObject({ completed: ROWS - 4, unsent: 4 });
      expect(practice.books().orders).toHaveLength(ROWS - 4);
      expect(result).toEqual({ alarms: [] });
      expect(differences).toEqual([]);
    }));

  test('is not sent again either, when it may have been sent and was not', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
      await claimAndDie(batch, 2);
      const leftOut = leavingOut(await idsOf(batch, [2]), 0);
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const { rows } = await batch.run(practice.url, { settings: { ...quickSettings, leftOut } });
      expect(rows.map(({ outcome }) => outcome)).toEqual(['in-doubt', ...Array(ROWS - 1).fill('completed')]);
      expect(rows[0]?.state?.unknowns).toBeGreaterThanOrEqual(2);
      expect(practice.books().orders).toHaveLength(ROWS - 1);
    }));

  test('is looked up by a ledger in doubt, and counts as what the service says of it', () =>
    inTemporaryFolder(async (folder) => {
      const payees = ordinaryPayees(ROWS);
      const lost = await planBatch(`${folder}/lost`, { payees });
      const practice = await practiceOnRealTime(QUICK_ENDS);
      await lost.run(practice.url, { settings: { ...quickSettings, leftOut: leavingOut(await idsOf(lost, [3])) } });
      const batch = await planBatch(`${folder}/new`, { payees });
      const leftOut = leavingOut(await idsOf(batch, [2, 3]));
      const { counts, result } = await batch.run(practice.url, {
        settings: { ...quickSettings, leftOut },
        lookFirst: true,
      });
      expect(counts).toMatchObject({ completed: ROWS - 1, unsent: 1 });
      expect(result).toEqual({ alarms: [], doubt: 'over' });
      expect(practice.books().orders).toHaveLength(ROWS - 1);
    }));

  test('is followed when it was sent', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(2) });
      const practice = await practiceOnRealTime('settle-min=300,settle-max=400');
      const brief = quick({ polling: { deadlineMs: 60 } });
      expect((await batch.run(practice.url, { settings: brief })).counts.completed).toBe(0);
      const leftOut = leavingOut(await idsOf(batch, [2, 3]), 0);
      const { counts } = await batch.run(practice.url, { settings: { ...quickSettings, leftOut } });
      expect(counts.completed).toBe(2);
    }));

  test('does not stop the others: what nobody waits to send needs nothing in the wallet', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: ordinaryPayees(3) });
      const orders = await idsOf(batch, [2, 3]);
      const amounts = (await batch.inspect()).rows.slice(0, 2).map(({ payout }) => payout?.amount.minor ?? 0n);
      const amount = kes(amounts.reduce((sum, minor) => sum + minor, 0n));
      const leftOut = { orders, unsent: { rows: 2, unprovable: 0, amount, charges: kes(1000n) } };
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const settings = { ...quickSettings, leftOut };
      // Enough for the third row and its charge alone.
      const { counts, result } = await batch.run(practice.url, { settings, readBalance: async () => kes(151_000n) });
      expect(counts).toMatchObject({ completed: 1, unsent: 2 });
      expect(result?.stop).toBeUndefined();
    }));

  test('is nothing that a failure of the last of the others could stop', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { payees: [...ordinaryPayees(2), '+254712100008'] });
      const leftOut = leavingOut(await idsOf(batch, [2, 3]));
      const practice = await practiceOnRealTime(QUICK_ENDS);
      const settings = { ...quick({ sending: { stopAfterFailures: 1 } }), leftOut };
      const { counts, result } = await batch.run(practice.url, { settings });
      expect(counts).toMatchObject({ failed: 1, unsent: 2 });
      expect(result).toEqual({ alarms: [] });
    }));
});

test('a ledger without some orders gives the others in full blocks, and refuses to claim those', () =>
  inTemporaryFolder(async (folder) => {
    const batch = await planBatch(folder, { payees: ordinaryPayees(ROWS) });
    const orders = await idsOf(batch, [2, 3, 4, 5, 6, 8, 21]);
    const ledger = await open(batch.path, systemClock);
    const { id } = batch.header;
    const epoch = await ledger.takeLease();
    const sendable = withoutOrders(ledger, leavingOut(orders));
    const rowsOf = async (limit: number, after?: number) =>
      (await sendable.unsentOrders(id, limit, after)).map(({ state }) => state.lines[0]?.row);
    expect(await rowsOf(3)).toEqual([7, 9, 10]);
    expect(await rowsOf(100)).toHaveLength(ROWS - orders.size);
    expect(await rowsOf(5, ROWS - 1)).toEqual([]);
    const all = await ledger.unsentOrders(id, ROWS);
    await expect(async () => sendable.claim(all, systemClock.now(), epoch, null)).rejects.toThrow(/never claimed/);
    expect((await sendable.claim(all.slice(5, 6), systemClock.now(), epoch, null)).length).toBe(1);
    await ledger.close();
  }));
