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
import { hash } from 'node:crypto';
import type { Commitments } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Reader, Statement } from './database.ts';
import type { RecordedHead } from './signed-head.ts';

/** Orders, or nodes, beneath one node: of a group of neighbours one path is written, and each of its nodes is 2 KB. */
const FAN = 64;
/** Levels of the tree: 64 to the power of 6 is sixty thousand million orders. */
const LEVELS = 6;
const TOP = LEVELS - 1;
const HASH_BYTES = 32;
/** Of the state, the texts and the rows: 128 bits each, for nobody who edits a ledger chooses what they are over. */
const PART_BYTES = 16;
const VERSION_BYTES = 4;
const SEAL_BYTES = VERSION_BYTES + 3 * PART_BYTES;
/** Nodes of orders that are kept in memory: some 14 MB for a quarter of a million orders. */
const NODES_KEPT = 4096;

/** Seals are read again at most so often because the root was moved meanwhile. */
const LOADS_MAX = 100;

const READ = 'SELECT slots FROM seal_node WHERE level = ? AND number = ?';
const WRITE = `INSERT INTO seal_node (level, number, slots) VALUES (?, ?, ?)
  ON CONFLICT (level, number) DO UPDATE SET slots = excluded.slots`;

/** What an order is, in a few bytes: equal ones are equal. */
export interface OrderSeal {
  /** Facts of the order. */
  readonly version: number;
  readonly state: Buffer;
  /** Over its batch, its exact bytes, and what they were made of. */
  readonly texts: Buffer;
  /** Over what the sheet said of the rows that it pays, and what they were quoted. */
  readonly rows: Buffer;
}

/** What moves of a seal with its order. */
export type MovedSeal = Pick<OrderSeal, 'version' | 'state'>;

/** `digest`: of the packed state, as `stateDigest` makes it. */
export const stateSeal = (digest: string): Buffer => Buffer.from(digest, 'base64').subarray(0, PART_BYTES);

const partOf = (text: string): Buffer => hash('sha256', text, 'buffer').subarray(0, PART_BYTES);

export const textsSeal = (batch: BatchId, { body, origin }: Pick<Commitments, 'body' | 'origin'>): Buffer =>
  partOf(`${body} ${origin} ${batch}`);

export const rowsSeal = ({ rows = [], charges }: Pick<Commitments, 'rows' | 'charges'>): Buffer =>
  partOf([...rows, ...charges].join(' '));

/** Of a ledger without an order. */
export const NO_ROOT = '';

/** A node, or the order of a seal, is not what the signed root says. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

interface Node {
  readonly slots: Buffer;
  readonly hash: Buffer;
}

/** Nodes by their number, a map for each level. */
type Nodes<N> = readonly Map<number, N>[];

const levels = <N>(): Nodes<N> => Array.from({ length: LEVELS }, () => new Map<number, N>());

const nodeHash = (level: number, number: number, slots: Buffer): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${level}/${number}:`), slots]), 'buffer');

/** The node of orders that a position stands in, and its place there. Positions count from 1. */
const nodeOf = (position: number): number => Math.floor((position - 1) / FAN);
const leavesOf = (positions: readonly number[]): number[] => [...new Set(positions.map(nodeOf))];
const placeOf = (position: number): number => (position - 1) % FAN;

const slotIn = (slots: Buffer | undefined, place: number, bytes: number): Buffer | undefined =>
  slots && slots.length >= (place + 1) * bytes ? slots.subarray(place * bytes, (place + 1) * bytes) : undefined;

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
        for (const leaf of leavesOf(positions))
          for (const { level, number, expected } of this.#pathOf(leaf))
            await this.#loadNode(reader, level, number, expected);
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
        const known = this.#nodes[level]?.get(number);
        return known ? expected?.equals(known.hash) === true : expected === undefined;
      }),
    );
  }

  /** The nodes from the top to a node of orders. `expected`: the hash that stands above it; missing: there is none yet. */
  *#pathOf(leaf: number): Generator<{ level: number; number: number; expected: Buffer | undefined }> {
    let expected: Buffer | undefined = this.#root === NO_ROOT ? undefined : Buffer.from(this.#root, 'hex');
    for (let level = TOP; level >= 0; level--) {
      const number = Math.floor(leaf / FAN ** level);
      yield { level, number, expected };
      if (level === 0) return;
      const place = Math.floor(leaf / FAN ** (level - 1)) % FAN;
      expected = slotIn(expected && this.#nodes[level]?.get(number)?.slots, place, HASH_BYTES);
    }
  }

  async #loadNode(reader: Reader, level: number, number: number, expected: Buffer | undefined): Promise<void> {
    const nodes = this.#nodes[level];
    const known = nodes?.get(number);
    if (known && expected?.equals(known.hash)) return;
    nodes?.delete(number);
    if (!expected) return;
    const [row] = await reader.read(READ, [level, number]);
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

/** Where the parts of a seal begin, behind its version. */
const [STATE_AT, TEXTS_AT, ROWS_AT] = [0, 1, 2].map((part) => VERSION_BYTES + part * PART_BYTES) as [
  number,
  number,
  number,
];

const sealIn = (slot: Buffer): OrderSeal => ({
  version: slot.readUInt32BE(0),
  state: slot.subarray(STATE_AT, TEXTS_AT),
  texts: slot.subarray(TEXTS_AT, ROWS_AT),
  rows: slot.subarray(ROWS_AT),
});

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
    const slot = this.#slot(0, nodeOf(position), placeOf(position), SEAL_BYTES);
    seal.texts.copy(slot, TEXTS_AT);
    seal.rows.copy(slot, ROWS_AT);
  }

  /** An order was moved: what it is made of stays. */
  moved(position: number, { version, state }: MovedSeal): void {
    const slot = this.#slot(0, nodeOf(position), placeOf(position), SEAL_BYTES);
    slot.writeUInt32BE(version, 0);
    state.copy(slot, STATE_AT);
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
    return { sql: WRITE, values: [level, number, slots], expect: 1 };
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
