/** The rows that orders pay, as they stand in the ledger. A claim needs hundreds of them, so they are read many at a time. */
import type { BatchId } from '../domain/ids.ts';
import { ROW_COLUMNS } from './commitment.ts';
import { numberOf, type Reader, type SqlRow } from './database.ts';
import type { StoredOrder } from './stored-order.ts';

/** Rows in one question. Each question has as many places, so that it is prepared once. */
const ROWS_AT_ONCE = 64;
const PLACES = Array(ROWS_AT_ONCE).fill('?').join(', ');
const ROWS = `SELECT ${ROW_COLUMNS}, charge_minor, order_id, trace, outcome, fee_minor FROM payout
  WHERE batch = ? AND sheet_row IN (${PLACES})`;

/** Those of one batch, by their number in the sheet; one that is gone is missing. */
export async function rowsOfOrders(
  database: Reader,
  batch: BatchId,
  orders: readonly Pick<StoredOrder, 'state'>[],
): Promise<ReadonlyMap<number, SqlRow>> {
  const numbers = orders.flatMap(({ state }) => state.lines.map(({ row }) => row));
  const found = new Map<number, SqlRow>();
  for (let from = 0; from < numbers.length; from += ROWS_AT_ONCE) {
    const asked = numbers.slice(from, from + ROWS_AT_ONCE);
    const last = asked.at(-1) ?? 0;
    const filled = [...asked, ...Array<number>(ROWS_AT_ONCE - asked.length).fill(last)];
    for (const row of await database.read(ROWS, [batch, ...filled])) found.set(numberOf(row, 'sheet_row'), row);
  }
  return found;
}
