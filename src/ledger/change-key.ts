/** Changes the key that signs a ledger: records a fact that both keys have signed, and the first head that the new key signs. */

import type { Database } from '../database/database.ts';
import type { BatchFact, KeyChange } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import { latestBatch } from './batches.ts';
import type { Keyring } from './keyring.ts';
import { leaseOf, PLANNING } from './lease.ts';
import type { Recording } from './writer.ts';

interface KeyChanging {
  readonly database: Database;
  readonly recording: Recording;
  readonly keyring: Keyring;
  readonly at: number;
}

/**
 * Makes a new key sign the ledger. The new key is stored before the ledger names it, so an interruption in between leaves
 * one key too many, and never one too few. Throws a Fault `usage` if nothing was signed yet.
 */
export async function changeKey(
  { database, recording: { writer, proof }, keyring, at }: KeyChanging,
  said: Pick<KeyChange, 'by' | 'reason'>,
): Promise<KeyChange> {
  const latest = await latestBatch(database);
  if (!latest || !proof.head) {
    throw new Fault('usage', 'Nothing was signed yet. No key was changed.', 'The first batch chooses the key.');
  }
  const before = proof.head.key;
  const change = { ...keyring.change(), ...said };
  const fact: BatchFact = { type: 'signing-key-changed', batch: latest.id, at, ...change };
  try {
    await writer.write([PLANNING, leaseOf(latest.id)], (append) => {
      // The new key signs the head of this very group, which is its first.
      keyring.name(change.to);
      return [append(latest.id, fact)];
    });
  } catch (error) {
    keyring.name(before);
    throw error;
  }
  proof.recorded(fact);
  return change;
}
