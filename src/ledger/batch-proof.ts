/**
 * Proof of one batch: its rows, bodies and states are what its facts say. The facts are replayed by the function that moved the
 * orders, and what they commit to is hashed again.
 */
import type { BatchHeader } from '../domain/batch.ts';
import { counted } from '../domain/counted.ts';
import type { Reader } from './database.ts';
import { rawFacts } from './facts.ts';
import { orderDifferences } from './order-proof.ts';
import { orderRanges } from './order-ranges.ts';
import { plannedIn, Replay } from './replay.ts';
import { rowDifferences, rowsLeft } from './row-proof.ts';
import type { Seals } from './seals.ts';

/** Rows that are proven together: two kilobytes are held of each, and a batch may have a million. */
const ROWS_TOGETHER = 5000;
/** Parts of a large batch: for each, all its facts are gone through. */
const PARTS_MOST = 100;

export interface BatchProofOptions {
  /** Those of the ledger, against which each order is held too; missing: evidence of one batch has none. */
  readonly seals?: Seals;
  readonly rowsTogether?: number;
}

/** Tells everything about a batch that does not agree with its facts. */
export async function* batchDifferences(
  database: Reader,
  header: BatchHeader,
  { seals, rowsTogether = Math.max(ROWS_TOGETHER, header.payable / PARTS_MOST) }: BatchProofOptions = {},
): AsyncGenerator<string> {
  const { id, rows, payable, total } = header;
  const parts = await orderRanges(database, header, rowsTogether);
  const planned = parts.length > 1 ? await plannedIn(database, id) : new Replay();
  const seen = { rows: 0, payable: 0, total: 0n };
  for (const orders of parts) {
    const replay = new Replay(planned.rows, planned.leftOut);
    replay.left = planned.left;
    for await (const block of rawFacts(database, { batch: id, orders })) {
      for (const raw of block) {
        const wrong = replay.take(raw);
        if (wrong !== undefined) yield wrong;
      }
    }
    planned.left = replay.left;
    yield* rowDifferences({ database, batch: id, orders }, replay, seen);
    yield* orderDifferences({ database, batch: id, orders }, replay, seals);
  }
  if (seen.rows !== rows) yield `batch ${id}: has ${counted(seen.rows, 'row')} instead of ${rows}`;
  if (seen.payable !== payable || seen.total !== total.minor) yield `batch ${id}: its control totals differ`;
  if (planned.left !== undefined && planned.left !== (await rowsLeft(database, id)))
    yield `batch ${id}: its rows differ from what its purge left`;
}
