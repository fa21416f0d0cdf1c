/**
 * Ids are made from the name of the organisation, so a sheet that was paid under one name is unknown under any other: the
 * last thing that keeps it from being paid again would be gone with the ledger. A ledger therefore keeps to one name.
 * What it has recorded already goes on under any: the bodies hold their ids.
 */
import { Fault } from '../domain/fault.ts';
import { idNameOf } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import type { LedgerQueries } from '../ledger/ledger.ts';

/** Throws a Fault `configuration` when ids would be made from another name than before. A rehearsal may try names out. */
export async function requireIdName(
  ledger: Pick<LedgerQueries, 'latestBatch'>,
  settings: Pick<Settings, 'sandbox' | 'organisation' | 'idNamespace'>,
): Promise<void> {
  const latest = settings.sandbox ? undefined : await ledger.latestBatch();
  if (latest === undefined) return;
  const [before, now] = [idNameOf(latest), idNameOf(settings)];
  if (before === now) return;
  throw new Fault(
    'configuration',
    `The payments of this ledger were identified as those of "${before}", and the configuration now says "${now}": a sheet that was paid before would not be recognised. Nothing was sent.`,
    `If the organisation has a new name, add "idNamespace": "${before}" to the configuration and keep it there for good; else put the name back. Another organisation needs a state folder of its own (PAYBATCH_HOME).`,
  );
}
