/**
 * Which orders a run leaves out, because a later batch holds the same payments. It is found out anew by every run, under
 * the lease: nobody else can plan a batch from then on until the run ends. A batch never goes away, so what is left out
 * once stays so.
 */

import type { BatchHeader, ResultRow } from '../../domain/batch.ts';
import { counted } from '../../domain/counted.ts';
import type { CurrencyCode } from '../../domain/currency.ts';
import type { LeftOutRecord } from '../../domain/fact.ts';
import type { BatchId, OrderId } from '../../domain/ids.ts';
import { add, type Money, zero } from '../../domain/money.ts';
import { strictSubmissions } from '../../domain/submission.ts';
import type { LeftOut } from '../../ledger/left-out.ts';
import { heldElsewhere, type PaidSinceDeps, sendablePayments } from './paid-since.ts';

export interface LeftOutRows extends LeftOut {
  /** The latest batch that holds the payment, by row; a row may also be left out because it shares its order with one of these. */
  readonly by: ReadonlyMap<number, BatchId>;
  /** For the record; missing when nothing is left out. */
  readonly record?: LeftOutRecord;
}

/** What a run of this batch leaves out; nothing in a rehearsal. Race-free only under the lease. */
export async function leftOutOf(batch: BatchHeader, deps: PaidSinceDeps): Promise<LeftOutRows> {
  const { ledger } = deps;
  const rows = () => ledger.resultRows(batch.id);
  const { by, text, todo } = await heldElsewhere(batch, sendablePayments(batch.id, ledger), deps);
  const orders = by.size === 0 ? new Set<OrderId>() : await ordersOf(by, rows());
  const unsent = new Unsent(batch.currency);
  if (orders.size === 0) return { orders, by, unsent };
  let beside = 0;
  for await (const block of rows()) {
    for (const row of block) {
      if (row.outcome !== 'unsent' || row.order === undefined || !orders.has(row.order)) continue;
      unsent.add(row);
      if (!by.has(row.row)) beside += 1;
    }
  }
  const says = `${countText(unsent.rows)} ${text}${besideText(beside)}`;
  return { orders, by, unsent, record: { rows: unsent.rows, says, todo } };
}

/** The orders that pay these rows: each of them is left out as a whole. */
async function ordersOf(
  rows: ReadonlyMap<number, BatchId>,
  all: AsyncIterable<readonly ResultRow[]>,
): Promise<ReadonlySet<OrderId>> {
  const orders = new Set<OrderId>();
  for await (const block of all) {
    for (const { row, order } of block) if (order !== undefined && rows.has(row)) orders.add(order);
  }
  return orders;
}

/** Counts and sums of rows that were not sent. */
class Unsent {
  rows = 0;
  unprovable = 0;
  amount: Money;
  charges: Money;

  constructor(currency: CurrencyCode) {
    this.amount = zero(currency);
    this.charges = zero(currency);
  }

  add({ payout, charge, state }: ResultRow): void {
    this.rows += 1;
    if (state && strictSubmissions.includes(state.submission)) this.unprovable += 1;
    if (payout) this.amount = add(this.amount, payout.amount);
    if (charge) this.charges = add(this.charges, charge);
  }
}

/** Rows of a batch as they are, those marked that its runs leave out. */
export async function* withLeftOut(
  rows: AsyncIterable<readonly ResultRow[]>,
  { by, orders }: LeftOutRows,
): AsyncGenerator<readonly ResultRow[]> {
  for await (const block of rows) {
    yield block.map((row) => {
      if (row.order === undefined || !orders.has(row.order)) return row;
      const holder = by.get(row.row);
      return { ...row, leftOut: holder === undefined ? {} : { batch: holder } };
    });
  }
}

/** Without a row that was never sent, those that were found are in doubt. */
const countText = (rows: number): string => {
  if (rows === 0) return 'Rows in doubt are looked up, and not sent again from this batch.';
  return `${counted(rows, 'row is', 'rows are')} not sent from this batch.`;
};

const besideText = (rows: number): string =>
  rows === 0
    ? ''
    : ` Rows that share an order with them: ${rows}; an order is sent as a whole or not at all, so these are still owed.`;
