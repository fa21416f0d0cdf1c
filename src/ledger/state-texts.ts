/**
 * The states of orders as the tables keep them: packed (`packed-text.ts`), each once, however often a state is held against its
 * facts, hashed and stored. States are values that nobody changes, so the bytes belong to a state for as long as that is there.
 */
import { hash } from 'node:crypto';
import type { OrderState } from '../domain/order.ts';
import { type SqlRow, sameBytes } from './database.ts';
import { packText, unpackText } from './packed-text.ts';
import { decodeState, encodeLines, encodeState } from './record-text.ts';
import { usualLines, usualState } from './usual-texts.ts';

export interface PackedState {
  /** Of the state without its lines. */
  readonly state: Uint8Array;
  readonly lines: Uint8Array;
}

interface KeptState extends PackedState {
  /** What tells it from any other state, in a few bytes. */
  readonly digest: string;
}

const known = new WeakMap<OrderState, KeptState>();
/** Most facts leave the lines as they are. */
const knownLines = new WeakMap<OrderState['lines'], Uint8Array>();

const packLines = (lines: OrderState['lines']): Uint8Array => packText(encodeLines(lines), usualLines);

/** As it is stored; of a state that is stored or read again, `packedOf` makes it once. */
export const packState = (state: OrderState): PackedState => ({
  state: packText(encodeState(state), usualState),
  lines: packLines(state.lines),
});

export function packedOf(state: OrderState): KeptState {
  const made = known.get(state);
  if (made) return made;
  const lines = knownLines.get(state.lines) ?? packLines(state.lines);
  return keep(state, { state: packText(encodeState(state), usualState), lines });
}

/** A state from its two columns. */
export const stateIn = ({ state, lines }: SqlRow): OrderState =>
  decodeState(unpackText(state, usualState), unpackText(lines, usualLines));

/** The same. Its bytes are those that were read, so that what is stored in any other form is seen as changed. */
export function readState(row: SqlRow): OrderState {
  const read = stateIn(row);
  keep(read, { state: row['state'] as Uint8Array, lines: row['lines'] as Uint8Array }); // they were unpacked
  return read;
}

export const stateDigest = ({ state, lines }: PackedState): string =>
  hash('sha256', Buffer.concat([Buffer.from(`${state.length} `), state, lines]), 'base64');

/** Whether the columns of an order hold this state, in this form. */
export const isStored = (row: SqlRow, packed: PackedState): Readonly<Record<keyof PackedState, boolean>> => ({
  state: sameBytes(row['state'], packed.state),
  lines: sameBytes(row['lines'], packed.lines),
});

function keep(order: OrderState, packed: PackedState): KeptState {
  const kept = { ...packed, digest: stateDigest(packed) };
  known.set(order, kept);
  knownLines.set(order.lines, packed.lines);
  return kept;
}
