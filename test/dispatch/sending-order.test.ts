/** In which order what is planned leaves. */
import { describe, expect, test } from 'vitest';
import { shuffled } from '../../src/dispatch/probes.ts';
import { drawn, Pass } from '../../src/dispatch/send.ts';
import type { StoredOrder } from '../../src/ledger/orders.ts';
import { systemClock, systemRandom } from '../../src/system.ts';
import { open, ordinaryPayees, planBatch } from '../support/run-harness.ts';
import { chanceOf } from '../support/seeded-random.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const positionsOf = (orders: readonly StoredOrder[]): readonly number[] => orders.map(({ position }) => position);

async function withLedger(
  rows: number,
  act: (ledger: Awaited<ReturnType<typeof open>>, batch: never) => Promise<void>,
) {
  await inTemporaryFolder(async (folder) => {
    const batch = await planBatch(folder, { payees: ordinaryPayees(rows) });
    const ledger = await open(batch.path, systemClock);
    try {
      await act(ledger, batch.header.id as never);
    } finally {
      await ledger.close();
    }
  });
}

/** All that is left, so many at a time. */
async function all(order: Pass, count: number): Promise<readonly number[]> {
  const positions: number[] = [];
  for (;;) {
    const found = await order.next(count);
    const last = found.at(-1);
    if (!last) return positions;
    positions.push(...positionsOf(found));
    order.isBehind(last);
  }
}

describe('an order that is drawn', () => {
  test('has every planned order once, whatever is read at a time, and those first that go first', () =>
    withLedger(300, async (ledger, batch) => {
      const unsent = await ledger.unsentPositions(batch);
      const first = [unsent[200] ?? 0, unsent[3] ?? 0];
      for (const count of [1, 64, 200]) {
        const positions = await all(new Pass(ledger, batch, drawn(unsent, first, systemRandom)), count);
        expect(positions.slice(0, 2)).toEqual(first);
        expect(positions.toSorted((a, b) => a - b)).toEqual(unsent);
      }
    }));

  test('is another one for each that is drawn, and not that of the sheet', () =>
    withLedger(40, async (ledger, batch) => {
      const sheet = await ledger.unsentPositions(batch);
      expect(await all(new Pass(ledger, batch, sheet), 64)).toEqual(sheet);
      const [one, other] = [drawn(sheet, [], systemRandom), drawn(sheet, [], systemRandom)];
      expect(new Set([one.join(), other.join(), sheet.join()]).size).toBe(3);
    }));

  test('leaves out what was claimed since, and gives as many others', () =>
    withLedger(20, async (ledger, batch) => {
      const pass = new Pass(ledger, batch, await ledger.unsentPositions(batch));
      const [gone, ...others] = await pass.next(20);
      const epoch = await ledger.takeLease(batch);
      if (gone) await ledger.claim([gone], systemClock.now(), epoch, null);
      expect(positionsOf(await pass.next(20))).toEqual(positionsOf(others));
      expect(await pass.next(5)).toHaveLength(5);
    }));
});

test('what is shuffled is all there, each order about as often as any other', () => {
  const counts = new Map<string, number>();
  const chance = chanceOf(7, 1);
  const random = (): number => chance.below(1_000_000) / 1_000_000;
  for (let times = 0; times < 6000; times++) {
    const text = shuffled(['a', 'b', 'c'], random).join('');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
});
