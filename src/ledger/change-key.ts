/** Another key for the signatures of a ledger: a fact that both keys have signed, and the first head that the new one signs. */
import type { BatchFact, KeyChange } from '../domain/fact.ts';
import { Fault } from '../domain/fault.ts';
import { latestBatch } from './batches.ts';
import type { Database } from './database.ts';
import type { Keyring } from './keyring.ts';
import { leaseOf, PLANNING } from './lease.ts';
import type { Moving } from './writer.ts';

interface KeyChanging {
  readonly database: Database;
  readonly moving: Moving;
  readonly keyring: Keyring;
  readonly at: number;
}

/** The new key is kept before the ledger names it: whatever breaks off in between leaves one key too many, and never one too few. */
export async function changeKey(
  { database, moving: { writer, proof }, keyring, at }: KeyChanging,
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
      // The head of this very group is the first that the new key signs.
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
