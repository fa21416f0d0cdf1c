/** Orders as they were read, held against their seals. The seals were loaded before (`Seals.load`). */
import type { BatchId } from '../domain/ids.ts';
import { bodyHash, originHash, storedRowHash } from './commitment.ts';
import { minorOf, type Reader, type SqlRow } from './database.ts';
import type { Moving } from './moving.ts';
import { rowsSeal, stateSeal, textsSeal } from './order-seal.ts';
import { changed, otherVersion } from './proof-faults.ts';
import { encodeState } from './record-text.ts';
import { rowsOfOrders } from './rows-of-orders.ts';
import type { Seals } from './seals.ts';
import type { StoredOrder } from './stored-order.ts';

/** Throws a Fault `ledger-unsafe` unless the order, as it was read, is the one that was recorded last. */
export function assertState(seals: Seals, { position, version, state }: StoredOrder): void {
  const seal = seals.sealOf(position);
  if (!seal) throw changed(`order ${state.id}: no fact has planned it`);
  if (seal.version !== version) throw otherVersion();
  if (!seal.state.equals(stateSeal(encodeState(state)))) throw changed(`order ${state.id}: differs from its facts`);
}

/** The same of the bytes that were submitted: answers are held against them. */
function assertTexts(seals: Seals, order: StoredOrder): void {
  const texts = textsSeal(order.batch, { body: bodyHash(order), origin: originHash(order) });
  if (!seals.sealOf(order.position)?.texts.equals(texts))
    throw changed(`order ${order.state.id}: its body differs from its facts`);
}

/** `OrdersRead.areCurrent`, of batches that are proven by order. */
export async function areCurrent({ writer, proof }: Moving, orders: readonly StoredOrder[]): Promise<boolean> {
  const open = orders.filter(({ batch }) => proof.isByOrder(batch));
  if (open.length === 0) return true;
  await writer.loadSeals(open.map(({ position }) => position));
  for (const order of open) {
    const seal = proof.seals.sealOf(order.position);
    if (seal && seal.version !== order.version) {
      // Whoever moved it is this process, or has its lease by now: the end of the ledger says which.
      await writer.catchUp();
      return false;
    }
    assertState(proof.seals, order);
    // What is to be claimed is held against all that it is made of then.
    if (order.state.phase !== 'planned') assertTexts(proof.seals, order);
  }
  return true;
}

/** Throws a Fault `ledger-unsafe` unless all that would leave by orders of a batch is what was planned: bytes and rows, too. */
export async function assertContent(
  { database, seals }: { readonly database: Reader; readonly seals: Seals },
  batch: BatchId,
  orders: readonly StoredOrder[],
): Promise<void> {
  const stored = await rowsOfOrders(database, batch, orders);
  for (const order of orders) {
    assertState(seals, order);
    assertTexts(seals, order);
    assertRows(seals, order, stored);
  }
}

function assertRows(seals: Seals, { position, state, batch }: StoredOrder, stored: ReadonlyMap<number, SqlRow>): void {
  const rows = state.lines.map(({ row: number, trace }) => {
    const row = stored.get(number);
    if (!row || row['order_id'] !== state.id || row['trace'] !== trace || row['outcome'] !== null) {
      throw changed(`row ${number} of batch ${batch}: differs from its facts`);
    }
    return row;
  });
  const said = rowsSeal({ rows: rows.map(storedRowHash), charges: rows.map(chargeIn) });
  if (!seals.sealOf(position)?.rows.equals(said))
    throw changed(`order ${state.id}: a row that it pays differs from its facts`);
}

const chargeIn = (row: SqlRow): string | null =>
  row['charge_minor'] === null ? null : minorOf(row, 'charge_minor').toString();
