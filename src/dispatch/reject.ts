/**
 * Asks the service to stop what was sent and is not final. Its answer proves nothing: what a look-up says afterwards counts.
 * Spec: "Reject order".
 */

import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import type { Fact, Said } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import type { OrderId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import { outcomeOfLine } from '../domain/order.ts';
import type { Ledger, LedgerQueries, StoredOrder } from '../ledger/ledger.ts';
import type { Client } from '../service/client/client.ts';
import { reasonOf } from '../service/client/reply.ts';
import { submissions } from '../service/submissions/index.ts';
import { AskAgain, type AskDeps, type Asked } from './look-up.ts';

/**
 * What became of a row. `rejected`: a look-up reads status 7. `escaped`: it is paid. `ended`: it has another end.
 * `unknown`: neither is known. `unsent`: it never left, and is not sent by this; where the ledger is in doubt, the service does not
 * know it either. `not-stoppable`: its way has no such operation.
 */
export type RejectEnd = 'rejected' | 'escaped' | 'ended' | 'unknown' | 'unsent' | 'not-stoppable';

export interface RejectedRow {
  readonly row: number;
  readonly end: RejectEnd;
  /** Why the service did not take the request, when it said so. */
  readonly reason?: string;
}

interface RejectDeps extends AskDeps {
  readonly ledger: Ledger;
}

/** Who asks, and why, is recorded with every order before the service is asked. */
interface RejectRequest extends Said {
  /** Rows of the sheet; empty: all that are not final. */
  readonly rows: readonly number[];
  /** Requests in flight at once. */
  readonly concurrency: number;
  /** Silence after which the service must know an order that it took, in milliseconds. */
  readonly quietMs: number;
  /** The ledger is not relied on, as if it were in doubt. */
  readonly lookFirst: boolean;
}

/** Gives what became of every row that was meant, in sheet order. A Fault `usage` when a row is final or not there. */
export async function rejectRows(
  batch: BatchHeader,
  request: RejectRequest,
  deps: RejectDeps,
): Promise<readonly RejectedRow[]> {
  const { ledger } = deps;
  await ledger.takeLease(batch.id);
  await ledger.requireKept(batch.id);
  // What a ledger in doubt never sent may have been sent before all the same, and be on its way.
  const isDoubted = request.lookFirst || (await ledger.doubt(batch.id)) !== undefined;
  const rows = await meantRows(batch, request.rows, ledger);
  const orders = new Map<OrderId, StoredOrder>();
  for (const { order: id, outcome } of rows) {
    const order = id && (isDoubted || outcome !== 'unsent') ? await ledger.findOrder(batch.id, id) : undefined;
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
    return { row, end: endOf(found, row), ...(reason !== undefined && { reason }) };
  });
}

const isStoppable = ({ state }: StoredOrder): boolean => submissions[state.submission].stop !== undefined;

const isOpen = ({ outcome }: Pick<ResultRow, 'outcome'>): boolean =>
  outcome === 'pending' || outcome === 'in-doubt' || outcome === 'timed-out' || outcome === 'unsent';

async function meantRows(
  batch: BatchHeader,
  named: readonly number[],
  ledger: LedgerQueries,
): Promise<readonly ResultRow[]> {
  if (named.length === 0) {
    const open: ResultRow[] = [];
    for await (const block of ledger.resultRows(batch.id)) open.push(...block.filter(isOpen));
    return open;
  }
  const rows = await Promise.all(
    [...new Set(named)].map(async (row) => [row, await ledger.findRow(batch.id, row)] as const),
  );
  for (const [number, row] of rows) {
    if (row && isOpen(row)) continue;
    const why = row ? `it is "${row.outcome}" already` : 'it is not in the batch';
    throw new Fault(
      'usage',
      `Row ${number} cannot be stopped: ${why}. Nothing was asked for.`,
      'Name rows that are open.',
    );
  }
  return rows.flatMap(([, row]) => row ?? []).toSorted((a, b) => a.row - b.row);
}

/**
 * The service stops an order with all its lines: a row that may still be paid must not be stopped with another one, unnamed.
 * What a person settled cannot be named, and does not stand in the way.
 */
function requireWholeOrders(orders: readonly StoredOrder[], rows: readonly ResultRow[], areNamed: boolean): void {
  if (!areNamed) return;
  const named = new Set(rows.map(({ row }) => row));
  for (const { state } of orders) {
    const other = state.lines.find((line) => isOpen({ outcome: outcomeOfLine(state, line) }) && !named.has(line.row));
    if (!other) continue;
    throw new Fault(
      'usage',
      `Order ${state.id} also pays row ${other.row}, and is stopped as a whole. Nothing was asked for.`,
      `Name that row too: --row ${other.row}.`,
    );
  }
}

interface Stopped {
  readonly order: StoredOrder;
  /** Why the service did not take the request, when it said so. */
  readonly reason?: string;
}

/** Asks for every order once, when it is on disk who asks. */
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
      const said = { by, ...(note !== undefined && { note }) };
      const fact: Fact = { type: 'order-reject-requested', order: order.state.id, at, ...said };
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

function endOf({ order: { state }, told }: Asked, row: number): RejectEnd {
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
    // The ledger alone does not say so here: it is in doubt.
    case 'unsent':
      return told === 'unknown' ? 'unsent' : 'unknown';
    default:
      return 'unknown';
  }
}
