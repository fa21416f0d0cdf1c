/** How much of a wallet is left for a batch while other batches are sent at the same time. */
import { expect, test } from 'vitest';
import type { BatchHeader } from '../../src/domain/batch.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { freeFor } from '../../src/preflight/owed-elsewhere.ts';
import { kes } from '../support/amounts.ts';
import { liveSettings } from '../support/desk/live-settings.ts';

const batchOf = (name: string, plannedAt: number, total: bigint): BatchHeader =>
  ({ id: name as BatchId, currency: 'KES', plannedAt, total: kes(total), charges: kes(10n) }) as BatchHeader;

/** An earlier batch of 1,000 with charges of 10, of which 300 and 3 are unsent; a later one; and the one that asks. */
const earlier = batchOf('earlier', 1, 1000n);
const own = batchOf('own', 2, 500n);
const later = batchOf('later', 3, 9000n);

function openLedger() {
  const summed: BatchId[] = [];
  const ledger = {
    othersAtWork: async () => [earlier, own, later].map(({ id }) => ({ batch: id })),
    findBatch: async (id: BatchId) => [earlier, own, later].find((one) => one.id === id),
    unsentElsewhere: async (id: BatchId) => {
      summed.push(id);
      return { rows: 3, amount: kes(300n), charges: kes(3n) };
    },
  } as unknown as Parameters<typeof freeFor>[3]['ledger'];
  const free = (balance: bigint, neededMinor: bigint) =>
    freeFor(own, neededMinor, Promise.resolve(kes(balance)), { settings: liveSettings, ledger });
  return { free, summed };
}

test('a wallet that covers all that was planned before is not compared with what is left of it, row by row', async () => {
  const { free, summed } = openLedger();
  expect(await free(1510n, 500n)).toEqual(kes(500n));
  expect(summed).toEqual([]);
});

test('a wallet that may not cover it is compared with exactly what the batches before still need', async () => {
  const { free, summed } = openLedger();
  expect(await free(1509n, 500n)).toEqual(kes(1206n));
  expect(await free(700n, 500n)).toEqual(kes(397n));
  expect(summed).toEqual(['earlier', 'earlier']);
});
