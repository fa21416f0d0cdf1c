/** Parts of a batch as dispatch sends them: the opening, and one lane beside others. The books are the judge. */
import { describe, expect, test } from 'vitest';
import { ordinaryPayees, planBatch, quick } from '../support/run-harness.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';
import { practiceOnRealTime } from './practice-on-real-time.ts';

const ROWS = 24;
const lanes = { count: 3, orders: 8 };
const patient = quick({ polling: { deadlineMs: 12_500 } });
const noneBefore = { completed: 0, open: 0, lost: 0 };

const planned = (folder: string) => planBatch(folder, { payees: ordinaryPayees(ROWS), lanes });

describe('a batch in lanes', () => {
  test('is open for others when its first payments are shown, and no other was sent', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime('settle-min=5,settle-max=40');
      const batch = await planned(folder);
      const { result, error } = await batch.run(practice.url, { settings: patient, until: 'opened' });
      expect(error).toBeUndefined();
      expect(result).toMatchObject({ isOpened: true, alarms: [] });
      expect(practice.books().orders).toHaveLength(3);
    }));

  test('is not open before the rows are completed that go ahead alone', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime('settle-min=5,settle-max=40');
      const batch = await planned(folder);
      const settings = { ...patient, canary: { rows: 7, base: noneBefore } };
      const { result, counts } = await batch.run(practice.url, { settings, until: 'opened' });
      expect(result).toMatchObject({ isOpened: true });
      expect(counts.completed).toBe(7);
      expect(practice.books().orders).toHaveLength(7);
    }));

  test('is not open when its sending was stopped', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime('settle-min=5,settle-max=40');
      const batch = await planned(folder);
      const readBalance = async () => ({ minor: 0n, currency: batch.header.currency });
      const { result } = await batch.run(practice.url, { settings: patient, until: 'opened', readBalance });
      expect(result).not.toHaveProperty('isOpened');
      expect(result?.stop).toMatchObject({ code: 'balance' });
      expect(practice.books().orders).toEqual([]);
    }));

  test('is sent lane by lane: each run sends the orders of its own, and leaves what is open to who ends the batch', () =>
    inTemporaryFolder(async (folder) => {
      const practice = await practiceOnRealTime('settle-min=5,settle-max=40');
      const batch = await planned(folder);
      await batch.run(practice.url, { settings: patient, until: 'opened' });
      const before = new Set(practice.books().orders.map(({ id }) => id));
      const { result, rows, differences } = await batch.run(practice.url, {
        settings: patient,
        until: 'sent',
        lane: 2,
      });
      expect([result?.alarms, result?.stop, differences]).toEqual([[], undefined, []]);
      const sent = practice
        .books()
        .orders.map(({ id }) => id)
        .filter((id) => !before.has(id));
      const own = new Set(rows.slice(8, 16).map(({ order }) => order as string));
      expect(sent.length).toBeGreaterThanOrEqual(8 - before.size);
      expect(sent.filter((id) => !own.has(id))).toEqual([]);
      expect(rows.slice(8, 16).filter(({ outcome }) => outcome === 'unsent')).toEqual([]);
      for (const lane of [1, 3]) await batch.run(practice.url, { settings: patient, until: 'sent', lane });
      const { counts } = await batch.run(practice.url, { settings: patient });
      expect(counts).toMatchObject({ completed: ROWS, unsent: 0, pending: 0 });
      expect(practice.books().orders).toHaveLength(ROWS);
    }));
});
