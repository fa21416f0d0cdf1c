/** The proof of a whole ledger: its facts, and every batch by them. */
import { batchDifferences } from './batch-proof.ts';
import { batches } from './batches.ts';
import { factDifferences, type ProvenLedger } from './chain-proof.ts';
import type { Reader } from './database.ts';
import { recordedHead } from './signed-head.ts';

/** Everything that does not agree in a ledger of which nothing is proven yet. */
export async function* allDifferences(database: Reader, ledger: ProvenLedger): AsyncGenerator<string> {
  const recorded = await recordedHead(database);
  yield* factDifferences(database, ledger, recorded);
  for (const header of await batches(database)) yield* batchDifferences(database, header);
}
