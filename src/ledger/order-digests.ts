/**
 * What the orders of one batch had come to when their facts were proven, or recorded by this process: for each how many facts it has,
 * and a hash over all that they say; whoever edits a fact may leave its own hash as it is. An order that is read again is held against
 * that, so nothing has to be believed of what the tables say by then. 20 bytes an order: a batch may have a million.
 */
import { type ChainedFact, factHash } from './chain.ts';

/** How an order stands: equal ones have the same facts. */
export interface OrderDigest {
  /** Facts of the order. */
  readonly version: number;
  /** 128 bits, as hexadecimal digits: nobody who edits a ledger chooses what they are over. */
  readonly hash: string;
}

const HASH_BYTES = 16;
const VERSION_BYTES = 4;
const BYTES = VERSION_BYTES + HASH_BYTES;
/** Orders that are kept in one piece. */
const TOGETHER = 256;

/** Before the first fact of an order. */
export const NO_FACTS: OrderDigest = { version: 0, hash: '' };

/** A fact with its own hash in the chain of its batch. */
interface HashedFact extends ChainedFact {
  readonly hash: string;
}

/** After one more fact. */
export const digestAfter = (before: OrderDigest, fact: HashedFact): OrderDigest => ({
  version: before.version + 1,
  hash: factHash(`${before.hash}${fact.hash}`, fact).slice(0, 2 * HASH_BYTES),
});

export const isSameDigest = (one: OrderDigest, other: OrderDigest): boolean =>
  one.version === other.version && one.hash === other.hash;

/** A fact with the position of the order that it is about; missing: it is about none. */
export interface PlacedFact extends HashedFact {
  readonly position: number | undefined;
}

export class OrderDigests {
  readonly #pieces = new Map<number, Buffer>();
  /** Facts of the batch that they tell of: all up to this number. */
  number = 0;

  /** Of the order at this position. */
  of(position: number): OrderDigest {
    const piece = this.#pieces.get(Math.floor(position / TOGETHER));
    const at = (position % TOGETHER) * BYTES;
    const version = piece?.readUInt32BE(at) ?? 0;
    if (!piece || version === 0) return NO_FACTS;
    return { version, hash: piece.toString('hex', at + VERSION_BYTES, at + BYTES) };
  }

  set(position: number, { version, hash: digits }: OrderDigest): void {
    const number = Math.floor(position / TOGETHER);
    const piece = this.#pieces.get(number) ?? Buffer.alloc(TOGETHER * BYTES);
    this.#pieces.set(number, piece);
    const at = (position % TOGETHER) * BYTES;
    piece.writeUInt32BE(version, at);
    piece.write(digits, at + VERSION_BYTES, HASH_BYTES, 'hex');
  }

  /** The next fact of the batch. One that is known already changes nothing. */
  follow(fact: PlacedFact): void {
    const { number, position } = fact;
    if (number <= this.number) return;
    this.number = number;
    if (position !== undefined) this.set(position, digestAfter(this.of(position), fact));
  }
}
