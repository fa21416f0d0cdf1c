/**
 * The texts of order states, each made once, however often a state is held against its facts, hashed and stored. States are
 * values that nobody changes, so a text belongs to its state for as long as that is there.
 */
import { hash } from 'node:crypto';
import type { OrderState } from '../domain/order.ts';
import { decodeState, encodeLines, encodeState } from './record-text.ts';

export interface StateTexts {
  /** Of the state without its lines. */
  readonly state: string;
  readonly lines: string;
  /** What tells it from any other state, in a few bytes. */
  readonly digest: string;
}

const known = new WeakMap<OrderState, StateTexts>();
/** Most facts leave the lines as they are. */
const knownLines = new WeakMap<OrderState['lines'], string>();

export function textsOf(state: OrderState): StateTexts {
  const made = known.get(state);
  if (made) return made;
  return keep(state, encodeState(state), knownLines.get(state.lines) ?? encodeLines(state.lines));
}

/** Reads a state. Its texts are those that were read, so that what is stored in any other form is seen as changed. */
export function readState(state: string, lines: string): OrderState {
  const read = decodeState(state, lines);
  keep(read, state, lines);
  return read;
}

export const stateDigest = (state: string, lines: string): string => hash('sha256', `${state}\n${lines}`, 'base64');

function keep(order: OrderState, state: string, lines: string): StateTexts {
  const texts = { state, lines, digest: stateDigest(state, lines) };
  known.set(order, texts);
  knownLines.set(order.lines, lines);
  return texts;
}
