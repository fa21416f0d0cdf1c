/** The shape of the tree of hashes over all orders (`seals.ts`), and its table. */
import { hash } from 'node:crypto';
import type { Reader, SqlRow, Statement } from './database.ts';

/** Orders, or nodes, beneath one node: of a group of neighbours one path is written, and each of its nodes is 2 KB. */
export const FAN = 64;
/** Levels of the tree: 64 to the power of 6 is sixty thousand million orders. */
export const LEVELS = 6;
export const TOP = LEVELS - 1;
export const HASH_BYTES = 32;

const READ = 'SELECT slots FROM seal_node WHERE level = ? AND number = ?';
const WRITE = `INSERT INTO seal_node (level, number, slots) VALUES (?, ?, ?)
  ON CONFLICT (level, number) DO UPDATE SET slots = excluded.slots`;

/** Of a ledger without an order. */
export const NO_ROOT = '';

/** Nodes by their number, a map for each level. */
export type Nodes<N> = readonly Map<number, N>[];

export const levels = <N>(): Nodes<N> => Array.from({ length: LEVELS }, () => new Map<number, N>());

export const nodeHash = (level: number, number: number, slots: Buffer): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${level}/${number}:`), slots]), 'buffer');

/** The node of orders that a position stands in, and its place there. Positions count from 1. */
export const nodeOf = (position: number): number => Math.floor((position - 1) / FAN);
export const leavesOf = (positions: readonly number[]): number[] => [...new Set(positions.map(nodeOf))];
export const placeOf = (position: number): number => (position - 1) % FAN;

export const slotIn = (slots: Buffer | undefined, place: number, bytes: number): Buffer | undefined =>
  slots && slots.length >= (place + 1) * bytes ? slots.subarray(place * bytes, (place + 1) * bytes) : undefined;

export const rootHash = (root: string): Buffer | undefined => (root === NO_ROOT ? undefined : Buffer.from(root, 'hex'));

export const readNode = async (reader: Reader, level: number, number: number): Promise<SqlRow | undefined> =>
  (await reader.read(READ, [level, number]))[0];

/** The rows of the nodes above a node of orders, by their level. */
export const readAbove = (reader: Reader, leaf: number): Promise<readonly (SqlRow | undefined)[]> =>
  Promise.all(
    Array.from({ length: LEVELS }, async (_, level) =>
      level === 0 ? undefined : readNode(reader, level, Math.floor(leaf / FAN ** level)),
    ),
  );

export const writingNode = (level: number, number: number, slots: Buffer): Statement => ({
  sql: WRITE,
  values: [level, number, slots],
  expect: 1,
});
