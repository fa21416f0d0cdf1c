/** The proof of a whole ledger: its facts, and every batch against its facts. */

import type { Reader } from '../database/database.ts';
import type { Fault } from '../domain/fault.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { batchDifferences } from './batch-proof.ts';
import { batches } from './batches.ts';
import { factDifferences, noFacts, type ProvenLedger } from './chain-proof.ts';
import { recordedHead } from './signed-head.ts';

/** Yields everything that disagrees in a ledger of which nothing is proven yet. */
export async function* allDifferences(database: Reader, ledger: ProvenLedger): AsyncGenerator<string> {
  const recorded = await recordedHead(database);
  yield* factDifferences(database, ledger, recorded);
  for (const header of await batches(database)) yield* batchDifferences(database, header);
}

/** Proves a whole ledger, and returns its head. Throws the Fault that `unsound` makes of the first difference. */
export async function headOfWhole(
  database: Reader,
  ledger: Pick<ProvenLedger, 'uuid' | 'keyring'>,
  unsound: (difference: string) => Fault,
): Promise<LedgerHead | undefined> {
  const found = await allDifferences(database, { ...ledger, proven: noFacts(ledger.uuid) }).next();
  if (found.done !== true) throw unsound(found.value);
  return (await recordedHead(database)).head;
}
