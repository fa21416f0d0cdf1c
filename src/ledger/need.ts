/** What the rows of a batch were quoted, and what those need that are still to be sent. */
import type { CurrencyCode } from '../domain/currency.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { Money } from '../domain/money.ts';
import { findBatch } from './batches.ts';
import { type Database, minorOf, textOf } from './database.ts';

const QUOTE =
  'SELECT charge_minor, currency FROM payout WHERE batch = ? AND sheet_row = ? AND charge_minor IS NOT NULL';
const UNSENT = `SELECT COALESCE(SUM(p.amount_minor), 0) AS amount, COALESCE(SUM(p.charge_minor), 0) AS charges
  FROM payout p JOIN pay_order o ON o.id = p.order_id
  WHERE p.batch = ? AND COALESCE(p.outcome, o.outcome) = 'unsent' AND o.superseded = 0`;

/** The charge that was quoted for a row; undefined when none was. */
export async function quoteOf(database: Database, batch: BatchId, row: number): Promise<Money | undefined> {
  const [found] = await database.read(QUOTE, [batch, row]);
  return found && { minor: minorOf(found, 'charge_minor'), currency: textOf(found, 'currency') as CurrencyCode };
}

/** Amount and charges of the rows that are still to be sent. */
export async function unsentNeed(
  database: Database,
  batch: BatchId,
): Promise<{ readonly amount: Money; readonly charges: Money }> {
  const [header, [sums]] = await Promise.all([findBatch(database, batch), database.read(UNSENT, [batch])]);
  invariant(header && sums, `batch ${batch} is in the ledger`);
  const { currency } = header;
  return {
    amount: { minor: minorOf(sums, 'amount'), currency },
    charges: { minor: minorOf(sums, 'charges'), currency },
  };
}
