/** What others can check a ledger by: its facts, its signed head, and whether everything that it shows follows from them. */

import type { Database } from '../database/database.ts';
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
import type { StoredFact } from './facts.ts';
import type { Keyring } from './keyring.ts';
import type { Proof } from './proof.ts';
import { changed } from './proof-faults.ts';
import { recordedHead } from './signed-head.ts';

/** Signs a list of hashes with the key of the ledger. The list begins with `PACK_LINE`, as nothing else does that a key signs. */
export type SignList = (list: string) => string;

/** The text with which the list of an evidence pack begins. */
export const PACK_LINE = '# paybatch evidence pack ';

/** The part of `Ledger` that proves the ledger to others. */
export interface LedgerEvidence {
  /**
   * Needs the lease of planning. Makes another key sign from now on, with a change that both keys sign. Fault `usage` if
   * nothing was signed yet.
   */
  changeKey(said: Pick<KeyChange, 'by' | 'reason'>): Promise<KeyChange>;
  /** Returns the signed head of the ledger, or `undefined` before the first fact. */
  head(): Promise<LedgerHead | undefined>;
  /** Returns the id of the ledger and the name of the key that it is signed with, or `undefined` before the first fact. */
  signedBy(): Promise<{ readonly ledger: string; readonly key: string } | undefined>;
  /** Returns the hash over the ends of all chains as the ledger ended with this fact, regardless of what came after it. */
  headAt(seq: number): Promise<ChainHead>;
  /** Returns the number of the last fact of a batch; 0 if there is none. */
  lastFactOf(batch: BatchId): Promise<number>;
  /** Reports whether a head was signed with a present or former key of this ledger. */
  hasSigned(head: LedgerHead): Promise<boolean>;
  /** Yields the facts of a batch, or of the whole ledger, in the order in which they happened. */
  facts(batch?: BatchId): AsyncIterable<StoredFact>;
  /**
   * Yields the facts about batches as wholes (plans, runs, stops, changes of keys and approvers) that came after the fact
   * with this number.
   */
  ledgerFactsSince(seq: number): AsyncIterable<StoredFact>;
  /**
   * Calls `use` with everything that the ledger holds about a batch, as of one moment, whatever others write in the
   * meantime. It is proven at that moment.
   */
  evidence<T>(batch: BatchId, use: (evidence: BatchEvidence, signList: SignList) => Promise<T>): Promise<T>;
  /** Returns everything that disagrees with the facts, in plain words; empty if the ledger is sound. */
  verify(): Promise<readonly string[]>;
}

/** The most differences that are reported. More of them would add nothing new. */
const DIFFERENCES_MAX = 1000;

/** Returns everything that disagrees, in plain words; empty if the ledger is sound. At most 1000 differences are reported. */
export async function differences(
  proof: Pick<Proof, 'differences'>,
  checkpoints: Pick<CheckpointKeeper, 'differences'>,
): Promise<readonly string[]> {
  const found = await proof.differences(DIFFERENCES_MAX);
  // Checkpoints are compared with facts, so they prove nothing if the facts themselves are not sound.
  return found.length > 0 ? found : checkpoints.differences();
}

/** Proves all facts and one batch in one snapshot, and lets `use` read that snapshot. */
export function readEvidence<T>(
  batch: BatchId,
  { database, keyring, ledger }: { readonly database: Database; readonly keyring: Keyring; readonly ledger: string },
  use: (evidence: BatchEvidence, signList: SignList) => Promise<T>,
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
