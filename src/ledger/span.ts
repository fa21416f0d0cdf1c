/** A lane of a batch as places: the orders that stand in it, among all orders of the ledger. */
import type { BatchHeader } from '../domain/batch.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { numberOf, type Reader } from './database.ts';

/** Beyond the position of any order. */
export const ALL: number = Number.MAX_SAFE_INTEGER;

/** Orders behind one place, up to another one and with it. */
export interface Span {
  readonly after: number;
  readonly upTo: number;
}

/** Every order that there is. */
export const everywhere: Span = { after: 0, upTo: ALL };

const FIRST = 'SELECT MIN(position) AS position FROM pay_order WHERE batch = ?';

/** Where the orders of a lane stand, which has a number from 1. What is tried again stands behind all others, in the last lane. */
export async function spanOfLane(database: Reader, { id, lanes }: LanedBatch, lane: number): Promise<Span> {
  invariant(lanes && lane >= 1 && lane <= lanes.count, `batch ${id} has a lane ${lane}`);
  const [first] = await database.read(FIRST, [id]);
  invariant(first && first['position'] !== null, `batch ${id} has orders`);
  const before = numberOf(first, 'position') - 1;
  const after = before + (lane - 1) * lanes.orders;
  return { after, upTo: lane === lanes.count ? ALL : after + lanes.orders };
}

type LanedBatch = Pick<BatchHeader, 'lanes'> & { readonly id: BatchId };

/** Whether an order stands there. */
export const isWithin = (position: number, { after, upTo }: Span): boolean => position > after && position <= upTo;
