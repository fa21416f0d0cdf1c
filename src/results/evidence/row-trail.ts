/** What the ledger recorded of the orders of one row: what was sent, what was answered, what look-ups showed. */
import type { BatchFact, Fact } from '../../domain/fact.ts';
import { type BatchId, type OrderId, sha256, type TraceNumber } from '../../domain/ids.ts';
import type { SubmissionName } from '../../domain/submission.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { ownBody } from './own-part.ts';
import { type Told, toldOf } from './told-fact.ts';

/** One attempt at the row. */
export interface TrailOrder {
  readonly id: OrderId;
  readonly trace: TraceNumber;
  readonly submission: SubmissionName;
  readonly attempt: number;
  /** Payments that the order carries, this one included. */
  readonly lines: number;
  /** Of the exact bytes that every submission sends; missing where they were deleted. */
  readonly sha256?: string;
  /** These bytes, or the part of them that is about this row; missing where it cannot be told from the rest. */
  readonly body?: string;
}

/** A fact of one of them, with its place in the chain of the batch. */
export interface TrailFact extends Told {
  readonly order: OrderId;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** Place among the facts of the batch, from 1. */
  readonly number: number;
  /** Of the fact in its chain, SHA-256. */
  readonly hash: string;
}

export interface RowTrail {
  readonly orders: readonly TrailOrder[];
  readonly facts: readonly TrailFact[];
}

type Records = Pick<Ledger, 'facts' | 'findOrder'>;

/** The trail of a row. It reads every fact of the batch, and keeps those of the row. */
export async function rowTrail(ledger: Records, batch: BatchId, row: number): Promise<RowTrail> {
  const lines = new Map<OrderId, { readonly own: TraceNumber; readonly others: readonly TraceNumber[] }>();
  const orders: Omit<TrailOrder, 'body' | 'sha256'>[] = [];
  const facts: TrailFact[] = [];
  for await (const { fact, number, hash } of ledger.facts(batch)) {
    if (!isOfOrder(fact)) continue;
    if (fact.type === 'order-planned') {
      const own = fact.lines.find((line) => line.row === row);
      if (!own) continue;
      const others = fact.lines.filter((line) => line !== own).map(({ trace }) => trace);
      lines.set(fact.order, { own: own.trace, others });
      const { submission, attempt } = fact;
      orders.push({ id: fact.order, trace: own.trace, submission, attempt, lines: fact.lines.length });
    }
    const known = lines.get(fact.order);
    const told = known && toldOf(fact, { row, trace: known.own, lines: known.others.length + 1 });
    if (told) facts.push({ ...told, order: fact.order, at: fact.at, number, hash });
  }
  const whole = await Promise.all(
    orders.map(async (order) => {
      const stored = (await ledger.findOrder(batch, order.id))?.body ?? '';
      if (stored === '') return order;
      const body = ownBody(stored, order.trace, lines.get(order.id)?.others ?? []);
      return { ...order, sha256: sha256(stored), ...(body !== undefined && { body }) };
    }),
  );
  return { orders: whole, facts };
}

const isOfOrder = (fact: Fact | BatchFact): fact is Fact => 'order' in fact;
