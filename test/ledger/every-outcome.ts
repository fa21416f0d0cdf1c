/** A ledger in which everything has happened: all outcomes, two batches, another attempt, and a row that the later batch holds. */
import { plannedFact } from '../../src/domain/batch.ts';
import type { Fact } from '../../src/domain/fact.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { decimalOf } from '../../src/domain/money.ts';
import type { StoredOrder } from '../../src/ledger/orders.ts';
import type { LedgerKeys } from '../../src/ledger/signing.ts';
import { accepted, acme, kes, open, planOf, reportOf, temporaryPath } from './builders.ts';

type Happen = (order: StoredOrder, at: number) => readonly Fact[];

const seen =
  (status: number, amount?: string): Happen =>
  ({ state }, at) => [
    accepted(state.id, at),
    {
      type: 'order-observed',
      order: state.id,
      at: at + 1,
      processed: true,
      lines: state.lines.map((line) => reportOf(line.trace, amount ?? decimalOf(line.amount), status)),
    },
  ];

/** What becomes of the first orders, in their order; the rest is never sent. */
const fates: readonly Happen[] = [
  seen(4),
  seen(4),
  seen(7, '0'),
  seen(8, '0'),
  ({ state: { id: order } }, at) => [
    { type: 'order-answered', order, at, tag: 'refused', reason: 'HTTP 400' },
    { type: 'order-unknown', order, at: at + 1 },
    { type: 'order-refused', order, at: at + 2 },
  ],
  ({ state: { id: order } }, at) => [{ type: 'order-answered', order, at, tag: 'ambiguous', reason: 'HTTP 502' }],
  ({ state: { id } }, at) => [accepted(id, at)],
];

export async function everythingHappened(path = temporaryPath(), keys?: LedgerKeys) {
  const ledger = await open({ path, ...(keys && { keys }) });
  const epoch = await ledger.takeLease();
  const { header, blocks } = planOf({ rows: 10, invalid: 2, leftOut: 2 });
  await ledger.planBatch(header, blocks);
  await ledger.recordRun(header.id, '0.1.0');
  const claimed = await ledger.claim(await ledger.unsentOrders(header.id, fates.length), 1000, epoch, 5000);
  const steps = claimed.map((order, index) => ({ order, facts: fates[index]?.(order, 1100) ?? [], dueAt: 9000 }));
  const moved = await ledger.record(steps);
  await ledger.recordStop('finished');
  // The row that was rejected is tried again, and the new order is not sent yet.
  const failed = moved[2];
  const [line] = failed?.state.lines ?? [];
  if (!failed || !line) throw new Error('the third order was rejected');
  const id = '00000000-0000-8000-8000-000000000001' as OrderId;
  const again = {
    id,
    submission: 'payment-order' as const,
    attempt: 2,
    body: '{}',
    origin: '[]',
    lines: [{ trace: `${id}-t` as typeof line.trace, row: line.row, amount: line.amount, replaces: failed.state.id }],
  };
  const fact = {
    type: 'retry-planned',
    batch: header.id,
    at: 2000,
    count: 1,
    total: '1',
    maker: 'm',
    confirmation: 'c',
  };
  await ledger.planRetry({
    batch: header.id,
    fact: fact as Parameters<typeof ledger.planRetry>[0]['fact'],
    attempts: [{ order: again, charge: kes(900n), replaced: { order: failed, trace: line.trace } }],
  });
  if (plannedFact(again, 1).attempt !== 2) throw new Error('it is the second attempt');
  const later = planOf({ name: 'wages', rows: 3 });
  const [held] = (await ledger.unsentOrders(header.id, 10)).slice(-1);
  if (!held) throw new Error('some orders were never sent');
  const traces = held.state.lines.map(({ trace }) => trace);
  await ledger.planBatch(later.header, later.blocks, [{ batch: header.id, order: held.state.id, traces }]);
  await ledger.renewClient({ ...acme, clientId: 'acme-2' }, { by: 'amina', reason: 'rotated' });
  return { path, ledger, batches: [header, later.header] };
}
