/**
 * Seals of orders: a tree of hashes over what every order of the ledger is now. Its root is signed with the head, so an order that is
 * read can be held against it alone, whatever else the ledger has: a start costs what is open, and not what ever was.
 *
 *     root, signed ── node 5/0 ─┬─ node 4/0 ─ … ─┬─ node 0/0: seals of the orders 1 to 64
 *                               └─ node 4/1 ─ …  └─ node 0/1: seals of the orders 65 to 128
 *
 * A node is the seals of 64 orders, or the hashes of 64 nodes, one after the other. It is believed when its hash stands in the node
 * above, up to the root.
 */
import type { Reader, SqlRow } from './database.ts';
import { type OrderSeal, SEAL_BYTES, sealIn } from './order-seal.ts';
import { SealChange } from './seal-change.ts';
import {
  FAN,
  HASH_BYTES,
  leavesOf,
  levels,
  NO_ROOT,
  nodeHash,
  nodeOf,
  placeOf,
  readAbove,
  readNode,
  rootHash,
  slotIn,
  TOP,
} from './seal-tree.ts';
import type { RecordedHead } from './signed-head.ts';

/** Nodes of orders that are kept in memory: some 14 MB for a quarter of a million orders. */
const NODES_KEPT = 4096;

/** Seals are read again at most so often because the root was moved meanwhile. */
const LOADS_MAX = 100;

/** A node, or the order of a seal, is not what the signed root says. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

interface Node {
  readonly slots: Buffer;
  readonly hash: Buffer;
}

/** The seals of a ledger, as far as they were read, each held against the root that is signed now. */
export class Seals {
  #root = NO_ROOT;
  /** What was read is kept for as long as its hash is the one that stands above it. */
  readonly #nodes = levels<Node>();

  /** The root that the head was signed with. */
  get root(): string {
    return this.#root;
  }

  /** The head was read again, or was signed. */
  trust(root: string): void {
    this.#root = root;
  }

  /** Makes sure that the seals of these orders are in memory, and right; a position may be new. Throws `SealBroken`. */
  async load(reader: Reader, positions: readonly number[]): Promise<void> {
    for (let tries = 1; !this.has(positions); tries += 1) {
      const before = this.#root;
      try {
        for (const leaf of leavesOf(positions)) await this.#loadPath(reader, leaf);
      } catch (error) {
        // What was read may belong to the root that came meanwhile.
        if (!(error instanceof SealBroken) || this.#root === before || tries === LOADS_MAX) throw error;
      }
    }
    this.#use(leavesOf(positions));
  }

  /** Puts nodes behind all others: those that nobody used for long are let go first (`keep`). */
  #use(leaves: readonly number[]): void {
    const nodes = this.#nodes[0];
    for (const leaf of leaves) {
      const node = nodes?.get(leaf);
      if (node && nodes?.delete(leaf)) nodes.set(leaf, node);
    }
  }

  /** Whether these seals are in memory, each held against the root of now. It reads nothing. */
  has(positions: readonly number[]): boolean {
    return leavesOf(positions).every((leaf) =>
      [...this.#pathOf(leaf)].every(({ level, number, expected }) => {
        const known = this.#nodes[level]?.has(number);
        return known ? this.#knows(level, number, expected) : expected === undefined;
      }),
    );
  }

  /** The nodes from the top to a node of orders. `expected`: the hash that stands above it; missing: there is none yet. */
  *#pathOf(leaf: number): Generator<{ level: number; number: number; expected: Buffer | undefined }> {
    let expected = rootHash(this.#root);
    for (let level = TOP; level >= 0; level--) {
      const number = Math.floor(leaf / FAN ** level);
      yield { level, number, expected };
      if (level === 0) return;
      const place = Math.floor(leaf / FAN ** (level - 1)) % FAN;
      expected = slotIn(expected && this.#nodes[level]?.get(number)?.slots, place, HASH_BYTES);
    }
  }

  async #loadPath(reader: Reader, leaf: number): Promise<void> {
    // Others moved the root, and with it most nodes above the orders: these are asked for at once, because everybody may be waiting.
    const read = this.#knows(TOP, 0, rootHash(this.#root)) ? [] : await readAbove(reader, leaf);
    for (const { level, number, expected } of this.#pathOf(leaf)) {
      if (!this.#knows(level, number, expected)) {
        this.#put(level, number, expected, read[level] ?? (expected && (await readNode(reader, level, number))));
      }
    }
  }

  #knows(level: number, number: number, expected: Buffer | undefined): boolean {
    const known = this.#nodes[level]?.get(number);
    return known !== undefined && expected?.equals(known.hash) === true;
  }

  #put(level: number, number: number, expected: Buffer | undefined, row: SqlRow | undefined): void {
    const nodes = this.#nodes[level];
    nodes?.delete(number);
    if (!expected) return;
    const slots = row?.['slots'];
    const node = slots instanceof Uint8Array ? nodeFrom(level, number, Buffer.from(slots)) : undefined;
    if (!node?.hash.equals(expected)) throw new SealBroken(wordsFor(level, number));
    nodes?.set(number, node);
  }

  /** Undefined: no order was ever sealed at this place. `load` goes before. */
  sealOf(position: number): OrderSeal | undefined {
    const slot = slotIn(this.#nodes[0]?.get(nodeOf(position))?.slots, placeOf(position), SEAL_BYTES);
    return slot && sealIn(slot);
  }

  /** Seals that a group moves. */
  change(): SealChange {
    return new SealChange((level, number) => this.#nodes[level]?.get(number)?.slots);
  }

  /** A change is on disk. */
  keep(change: SealChange): void {
    if (change.isEmpty) return;
    this.#root = change.root;
    for (const [level, made] of change.nodes.entries()) {
      for (const [number, slots] of made) this.#nodes[level]?.set(number, nodeFrom(level, number, slots));
    }
    const leaves = this.#nodes[0];
    for (const number of leaves?.keys() ?? []) {
      if ((leaves?.size ?? 0) <= NODES_KEPT) return;
      leaves?.delete(number);
    }
  }
}

/** The seals as of the moment of a head, whose root is signed. */
export function sealsOf({ seals: signed }: Pick<RecordedHead, 'seals'>): Seals {
  const seals = new Seals();
  seals.trust(signed?.root ?? NO_ROOT);
  return seals;
}

const nodeFrom = (level: number, number: number, slots: Buffer): Node => ({
  slots,
  hash: nodeHash(level, number, slots),
});

const wordsFor = (level: number, number: number): string => {
  const orders = FAN ** (level + 1);
  return `the seal of the orders ${number * orders + 1} to ${(number + 1) * orders}: differs from the signed root`;
};
