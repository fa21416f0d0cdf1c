/** The seal of one order: what it is now, in the few bytes that the tree of hashes is over (`seals.ts`). */
import { hash } from 'node:crypto';
import type { Commitments } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import type { StateTexts } from './record-text.ts';

/** Of the state, the texts and the rows: 128 bits each, for nobody who edits a ledger chooses what they are over. */
const PART_BYTES = 16;
const VERSION_BYTES = 4;
export const SEAL_BYTES = VERSION_BYTES + 3 * PART_BYTES;

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

const partOf = (text: string): Buffer => hash('sha256', text, 'buffer').subarray(0, PART_BYTES);

export const stateSeal = ({ state, lines }: StateTexts): Buffer => partOf(`${state.length} ${state}${lines}`);

export const textsSeal = (batch: BatchId, { body, origin }: Pick<Commitments, 'body' | 'origin'>): Buffer =>
  partOf(`${body} ${origin} ${batch}`);

export const rowsSeal = ({ rows = [], charges }: Pick<Commitments, 'rows' | 'charges'>): Buffer =>
  partOf([...rows, ...charges].join(' '));

/** Where the parts of a seal begin, behind its version. */
const [STATE_AT, TEXTS_AT, ROWS_AT] = [0, 1, 2].map((part) => VERSION_BYTES + part * PART_BYTES) as [
  number,
  number,
  number,
];

export const sealIn = (slot: Buffer): OrderSeal => ({
  version: slot.readUInt32BE(0),
  state: slot.subarray(STATE_AT, TEXTS_AT),
  texts: slot.subarray(TEXTS_AT, ROWS_AT),
  rows: slot.subarray(ROWS_AT),
});

/** Writes a seal into its place, or as much of it as moves with its order. */
export function putSeal(slot: Buffer, { version, state, ...kept }: MovedSeal & Partial<OrderSeal>): void {
  slot.writeUInt32BE(version, 0);
  state.copy(slot, STATE_AT);
  kept.texts?.copy(slot, TEXTS_AT);
  kept.rows?.copy(slot, ROWS_AT);
}
