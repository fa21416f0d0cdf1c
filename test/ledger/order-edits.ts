/** Edits of orders by somebody who writes what the ledger itself would write. */

import type { Connection } from '../../src/database/sqlite.ts';
import type { PlannedOrder } from '../../src/domain/batch.ts';
import { textsIn } from '../../src/ledger/recorded-orders.ts';

type Texts = Pick<PlannedOrder, 'body' | 'origin'>;

/** Changes the texts of orders, each by its place; gives how many orders were changed. */
export function editTexts(raw: Connection, change: (texts: Texts, position: number) => Texts): number {
  let changed = 0;
  for (const row of raw.all('SELECT position, body, origin FROM order_body ORDER BY position')) {
    const position = Number(row['position']);
    const before = textsIn(row);
    const after = change(before, position);
    if (after.body === before.body && after.origin === before.origin) continue;
    const values = [after.body, after.origin, position];
    changed += raw.run('UPDATE order_body SET body = ?, origin = ? WHERE position = ?', values);
  }
  return changed;
}
