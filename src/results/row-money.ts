/** The money of one row: what it was quoted, what it cost, what left the wallet. */
import type { ResultRow } from '../domain/batch.ts';
import { add, fromWire, type Money, zero } from '../domain/money.ts';

/**
 * The fee that the service says it charged for a row; undefined while there is none to speak of. A fee on a row that
 * was not paid is shown too: it left the wallet.
 */
export function feeOf({ outcome, payout, line }: ResultRow): Money | undefined {
  if (!payout || !line?.report) return undefined;
  const fee = fromWire(line.report.feeAmount, payout.amount.currency);
  return fee && (outcome === 'completed' || fee.minor !== 0n) ? fee : undefined;
}

/** What a row took from the wallet: amount and fee of a paid row, the fee alone of another. */
export function debitOf(row: ResultRow): Money | undefined {
  const fee = feeOf(row);
  if (row.outcome !== 'completed' || !row.payout) return fee;
  return add(row.payout.amount, fee ?? zero(row.payout.amount.currency));
}

/** A date with a time and a zone: `2026-11-21T09:15:00+03:00`. */
const UNAMBIGUOUS_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * When a paid row was paid, in wall-clock milliseconds: the service's own time when it names its zone, and else when
 * its word was read.
 */
export function completedAt({ outcome, line }: ResultRow): number | undefined {
  if (outcome !== 'completed') return undefined;
  const stated = line?.report?.date ?? '';
  const time = UNAMBIGUOUS_TIME.test(stated) ? Date.parse(stated) : Number.NaN;
  return Number.isNaN(time) ? line?.reportedAt : time;
}
