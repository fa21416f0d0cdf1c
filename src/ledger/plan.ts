/** The plan of a batch: every payout, order, id and body on disk, in one transaction, before the first byte is sent. */
import {
  type BatchHeader,
  type HeldOrder,
  type PlannedBlock,
  type PlannedOrder,
  type PlannedRow,
  plannedFact,
} from '../domain/batch.ts';
import type { BatchFact } from '../domain/fact.ts';
import type { BatchId, OrderId, TraceNumber } from '../domain/ids.ts';
import { sha256 } from '../domain/ids.ts';
import { InvariantError, invariant } from '../domain/invariant.ts';
import { encodeRecord } from '../domain/json.ts';
import type { Money } from '../domain/money.ts';
import { advance } from '../domain/order.ts';
import { type Database, numberOf, RowsDiffer, type SqlValue, type Statement } from './database.ts';
import { findOrder, type OrderStep, standingOf, stepStatements } from './orders.ts';
import { encodeLines, encodePayout, encodeState } from './record-text.ts';
import type { Append, Writer } from './writer.ts';

const FIND = 'SELECT id FROM batch WHERE id = ? OR batch_key = ?';
const LAST_POSITION = 'SELECT COALESCE(MAX(position), 0) AS position FROM pay_order';
const INSERT_BATCH = `INSERT INTO batch (number, id, batch_key, fingerprint, planned_at, header)
  VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM batch), ?, ?, ?, ?, ?)`;
const INSERT_ORDER = `INSERT INTO pay_order (position, id, batch, attempt, submission, body_sha256, phase,
  standing, version, due_at, alarmed, superseded, state, lines) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, NULL, 0, 0, ?, ?)`;
const INSERT_BODY = 'INSERT INTO order_body (position, body, origin) VALUES (?, ?, ?)';
const INSERT_PAYOUT = `INSERT INTO payout (batch, sheet_row, kind, reference, name, amount_minor, currency,
  charge_minor, order_id, trace, outcome, payout, payee, texts, issues) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Counts and adds up what was really written, and touches the batch only if all three agree with its header. */
const CONTROL = `UPDATE batch SET planned_at = planned_at WHERE id = ?
  AND (SELECT COUNT(*) FROM payout WHERE batch = ?) = ?
  AND (SELECT COUNT(*) FROM payout WHERE batch = ? AND order_id IS NOT NULL) = ?
  AND (SELECT COALESCE(SUM(amount_minor), 0) FROM payout WHERE batch = ? AND order_id IS NOT NULL) = ?`;

/** What is recorded of a batch. */
interface Plan {
  readonly header: BatchHeader;
  readonly blocks: AsyncIterable<PlannedBlock> | Iterable<PlannedBlock>;
  /** Orders of earlier batches that this one supersedes. */
  readonly held: Iterable<HeldOrder>;
  /** Ties the ledger to the account of the batch, or finds it tied to it. */
  readonly tie: Statement;
}

/**
 * Records a batch. Rows and orders come in sheet order; all or nothing is kept. What was written must agree with the
 * header in rows, payable rows and control sum, and every payable row must be paid by exactly one line, or it is a bug.
 */
export async function planBatch(database: Database, writer: Writer, plan: Plan): Promise<void> {
  const { header } = plan;
  const known = await database.read(FIND, [header.id, header.key]);
  invariant(known.length === 0, `batch ${header.id} is planned once`);
  try {
    await writer.stream((append) => planStatements(database, plan, append));
  } catch (error) {
    if (!(error instanceof RowsDiffer)) throw error;
    throw new InvariantError('The rows and the control sum of a plan agree with its header, and these do not', {
      cause: error,
    });
  }
}

async function* planStatements(
  database: Database,
  { header, blocks, held, tie }: Plan,
  append: Append,
): AsyncGenerator<readonly Statement[]> {
  const { id, key, fingerprint, plannedAt, rows, payable, total } = header;
  let position = await lastPosition(database);
  const pairing = new Pairing();
  yield [tie, { sql: INSERT_BATCH, values: [id, key, fingerprint, plannedAt, encodeRecord(header)], expect: 1 }];
  for await (const block of blocks) {
    const statements: Statement[] = [];
    for (const order of block.orders) {
      position += 1;
      statements.push(...orderStatements(id, order, { position, at: plannedAt }, append));
      for (const line of order.lines) pairing.line(order.id, line.trace, line.row, line.amount);
    }
    for (const row of block.rows) {
      statements.push(payoutStatement(header, row));
      if (row.order && row.trace && row.payout) pairing.row(row.order, row.trace, row.row, row.payout.amount);
    }
    yield statements;
  }
  invariant(pairing.isComplete, 'every payable row is paid by exactly one line');
  const planned: BatchFact = { type: 'batch-planned', batch: id, at: plannedAt, header };
  const control = [id, id, rows, id, payable, id, total.minor];
  yield [append(id, planned), { sql: CONTROL, values: control, expect: 1 }];
  for (const one of held) yield [...stepStatements([await supersededStep(database, one, id, plannedAt)], append)];
}

async function supersededStep(
  database: Database,
  { batch, order: id, traces }: HeldOrder,
  by: BatchId,
  at: number,
): Promise<OrderStep> {
  const order = await findOrder(database, batch, id);
  invariant(order, `order ${id} is in batch ${batch}`);
  return { order, facts: [{ type: 'order-superseded', order: id, at, traces, by }], dueAt: order.dueAt };
}

/** Place of the last order of the ledger; 0 when there is none. */
export async function lastPosition(database: Database): Promise<number> {
  const [last] = await database.read(LAST_POSITION);
  return last ? numberOf(last, 'position') : 0;
}

/** The statements that record one planned order, at a place among all orders of the ledger. */
export function* orderStatements(
  batch: BatchId,
  order: PlannedOrder,
  { position, at }: { readonly position: number; readonly at: number },
  append: Append,
): Generator<Statement> {
  const { id, submission, attempt, body, bodySha256, origin } = order;
  invariant(sha256(body) === bodySha256, `the body of order ${id} has the hash it says`);
  const fact = plannedFact(order, at);
  const state = advance(undefined, fact);
  const texts = [encodeState(state), encodeLines(state.lines)];
  const kept = [attempt, submission, bodySha256, state.phase, standingOf(state)];
  yield { sql: INSERT_ORDER, values: [position, id, batch, ...kept, ...texts] };
  yield { sql: INSERT_BODY, values: [position, body, origin] };
  yield append(batch, fact);
}

function payoutStatement(header: BatchHeader, planned: PlannedRow): Statement {
  const { row, payout, order, trace, charge, texts, issues } = planned;
  invariant(!payout || payout.amount.currency === header.currency, `row ${row} has the currency of its batch`);
  const values: SqlValue[] = [
    header.id,
    row,
    payout?.kind ?? null,
    payout?.reference ?? null,
    payout?.name ?? null,
    payout?.amount.minor ?? null,
    payout?.amount.currency ?? null,
    charge?.minor ?? null,
    order ?? null,
    trace ?? null,
    order === undefined ? 'invalid' : null,
    payout ? encodePayout(payout) : null,
    payout?.payee ?? null,
    JSON.stringify(texts),
    JSON.stringify(issues),
  ];
  return { sql: INSERT_PAYOUT, values };
}

/** Pairs payable rows with order lines; it holds only those whose other half has not come yet. */
class Pairing {
  readonly #rows = new Map<TraceNumber, string>();
  readonly #lines = new Map<TraceNumber, string>();

  line(order: OrderId, trace: TraceNumber, row: number, amount: Money): void {
    pair(this.#rows, this.#lines, trace, sketch(order, row, amount));
  }

  row(order: OrderId, trace: TraceNumber, row: number, amount: Money): void {
    pair(this.#lines, this.#rows, trace, sketch(order, row, amount));
  }

  get isComplete(): boolean {
    return this.#rows.size === 0 && this.#lines.size === 0;
  }
}

const sketch = (order: OrderId, row: number, amount: Money): string =>
  `${order} ${row} ${amount.minor} ${amount.currency}`;

function pair(others: Map<TraceNumber, string>, own: Map<TraceNumber, string>, trace: TraceNumber, one: string): void {
  const other = others.get(trace);
  if (other === undefined) {
    invariant(!own.has(trace), `trace number ${trace} is used once`);
    own.set(trace, one);
    return;
  }
  invariant(other === one, `row and line of trace number ${trace} agree`);
  others.delete(trace);
}
