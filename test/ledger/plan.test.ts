import { describe, expect, test } from 'vitest';
import type { BatchHeader, PlannedBlock } from '../../src/domain/batch.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { kes, open, type Plan, planOf } from './builders.ts';
import { onEachDriver } from './drivers.ts';

async function expectNothing(ledger: Ledger, { header }: Plan): Promise<void> {
  expect(await ledger.findBatch(header.id)).toBeUndefined();
  expect(await ledger.unsentOrders(header.id, 10)).toEqual([]);
  expect(await Array.fromAsync(ledger.facts())).toEqual([]);
}

onEachDriver(() => {
  describe('the plan of a batch', () => {
    test('is found again by id and key, header and all', async () => {
      const ledger = await open();
      await ledger.takeLease();
      const first = planOf({ name: 'october', rows: 3 });
      const second = planOf({ name: 'november', rows: 3 });
      await ledger.planBatch(first.header, first.blocks);
      await ledger.planBatch(second.header, second.blocks);
      expect(await ledger.findBatch(first.header.id)).toEqual(first.header);
      expect(await ledger.findBatchCalled(` ${second.header.id.toUpperCase()}\t`)).toEqual(second.header);
      expect(await ledger.latestBatch()).toEqual(second.header);
      expect(await ledger.batches()).toEqual([second.header, first.header]);
      expect(await ledger.findBatchCalled('december')).toBeUndefined();
    });

    test('keeps every row of the sheet, in sheet order', async () => {
      const ledger = await open();
      await ledger.takeLease();
      const plan = planOf({ rows: 1203, invalid: 2, linesPerOrder: 7 });
      await ledger.planBatch(plan.header, plan.blocks);
      const rows = (await Array.fromAsync(ledger.resultRows(plan.header.id))).flat();
      const planned = plan.blocks.flatMap((block) => block.rows);
      expect(rows.map(({ state, line, outcome, ...row }) => row)).toEqual(planned);
      expect(rows.map((row) => row.outcome)).toEqual(planned.map((row) => (row.order ? 'unsent' : 'invalid')));
      expect(rows.filter((row) => row.line?.trace !== row.trace)).toEqual([]);
      expect(await ledger.verify()).toEqual([]);
    });

    test('keeps the rows that a sheet leaves out, with reason and amount, apart from those that were set aside', async () => {
      const ledger = await open();
      await ledger.takeLease();
      const { header, blocks } = planOf({ rows: 3, invalid: 1, leftOut: 2 });
      await ledger.planBatch(header, blocks);
      const rows = (await Array.fromAsync(ledger.resultRows(header.id))).flat();
      expect(rows.slice(3).map(({ outcome, leftOut, payout }) => [outcome, leftOut, payout])).toEqual([
        ['invalid', undefined, undefined],
        ['left-out', { reason: 'Person 6 is on leave', amount: kes(70_006n) }, undefined],
        ['left-out', { reason: 'Person 7 is on leave' }, undefined],
      ]);
      const tallies = await ledger.tallies(header.id);
      expect(tallies.find(({ outcome }) => outcome === 'left-out')).toMatchObject({
        count: 2,
        amount: kes(70_006n),
        unread: 1,
      });
      expect(header.leftOut).toEqual({ rows: 2, amount: kes(70_006n), unread: 1 });
      expect(await ledger.verify()).toEqual([]);
    });

    test('gives orders back in sheet order with the exact bodies', async () => {
      const ledger = await open();
      await ledger.takeLease();
      const plan = planOf({ rows: 250 });
      await ledger.planBatch(plan.header, plan.blocks);
      const orders = await ledger.unsentOrders(plan.header.id, 1000);
      const planned = plan.blocks.flatMap((block) => block.orders);
      expect(orders.map((order) => order.body)).toEqual(planned.map((order) => order.body));
      expect(orders.map((order) => order.version)).toEqual(planned.map(() => 1));
      expect(await ledger.nextDueAt(plan.header.id)).toBeUndefined();
    });

    test('leaves nothing when its source fails midway, and can be made again', async () => {
      const ledger = await open();
      await ledger.takeLease();
      const plan = planOf({ rows: 20, blockOrders: 10 });
      async function* failing(): AsyncGenerator<PlannedBlock> {
        yield* plan.blocks.slice(0, 1);
        throw new Error('the sheet went away');
      }
      await expect(ledger.planBatch(plan.header, failing())).rejects.toThrow('the sheet went away');
      await expectNothing(ledger, plan);
      await ledger.planBatch(plan.header, plan.blocks);
      expect(await ledger.verify()).toEqual([]);
    });

    test.each<[string, (header: BatchHeader) => BatchHeader]>([
      ['control sum', (header) => ({ ...header, total: kes(header.total.minor + 1n) })],
      ['number of payable rows', (header) => ({ ...header, payable: header.payable - 1 })],
      ['number of rows', (header) => ({ ...header, rows: header.rows + 1 })],
    ])('is a bug when its %s differs from its header, and leaves nothing', async (_, change) => {
      const ledger = await open();
      await ledger.takeLease();
      const plan = planOf();
      await expect(ledger.planBatch(change(plan.header), plan.blocks)).rejects.toThrow(InvariantError);
      await expectNothing(ledger, plan);
    });

    test('is a bug when a line pays another amount than its row', async () => {
      const ledger = await open();
      await ledger.takeLease();
      const plan = planOf();
      const blocks = plan.blocks.map((block) => ({
        ...block,
        orders: block.orders.map((order) => ({
          ...order,
          lines: order.lines.map((line) => ({ ...line, amount: kes(1n) })),
        })),
      }));
      await expect(ledger.planBatch(plan.header, blocks)).rejects.toThrow(/agree/);
      await expectNothing(ledger, plan);
    });

    test('is a bug when a payable row has no line', async () => {
      const ledger = await open();
      await ledger.takeLease();
      const plan = planOf({ linesPerOrder: 2 });
      const blocks = plan.blocks.map((block) => ({
        ...block,
        orders: block.orders.map((order) => ({ ...order, lines: order.lines.slice(0, 1) })),
      }));
      await expect(ledger.planBatch(plan.header, blocks)).rejects.toThrow(/exactly one line/);
      await expectNothing(ledger, plan);
    });

    test('is a bug when the batch is in the ledger already, or nobody holds the lease', async () => {
      const ledger = await open();
      const plan = planOf();
      await expect(ledger.planBatch(plan.header, plan.blocks)).rejects.toThrow(/lease/);
      await ledger.takeLease();
      await ledger.planBatch(plan.header, plan.blocks);
      await expect(ledger.planBatch(plan.header, plan.blocks)).rejects.toThrow(/planned once/);
    });
  });
});
