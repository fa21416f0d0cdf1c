/** Plans new attempts at rows that failed for good: in the same batch, in one transaction, before anything is sent. */

import { type Database, RowsDiffer, type SqlRow, type Statement } from '../database/database.ts';
import { type PlannedOrder, plannedFact } from '../domain/batch.ts';
import type { BatchFact, Fact } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId, TraceNumber } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Money } from '../domain/money.ts';
import { advance } from '../domain/order.ts';
import type { Append } from './commit.ts';
import { commitmentsTo, type NewSalt, storedRowHash } from './commitment.ts';
import { type LeaseName, leaseOf, PLANNING } from './lease.ts';
import { assertProven, stepStatements } from './order-moves.ts';
import { lastPosition, orderStatements } from './plan.ts';
import { changed } from './proof-faults.ts';
import type { OrderStep, StoredOrder } from './recorded-orders.ts';
import { rowsOfOrders } from './recorded-orders.ts';
import type { Recording } from './writer.ts';

/** A new order with one line, and the line of the old order that it replaces. */
export interface Reattempt {
  readonly order: PlannedOrder;
  /** Facts that the service reported about the new order; absent if the service does not know it either. */
  readonly seen?: readonly Fact[];
  readonly charge: Money;
  readonly replaced: { readonly order: StoredOrder; readonly trace: TraceNumber };
}

export interface RetryPlan {
  readonly batch: BatchId;
  /** The fact that records the attempts as a whole. */
  readonly fact: Extract<BatchFact, { type: 'retry-planned' | 'attempts-found' }>;
  readonly attempts: readonly Reattempt[];
}

const MOVE_ROW = `UPDATE payout SET order_id = ?, trace = ?, charge_minor = ?, outcome = NULL, fee_minor = NULL
  WHERE batch = ? AND sheet_row = ? AND order_id = ?`;

/** A new order as it will be stored, with its position and the salt of its texts. */
interface PlacedAttempt extends Reattempt {
  readonly stored: StoredOrder;
}

export async function planRetry(
  database: Database,
  recording: Recording,
  plan: RetryPlan,
  newSalt: NewSalt,
): Promise<void> {
  const { batch, attempts, fact } = plan;
  const { writer, proof } = recording;
  // The rows say what is paid again, so the whole batch is proven, even in the middle of a run.
  await proof.whole(batch);
  await assertProven(
    recording,
    attempts.map(({ replaced }) => replaced),
  );
  const replaced = replacements(attempts, fact.at);
  const rows = await rowsOfOrders(
    database,
    batch,
    replaced.map(({ order }) => order),
  );
  for (const attempt of attempts) assertSame(attempt, rows);
  // Attempts that are found in the middle of a run are only recorded; those that a person starts are planned, which needs a
  // second lease.
  const under: LeaseName[] = [leaseOf(batch), ...(fact.type === 'retry-planned' ? [PLANNING] : [])];
  try {
    await writer.stream({ under }, async function* statements(append) {
      // From now on no other process plans an order.
      const last = await lastPosition(database);
      const placed = attempts.map((attempt, index): PlacedAttempt => {
        const place = { position: last + index + 1, at: fact.at, salt: newSalt() };
        return { ...attempt, stored: storedOf(batch, attempt, place, rows) };
      });
      const found = foundSteps(placed, fact.at);
      yield [...statementsOf({ batch, fact, placed, replaced, found }, append)];
    });
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

/** Throws unless a new attempt pays what was planned first: the amount and the row of the line that it replaces. */
function assertSame({ order, replaced }: Reattempt, rows: ReadonlyMap<number, SqlRow>): void {
  const { state, commitments, batch } = replaced.order;
  const index = state.lines.findIndex(({ trace }) => trace === replaced.trace);
  const [line, row] = [state.lines[index], rows.get(state.lines[index]?.row ?? 0)];
  const isOwn = row && storedRowHash(row) === commitments.rows[index];
  const [paid] = order.lines;
  const isSame = line && paid?.row === line.row && paid.amount.minor === line.amount.minor;
  if (!isOwn || !isSame) throw changed(`row ${paid?.row} of batch ${batch}: differs from its facts`);
}

interface Retried extends Pick<RetryPlan, 'batch' | 'fact'> {
  readonly placed: readonly PlacedAttempt[];
  readonly replaced: readonly OrderStep[];
  readonly found: readonly OrderStep[];
}

function* statementsOf({ batch, fact, placed, replaced, found }: Retried, append: Append): Generator<Statement> {
  yield append(batch, fact);
  for (const { order, stored } of placed) {
    yield* orderStatements(batch, order, { ...stored, at: fact.at }, stored.commitments, append);
  }
  yield* stepStatements(replaced, append);
  for (const attempt of placed) {
    const { order, charge } = attempt;
    const [line, ...others] = order.lines;
    invariant(line && others.length === 0, 'a new attempt pays one row');
    const values = [order.id, line.trace, charge.minor, batch, line.row, attempt.replaced.order.state.id];
    yield { sql: MOVE_ROW, values, expect: 1 };
  }
  // By now the rows belong to the new orders, and move with them.
  yield* stepStatements(found, append);
}

/** Returns the steps for new orders about which something is known already. */
const foundSteps = (placed: readonly PlacedAttempt[], at: number): readonly OrderStep[] =>
  placed.flatMap((attempt) => {
    const { seen = [], stored } = attempt;
    const facts = [...supersededAgain(attempt, at), ...seen];
    return facts.length === 0 ? [] : [{ order: stored, facts, dueAt: seen.length > 0 ? at : null }];
  });

/** Returns the fact that a later batch holds the row of a new order, if that batch held the row of the old one. */
function supersededAgain({ order, replaced }: Reattempt, at: number): readonly Fact[] {
  const by = replaced.order.state.lines.find(({ trace }) => trace === replaced.trace)?.supersededBy;
  const traces = order.lines.map(({ trace }) => trace);
  return by === undefined ? [] : [{ type: 'order-superseded', order: order.id, at, traces, by }];
}

/** Returns an order as it is stored right after it was planned. `rows` holds what the sheet said, by row. */
function storedOf(
  batch: BatchId,
  { order, charge }: Reattempt,
  { position, at, salt }: { readonly position: number; readonly at: number; readonly salt: string },
  rows: ReadonlyMap<number, SqlRow>,
): StoredOrder {
  const { body, origin } = order;
  const paid = order.lines.map(({ row }) => rows.get(row)).filter((row) => row !== undefined);
  const committed = { rows: paid.map(storedRowHash), charges: [charge.minor.toString()] };
  return {
    position,
    state: advance(undefined, plannedFact(order, at)),
    version: 1,
    commitments: commitmentsTo({ position, body, origin, salt }, committed),
    body,
    origin,
    salt,
    batch,
    dueAt: null,
  };
}

/** Returns one step for each old order, however many of its lines are tried again. */
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
