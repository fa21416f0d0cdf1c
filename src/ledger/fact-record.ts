/** The texts of facts: what is hashed into the chain, and apart from it what may name people. This is on the path of every order. */
import type { BatchFact, Fact } from '../domain/fact.ts';
import type { BatchId, OrderId } from '../domain/ids.ts';
import { decodeRecord, encodeRecord } from '../domain/json.ts';
import type { NewSalt } from './commitment.ts';
import { numberOf, type SqlRow, textOf } from './database.ts';
import { type KeptText, putTogether, takeApart } from './fact-text.ts';
import { tagged } from './record-text.ts';

/** What a fact says beyond what has a column of its own, and apart from it what may name people (`fact-text.ts`). */
export function encodeFact(
  fact: Fact | BatchFact,
  newSalt: NewSalt,
): { readonly data: string; readonly kept?: KeptText } {
  if (fact.type === 'batch-planned') return { data: encodeRecord({ header: fact.header, account: fact.account }) };
  if (fact.type === 'order-planned') {
    const { order, at, type, ...data } = fact;
    return { data: JSON.stringify({ ...data, lines: data.lines.map(tagged) }) };
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

/** A fact of a batch that is about none of its orders, as a row with `type`, `happened_at`, `data` and `text` has it. */
export const batchFactIn = (row: SqlRow, batch: BatchId): BatchFact =>
  decodeFact({
    batch,
    order: undefined,
    type: textOf(row, 'type'),
    at: numberOf(row, 'happened_at'),
    data: textOf(row, 'data'),
    text: (row['text'] as string | null) ?? undefined,
  }) as BatchFact; // it names no order
