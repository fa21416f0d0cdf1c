/**
 * In which order what is planned leaves. A run that may rely on its ledger goes through the sheet. One that looks first draws an
 * order of its own: two who begin in the same moment would otherwise walk side by side, each look-up too early for the other one's
 * payment. Chance is the process's, and is not stored: a folder that was copied would draw the same again.
 */
import type { Random } from '../domain/clock.ts';
import type { BatchId } from '../domain/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { PLACES_MAX, type StoredOrder } from '../ledger/orders.ts';

/** One pass over what is planned. */
export interface SendingOrder {
  /** So many of the next orders, fewer where that is all that is left. */
  next(count: number): Promise<readonly StoredOrder[]>;
  /** The pass goes on behind this order. */
  isBehind(order: StoredOrder): void;
}

/** The order of the sheet. */
export class SheetOrder implements SendingOrder {
  readonly #ledger: Pick<Ledger, 'unsentOrders'>;
  readonly #batch: BatchId;
  #after = 0;

  constructor(ledger: Pick<Ledger, 'unsentOrders'>, batch: BatchId) {
    [this.#ledger, this.#batch] = [ledger, batch];
  }

  next(count: number): Promise<readonly StoredOrder[]> {
    return this.#ledger.unsentOrders(this.#batch, count, this.#after);
  }

  isBehind({ position }: StoredOrder): void {
    this.#after = position;
  }
}

/** An order that was drawn. */
export class DrawnOrder implements SendingOrder {
  readonly #ledger: Pick<Ledger, 'unsentAt'>;
  readonly #batch: BatchId;
  readonly #positions: readonly number[];
  #at = 0;

  private constructor(ledger: Pick<Ledger, 'unsentAt'>, batch: BatchId, positions: readonly number[]) {
    [this.#ledger, this.#batch, this.#positions] = [ledger, batch, positions];
  }

  /** Draws one of what is planned by now; the orders at the positions of `first` go before all others, as they stand there. */
  static async draw(
    ledger: Pick<Ledger, 'unsentAt' | 'unsentPositions'>,
    batch: BatchId,
    { first, random }: { readonly first: readonly number[]; readonly random: Random },
  ): Promise<DrawnOrder> {
    const goFirst = new Set(first);
    const others = (await ledger.unsentPositions(batch)).filter((position) => !goFirst.has(position));
    return new DrawnOrder(ledger, batch, [...first, ...shuffled(others, random)]);
  }

  async next(count: number): Promise<readonly StoredOrder[]> {
    const found: StoredOrder[] = [];
    // What has been heard of since the draw is not to be sent any more.
    for (let at = this.#at; found.length < count && at < this.#positions.length; ) {
      const positions = this.#positions.slice(at, at + Math.min(count - found.length, PLACES_MAX));
      found.push(...(await this.#ledger.unsentAt(this.#batch, positions)));
      at += positions.length;
    }
    return found;
  }

  isBehind({ position }: StoredOrder): void {
    this.#at = this.#positions.indexOf(position, this.#at) + 1;
  }
}

/** The same in an order that every order is as likely as (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const drawn = [...items];
  for (let last = drawn.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [drawn[last], drawn[other]] = [drawn[other] as T, drawn[last] as T]; // both places are within
  }
  return drawn;
}
