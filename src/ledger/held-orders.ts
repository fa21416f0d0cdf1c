/** Compares orders that were read with what was proven of them, or recorded by this process since. */

import { minorOf, numberOf, type Reader, type SqlRow } from '../database/database.ts';
import type { BatchId } from '../domain/ids.ts';
import { storedRowHash } from './commitment.ts';
import type { Proof } from './proof.ts';
import { changed, otherVersion } from './proof-faults.ts';
import {
  digestOf,
  hasOwnTexts,
  isPurgedOrder,
  isSameDigest,
  otherColumns,
  type RecordedOrder,
  rowsOfOrders,
  type StoredOrder,
} from './recorded-orders.ts';
import type { Recording } from './writer.ts';

/**
 * Reports whether orders, as they were read, are as they were last recorded. If false, something was recorded in the
 * meantime, and they have to be read again. Throws a Fault `ledger-unsafe` if an order was changed. The batches must have
 * been proven before.
 */
export async function areCurrent({ writer, proof }: Recording, orders: readonly RecordedOrder[]): Promise<boolean> {
  if (areAsProven(proof, orders)) return true;
  // Either this process recorded it, or another one that has the lease by now: the end of the ledger says which.
  await writer.catchUp();
  return false;
}

/** Like `areCurrent`, but within a group, whose leases this process has, and which has caught up already. */
export function areAsProven(proof: Proof, orders: readonly RecordedOrder[]): boolean {
  for (const order of orders) {
    const { version, row, position, batch, state } = order;
    if (!proof.knows(batch)) throw changed(`order ${state.id}: is of another batch`);
    const known = proof.digestsOf(batch).of(position);
    if (known.version !== version || numberOf(row, 'version') !== version) return false;
    const digest = digestOf(order.facts);
    if (!isSameDigest(known, digest)) throw changed(`order ${state.id}: differs from its facts`);
    const others = otherColumns(order);
    if (others.length > 0) throw changed(`order ${state.id}: differs from its facts in ${others.join(', ')}`);
    const isPurged = proof.ledgerState.purges.has(batch) && isPurgedOrder(order);
    if (!isPurged && !hasOwnTexts(order)) throw changed(`order ${state.id}: its body differs from its facts`);
  }
  return true;
}

/**
 * Compares orders that are about to be claimed with a second reading of them (`again`), which proves that the bytes and rows
 * to be sent are those that were planned. Throws a Fault `ledger-unsafe` if an order was changed, or has moved since the
 * first reading.
 */
export async function assertClaimable(
  reader: Reader,
  batch: BatchId,
  orders: readonly StoredOrder[],
  again: readonly StoredOrder[],
): Promise<void> {
  const anew = new Map(again.map((order) => [order.position, order]));
  const rows = await rowsOfOrders(reader, batch, again);
  for (const { position, version } of orders) {
    const order = anew.get(position);
    if (order?.version !== version) throw otherVersion();
    assertRows(order, rows);
  }
}

function assertRows({ state, batch, commitments }: StoredOrder, stored: ReadonlyMap<number, SqlRow>): void {
  for (const [index, { row: number, trace }] of state.lines.entries()) {
    const row = stored.get(number);
    const charge = row && (row['charge_minor'] === null ? null : minorOf(row, 'charge_minor').toString());
    const isOwn = row && row['order_id'] === state.id && row['trace'] === trace && row['outcome'] === null;
    if (!isOwn || charge !== commitments.charges[index] || storedRowHash(row) !== commitments.rows[index]) {
      throw changed(`row ${number} of batch ${batch}: differs from its facts`);
    }
  }
}
