/**
 * A person's word that nothing of an order arrived, for one that look-ups cannot prove absent. Nothing is sent by it: the next
 * resume looks the order up, and submits the same bytes under the same id where the service still does not know it.
 */
import type { BatchHeader } from '../domain/batch.ts';
import type { Fact, Said } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { OrderId } from '../domain/ids.ts';
import { withoutOrder } from '../domain/left-out.ts';
import { add } from '../domain/money.ts';
import { hasResolvedLine, isSuperseded, neverTransmitted, type OrderState, openAlarms } from '../domain/order.ts';
import type { LedgerQueries, StoredOrder } from '../ledger/ledger.ts';
import { isSendOnce } from './decision.ts';
import type { ResolveDeps } from './resolve-row.ts';

/** Records the word on the order of a row. Gives its id and rows. A Fault `usage` when the order is not open to it. */
export async function sayAbsent(
  batch: BatchHeader,
  row: number,
  said: Said,
  { ledger, clock, confirm }: ResolveDeps,
): Promise<{ readonly id: OrderId; readonly rows: readonly number[] }> {
  await ledger.requireKept(batch.id);
  const { state } = await openOrder(batch, row, ledger);
  await confirm(state.lines.map(({ amount }) => amount).reduce(add));
  await ledger.takeLease(batch.id);
  // Read again under the lease: the service may have said more while the person was typing.
  const order = await openOrder(batch, row, ledger);
  const { id, lines } = order.state;
  const fact: Fact = { type: 'order-said-absent', order: id, at: clock.now(), ...said };
  await ledger.record([{ order, facts: [fact], dueAt: null }]);
  return { id, rows: lines.map((line) => line.row) };
}

async function openOrder({ id }: BatchHeader, row: number, ledger: LedgerQueries): Promise<StoredOrder> {
  const found = await ledger.findRow(id, row);
  if (!found) throw new Fault('usage', `There is no row ${row} in batch ${id}.`, 'Name a row as the sheet numbers it.');
  const order = found.order === undefined ? undefined : await ledger.findOrder(id, found.order);
  if (!order) throw notOpen(row, withoutOrder(found));
  const why = closedBecause(order.state);
  if (why !== undefined) throw notOpen(row, why);
  return order;
}

/** Why nobody may say so of an order; undefined when one may. */
function closedBecause(state: OrderState): string | undefined {
  if (state.phase === 'planned' || neverTransmitted(state)) return 'it never left this computer, and a resume sends it';
  if (state.phase !== 'claimed' && state.phase !== 'in-doubt') return 'the service holds its order, or refused it';
  if (isSendOnce(state)) return 'airtime and bills are never sent twice; say --not-paid, and pay it in another sheet';
  if (state.answer?.tag === 'exists') return 'the service said that it holds its order';
  if (openAlarms(state).length > 0) return 'the service contradicts itself about it; say --paid or --not-paid';
  if (hasResolvedLine(state)) return 'a person spoke on its order before';
  if (isSuperseded(state)) return 'a later batch holds the same payment';
  return undefined;
}

const notOpen = (row: number, why: string): Fault =>
  new Fault(
    'usage',
    `Row ${row} cannot be sent once more: ${why}. Nothing was recorded.`,
    'Only a row that is in doubt, and of which the service holds nothing, can be said to have never arrived.',
  );
