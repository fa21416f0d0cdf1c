/** What a group of statements changes in the tree of hashes over all orders (`seals.ts`). */
import { invariant } from '../domain/invariant.ts';
import type { Statement } from './database.ts';
import { type MovedSeal, type OrderSeal, putSeal, SEAL_BYTES } from './order-seal.ts';
import { FAN, HASH_BYTES, levels, NO_ROOT, nodeHash, nodeOf, placeOf, TOP, writingNode } from './seal-tree.ts';

/** The nodes that a group changes, from the orders up to a new root. The nodes above them were loaded before. */
export class SealChange {
  readonly nodes = levels<Buffer>();
  readonly #before: (level: number, number: number) => Buffer | undefined;
  #root = NO_ROOT;

  constructor(before: (level: number, number: number) => Buffer | undefined) {
    this.#before = before;
  }

  /** Once `statements` was asked. */
  get root(): string {
    return this.#root;
  }

  get isEmpty(): boolean {
    return this.nodes.every(({ size }) => size === 0);
  }

  /** An order was planned. */
  planned(position: number, seal: OrderSeal): void {
    this.moved(position, seal);
  }

  /** An order was moved: what it is made of stays. */
  moved(position: number, seal: MovedSeal): void {
    putSeal(this.#slot(0, nodeOf(position), placeOf(position), SEAL_BYTES), seal);
  }

  /** Writes the nodes of orders that are full, all but the last, so that a plan of a million orders holds one of them. */
  *full(): Generator<Statement> {
    const leaves = [...(this.nodes[0] ?? [])];
    for (const [number, slots] of leaves.slice(0, -1)) {
      yield this.#written(0, number, slots);
      this.nodes[0]?.delete(number);
    }
  }

  /** Writes what is left, from the orders up to the root. */
  *statements(): Generator<Statement> {
    for (const [level, made] of this.nodes.entries()) {
      for (const [number, slots] of made) yield this.#written(level, number, slots);
    }
  }

  #written(level: number, number: number, slots: Buffer): Statement {
    const made = nodeHash(level, number, slots);
    if (level === TOP) this.#root = made.toString('hex');
    else made.copy(this.#slot(level + 1, Math.floor(number / FAN), number % FAN, HASH_BYTES));
    return writingNode(level, number, slots);
  }

  /** The bytes of one place in a node of this change, which begins as the node before. */
  #slot(level: number, number: number, place: number, bytes: number): Buffer {
    const nodes = this.nodes[level];
    invariant(nodes, 'a tree has so many levels');
    const node = nodes.get(number) ?? withRoom(this.#before(level, number), FAN * bytes);
    const end = (place + 1) * bytes;
    const long = node.length >= end ? node : Buffer.from(node.buffer, node.byteOffset, end);
    nodes.set(number, long);
    return long.subarray(end - bytes, end);
  }
}

/** A copy that can grow to so many bytes where it is. */
function withRoom(slots: Buffer | undefined, bytes: number): Buffer {
  const room = Buffer.alloc(bytes);
  slots?.copy(room);
  return room.subarray(0, slots?.length ?? 0);
}
