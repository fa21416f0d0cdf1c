/**
 * The texts of our records. They are what `encodeRecord` would write, made without visiting every value: amounts are
 * the only bigints, and their places are known. This is on the path of every order.
 */
import type { BatchFact, Fact, PlannedLine } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { decodeRecord, encodeRecord } from '../domain/json.ts';
import type { Money } from '../domain/money.ts';
import type { LineState, OrderState } from '../domain/order.ts';
import type { Payout } from '../domain/payout.ts';
import type { NewSalt } from './commitment.ts';
import { type KeptText, putTogether, takeApart } from './fact-text.ts';

type TaggedMoney = Omit<Money, 'minor'> & { readonly minor: { readonly $int: string } };
type Tagged<T extends { readonly amount: Money }> = Omit<T, 'amount'> & { readonly amount: TaggedMoney };

/** A spread keeps the place of a key that is then set again, so the keys stay in their order. */
const tagged = <T extends { readonly amount: Money }>(value: T) => ({
  ...value,
  amount: { ...value.amount, minor: { $int: value.amount.minor.toString() } },
});

const untagged = <T extends { readonly amount: Money }>(value: Tagged<T>) => ({
  ...value,
  amount: { ...value.amount, minor: BigInt(value.amount.minor.$int) },
});

/** The state of an order without its lines. */
export function encodeState({ lines, ...state }: OrderState): string {
  return JSON.stringify(state);
}

export const encodeLines = (lines: readonly LineState[]): string => JSON.stringify(lines.map(tagged));

export function decodeState(state: string, lines: string): OrderState {
  const tagged: readonly Tagged<LineState>[] = JSON.parse(lines);
  return { ...JSON.parse(state), lines: tagged.map((line) => untagged<LineState>(line)) };
}

export const encodePayout = (payout: Payout): string => JSON.stringify(tagged(payout));

export const decodePayout = (text: string): Payout => untagged<Payout>(JSON.parse(text));

/** What a fact says beyond what has a column of its own, and apart from it what may name people (`fact-text.ts`). */
export function encodeFact(
  fact: Fact | BatchFact,
  newSalt: NewSalt,
): { readonly data: string; readonly kept?: KeptText } {
  if (fact.type === 'batch-planned') return { data: encodeRecord({ header: fact.header, account: fact.account }) };
  if (fact.type === 'order-planned') {
    const { order, at, type, ...data } = fact;
    return { data: JSON.stringify(withTaggedLines(data)) };
  }
  const { data, kept } = takeApart(fact.type, saidIn(fact), newSalt);
  return { data: JSON.stringify(data), ...(kept && { kept }) };
}

function saidIn(fact: Fact | BatchFact): object {
  if ('order' in fact) {
    const { order, at, type, ...said } = fact;
    return said;
  }
  const { batch, at, type, ...said } = fact;
  return said;
}

const withTaggedLines = (data: object & { readonly lines: readonly unknown[] }) => ({
  ...data,
  lines: (data.lines as readonly PlannedLine[]).map(tagged), // an order is planned with such lines
});

/** The columns from which a fact is read back. */
export interface FactColumns {
  readonly batch: BatchId;
  readonly order: OrderId | undefined;
  readonly type: string;
  readonly at: number;
  readonly data: string;
  /** What was taken out of it; undefined: nothing, or it was deleted. */
  readonly text?: string | undefined;
}

export function decodeFact({ batch, order, type, at, data, text }: FactColumns): Fact | BatchFact {
  const said = putTogether(type, decodeRecord<Record<string, unknown>>(data), text);
  const fact = order === undefined ? { type, batch, at, ...said } : { type, order, at, ...said };
  return fact as Fact | BatchFact; // only `encodeFact` wrote it, and the chain vouches for it
}
