/** Rows that count as not paid although a ledger before this one may have paid them, under an order that is not in here. */
import type { ResultRow, Tally } from '../domain/batch.ts';
import { isUnpaidAsKnown } from '../domain/outcome.ts';

/** How many such rows there are, if the ledger is in doubt. */
export const unpaidAsKnown = (tallies: readonly Pick<Tally, 'outcome' | 'count'>[]): number =>
  tallies.reduce((sum, { outcome, count }) => (isUnpaidAsKnown(outcome) ? sum + count : sum), 0);

/** Rows of a batch whose ledger is in doubt, those marked that nobody can tell of yet. */
export async function* withUnconfirmed(
  rows: AsyncIterable<readonly ResultRow[]>,
): AsyncGenerator<readonly ResultRow[]> {
  for await (const block of rows) {
    yield block.map((row) => (isUnpaidAsKnown(row.outcome) ? { ...row, unconfirmed: true } : row));
  }
}
