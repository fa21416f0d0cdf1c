/** A ledger as a run sees it that sends the first rows of a batch and no others. */
import { expect, test } from 'vitest';
import { ledgerOfFirstRows } from '../../src/ledger/first-rows.ts';
import { kes, open, planOf } from './builders.ts';

test.each([
  [0, 0],
  [1, 0],
  [2, 2],
  [5, 4],
  [6, 6],
  [700, 700],
  [701, 700],
  [9999, 1000],
])('the first %i of a thousand rows, two an order, are %i rows', async (rows, seen) => {
  const ledger = await open();
  const plan = planOf({ rows: 1000, linesPerOrder: 2 });
  await ledger.takeLease();
  await ledger.planBatch(plan.header, plan.blocks);
  const { id } = plan.header;
  const first = await ledgerOfFirstRows(ledger, id, rows);

  const inSheet = plan.blocks.flatMap(({ orders }) => orders.map((order) => order.id)).slice(0, seen / 2);
  expect((await first.unsentOrders(id, 999)).map(({ state }) => state.id)).toEqual(inSheet);
  const smallest = (await first.smallestUnsent(id, 13)).map(({ state }) => state.id);
  expect(smallest).toEqual(inSheet.toSorted().slice(0, 13));
  const paid = plan.blocks
    .flatMap(({ rows: all }) => all.map(({ payout }) => payout?.amount.minor ?? 0n))
    .slice(0, seen);
  const amount = kes(paid.reduce((sum, minor) => sum + minor, 0n));
  expect(await first.unsentOutstanding(id)).toMatchObject({ rows: seen, amount });
  expect(await first.tallies(id)).toMatchObject([{ outcome: 'unsent', count: seen, amount }]);
  expect(await ledger.tallies(id)).toMatchObject([{ outcome: 'unsent', count: 1000 }]);
});
