/**
 * What a ledger in doubt means for a run. An order that can be looked up is looked up before it is sent. Airtime and bills
 * have no look-up that proves them unpaid, so only a person can: by their exact number, as everything that paybatch
 * cannot know is accepted. That asks one flag of somebody's first airtime, and nothing ever after.
 */
import { draftOfRow } from '../batch/staged-draft.ts';
import type { Tell } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import type { Staging } from '../domain/staging.ts';
import { sendOnceSubmissions } from '../domain/submission.ts';
import type { DoubtReason, Ledger } from '../ledger/ledger.ts';

/** Why a run looks every order of its batch up before it sends any. */
export type LookFirstReason = DoubtReason | 'always';

const because = {
  new: 'This ledger is new (it is the record of payments), and what an earlier one may have sent is not in it',
  lost: 'The ledger that was kept here is gone, and what it sent is not in this one',
  restored: 'This ledger was put back from an older copy, and what was sent since is not in it',
  copied:
    'This ledger was copied or put back, or another computer used it last, and what was sent since then need not be in it',
  unmarked:
    'Nothing outside of this ledger shows that it is the latest one, so something may have been sent that is not in it',
  behind:
    "The service shows payments of this ledger's batches that were not sent from it: it was put back or copied, or somebody else pays them",
  always: 'This profile relies on no ledger (inDoubt.lookFirst is "always")',
} as const satisfies Record<LookFirstReason, string>;

/**
 * Undefined when this ledger knows all that was sent, and the profile relies on it. The books of the practice service are lost
 * with its ledger, so one that is new has nothing to find out there.
 */
export async function lookFirstReason(
  ledger: Pick<Ledger, 'doubt'>,
  batch: BatchId,
  { inDoubt, sandbox }: Pick<Settings, 'inDoubt' | 'sandbox'>,
): Promise<LookFirstReason | undefined> {
  const doubt = await ledger.doubt(batch);
  if (doubt !== undefined && !(sandbox && doubt === 'new')) return doubt;
  return inDoubt.lookFirst === 'always' ? 'always' : undefined;
}

const MS_PER_SECOND = 1000;

/** Tells people before a run looks everything up. */
export function tellDoubt(
  doubt: LookFirstReason,
  { settings, tell }: { readonly settings: Pick<Settings, 'inDoubt'>; readonly tell: Tell },
): void {
  const level = doubt === 'new' || doubt === 'always' ? 'info' : 'warning';
  const { quietMs, unknownGapMs } = settings.inDoubt;
  const seconds = Math.ceil(Math.max(quietMs, unknownGapMs) / MS_PER_SECOND);
  const message = `${because[doubt]}. So that nobody is paid twice, the service is asked twice about every payment of this batch before any is sent, and once whether it was tried again. That happens once for each batch. The first payment leaves in ${seconds} s at the earliest.`;
  tell({ type: 'notice', level, message });
}

/** Staged rows whose orders no look-up can prove unsent. */
export function unverifiableIn(staging: Staging): number {
  let count = 0;
  for (const block of staging.blocks()) {
    for (const row of block) {
      const draft = draftOfRow(row);
      if (draft && sendOnceSubmissions.includes(draft.submission)) count += 1;
    }
  }
  return count;
}

export interface UnverifiableChoice {
  /** The practice service pays nobody. */
  readonly settings: Pick<Settings, 'sandbox'>;
  /** How many such rows the operator answers for. */
  readonly acceptUnverifiable?: number | undefined;
}

/** Throws a Fault `ledger-doubtful` when rows would be sent that nobody has shown to be unpaid. */
export function requireUnverifiableAccepted(
  count: number,
  doubt: LookFirstReason | undefined,
  choice: UnverifiableChoice,
): void {
  if (doubt === undefined || count === 0 || choice.settings.sandbox || choice.acceptUnverifiable === count) return;
  const said =
    choice.acceptUnverifiable === undefined ? '' : ` --accept-unverifiable says ${choice.acceptUnverifiable}.`;
  throw new Fault(
    'ledger-doubtful',
    `${because[doubt]}. Airtime and bills in this batch: ${count}; no look-up can prove that they were not sent before.${said} Nothing was sent.`,
    `Make sure that none of them was (on your first day: that nobody ran this sheet elsewhere; else: in the provider's own records), then add: --accept-unverifiable ${count}`,
  );
}
