/**
 * The chains of facts. The hash of each fact covers the hash of the fact before it in its batch, so no fact can be changed,
 * moved or left out unnoticed. The head of the ledger is a hash over the ends of all chains. A person who is shown the facts
 * of one batch sees nothing of the others, and can still prove these facts against the head.
 */
import type { BatchId, OrderId } from '../domain/ids.ts';
import { sha256 } from '../domain/ids.ts';

/** The end of a ledger: the number of its last fact, and the hash over the ends of all chains at that fact. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** The end of the chain of one batch, which the next fact of the batch follows. */
export interface BatchEnd {
  /** Number of facts of the batch so far. */
  readonly number: number;
  readonly hash: string;
}

/** The hashed columns of a fact, as they are stored. */
export interface ChainedFact {
  readonly batch: BatchId;
  /** Place of the fact among the facts of its batch, from 1. */
  readonly number: number;
  readonly order: OrderId | undefined;
  readonly type: string;
  readonly at: number;
  readonly data: string;
}

/**
 * Returns the beginning of the chain of a batch. It differs for every ledger and every batch, so that they cannot share a
 * fact.
 */
const batchStart = (ledgerUuid: string, batch: BatchId): BatchEnd => ({
  number: 0,
  hash: sha256(`PB1:${ledgerUuid}:${batch}`),
});

/**
 * Returns the SHA-256 over the hash before the fact and all of its columns, each prefixed with its length so that none can
 * run into the next.
 */
export function factHash(previous: string, { number, batch, order: of, type, at, data }: ChainedFact): string {
  const order: string = of ?? '';
  const head = `${previous}:${number}:${at}:${batch.length}:${batch}${order.length}:${order}${type.length}:${type}`;
  return sha256(`${head}${data.length}:${data}`);
}

/** The ends of all chains of a ledger. A copy moves independently. */
export class Chains {
  readonly #ledgerUuid: string;
  readonly #ends: Map<BatchId, BatchEnd>;
  #seq: number;

  constructor(ledgerUuid: string, from?: Chains) {
    this.#ledgerUuid = ledgerUuid;
    this.#ends = new Map(from ? from.#ends : []);
    this.#seq = from?.seq ?? 0;
  }

  /** Sets the ends of all chains at the fact `seq`. */
  endAt(seq: number, ends: Iterable<readonly [BatchId, BatchEnd]>): void {
    this.#seq = seq;
    this.#ends.clear();
    for (const [batch, end] of ends) this.#ends.set(batch, end);
  }

  copy(): Chains {
    return new Chains(this.#ledgerUuid, this);
  }

  /** Number of facts of the ledger so far. */
  get seq(): number {
    return this.#seq;
  }

  /** The batches that have facts. */
  get batches(): readonly BatchId[] {
    return [...this.#ends.keys()];
  }

  endOf(batch: BatchId): BatchEnd {
    return this.#ends.get(batch) ?? batchStart(this.#ledgerUuid, batch);
  }

  /** Adds a fact: the chain of its batch ends with it from now on. */
  follow(batch: BatchId, end: BatchEnd): void {
    this.#seq += 1;
    this.#ends.set(batch, end);
  }

  get head(): ChainHead {
    return { seq: this.#seq, hash: headHash(this.#ledgerUuid, this.#ends) };
  }
}

/** Returns the hash over the ends of chains, which does not depend on the order in which the batches began. */
export function headHash(ledgerUuid: string, ends: ReadonlyMap<BatchId, BatchEnd>): string {
  const sorted = [...ends].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const texts = sorted.map(([batch, { number, hash }]) => `${batch.length}:${batch}${number}:${hash}`);
  return sha256(`PB1:${ledgerUuid}:${texts.join('')}`);
}
