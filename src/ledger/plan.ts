/**
 * Records the plan of a batch: every payout, order, id and body is on disk before the first byte is sent.
 *
 * Rows, orders and facts are written block by block, under the lease of planning, so that nobody else who records something
 * waits for a long sheet. The batch itself is added by the last group, and exists from then on. If planning is interrupted, its
 * blocks stay without a batch: nothing reads them, and the next plan takes ids and rows from them (`unplanned.ts`).
 */

import { bytesOf, type Database, minorOf, numberOf, type SqlValue, type Statement } from '../database/database.ts';
import {
  type BatchHeader,
  type HeldOrder,
  type PlannedBlock,
  type PlannedOrder,
  type PlannedRow,
  plannedFact,
} from '../domain/batch.ts';
import type { Commitments, RecordedAccount } from '../domain/fact.ts';
import type { BatchId, OrderId, TraceNumber } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { encodeRecord } from '../domain/json.ts';
import type { Money } from '../domain/money.ts';
import { advance } from '../domain/order.ts';
import type { BatchPlanned } from './chain-proof.ts';
import type { Append } from './commit.ts';
import { columnsOfRow, commitmentsTo, type NewSalt, RowsHash, rowHash } from './commitment.ts';
import { areAsProven } from './held-orders.ts';
import { leaseOf, PLANNING } from './lease.ts';
import { stepStatements } from './order-moves.ts';
import { findOrder } from './orders.ts';
import type { Proof } from './proof.ts';
import { indexOf, type OrderStep, type OrdersRead, saidOfRow } from './recorded-orders.ts';
import { freeUnplanned } from './unplanned.ts';
import type { Recording, StreamTerms } from './writer.ts';

const FIND = 'SELECT id FROM batch WHERE id = ? OR batch_key = ?';
const LAST_POSITION = 'SELECT COALESCE(MAX(position), 0) AS position FROM pay_order';
const INSERT_BATCH = `INSERT INTO batch (number, id, batch_key, fingerprint, planned_at, header, begins_after)
  VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM batch), ?, ?, ?, ?, ?, ?)`;
const INSERT_ORDER = `INSERT INTO pay_order (position, id, batch, attempt, submission, phase,
  outcome, version, due_at, alarmed, superseded) VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, 0, 0)`;
const INSERT_BODY = 'INSERT INTO order_body (position, body, origin, salt) VALUES (?, ?, ?, ?)';
const INSERT_PAYOUT = `INSERT INTO payout (batch, sheet_row, kind, reference, name, amount_minor, currency, payout, payee,
  texts, issues, salt, charge_minor, order_id, trace, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Counts and adds up what was really written. */
const WRITTEN = `SELECT COUNT(*) AS number, COUNT(order_id) AS payable,
  COALESCE(SUM(CASE WHEN order_id IS NULL THEN 0 ELSE amount_minor END), 0) AS total FROM payout WHERE batch = ?`;

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
 * Records a batch. Rows and orders come in sheet order; the batch exists when all of them are there. It is a bug if what was
 * written disagrees with the header in rows, payable rows or control sum, or if a payable row is not paid by exactly one line.
 */
export async function planBatch(database: Database, recording: Recording, plan: Plan): Promise<void> {
  const { header, blocks, held, newSalt } = plan;
  const { writer, proof } = recording;
  const known = await database.read(FIND, [header.id, header.key]);
  invariant(known.length === 0, `batch ${header.id} is planned once`);
  await freeUnplanned(database, recording);
  const own = leaseOf(header.id);
  const beginsAfter = proof.chains.endOf(header.id).number;
  const [pairing, hash] = [new Pairing(), new RowsHash()];
  // A plan that failed in this process has left the lease with it.
  let terms: StreamTerms = writer.leases.holds(own) ? { under: [PLANNING, own] } : { under: [PLANNING], takes: [own] };
  for await (const block of blocks) {
    await writer.stream(terms, async function* statements(append) {
      const after = await lastPosition(database);
      yield [...blockStatements(header, block, { append, newSalt, after, pairing, hash })];
    });
    terms = { under: [PLANNING, own] };
  }
  invariant(pairing.isComplete, 'every payable row is paid by exactly one line');
  await requireWritten(database, header);
  const under = [...terms.under, ...new Set(held.map(({ batch }) => leaseOf(batch)))];
  const planned: BatchPlanned = {
    type: 'batch-planned',
    batch: header.id,
    at: header.plannedAt,
    header,
    account: plan.account,
    ...(beginsAfter > 0 && { beginsAfter }),
  };
  const fact = { ...planned, rows: hash.value() };
  await writer.stream({ ...terms, under }, (append) => batchStatements(database, plan, fact, { proof, append }));
  // Without the hash over its rows, so that these are proven from their orders if they are proven here at all.
  proof.recorded(planned);
}

interface BlockPlace {
  readonly append: Append;
  readonly newSalt: NewSalt;
  /** Position of the last order before the block. */
  readonly after: number;
  readonly pairing: Pairing;
  readonly hash: RowsHash;
}

function* blockStatements(
  header: BatchHeader,
  block: PlannedBlock,
  { append, newSalt, after, pairing, hash }: BlockPlace,
): Generator<Statement> {
  const rows = new PlannedRows(header, block.rows, newSalt);
  // Orders come first: if an order came after its rows, the database would have to search for these rows.
  for (const [index, order] of block.orders.entries()) {
    const place = { position: after + index + 1, at: header.plannedAt, salt: newSalt() };
    yield* orderStatements(header.id, order, place, rows.committed(order), append);
    for (const line of order.lines) pairing.line(order.id, line.trace, line.row, line.amount);
  }
  yield* rows.statements(append);
  for (const row of rows.hashes) hash.add(row);
  for (const { order, trace, row, payout } of block.rows) {
    if (order && trace && payout) pairing.row(order, trace, row, payout.amount);
  }
}

/** Throws an `InvariantError` unless the rows that were really written agree with the header in all three numbers. */
async function requireWritten(database: Database, { id, rows, payable, total }: BatchHeader): Promise<void> {
  const [written = {}] = await database.read(WRITTEN, [id]);
  const isSame =
    numberOf(written, 'number') === rows &&
    numberOf(written, 'payable') === payable &&
    minorOf(written, 'total') === total.minor;
  invariant(isSame, 'the rows and the control sum of a plan agree with its header');
}

/** Yields the statements that make the batch exist, and supersede the orders of earlier batches that it holds. */
async function* batchStatements(
  database: Database,
  { header, held, bind }: Plan,
  fact: BatchPlanned,
  { proof, append }: { readonly proof: Proof; readonly append: Append },
): AsyncGenerator<readonly Statement[]> {
  const { id, key, fingerprint, plannedAt } = header;
  const values = [id, key, fingerprint, plannedAt, encodeRecord(header), fact.beginsAfter ?? 0];
  yield [bind, { sql: INSERT_BATCH, values, expect: 1 }, append(id, fact)];
  for (const one of held) {
    const step = await supersededStep(database, proof, one, { by: id, at: plannedAt });
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
