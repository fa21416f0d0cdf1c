/**
 * Rows that go ahead alone: the first orders of a plan until so many rows are covered. The rest leaves when as many rows are
 * completed as were asked for, so what goes ahead again after a failure adds to what was paid before. How they stand is read
 * off the counts of the ledger against those at the beginning, which are recorded with the run: one that was killed leaves
 * nothing behind that the next would have to know. What it sent is part of its canary, and so are its failures.
 */
import type { CanaryBase, CanaryRecord } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import type { OutcomeCounts } from '../domain/outcome.ts';
import type { LedgerQueries, RunHistory } from '../ledger/ledger.ts';
import { lostIn, openIn } from './run-state.ts';

/** Rows that go ahead alone, by how they stand. */
export interface CanaryState {
  readonly rows: number;
  readonly completed: number;
  /** Sent, or about to be, without a final word. */
  readonly open: number;
  /** Ended without being paid. */
  readonly lost: number;
}

/**
 * The canary of a run that begins now; undefined when nobody ever asked for one. `asked`: by the operator of this run, before
 * all; `configured`: where nothing else says anything.
 */
export function canaryFor(
  { isRetry, plannedCanary, started, stopped }: RunHistory,
  { asked, configured }: { readonly asked?: number | undefined; readonly configured?: number | undefined },
  now: OutcomeCounts,
): CanaryRecord | undefined {
  const rows = asked ?? started?.canary?.rows ?? plannedCanary ?? configured;
  if (rows === undefined) return undefined;
  const recorded = started?.canary?.base;
  // Whoever goes on after a canary stopped the run was told what became of it: only what is sent from here on is new.
  if (recorded && stopped?.code !== 'canary') return { rows, base: recorded };
  const completed = recorded?.completed ?? (isRetry ? now.completed : 0);
  return { rows, base: { completed, open: openIn(now), lost: lostIn(now) } };
}

/** Orders read at a time to see how many rows they cover. */
const BLOCK_ORDERS = 256;

/** The same with its rows rounded up to whole orders: every row of an order that goes ahead has to be completed. */
export async function inWholeOrders(
  canary: CanaryRecord,
  now: OutcomeCounts,
  ledger: Pick<LedgerQueries, 'unsentOrders'>,
  batch: BatchId,
): Promise<CanaryRecord> {
  const { rows, completed, open } = canaryState(canary, now, 0);
  if (completed >= rows) return canary;
  let ahead = completed + open;
  for (let after = 0; ahead < rows; ) {
    const orders = await ledger.unsentOrders(batch, BLOCK_ORDERS, after);
    if (orders.length === 0) break;
    for (const { state, position } of orders) {
      after = position;
      if (ahead < rows) ahead += state.lines.length;
    }
  }
  return { ...canary, rows: Math.max(rows, ahead) };
}

/** How the canary stands; `claiming`: rows whose claim is being written, and which the counts do not show yet. */
export const canaryState = (
  { rows, base }: { readonly rows: number; readonly base: CanaryBase },
  now: OutcomeCounts,
  claiming: number,
): CanaryState => ({
  rows,
  completed: now.completed - base.completed,
  open: openIn(now) + claiming - base.open,
  lost: lostIn(now) - base.lost,
});
