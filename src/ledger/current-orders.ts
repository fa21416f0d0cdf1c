/** Orders with their facts folded, each as it was recorded last: what was recorded while they were read is read again. */
import type { Reader, SqlValue } from './database.ts';
import { changed, otherVersion } from './proof-faults.ts';
import { isFolded, type RecordedOrder, recordedOrders } from './recorded-orders.ts';

/** Where orders are read. */
export interface OrdersRead {
  readonly database: Reader;
  /**
   * Whether orders are what was recorded of them last; false: something was recorded since they were read. Fault `ledger-unsafe`
   * when they were changed (`held-orders.ts`).
   */
  readonly areCurrent: (orders: readonly RecordedOrder[]) => Promise<boolean>;
}

/** Orders are read again at most so often because something was recorded of them meanwhile: by this process itself, group by group. */
const READS_MAX = 100;

/** `which` goes on after `ORDERS`. */
export async function currentOrders(
  { database, areCurrent }: OrdersRead,
  which: string,
  values: readonly SqlValue[],
): Promise<readonly RecordedOrder[]> {
  for (let tries = 1; tries <= READS_MAX; tries += 1) {
    const found = await recordedOrders(database, which, values);
    const orders = found.filter(isFolded);
    for (const one of found) if (!isFolded(one)) throw changed(one.wrong);
    if (await areCurrent(orders)) return orders;
  }
  throw otherVersion();
}
