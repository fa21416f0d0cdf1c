import { describe, expect, test } from 'vitest';
import type { BatchHeader, PlannedBlock } from '../../src/domain/batch.ts';
import { InvariantError } from '../../src/domain/invariant.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { kes, open, type Plan, planOf, temporaryPath } from './builders.ts';
import { onEachDriver } from './drivers.ts';

/** Nothing that is asked of the ledger knows of the batch, of its orders, or of the people whom it was to pay. */
async function expectNoBatch(ledger: Ledger, { header, blocks }: Plan): Promise<void> {
  expect(await ledger.findBatch(header.id)).toBeUndefined();
  expect(await ledger.findBatchCalled(header.id)).toBeUndefined();
  expect(await ledger.batches()).toEqual([]);
  const payees = blocks.flatMap(({ rows }) => rows.flatMap(({ payout }) => payout?.payee ?? []));
  expect(await ledger.paymentsTo(payees, 0)).toEqual([]);
  expect(await ledger.batchOf(blocks[0]?.orders[0]?.id ?? '')).toBeUndefined();
  expect(await ledger.verify()).toEqual([]);
}

/** The blocks of a plan, until its source goes away. */
async function* interruptedAfter(blocks: number, plan: Plan): AsyncGenerator<PlannedBlock> {
  yield* plan.blocks.slice(0, blocks);
  throw new Error('the sheet went away');
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

    test('leaves no batch when its source fails midway, and can be made again', async () => {
      const ledger = await open();
      await ledger.takeLease();
      const plan = planOf({ rows: 20, blockOrders: 10 });
      await expect(ledger.planBatch(plan.header, interruptedAfter(1, plan))).rejects.toThrow('the sheet went away');
      await expectNoBatch(ledger, plan);
      await ledger.planBatch(plan.header, plan.blocks);
      expect(await ledger.verify()).toEqual([]);
    });

    test('can be made again from a corrected sheet after it was interrupted twice, as any process sees it', async () => {
      const path = temporaryPath();
      for (const rows of [30, 20]) {
        await using broken = await open({ path });
        await broken.takeLease();
        const plan = planOf({ rows, blockOrders: 10, invalid: 1 });
        await expect(broken.planBatch(plan.header, interruptedAfter(1, plan))).rejects.toThrow('the sheet went away');
      }
      const plan = planOf({ rows: 12, blockOrders: 10, linesPerOrder: 2 });
      {
        await using ledger = await open({ path });
        await expectNoBatch(ledger, plan);
        await ledger.takeLease();
        await ledger.planBatch(plan.header, plan.blocks);
        expect(await ledger.unsentOrders(plan.header.id, 100)).toHaveLength(6);
      }
      await using other = await open({ path });
      expect(await other.verify()).toEqual([]);
      const rows = (await Array.fromAsync(other.resultRows(plan.header.id))).flat();
      expect(rows.map(({ order, outcome }) => [order, outcome])).toEqual(
        plan.blocks.flatMap((block) => block.rows.map(({ order }) => [order, 'unsent'])),
      );
      expect(await other.unsentOrders(plan.header.id, 100)).toHaveLength(6);
      const facts = await Array.fromAsync(other.facts(plan.header.id));
      expect(facts.filter(({ fact }) => fact.type === 'order-planned')).toHaveLength(6);
      expect(await other.batchOf(plan.blocks[0]?.orders[0]?.id ?? '')).toBe(plan.header.id);
    });

    test('lets others record between its blocks, and is not seen by them before it is whole', async () => {
      const path = temporaryPath();
      await using other = await open({ path });
      const epoch = await other.takeLease();
      const first = planOf({ name: 'october', rows: 3 });
      await other.planBatch(first.header, first.blocks);
      await other.releaseLease();
      await using ledger = await open({ path });
      await ledger.takeLease();
      const plan = planOf({ name: 'november', rows: 30, blockOrders: 10 });
      async function* meanwhile(): AsyncGenerator<PlannedBlock> {
        for (const block of plan.blocks) {
          yield block;
          const [order] = await other.unsentOrders(first.header.id, 1);
          if (order) await other.claim([order], 1000, epoch, 5000);
          expect(await other.batches()).toEqual([first.header]);
        }
      }
      await ledger.planBatch(plan.header, meanwhile());
      expect(await other.batches()).toEqual([plan.header, first.header]);
      expect(await other.unsentOrders(first.header.id, 1)).toEqual([]);
      expect(await ledger.unsentOrders(plan.header.id, 100)).toHaveLength(30);
      expect(await other.verify()).toEqual([]);
    });

    test.each<[string, (header: BatchHeader) => BatchHeader]>([
      ['control sum', (header) => ({ ...header, total: kes(header.total.minor + 1n) })],
      ['number of payable rows', (header) => ({ ...header, payable: header.payable - 1 })],
      ['number of rows', (header) => ({ ...header, rows: header.rows + 1 })],
    ])('is a bug when its %s differs from its header, and leaves no batch', async (_, change) => {
      const ledger = await open();
      await ledger.takeLease();
      const plan = planOf();
      await expect(ledger.planBatch(change(plan.header), plan.blocks)).rejects.toThrow(InvariantError);
      await expectNoBatch(ledger, plan);
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
      await expectNoBatch(ledger, plan);
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
      await expectNoBatch(ledger, plan);
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
