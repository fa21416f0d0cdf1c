/**
 * Every id of a payment is made from the namespace of its account, so a sheet that was paid under one is unknown under any other:
 * the last thing that keeps it from being paid again would be gone with the ledger. A ledger therefore keeps to one namespace. What
 * it has recorded already goes on under any: its batches hold theirs.
 */
import { Fault } from '../domain/fault.ts';
import type { Settings } from '../domain/settings.ts';
import type { LedgerQueries } from '../ledger/ledger.ts';

/** Throws a Fault `configuration` when ids would be made from another namespace than before. A rehearsal may try some out. */
export async function requireIdNamespace(
  ledger: Pick<LedgerQueries, 'latestBatch'>,
  { sandbox, profile, idNamespace: now }: Pick<Settings, 'sandbox' | 'profile' | 'idNamespace'>,
): Promise<void> {
  const latest = sandbox ? undefined : await ledger.latestBatch();
  const before = latest?.idNamespace;
  if (before === undefined || before === now) return;
  throw new Fault(
    'configuration',
    `The ids of the payments in this ledger are made from "${before}", and the profile "${profile}" would make them from "${now}": a sheet that was paid before would not be recognised. Nothing was sent.`,
    `If the account has a new client id, add "idNamespace": "${before}" to the profile and keep it there for good. Another account needs a state folder of its own (PAYBATCH_HOME).`,
  );
}
