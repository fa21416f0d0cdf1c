/**
 * The chains of a ledger as seen from one batch: where each range of facts of a batch ends. Of other batches they show
 * only the names and how many facts there are, and every head that was signed while the batch was in progress follows from them.
 */
import type { BatchId } from '../domain/ids.ts';
import type { ChainRange } from './batch-evidence.ts';
import { type BatchEnd, type ChainHead, headHash } from './chain.ts';

/** Reads ranges in their order, and yields what cannot be true of them. */
export class ChainRanges {
  readonly #ledger: string;
  readonly #batch: BatchId;
  readonly #ends = new Map<BatchId, BatchEnd>();
  /** The ranges of the batch itself. */
  readonly #own: ChainRange[] = [];
  #seq = 0;

  constructor(ledger: string, batch: BatchId) {
    this.#ledger = ledger;
    this.#batch = batch;
  }

  /**
   * Takes the next range. Every fact of the ledger is in one range, so places in the ledger and numbers in the batch
   * advance by the same steps.
   */
  *take(range: ChainRange): Generator<string> {
    const { seq, batch, number, hash } = range;
    const before = this.#ends.get(batch)?.number ?? 0;
    if (seq <= this.#seq || number - before !== seq - this.#seq) {
      yield `the range that ends with fact ${seq}: does not follow the one before it`;
    }
    this.#seq = seq;
    this.#ends.set(batch, { number, hash });
    if (batch === this.#batch) this.#own.push(range);
  }

  /** The head of the ledger after the last range that was taken. */
  get head(): ChainHead {
    return { seq: this.#seq, hash: headHash(this.#ledger, this.#ends) };
  }

  /** Returns the head with another end of the batch, within the range that would come next. */
  headWith(seq: number, end: BatchEnd): ChainHead {
    return { seq, hash: headHash(this.#ledger, new Map([...this.#ends, [this.#batch, end]])) };
  }

  get seq(): number {
    return this.#seq;
  }

  /** Returns the end of the batch's own chain after this number of facts, or `undefined` if no range ends there. */
  ownEnd(number: number): BatchEnd | undefined {
    return this.#own.find((range) => range.number === number);
  }

  /**
   * Yields what is wrong with a fact of the batch: it cannot have its place in the ledger, or it is not the fact with which
   * the range that ends there ends.
   */
  *fact({ seq, number, hash }: { readonly seq: number } & BatchEnd): Generator<string> {
    while (this.#own[0] && this.#own[0].number < number) this.#own.shift();
    const [range] = this.#own;
    if (!range || range.seq - seq !== range.number - number) {
      yield `fact ${seq}: has no such place in the ledger`;
    } else if (range.number === number && range.hash !== hash) {
      yield `fact ${seq}: is not the one that the ledger had there`;
    }
  }

  /** Number of facts of the batch that the ledger had. */
  get ownFacts(): number {
    return this.#ends.get(this.#batch)?.number ?? 0;
  }
}
