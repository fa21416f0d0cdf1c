/** What others record in the other lanes of a batch, told from what only who has this lane may record. */
import type { BatchId } from '../domain/ids.ts';
import { type Reader, textOf } from './database.ts';
import { factDataIn } from './facts.ts';
import type { Span } from './span.ts';

/** Facts of a batch after one place of the ledger, up to another. */
interface FactPlaces {
  readonly after: number;
  readonly to: number;
}

const OF_ORDERS = `SELECT 1 AS found FROM fact f JOIN pay_order o ON o.id = f.order_id WHERE f.seq > ? AND f.seq <= ?
  AND f.batch = ? AND o.position > ? AND o.position <= ? LIMIT 1`;
const OF_NONE = `SELECT type, data, packed FROM fact WHERE seq > ? AND seq <= ? AND batch = ? AND order_id IS NULL`;

/** The words of persons on a batch, which are said beside whoever has its leases. */
const BESIDE: readonly string[] = ['batch-stopped', 'batch-released'];

/**
 * Whether somebody else has recorded what only who has this lane may record: facts of its orders, or of the batch as a whole. That
 * others begin and end to send theirs is recorded with the number of their lane.
 */
export async function hasForeignFacts(
  database: Reader,
  batch: BatchId,
  { after, upTo }: Span,
  { after: from, to }: FactPlaces,
): Promise<boolean> {
  if ((await database.read(OF_ORDERS, [from, to, batch, after, upTo])).length > 0) return true;
  const others = await database.read(OF_NONE, [from, to, batch]);
  return others.some((row) => !BESIDE.includes(textOf(row, 'type')) && !factDataIn(row).includes('"lane":'));
}
