/** What the ledger recorded about the orders of one row: what was sent, what was answered, and what look-ups showed. */
import type { BatchFact, Fact } from '../../domain/fact.ts';
import { type BatchId, type OrderId, sha256, type TraceNumber } from '../../domain/ids.ts';
import type { SubmissionName } from '../../domain/submission.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type DescribedFact, describedFact } from './described-fact.ts';
import { ownBody } from './own-part.ts';

/** One attempt at the row. */
export interface TrailOrder {
  readonly id: OrderId;
  readonly trace: TraceNumber;
  readonly submission: SubmissionName;
  readonly attempt: number;
  /** Number of payments in the order, including this one. */
  readonly lines: number;
  /** SHA-256 of the exact bytes that every submission sends; absent if they were deleted. */
  readonly sha256?: string;
  /**
   * The bytes that are sent, or the part of them that is about this row; absent if that part cannot be separated, or if the
   * bytes were deleted.
   */
  readonly body?: string;
}

/** A fact about one of the orders, with its place in the chain of the batch. */
export interface TrailFact extends DescribedFact {
  readonly order: OrderId;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** Place among the facts of the batch, counted from 1. */
  readonly number: number;
  /** SHA-256 of the fact in its chain. */
  readonly hash: string;
}

export interface RowTrail {
  readonly orders: readonly TrailOrder[];
  readonly facts: readonly TrailFact[];
}

type Records = Pick<Ledger, 'facts' | 'findOrder'>;

/** Returns the trail of a row. Reads every fact of the batch, and keeps those of the row. */
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
    const described = known && describedFact(fact, { row, trace: known.own, lines: known.others.length + 1 });
    if (described) facts.push({ ...described, order: fact.order, at: fact.at, number, hash });
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
