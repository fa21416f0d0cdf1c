/** The proof of a whole ledger: its facts, and every batch by them. */
import type { Fault } from '../domain/fault.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { batchDifferences } from './batch-proof.ts';
import { batches } from './batches.ts';
import { factDifferences, noFacts, type ProvenLedger } from './chain-proof.ts';
import type { Reader } from './database.ts';
import { recordedHead } from './signed-head.ts';

/** Everything that does not agree in a ledger of which nothing is proven yet. */
export async function* allDifferences(database: Reader, ledger: ProvenLedger): AsyncGenerator<string> {
  const recorded = await recordedHead(database);
  yield* factDifferences(database, ledger, recorded);
  for (const header of await batches(database)) yield* batchDifferences(database, header);
}

/** Gives the head of a ledger that is proven as a whole. Throws what `unsound` makes of the first thing that does not agree. */
export async function headOfWhole(
  database: Reader,
  ledger: Pick<ProvenLedger, 'uuid' | 'keyring'>,
  unsound: (difference: string) => Fault,
): Promise<LedgerHead | undefined> {
  const found = await allDifferences(database, { ...ledger, proven: noFacts(ledger.uuid) }).next();
  if (found.done !== true) throw unsound(found.value);
  return (await recordedHead(database)).head;
}
