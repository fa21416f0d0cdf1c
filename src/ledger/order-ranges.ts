/**
 * A batch in parts, by the ids of its orders: what is held of each order while it is proven would be the largest thing in memory.
 * Ids follow from hashes, so the parts are alike in size. Whatever an id is, one part has it.
 */
import type { BatchHeader } from '../domain/batch.ts';
import type { BatchId } from '../domain/ids.ts';
import { numberOf, type Reader, type SqlValue, textOf } from './database.ts';

/** Orders from one id on and before another; without a bound it is open, and what belongs to no order is in the first part. */
export interface OrderRange {
  readonly from?: string;
  readonly to?: string;
}

/** Orders of a batch, and the rows that the tables give to them. */
export interface Part {
  readonly database: Reader;
  readonly batch: BatchId;
  readonly orders: OrderRange;
}

/** The one part of a batch that is small enough. */
export const everyOrder: OrderRange = {};

const ORDERS = 'SELECT COUNT(*) AS number FROM pay_order WHERE batch = ?';
const BOUNDS = `SELECT id FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS place FROM pay_order WHERE batch = ?) AS placed
  WHERE place % ? = 0 ORDER BY id`;

/** Parts of a batch that have about so many rows each, in the order of their ids. */
export async function orderRanges(
  database: Reader,
  { id, payable }: Pick<BatchHeader, 'id' | 'payable'>,
  rowsTogether: number,
): Promise<readonly OrderRange[]> {
  if (payable <= rowsTogether) return [everyOrder];
  const [counted] = await database.read(ORDERS, [id]);
  const orders = counted ? numberOf(counted, 'number') : 0;
  const together = Math.max(1, Math.floor((orders * rowsTogether) / payable));
  const bounds = (await database.read(BOUNDS, [id, together])).map((row) => textOf(row, 'id'));
  return [undefined, ...bounds].map((from, index) => {
    const to = bounds[index];
    return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  });
}

/** The condition for a column of ids, and its values. */
export function within(
  column: string,
  { from, to }: OrderRange,
): { readonly sql: string; readonly values: SqlValue[] } {
  if (from === undefined) {
    return to === undefined
      ? { sql: '', values: [] }
      : { sql: ` AND (${column} IS NULL OR ${column} < ?)`, values: [to] };
  }
  return to === undefined
    ? { sql: ` AND ${column} >= ?`, values: [from] }
    : { sql: ` AND ${column} >= ? AND ${column} < ?`, values: [from, to] };
}
