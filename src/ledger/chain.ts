/** The chain of facts: each holds the hash of the one before, so none can be changed, moved or left out unseen. */
import type { BatchId, OrderId } from '../domain/ids.ts';
import { sha256 } from '../domain/ids.ts';

/** The end of the chain: the next fact follows it. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** The hashed columns of a fact, as they are stored. */
export interface ChainedFact {
  readonly seq: number;
  readonly batch: BatchId;
  readonly order: OrderId | undefined;
  readonly type: string;
  readonly at: number;
  readonly data: string;
}

/** Where the chain of a ledger begins: no two ledgers can share a fact. */
export const chainStart = (ledgerUuid: string): ChainHead => ({ seq: 0, hash: sha256(`PB1:${ledgerUuid}`) });

/** SHA-256 over the hash before and all columns, each prefixed with its length so that none can run into the next. */
export function factHash(previous: string, { seq, batch, order: of, type, at, data }: ChainedFact): string {
  const order: string = of ?? '';
  const head = `${previous}:${seq}:${at}:${batch.length}:${batch}${order.length}:${order}${type.length}:${type}`;
  return sha256(`${head}${data.length}:${data}`);
}
