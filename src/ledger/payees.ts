/** Which payees a ledger has paid: the ones of completed payouts. */
import type { Database } from './database.ts';
import { numberOf, textOf } from './database.ts';
import { decodePayout } from './record-text.ts';

/** Rows read at a time. */
const BLOCK_ROWS = 2_000;

const COMPLETED = `SELECT p.batch, p.sheet_row, p.payout FROM payout p LEFT JOIN pay_order o ON o.id = p.order_id
  WHERE p.payout IS NOT NULL AND COALESCE(p.outcome, o.standing) = 'completed' AND (p.batch, p.sheet_row) > (?, ?)
  ORDER BY p.batch, p.sheet_row LIMIT ?`;

/**
 * Those of the payees that have a completed payout. Reads every payout of the ledger once, in blocks, and stops when all are
 * found; nothing else of it is held.
 */
export async function knownPayees(database: Database, payees: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let batch = '', row = 0; known.size < payees.size; ) {
    const rows = await database.read(COMPLETED, [batch, row, BLOCK_ROWS]);
    for (const one of rows) {
      const { payee } = decodePayout(textOf(one, 'payout'));
      if (payees.has(payee)) known.add(payee);
    }
    const last = rows.at(-1);
    if (!last) break;
    batch = textOf(last, 'batch');
    row = numberOf(last, 'sheet_row');
  }
  return known;
}
