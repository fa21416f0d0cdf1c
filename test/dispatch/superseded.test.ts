/** Orders that a later batch superseded are never submitted, the first time or again; what was sent of them is followed. */
import { describe, expect, test } from 'vitest';
import type { OrderId } from '../../src/domain/ids.ts';
import { invariant } from '../../src/domain/invariant.ts';
import { planOf } from '../ledger/builders.ts';
import { kes } from '../support/amounts.ts';
import { fastClock } from '../support/fast-clock.ts';
import { type Batch, open, ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { practiceOnRealTime } from './practice-on-real-time.ts';

const clock = fastClock();

const QUICK_ENDS = 'settle-min=5,settle-max=40';
const ROWS = 20;

/** Plans another batch that holds the payments of these rows, in the same ledger. */
async function supersede(batch: Batch, rows: readonly number[]): Promise<void> {
  const held = (await batch.inspect()).rows.flatMap(({ row, order, trace }) =>
    rows.includes(row) && order && trace ? [{ batch: batch.header.id, order, traces: [trace] }] : [],
  );
  const ledger = await open(batch.path, clock);
  const { header, blocks } = planOf({ name: 'later', rows: 1 });
  await ledger.takeLease();
  await ledger.takeLease(batch.header.id);
  await ledger.planBatch(header, blocks, held);
  await ledger.close();
}

/** Claims orders as a process does that is killed before it submits them. */
async function claimAndDie(batch: Batch, count: number): Promise<void> {
  const ledger = await open(batch.path, clock);
  const epoch = await ledger.takeLease(batch.header.id);
  await ledger.recordRun(batch.header.id, '0.1.0');
  await ledger.claim(await ledger.unsentOrders(batch.header.id, count), clock.now(), epoch, null);
  await ledger.close();
}

describe('an order that is left out', () => {
  test('is not sent, and the others are', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(ROWS) });
      await supersede(batch, [2, 3, 11, 21]);
      const practice = await practiceOnRealTime(QUICK_ENDS, clock);
      const { counts, result, differences } = await batch.run(practice.url);
      expect(counts).toMatchObject({ completed: ROWS - 4, unsent: 4 });
      expect(practice.books().orders).toHaveLength(ROWS - 4);
      expect(result).toEqual({ alarms: [] });
      expect(differences).toEqual([]);
    }));

  test('is not sent again either, when it may have been sent and was not', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(ROWS) });
      await claimAndDie(batch, 2);
      await supersede(batch, [2]);
      const practice = await practiceOnRealTime(QUICK_ENDS, clock);
      const { rows } = await batch.run(practice.url);
      expect(rows.map(({ outcome }) => outcome)).toEqual(['in-doubt', ...Array(ROWS - 1).fill('completed')]);
      expect(rows[0]?.state?.unknowns).toBeGreaterThanOrEqual(2);
      expect(practice.books().orders).toHaveLength(ROWS - 1);
    }));

  test('is looked up by a ledger in recovery, and counts as what the service says of it', () =>
    inTemporaryFolder(async (folder) => {
      const payees = ordinaryPayees(ROWS);
      const lost = await planBatch(`${folder}/lost`, { clock, payees });
      const practice = await practiceOnRealTime(QUICK_ENDS, clock);
      await supersede(lost, [3]);
      await lost.run(practice.url);
      const batch = await planBatch(`${folder}/new`, { clock, payees });
      await supersede(batch, [2, 3]);
      const { counts, result } = await batch.run(practice.url, { lookFirst: true });
      expect(counts).toMatchObject({ completed: ROWS - 1, unsent: 1 });
      expect(result).toEqual({ alarms: [], recovery: 'over' });
      expect(practice.books().orders).toHaveLength(ROWS - 1);
    }));

  test('is followed when it was sent', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(2) });
      const practice = await practiceOnRealTime('settle-min=300,settle-max=400', clock);
      const brief = quick({ polling: { deadlineMs: 60 } });
      expect((await batch.run(practice.url, { settings: brief })).counts.completed).toBeLessThan(2);
      await supersede(batch, [2, 3]);
      const { counts } = await batch.run(practice.url);
      expect(counts.completed).toBe(2);
    }));

  test('does not stop the others: what nobody waits to send needs nothing in the wallet', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { clock, payees: ordinaryPayees(3) });
      await supersede(batch, [2, 3]);
      const practice = await practiceOnRealTime(QUICK_ENDS, clock);
      // Enough for the third row and its charge alone.
      const { counts, result } = await batch.run(practice.url, { readBalance: async () => kes(151_000n) });
      expect(counts).toMatchObject({ completed: 1, unsent: 2 });
      expect(result?.stop).toBeUndefined();
    }));

  test('is nothing that a failure of the last of the others could stop', () =>
    inTemporaryFolder(async (folder) => {
      const batch = await planBatch(folder, { clock, payees: [...ordinaryPayees(2), '+254712100008'] });
      await supersede(batch, [2, 3]);
      const practice = await practiceOnRealTime(QUICK_ENDS, clock);
      const settings = quick({ sending: { stopAfterFailures: 1 } });
      const { counts, result } = await batch.run(practice.url, { settings });
      expect(counts).toMatchObject({ failed: 1, unsent: 2 });
      expect(result).toEqual({ alarms: [] });
    }));
});

test('a ledger gives the orders that are not superseded in full blocks, and refuses to claim the others', () =>
  inTemporaryFolder(async (folder) => {
    const batch = await planBatch(folder, { clock, payees: ordinaryPayees(ROWS) });
    const before = await open(batch.path, clock);
    const { id } = batch.header;
    const all = await before.unsentOrders(id, ROWS);
    await before.close();
    const held = [2, 3, 4, 5, 6, 8, 21];
    await supersede(batch, held);
    const ledger = await open(batch.path, clock);
    const epoch = await ledger.takeLease(id);
    const rowsOf = async (limit: number, after?: number) =>
      (await ledger.unsentOrders(id, limit, after)).map(({ state }) => state.lines[0]?.row);
    expect(await rowsOf(3)).toEqual([7, 9, 10]);
    expect(await rowsOf(100)).toHaveLength(ROWS - held.length);
    expect(await rowsOf(5, ROWS - 1)).toEqual([]);
    const first = await ledger.findOrder(id, all[0]?.state.id as OrderId);
    invariant(first, 'the first order is planned');
    await expect(ledger.claim([first], clock.now(), epoch, null)).rejects.toThrow(/never claimed/);
    // As it was read before the later batch was planned.
    await expect(ledger.claim(all.slice(0, 1), clock.now(), epoch, null)).rejects.toMatchObject({
      code: 'ledger-unsafe',
    });
    expect((await ledger.claim(all.slice(5, 6), clock.now(), epoch, null)).length).toBe(1);
    await ledger.close();
  }));
