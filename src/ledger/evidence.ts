/** What others can hold a ledger against: its facts, its signed head, and whether all it shows follows from them. */
import type { KeyChange } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import { invariant } from '../domain/invariant.ts';
import type { LedgerHead } from '../domain/ledger-head.ts';
import { type BatchEvidence, evidenceIn } from './batch-evidence.ts';
import { batchDifferences } from './batch-proof.ts';
import { findBatch } from './batches.ts';
import type { ChainHead } from './chain.ts';
import { factDifferences, noFacts } from './chain-proof.ts';
import type { CheckpointKeeper } from './checkpoint-keeper.ts';
import type { Database } from './database.ts';
import type { StoredFact } from './facts.ts';
import type { Keyring } from './keyring.ts';
import type { Proof } from './proof.ts';
import { changed } from './proof-faults.ts';
import { recordedHead } from './signed-head.ts';

/** Signs with the key of the ledger a list of hashes, which begins with `PACK_LINE`: nothing else that a key signs begins so. */
export type Vouch = (list: string) => string;

/** The first words of the list of a pack. */
export const PACK_LINE = '# paybatch evidence pack ';

/** A part of `Ledger`, with its promises. */
export interface LedgerEvidence {
  /** Lease. From here on another key signs, and both vouch for that. Fault `usage` when nothing was signed yet. */
  changeKey(said: Pick<KeyChange, 'by' | 'reason'>): Promise<KeyChange>;
  /** How far the ledger goes, signed; undefined before the first fact. */
  head(): Promise<LedgerHead | undefined>;
  /** Which ledger it is, and the name of the key that it is signed with; undefined before the first fact. */
  signedBy(): Promise<{ readonly ledger: string; readonly key: string } | undefined>;
  /** The hash over the ends of all chains when the ledger ended with this fact, whatever came after it. */
  headAt(seq: number): Promise<ChainHead>;
  /** Number of the last fact of a batch; 0 when there is none. */
  lastFactOf(batch: BatchId): Promise<number>;
  /** Whether a head was signed with a key of this ledger, now or before. */
  hasSigned(head: LedgerHead): Promise<boolean>;
  /** Facts of a batch, or of the whole ledger, in the order in which they happened. */
  facts(batch?: BatchId): AsyncIterable<StoredFact>;
  /** Facts about batches as wholes (plans, runs, stops, changes of keys and people) that came after the fact of this number. */
  toldSince(seq: number): AsyncIterable<StoredFact>;
  /** All that the ledger holds of a batch, as of one moment whoever writes meanwhile; it was proven at that moment. */
  evidence<T>(batch: BatchId, use: (evidence: BatchEvidence, vouch: Vouch) => Promise<T>): Promise<T>;
  /** What does not agree with the facts, in plain words; empty when the ledger is sound. */
  verify(): Promise<readonly string[]>;
}

/** After so many differences more of them tell nobody anything new. */
const DIFFERENCES_MAX = 1000;

/** Everything that does not agree, in plain words; empty when the ledger is sound. At most 1000 are told. */
export async function differences(
  proof: Pick<Proof, 'differences'>,
  checkpoints: Pick<CheckpointKeeper, 'differences'>,
): Promise<readonly string[]> {
  const found = await proof.differences(DIFFERENCES_MAX);
  // Checkpoints are held against facts, and say nothing of facts that are not sound themselves.
  return found.length > 0 ? found : checkpoints.differences();
}

/** Proves all facts and one batch as of one moment, and lets `use` read that moment. */
export function readEvidence<T>(
  batch: BatchId,
  { database, keyring, ledger }: { readonly database: Database; readonly keyring: Keyring; readonly ledger: string },
  use: (evidence: BatchEvidence, vouch: Vouch) => Promise<T>,
): Promise<T> {
  return database.snapshot(async (still) => {
    const recorded = await recordedHead(still);
    const proven = { uuid: ledger, proven: noFacts(ledger), keyring };
    const facts = await factDifferences(still, proven, recorded).next();
    if (facts.done !== true) throw changed(facts.value);
    const header = await findBatch(still, batch);
    invariant(header && recorded.head, `batch ${batch} is in the ledger`);
    const first = await batchDifferences(still, header).next();
    if (first.done !== true) throw changed(first.value);
    return use(evidenceIn(still, { ledger, header, head: recorded.head }), (list) => {
      invariant(list.startsWith(PACK_LINE), 'a list of a pack says what it is');
      return keyring.signer.sign(list);
    });
  });
}
