/** Edits of what the ledger keeps packed, by somebody who can unpack it. */
import type { PlannedOrder } from '../../src/domain/batch.ts';
import { OrderPacking, orderTextsIn, PACKED_COLUMNS, PACKED_TABLES } from '../../src/ledger/order-texts.ts';
import type { Connection } from '../../src/ledger/sqlite.ts';

type Texts = Pick<PlannedOrder, 'body' | 'origin'>;

const ORDERS = `SELECT o.position, ${PACKED_COLUMNS} FROM ${PACKED_TABLES} ORDER BY o.position`;

/** Changes the texts of orders, each by its place; gives how many orders were changed. */
export function editTexts(raw: Connection, change: (texts: Texts, position: number) => Texts): number {
  let changed = 0;
  for (const row of raw.all(ORDERS)) {
    const position = Number(row['position']);
    const before = orderTextsIn(row);
    const after = change(before, position);
    if (after.body === before.body && after.origin === before.origin) continue;
    // Alone in its packing, it is kept whole.
    const { alike, packed } = new OrderPacking().pack(position, after);
    changed += raw.run('UPDATE order_body SET alike = ?, packed = ? WHERE position = ?', [alike, packed, position]);
  }
  return changed;
}
