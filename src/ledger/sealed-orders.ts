/** Orders as they were read, held against their seals. The seals were loaded before (`Seals.load`). */
import type { BatchId } from '../domain/ids.ts';
import { bodyHash, contentDigest, originHash, storedRowHash } from './commitment.ts';
import { minorOf, type Reader, type SqlRow } from './database.ts';
import type { Moving } from './moving.ts';
import { changed, otherVersion } from './proof-faults.ts';
import { rowsOfOrders } from './rows-of-orders.ts';
import { contentSeal, type Seals, stateSeal } from './seals.ts';
import { packedOf } from './state-texts.ts';
import type { StoredOrder } from './stored-order.ts';

/** Throws a Fault `ledger-unsafe` unless the order, as it was read, is the one that was recorded last. */
export function assertState(seals: Seals, { position, version, state }: StoredOrder): void {
  const seal = seals.sealOf(position);
  if (!seal) throw changed(`order ${state.id}: no fact has planned it`);
  if (seal.version !== version) throw otherVersion();
  if (!seal.state.equals(stateSeal(packedOf(state).digest))) throw changed(`order ${state.id}: differs from its facts`);
}

/** `OrdersRead.areCurrent`, of batches that are proven by order. */
export async function areCurrent({ writer, proof }: Moving, orders: readonly StoredOrder[]): Promise<boolean> {
  const open = orders.filter(({ batch }) => proof.isByOrder(batch));
  if (open.length === 0) return true;
  await writer.loadSeals(open.map(({ position }) => position));
  for (const order of open) {
    const seal = proof.seals.sealOf(order.position);
    if (seal && seal.version !== order.version) return false;
    assertState(proof.seals, order);
  }
  return true;
}

/** The same of all that would leave by orders of a batch: their bytes, and the rows that they pay. */
export async function assertContent(
  { database, seals }: { readonly database: Reader; readonly seals: Seals },
  batch: BatchId,
  orders: readonly StoredOrder[],
): Promise<void> {
  const stored = await rowsOfOrders(database, batch, orders);
  for (const order of orders) {
    assertState(seals, order);
    for (const { row: number, trace } of order.state.lines) {
      const row = stored.get(number);
      if (!row || row['order_id'] !== order.state.id || row['trace'] !== trace || row['outcome'] !== null) {
        throw changed(`row ${number} of batch ${batch}: differs from its facts`);
      }
    }
    const content = contentSeal(batch, digestOf(order, stored, chargeIn));
    if (!seals.sealOf(order.position)?.content.equals(content))
      throw changed(`order ${order.state.id}: its body, or a row that it pays, differs from its facts`);
  }
}

/** All that the plan of an order commits to. `charge`: what a row of it was quoted. */
export function digestOf(
  order: StoredOrder,
  stored: ReadonlyMap<number, SqlRow>,
  charge: (row: SqlRow) => string | null,
): string {
  const rows = order.state.lines.map(({ row }) => stored.get(row)).filter((row) => row !== undefined);
  const texts = { body: bodyHash(order), origin: originHash(order) };
  return contentDigest({ ...texts, rows: rows.map(storedRowHash), charges: rows.map(charge) });
}

const chargeIn = (row: SqlRow): string | null =>
  row['charge_minor'] === null ? null : minorOf(row, 'charge_minor').toString();
