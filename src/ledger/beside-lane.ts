/**
 * What happens beside a lane, in the other lanes of its batch: told from what only who has this lane may record, and counted, because
 * the brakes of a batch are those of all who send it.
 */
import type { Tally } from '../domain/batch.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Money } from '../domain/money.ts';
import { findBatch, tallies as talliesOf } from './batches.ts';
import { type Database, minorOf, type Reader, textOf } from './database.ts';
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

/** The rows of a batch beside one lane. */
export interface BesideLane {
  readonly tallies: readonly Tally[];
  /** Sum of what their fees are above the charges that were quoted for them. */
  readonly aboveQuotes: Money;
}

const ABOVE = `SELECT COALESCE(SUM(p.fee_minor - p.charge_minor), 0) AS above FROM payout p JOIN pay_order o ON o.id = p.order_id
  WHERE p.batch = ? AND p.fee_minor > p.charge_minor AND NOT (o.position > ? AND o.position <= ?)`;

export async function besideLane(database: Database, batch: BatchId, span: Span): Promise<BesideLane> {
  const header = await findBatch(database, batch);
  const [above] = await database.read(ABOVE, [batch, span.after, span.upTo]);
  invariant(header && above, `batch ${batch} is in the ledger`);
  const { currency } = header;
  const tallies = await talliesOf(database, batch, { beside: span });
  return { tallies, aboveQuotes: { minor: minorOf(above, 'above'), currency } };
}
