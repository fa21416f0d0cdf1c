/**
 * A set of ids as a value: one id more or less makes another set, and leaves this one as it was. A copy of all would cost as much for
 * each order as there are in flight.
 */
import type { OrderId } from '../domain/ids.ts';

type Part = readonly OrderId[];

/** Parts of a set. Each change copies one of them, and the list of all. */
const PARTS = 32;

/** The part of an id, by its last two characters, which are random. */
const placeOf = (id: OrderId): number => (id.charCodeAt(id.length - 1) + 7 * id.charCodeAt(id.length - 2)) % PARTS || 0;

const NOTHING: readonly Part[] = Array.from({ length: PARTS }, () => []);

export class IdSet {
  readonly #parts: readonly Part[];
  /** How many ids are in it. */
  readonly size: number;

  /** Without parts it is the set with nothing in it. */
  constructor(parts: readonly Part[] = NOTHING, size = 0) {
    this.#parts = parts;
    this.size = size;
  }

  /** Whether an id is in it. */
  has(id: OrderId): boolean {
    return this.#partOf(id).includes(id);
  }

  /** The set with these as well; one that is in it already stays so, once. */
  with(ids: readonly OrderId[]): IdSet {
    return ids.reduce<IdSet>((set, id) => (set.has(id) ? set : set.#put(id, [...set.#partOf(id), id], 1)), this);
  }

  /** The set without one; that one need not be in it. */
  without(id: OrderId): IdSet {
    if (!this.has(id)) return this;
    const rest = this.#partOf(id).filter((one) => one !== id);
    return this.#put(id, rest, -1);
  }

  #partOf(id: OrderId): Part {
    return this.#parts[placeOf(id)] ?? [];
  }

  #put(id: OrderId, part: Part, by: number): IdSet {
    return new IdSet(this.#parts.with(placeOf(id), part), this.size + by);
  }
}
