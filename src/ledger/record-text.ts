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

/** What a fact says beyond what has a column of its own. */
export function encodeFact(fact: Fact | BatchFact): string {
  if (fact.type === 'batch-planned') return encodeRecord({ header: fact.header, account: fact.account });
  if ('order' in fact) {
    const { order, at, type, ...data } = fact;
    return JSON.stringify('lines' in data && type === 'order-planned' ? withTaggedLines(data) : data);
  }
  const { batch, at, type, ...data } = fact;
  return JSON.stringify(data);
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
}

export function decodeFact({ batch, order, type, at, data }: FactColumns): Fact | BatchFact {
  const said = decodeRecord<object>(data);
  const fact = order === undefined ? { type, batch, at, ...said } : { type, order, at, ...said };
  return fact as Fact | BatchFact; // only `encodeFact` wrote it, and the chain vouches for it
}
