/** Edits of what the ledger keeps packed, by somebody who can unpack it. */
import type { PlannedOrder } from '../../src/domain/batch.ts';
import { decodeRecord, encodeRecord } from '../../src/domain/json.ts';
import type { OrderState } from '../../src/domain/order.ts';
import { sameBytes } from '../../src/ledger/database.ts';
import { OrderPacking, textsOf, wholeIn } from '../../src/ledger/order-texts.ts';
import type { Connection } from '../../src/ledger/sqlite.ts';
import { packState, stateIn } from '../../src/ledger/state-texts.ts';

type Texts = Pick<PlannedOrder, 'body' | 'origin'>;

const ORDERS = `SELECT b.position, b.packed, l.packed AS whole FROM order_body b
  LEFT JOIN order_body l ON l.position = b.alike ORDER BY b.position`;

/** Changes the texts of orders, each by its place; gives how many orders were changed. */
export function editTexts(raw: Connection, change: (texts: Texts, position: number) => Texts): number {
  let changed = 0;
  for (const row of raw.all(ORDERS)) {
    const position = Number(row['position']);
    const before = textsOf(row, wholeIn(row['whole']));
    const after = change(before, position);
    if (after.body === before.body && after.origin === before.origin) continue;
    // Alone in its packing, it is kept whole.
    const { alike, packed } = new OrderPacking().pack(position, after);
    changed += raw.run('UPDATE order_body SET alike = ?, packed = ? WHERE position = ?', [alike, packed, position]);
  }
  return changed;
}

type Lines = OrderState['lines'];

/** Changes the states of orders; gives how many orders were changed. */
export function editStates(raw: Connection, change: (state: OrderState) => OrderState): number {
  let changed = 0;
  for (const row of raw.all('SELECT position, state, lines FROM pay_order ORDER BY position')) {
    const before = packState(stateIn(row));
    const { state, lines } = packState(change(stateIn(row)));
    if (sameBytes(before.state, state) && sameBytes(before.lines, lines)) continue;
    const values = [state, lines, Number(row['position'])];
    changed += raw.run('UPDATE pay_order SET state = ?, lines = ? WHERE position = ?', values);
  }
  return changed;
}

/** Changes a word in the lines of orders, wherever it stands. */
export const editLines = (raw: Connection, from: string, to: string): number =>
  editStates(raw, (state) => ({
    ...state,
    lines: decodeRecord<Lines>(encodeRecord(state.lines).replaceAll(from, to)),
  }));
