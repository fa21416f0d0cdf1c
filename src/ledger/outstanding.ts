/** The charges that the rows of a batch were quoted, and what unfinished rows need from the wallet. */

import { type Database, minorOf, numberOf, textOf } from '../database/database.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Money } from '../domain/money.ts';
import { findBatch } from './batches.ts';
import { ALL } from './orders.ts';

const QUOTES = `SELECT sheet_row, charge_minor, currency FROM payout
  WHERE batch = ? AND sheet_row >= ? AND sheet_row <= ? AND charge_minor IS NOT NULL`;
const SUMS = `SELECT COUNT(*) AS number, COALESCE(SUM(p.amount_minor), 0) AS amount,
  COALESCE(SUM(p.charge_minor), 0) AS charges FROM payout p JOIN pay_order o ON o.id = p.order_id WHERE p.batch = ?`;
const IS_UNSENT = `COALESCE(p.outcome, o.outcome) = 'unsent' AND o.superseded = 0`;
const UNSENT = `${SUMS} AND ${IS_UNSENT} AND o.position <= ?`;
const OPEN = `${SUMS} AND ((${IS_UNSENT}) OR COALESCE(p.outcome, o.outcome) = 'pending' OR o.phase = 'claimed')`;

/** What rows need from the wallet, with the charges that they were quoted. */
export interface Outstanding {
  readonly rows: number;
  readonly amount: Money;
  readonly charges: Money;
}

/** Returns the charges that were quoted for the rows `from` to `to`, by row. A row without a quote is absent. */
export async function quotesOf(
  database: Database,
  batch: BatchId,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, Money>> {
  const rows = await database.read(QUOTES, [batch, from, to]);
  return new Map(
    rows.map((row) => {
      const quote = { minor: minorOf(row, 'charge_minor'), currency: textOf(row, 'currency') as CurrencyCode };
      return [numberOf(row, 'sheet_row'), quote]; // planned with the currency of its batch
    }),
  );
}

/** Returns what the unsent rows of a batch need, as far as the position of their orders is at most `upTo`. */
export const unsentOutstanding = (database: Database, batch: BatchId, upTo: number = ALL): Promise<Outstanding> =>
  outstandingOf(database, batch, UNSENT, [upTo]);

/** Returns what the rows of a batch need that are unsent, claimed, or accepted by the service and not finished. */
export const openOutstanding = (database: Database, batch: BatchId): Promise<Outstanding> =>
  outstandingOf(database, batch, OPEN, []);

async function outstandingOf(
  database: Database,
  batch: BatchId,
  sql: string,
  more: readonly number[],
): Promise<Outstanding> {
  const [header, [sums]] = await Promise.all([findBatch(database, batch), database.read(sql, [batch, ...more])]);
  invariant(header && sums, `batch ${batch} is in the ledger`);
  const { currency } = header;
  return {
    rows: numberOf(sums, 'number'),
    amount: { minor: minorOf(sums, 'amount'), currency },
    charges: { minor: minorOf(sums, 'charges'), currency },
  };
}
