/**
 * Asks the service to stop what was sent and is not final. Its answer proves nothing: only a later look-up counts. Spec:
 * "Reject order".
 */

import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import type { Fact, Said } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { outcomeOfLine } from '../domain/order.ts';
import { isSettled } from '../domain/outcome.ts';
import { present } from '../domain/present.ts';
import type { Ledger, LedgerQueries, StoredOrder } from '../ledger/ledger.ts';
import type { Client } from '../service/client/client.ts';
import { reasonOf } from '../service/client/reply.ts';
import { submissions } from '../service/submissions/index.ts';
import { AskAgain, type AskDeps, type Asked } from './look-up.ts';

/**
 * What became of a row. `rejected`: a look-up shows status 7. `escaped`: the row is paid. `ended`: the row has another end.
 * `unknown`: neither is known. `unsent`: the row never left, and this request does not send it; if the ledger is in recovery,
 * the service does not know the order either. `not-stoppable`: the way it was submitted has no such operation.
 */
export type RejectEnd = 'rejected' | 'escaped' | 'ended' | 'unknown' | 'unsent' | 'not-stoppable';

export interface RejectedRow {
  readonly row: number;
  readonly end: RejectEnd;
  /** Why the service did not take the request, if it said so. */
  readonly reason?: string;
}

interface RejectDeps extends AskDeps {
  readonly ledger: Ledger;
}

/** A request to stop rows. Who asks, and why, is recorded with every order before the service is asked. */
interface RejectRequest extends Said {
  /** Rows of the sheet; empty: all rows that are not final. */
  readonly rows: readonly number[];
  /** Most requests in flight at the same time. */
  readonly concurrency: number;
  /** Silence after which the service must know an order that it took, in milliseconds. */
  readonly quietMs: number;
  /** Whether to distrust the ledger, as if it were in recovery. */
  readonly lookFirst: boolean;
}

/**
 * Asks the service to stop rows. Returns what became of each of them, in the order of the sheet. Fault `usage` if a row is
 * final or does not exist.
 */
export async function rejectRows(
  batch: BatchHeader,
  request: RejectRequest,
  deps: RejectDeps,
): Promise<readonly RejectedRow[]> {
  const { ledger } = deps;
  await ledger.takeLease(batch.id);
  await ledger.requireKept(batch.id);
  // An order that a ledger in recovery never sent, as far as it knows, may have been sent anyway, and be under way.
  const isInRecovery = request.lookFirst || (await ledger.recoveryReason(batch.id)) !== undefined;
  const rows = await meantRows(batch, request.rows, ledger);
  const orders = new Map<OrderId, StoredOrder>();
  for (const { order: id, outcome } of rows) {
    const order = id && (isInRecovery || outcome !== 'unsent') ? await ledger.findOrder(batch.id, id) : undefined;
    if (order && isStoppable(order)) orders.set(order.state.id, order);
  }
  requireWholeOrders([...orders.values()], rows, request.rows.length > 0);
  const stopped = await stop([...orders.values()], request, deps);
  const asked = await new AskAgain(deps, request).about(stopped.map(({ order }) => order));
  const after = new Map(asked.map((one) => [one.order.state.id, one]));
  const reasons = new Map(stopped.map(({ order, reason }) => [order.state.id, reason]));
  return rows.map(({ row, order: id, outcome }): RejectedRow => {
    const found = id && after.get(id);
    if (!found) return { row, end: outcome === 'unsent' ? 'unsent' : 'not-stoppable' };
    const reason = reasons.get(found.order.state.id);
    return { row, end: endOf(found, row), ...present({ reason }) };
  });
}

const isStoppable = ({ state }: StoredOrder): boolean => submissions[state.submission].stop !== undefined;

async function meantRows(
  batch: BatchHeader,
  named: readonly number[],
  ledger: LedgerQueries,
): Promise<readonly ResultRow[]> {
  if (named.length === 0) {
    const open: ResultRow[] = [];
    for await (const block of ledger.resultRows(batch.id))
      open.push(...block.filter(({ outcome }) => !isSettled(outcome)));
    return open;
  }
  const rows = await Promise.all(
    [...new Set(named)].map(async (row) => [row, await ledger.findRow(batch.id, row)] as const),
  );
  for (const [number, row] of rows) {
    if (row && !isSettled(row.outcome)) continue;
    const why = row ? `it is "${row.outcome}" already` : 'it is not in the batch';
    throw new Fault(
      'usage',
      `Row ${number} cannot be stopped: ${why}. The service was not asked to stop anything.`,
      'Name rows that are open.',
    );
  }
  return rows.flatMap(([, row]) => row ?? []).toSorted((a, b) => a.row - b.row);
}

/**
 * Throws a Fault `usage` if an order also pays an open row that was not named. The service stops an order with all its lines,
 * and a row that may still be paid must not be stopped unnamed. A row that a person settled cannot be named, and does not
 * count here.
 */
function requireWholeOrders(orders: readonly StoredOrder[], rows: readonly ResultRow[], areNamed: boolean): void {
  if (!areNamed) return;
  const named = new Set(rows.map(({ row }) => row));
  for (const { state } of orders) {
    const other = state.lines.find((line) => !isSettled(outcomeOfLine(state, line)) && !named.has(line.row));
    if (!other) continue;
    throw new Fault(
      'usage',
      `Order ${state.id} also pays row ${other.row}, and can only be stopped as a whole. The service was not asked to stop anything.`,
      `Name that row too: --row ${other.row}.`,
    );
  }
}

interface Stopped {
  readonly order: StoredOrder;
  /** Why the service did not take the request, if it said so. */
  readonly reason?: string;
}

/** Asks the service once for every order, after it is on disk who asks. */
async function stop(
  orders: readonly StoredOrder[],
  { concurrency, by, note }: RejectRequest,
  { ledger, client, clock, signal }: RejectDeps,
): Promise<readonly Stopped[]> {
  const stopped: Stopped[] = [];
  for (let from = 0; from < orders.length; from += concurrency) {
    const group = orders.slice(from, from + concurrency);
    if (signal.aborted) {
      stopped.push(...group.map((order) => ({ order })));
      continue;
    }
    const at = clock.now();
    const steps = group.map((order) => {
      const fact: Fact = { type: 'order-reject-requested', order: order.state.id, at, by, ...present({ note }) };
      return { order, facts: [fact], dueAt: order.dueAt };
    });
    const recorded = await ledger.record(steps);
    stopped.push(...(await Promise.all(recorded.map((order) => stopOne(order, client, signal)))));
  }
  return stopped;
}

async function stopOne(order: StoredOrder, client: Client, signal: AbortSignal): Promise<Stopped> {
  const { id, submission } = order.state;
  const { stop: way } = submissions[submission];
  invariant(way, 'only orders that can be stopped are asked to be');
  const reply = await client.call(way.operation, { query: way.queryOf(id), signal });
  return { order, ...(reply.tag !== 'accepted' && { reason: reasonOf(reply) }) };
}

function endOf({ order: { state }, result }: Asked, row: number): RejectEnd {
  const line = state.lines.find((one) => one.row === row);
  invariant(line, 'an order keeps its lines');
  switch (outcomeOfLine(state, line)) {
    case 'rejected':
      return 'rejected';
    case 'completed':
      return 'escaped';
    case 'failed':
    case 'refused':
      return 'ended';
    // The ledger alone does not prove it here, because it is in recovery.
    case 'unsent':
      return result === 'unknown' ? 'unsent' : 'unknown';
    default:
      return 'unknown';
  }
}
