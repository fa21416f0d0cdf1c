/**
 * Batches that were begun and that the ledger does not have, because it was lost or put back. Whoever runs another sheet
 * meanwhile may be running one of theirs under another name, and nothing but the name would show that it was paid.
 */

import { localDate } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import { type BatchId, comparedBatchName, type OrderId } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger, MarkedBatch } from '../ledger/ledger.ts';
import { idBeginning } from '../ledger/mark.ts';

/** Batches that are named in a message. */
const NAMED_MAX = 5;

/**
 * A Fault `lost-batches` while there are some, and this batch is none of them or has other payments than the one of its name;
 * never in a rehearsal. `ids`: of each row of the sheet, as if an order began with it.
 */
export async function requireNoneLost(
  batch: BatchId,
  ids: () => Iterable<OrderId>,
  { ledger, settings }: { readonly ledger: Pick<Ledger, 'lostBatches'>; readonly settings: Settings },
): Promise<void> {
  if (settings.sandbox) return;
  const lost = await ledger.lostBatches();
  if (lost.length === 0) return;
  const named = lost.find(({ id }) => comparedBatchName(id) === comparedBatchName(batch));
  if (named) return requireItsRows(named, ids(), settings);
  const latest = lost.at(-1);
  throw new Fault(
    'lost-batches',
    `The ledger was lost or put back, and does not have ${counted(lost.length, 'batch that was', 'batches that were')} begun here: ${namesOf(lost, settings)}. This sheet may be one of theirs under another name. Nothing was sent.`,
    `If it is, run it under that name: --batch ${latest?.id}. Otherwise run their sheets first, unchanged and under the same names: what was paid is found and not paid again. For one that needs no look any more: paybatch ledger close-lost NAME --reason "..."`,
  );
}

/** Ids follow from the account, the name and the rows: where one of these is another, nothing that was sent would be found. */
function requireItsRows(lost: MarkedBatch, ids: Iterable<OrderId>, settings: Settings): void {
  const { first = [] } = lost;
  if (first.length === 0) return;
  for (const id of ids) {
    if (first.includes(idBeginning(id))) return;
  }
  throw new Fault(
    'lost-batches',
    `The ledger was lost or put back. ${namesOf([lost], settings)} was begun here, and no payment of this sheet can be one of its first: the references are others, the account has another client id, or these are other rows. So what was paid would not be found. Nothing was sent.`,
    `Run its sheet as it was then: the same reference column and references, the same account (after a new client id: "idNamespace" with the old one in the profile). For other payments choose another name. Once its look is not needed any more: paybatch ledger close-lost ${lost.id} --reason "...".`,
  );
}

function namesOf(lost: readonly MarkedBatch[], { timezone }: Pick<Settings, 'timezone'>): string {
  const named = lost.slice(-NAMED_MAX).map(({ id, plannedAt, payable, total }) => {
    return `${id} (${localDate(plannedAt, timezone)}, ${counted(payable, 'payment')}, ${total})`;
  });
  const more = lost.length - named.length;
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
