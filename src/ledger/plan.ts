/**
 * Records the plan of a batch: every payout, order, id and body is on disk, in one transaction, before the first byte is
 * sent.
 */

import { bytesOf, type Database, numberOf, RowsDiffer, type SqlValue, type Statement } from '../database/database.ts';
import {
  type BatchHeader,
  type HeldOrder,
  type PlannedBlock,
  type PlannedOrder,
  type PlannedRow,
  plannedFact,
} from '../domain/batch.ts';
import type { BatchFact, Commitments, RecordedAccount } from '../domain/fact.ts';
import type { BatchId, OrderId, TraceNumber } from '../domain/ids.ts';
import { InvariantError, invariant } from '../domain/invariant.ts';
import { encodeRecord } from '../domain/json.ts';
import type { Money } from '../domain/money.ts';
import { advance } from '../domain/order.ts';
import type { Append } from './commit.ts';
import { columnsOfRow, commitmentsTo, type NewSalt, RowsHash, rowHash } from './commitment.ts';
import { areAsProven } from './held-orders.ts';
import { type LeaseName, leaseOf, PLANNING } from './lease.ts';
import { stepStatements } from './order-moves.ts';
import { findOrder } from './orders.ts';
import type { Proof } from './proof.ts';
import { indexOf, type OrderStep, type OrdersRead, saidOfRow } from './recorded-orders.ts';
import type { Recording } from './writer.ts';

const FIND = 'SELECT id FROM batch WHERE id = ? OR batch_key = ?';
const LAST_POSITION = 'SELECT COALESCE(MAX(position), 0) AS position FROM pay_order';
const INSERT_BATCH = `INSERT INTO batch (number, id, batch_key, fingerprint, planned_at, header)
  VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM batch), ?, ?, ?, ?, ?)`;
const INSERT_ORDER = `INSERT INTO pay_order (position, id, batch, attempt, submission, phase,
  outcome, version, due_at, alarmed, superseded) VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, 0, 0)`;
const INSERT_BODY = 'INSERT INTO order_body (position, body, origin, salt) VALUES (?, ?, ?, ?)';
const INSERT_PAYOUT = `INSERT INTO payout (batch, sheet_row, kind, reference, name, amount_minor, currency, payout, payee,
  texts, issues, salt, charge_minor, order_id, trace, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Counts and adds up what was really written, and touches the batch only if all three numbers agree with its header. */
const CONTROL = `UPDATE batch SET planned_at = planned_at WHERE id = ?
  AND (SELECT COUNT(*) FROM payout WHERE batch = ?) = ?
  AND (SELECT COUNT(*) FROM payout WHERE batch = ? AND order_id IS NOT NULL) = ?
  AND (SELECT COALESCE(SUM(amount_minor), 0) FROM payout WHERE batch = ? AND order_id IS NOT NULL) = ?`;

/** What is recorded when a batch is planned. */
interface Plan {
  readonly header: BatchHeader;
  readonly blocks: AsyncIterable<PlannedBlock> | Iterable<PlannedBlock>;
  /** Orders of earlier batches that this one supersedes. This process must have the leases of those batches. */
  readonly held: readonly HeldOrder[];
  /** The statement that binds the ledger to the account of the batch, or finds it bound to that. */
  readonly bind: Statement;
  readonly account: RecordedAccount;
  readonly newSalt: NewSalt;
}

/**
 * Records a batch. Rows and orders come in sheet order; all or nothing is kept. It is a bug if what was written disagrees
 * with the header in rows, payable rows or control sum, or if a payable row is not paid by exactly one line.
 */
export async function planBatch(database: Database, recording: Recording, plan: Plan): Promise<void> {
  const { header, held } = plan;
  const known = await database.read(FIND, [header.id, header.key]);
  invariant(known.length === 0, `batch ${header.id} is planned once`);
  try {
    const under: LeaseName[] = [PLANNING, ...new Set(held.map(({ batch }) => leaseOf(batch)))];
    await recording.writer.stream({ under, takes: [leaseOf(header.id)] }, (append) =>
      planStatements(database, plan, { ...recording, append }),
    );
  } catch (error) {
    if (!(error instanceof RowsDiffer)) throw error;
    throw new InvariantError('The rows and the control sum of a plan agree with its header, and these do not', {
      cause: error,
    });
  }
  // Without the hash over its rows, so that these are proven from their orders if they are proven here at all.
  recording.proof.recorded(plannedBatch(plan));
}

const plannedBatch = ({ header, account }: Pick<Plan, 'header' | 'account'>): BatchFact => ({
  type: 'batch-planned',
  batch: header.id,
  at: header.plannedAt,
  header,
  account,
});

async function* planStatements(
  database: Database,
  { header, blocks, held, bind, account, newSalt }: Plan,
  { append, ...recording }: Recording & { readonly append: Append },
): AsyncGenerator<readonly Statement[]> {
  const { id, key, fingerprint, plannedAt, payable, total } = header;
  let position = await lastPosition(database);
  const pairing = new Pairing();
  const hash = new RowsHash();
  yield [bind, { sql: INSERT_BATCH, values: [id, key, fingerprint, plannedAt, encodeRecord(header)], expect: 1 }];
  for await (const block of blocks) {
    const rows = new PlannedRows(header, block.rows, newSalt);
    const statements: Statement[] = [];
    // Orders come first: if an order came after its rows, the database would have to search for these rows.
    for (const order of block.orders) {
      position += 1;
      const place = { position, at: plannedAt, salt: newSalt() };
      statements.push(...orderStatements(id, order, place, rows.committed(order), append));
      for (const line of order.lines) pairing.line(order.id, line.trace, line.row, line.amount);
    }
    statements.push(...rows.statements(append));
    for (const row of rows.hashes) hash.add(row);
    for (const { order, trace, row, payout } of block.rows) {
      if (order && trace && payout) pairing.row(order, trace, row, payout.amount);
    }
    yield statements;
  }
  invariant(pairing.isComplete, 'every payable row is paid by exactly one line');
  const control = [id, id, header.rows, id, payable, id, total.minor];
  const fact = { ...plannedBatch({ header, account }), rows: hash.value() };
  yield [append(id, fact), { sql: CONTROL, values: control, expect: 1 }];
  for (const one of held) {
    const step = await supersededStep(database, recording.proof, one, { by: id, at: plannedAt });
    yield [...stepStatements([step], append)];
  }
}

/**
 * Returns the step that supersedes an order of an earlier batch. This process must have the lease of that batch. Throws a
 * Fault `ledger-unsafe` if the order is not what was proven of it.
 */
async function supersededStep(
  database: Database,
  proof: Proof,
  { batch, order: id, traces }: HeldOrder,
  { by, at }: { readonly by: BatchId; readonly at: number },
): Promise<OrderStep> {
  await proof.batch(batch);
  const areCurrent: OrdersRead['areCurrent'] = async (found) => areAsProven(proof, found);
  const order = await findOrder({ database, areCurrent }, batch, id);
  invariant(order, `order ${id} is in batch ${batch}`);
  return { order, facts: [{ type: 'order-superseded', order: id, at, traces, by }], dueAt: order.dueAt };
}

/** Returns the position of the last order of the ledger; 0 if there is none. */
export async function lastPosition(database: Database): Promise<number> {
  const [last] = await database.read(LAST_POSITION);
  return last ? numberOf(last, 'position') : 0;
}

/** The position of an order, when it was planned, and the salt of its texts. */
interface PlannedPlace {
  /** Position among all orders of the ledger. */
  readonly position: number;
  readonly at: number;
  readonly salt: string;
}

/**
 * Yields the statements that record one planned order. `committed` has the hashes of the rows that its lines pay, and the
 * charges that were quoted for them.
 */
export function* orderStatements(
  batch: BatchId,
  order: PlannedOrder,
  { position, at, salt }: PlannedPlace,
  committed: Pick<Commitments, 'rows' | 'charges'>,
  append: Append,
): Generator<Statement> {
  const { id, body, origin } = order;
  const commitments = commitmentsTo({ position, body, origin, salt }, committed);
  const fact = { ...plannedFact(order, at), commitments };
  const { attempt, submission, phase, outcome } = indexOf(advance(undefined, fact));
  yield { sql: INSERT_ORDER, values: [position, id, batch, attempt, submission, phase, outcome] };
  yield { sql: INSERT_BODY, values: [position, body, origin, bytesOf(salt)] };
  yield append(batch, fact, position);
}

/** The rows of a block, each with its own salt and the hash that its plan commits to. */
class PlannedRows {
  readonly #header: BatchHeader;
  readonly #rows: readonly { readonly row: PlannedRow; readonly values: readonly SqlValue[]; readonly hash: string }[];
  readonly #paid: ReadonlyMap<TraceNumber, { readonly row: PlannedRow; readonly hash: string }>;

  constructor(header: BatchHeader, rows: readonly PlannedRow[], newSalt: NewSalt) {
    this.#header = header;
    this.#rows = rows.map((row) => {
      const { payout, order, trace, charge } = row;
      invariant(!payout || payout.amount.currency === header.currency, `row ${row.row} has the currency of its batch`);
      const salt = newSalt();
      const columns = columnsOfRow(row);
      const { outcome } = saidOfRow(undefined, row.leftOut !== undefined);
      const paid = [charge?.minor ?? null, order ?? null, trace ?? null, order === undefined ? outcome : null];
      return { row, values: [header.id, ...columns, bytesOf(salt), ...paid], hash: rowHash(salt, columns) };
    });
    this.#paid = new Map(this.#rows.flatMap((one) => (one.row.trace ? [[one.row.trace, one] as const] : [])));
  }

  /** The hash of each row, in sheet order. */
  get hashes(): readonly string[] {
    return this.#rows.map(({ hash }) => hash);
  }

  /** Returns what the plan of an order commits to in addition to its own texts. */
  committed({ lines }: PlannedOrder): Pick<Commitments, 'rows' | 'charges'> {
    const paid = lines.map(({ trace }) => {
      const found = this.#paid.get(trace);
      invariant(found, `the row of trace number ${trace} is planned in the block of its order`);
      return found;
    });
    return {
      rows: paid.map(({ hash }) => hash),
      charges: paid.map(({ row: { charge } }) => charge?.minor.toString() ?? null),
    };
  }

  *statements(append: Append): Generator<Statement> {
    const { id: batch, plannedAt: at } = this.#header;
    for (const { row, values, hash } of this.#rows) {
      yield { sql: INSERT_PAYOUT, values };
      const leftOut = row.leftOut && ({ leftOut: true } as const);
      if (!row.trace) yield append(batch, { type: 'row-set-aside', batch, at, row: row.row, hash, ...leftOut });
    }
  }
}

/** Pairs payable rows with order lines. It holds only those whose other half has not come yet. */
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
