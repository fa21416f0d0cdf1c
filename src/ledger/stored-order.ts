/** Orders as the ledger gives them out, and what is given back to it. */
import type { Fact } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import type { OrderState } from '../domain/order.ts';
import type { SqlRow } from './database.ts';

/** An order with what the ledger knows of it. A change is written only if the version is still the same. */
export interface StoredOrder {
  /** Place among all orders of the ledger, in the order in which they were planned. */
  readonly position: number;
  readonly state: OrderState;
  /** Number of facts recorded of the order. */
  readonly version: number;
  /** The exact body of every submission. Empty, as the next two, where the people of its batch were deleted. */
  readonly body: string;
  /** What it was made of (`PlannedOrder.origin`). */
  readonly origin: string;
  /** With which its plan commits to both. */
  readonly salt: string;
  readonly batch: BatchId;
  /** When the order is to be looked at again, in wall-clock milliseconds; null when nothing is left to do. */
  readonly dueAt: number | null;
}

/** A place in the order in which orders fall due. */
export type DuePlace = Pick<StoredOrder, 'dueAt' | 'position'>;

/** What happened to an order since it was read, and when to look at it again. */
export interface OrderStep {
  readonly order: StoredOrder;
  readonly facts: readonly Fact[];
  readonly dueAt: number | null;
}

/**
 * The texts of an order, read with `body` and `origin`. Both are empty where the people of its batch were deleted, and one that is no
 * text is empty too: no plan commits to that, so the proof says that it was changed.
 */
export const textsIn = ({ body, origin }: SqlRow): Pick<StoredOrder, 'body' | 'origin'> => ({
  body: typeof body === 'string' ? body : '',
  origin: typeof origin === 'string' ? origin : '',
});
