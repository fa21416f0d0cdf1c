/** The plan of new attempts at rows that failed for good: in the same batch, in one transaction, before anything is sent. */
import { type PlannedOrder, plannedFact } from '../domain/batch.ts';
import type { BatchFact, Fact } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId, TraceNumber } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Money } from '../domain/money.ts';
import { advance } from '../domain/order.ts';
import { type Database, RowsDiffer, type Statement } from './database.ts';
import { type OrderStep, type StoredOrder, stepStatements } from './orders.ts';
import { lastPosition, orderStatements } from './plan.ts';
import type { Append, Writer } from './writer.ts';

/** A new order of one line, and the line of the old one that it takes the place of. */
export interface Reattempt {
  readonly order: PlannedOrder;
  /** What the service told of the new order; missing when it is new to the service as well. */
  readonly seen?: readonly Fact[];
  readonly charge: Money;
  readonly replaced: { readonly order: StoredOrder; readonly trace: TraceNumber };
}

export interface RetryPlan {
  readonly batch: BatchId;
  /** What is recorded of the whole. */
  readonly fact: Extract<BatchFact, { type: 'retry-planned' | 'attempts-found' }>;
  readonly attempts: readonly Reattempt[];
}

const MOVE_ROW = `UPDATE payout SET order_id = ?, trace = ?, charge_minor = ?, outcome = NULL, fee_minor = NULL
  WHERE batch = ? AND sheet_row = ? AND order_id = ?`;

export async function planRetry(database: Database, writer: Writer, plan: RetryPlan): Promise<void> {
  const position = await lastPosition(database);
  try {
    await writer.write((append) => statementsOf(plan, position, append));
  } catch (error) {
    if (!(error instanceof RowsDiffer)) throw error;
    throw new Fault(
      'ledger-unsafe',
      'A row in the ledger is not as this run read it; no new attempt was recorded.',
      'Run `paybatch verify`, then try again.',
      { cause: error },
    );
  }
}

function* statementsOf({ batch, fact, attempts }: RetryPlan, last: number, append: Append): Generator<Statement> {
  const { at } = fact;
  yield append(batch, fact);
  const found: OrderStep[] = [];
  for (const [index, attempt] of attempts.entries()) {
    const { order, seen = [] } = attempt;
    const position = last + index + 1;
    yield* orderStatements(batch, order, { position, at }, append);
    const facts = [...supersededAgain(attempt, at), ...seen];
    const dueAt = seen.length > 0 ? at : null;
    if (facts.length > 0) found.push({ order: storedOf(batch, order, position, at), facts, dueAt });
  }
  yield* stepStatements(replacements(attempts, at), append);
  for (const { order, charge, replaced } of attempts) {
    const [line, ...others] = order.lines;
    invariant(line && others.length === 0, 'a new attempt pays one row');
    const values = [order.id, line.trace, charge.minor, batch, line.row, replaced.order.state.id];
    yield { sql: MOVE_ROW, values, expect: 1 };
  }
  // Their rows are theirs by now, and move with them.
  yield* stepStatements(found, append);
}

/** Whichever order pays a row: what a later batch holds of it, it still holds. */
function supersededAgain({ order, replaced }: Reattempt, at: number): readonly Fact[] {
  const by = replaced.order.state.lines.find(({ trace }) => trace === replaced.trace)?.supersededBy;
  const traces = order.lines.map(({ trace }) => trace);
  return by === undefined ? [] : [{ type: 'order-superseded', order: order.id, at, traces, by }];
}

/** An order as it is right after it was planned. */
function storedOf(batch: BatchId, planned: PlannedOrder, position: number, at: number): StoredOrder {
  const { body, bodySha256, origin } = planned;
  return {
    position,
    state: advance(undefined, plannedFact(planned, at)),
    version: 1,
    body,
    bodySha256,
    origin,
    batch,
    dueAt: null,
  };
}

/** One step for each old order, whatever the number of its lines that are tried again. */
function replacements(attempts: readonly Reattempt[], at: number): readonly OrderStep[] {
  const steps = new Map<number, { order: StoredOrder; facts: Fact[]; dueAt: number | null }>();
  for (const { order, replaced } of attempts) {
    const { position, dueAt, state } = replaced.order;
    const step = steps.get(position) ?? { order: replaced.order, facts: [], dueAt };
    step.facts.push({ type: 'order-retried', order: state.id, at, trace: replaced.trace, replacedBy: order.id });
    steps.set(position, step);
  }
  return [...steps.values()];
}
