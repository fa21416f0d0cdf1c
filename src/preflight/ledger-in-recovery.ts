/**
 * What a ledger in recovery means for a run. An order that can be looked up is looked up before it is sent.
 * Airtime and bills have no look-up that proves them unpaid, so only a person can confirm them, by giving their exact
 * number, as for everything that paybatch cannot know. A new ledger needs that flag for each batch with airtime or bills in
 * its first 45 days.
 */
import { draftOfRow } from '../batch/order-groups.ts';
import type { BatchHeader } from '../domain/batch.ts';
import { localDate } from '../domain/clock.ts';
import { andMore, counted } from '../domain/counted.ts';
import type { Emit } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { type BatchId, comparedBatchName, type OrderId } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import type { Staging } from '../domain/staging.ts';
import { sendOnceSubmissions } from '../domain/submission.ts';
import { idBeginning } from '../ledger/checkpoint.ts';
import type { BegunBatch, Ledger, RecoveryReason } from '../ledger/ledger.ts';

/** Why a run looks up every order of its batch before it sends any. */
export type LookFirstReason = RecoveryReason | 'always';

const because = {
  new: 'The record of payments on this computer is new. It does not know what was paid from an earlier one',
  lost: 'The ledger that was kept here is gone, and what it sent is not in this one',
  restored: 'This ledger was restored from an older copy, and what was sent since is not in it',
  copied:
    'This ledger was copied or restored, or another computer used it last, and what was sent since then may not be in it',
  'no-checkpoint':
    'Nothing outside of this ledger shows that it is the latest one, so something may have been sent that is not in it',
  behind:
    "The service shows payments of this ledger's batches that were not sent from it: it was restored or copied, or somebody else pays them",
  always: 'This profile relies on no ledger (inDoubt.lookFirst is "always")',
} as const satisfies Record<LookFirstReason, string>;

/**
 * Returns why a run must look first, or `undefined` if this ledger knows everything that was sent and the profile relies on
 * it. The practice service loses its books together with its ledger, so a new ledger has nothing to find out there.
 */
export async function lookFirstReason(
  ledger: Pick<Ledger, 'recoveryReason'>,
  batch: BatchId,
  { inDoubt, sandbox }: Pick<Settings, 'inDoubt' | 'sandbox'>,
): Promise<LookFirstReason | undefined> {
  const reason = await ledger.recoveryReason(batch);
  if (reason !== undefined && !(sandbox && reason === 'new')) return reason;
  return inDoubt.lookFirst === 'always' ? 'always' : undefined;
}

const MS_PER_SECOND = 1000;

/** Reports, before a run looks everything up, why it does so and how long that takes at least. */
export function emitLookFirst(
  reason: LookFirstReason,
  { settings, emit }: { readonly settings: Pick<Settings, 'inDoubt'>; readonly emit: Emit },
): void {
  const level = reason === 'new' || reason === 'always' ? 'info' : 'warning';
  const { quietMs, unknownGapMs } = settings.inDoubt;
  const seconds = Math.ceil(Math.max(quietMs, unknownGapMs) / MS_PER_SECOND);
  // A profile that relies on no ledger never ends it.
  const ends = reason === 'always' ? '' : ' Each resume of the batch does this again, until all of it was sent.';
  const message = `${because[reason]}. So that nobody is paid twice, every payment of this batch is looked up twice before any is sent, and a third time to see whether it was tried again.${ends} The first payment is sent in ${seconds} s at the earliest.`;
  emit({ type: 'notice', level, message });
}

/** Counts the staged rows whose orders no look-up can prove unsent. */
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

interface UnverifiableChoice {
  /** The practice service pays nobody, so a rehearsal needs no number. */
  readonly settings: Pick<Settings, 'sandbox'>;
  /** Number of such rows that the operator answers for. */
  readonly acceptUnverifiable?: number | undefined;
}

/** Throws a Fault `ledger-in-recovery` if rows would be sent that no one has shown to be unpaid. */
export function requireUnverifiableAccepted(
  count: number,
  reason: LookFirstReason | undefined,
  choice: UnverifiableChoice,
): void {
  if (reason === undefined || count === 0 || choice.settings.sandbox || choice.acceptUnverifiable === count) return;
  const said =
    choice.acceptUnverifiable === undefined ? '' : ` --accept-unverifiable says ${choice.acceptUnverifiable}.`;
  throw new Fault(
    'ledger-in-recovery',
    `${because[reason]}. Airtime and bills in this batch: ${count}; no look-up can prove that they were not sent before.${said} Nothing was sent.`,
    `Make sure that none of them was sent (on your first day: that nobody ran this sheet elsewhere; otherwise check the provider's records), then add: --accept-unverifiable ${count}`,
  );
}

/** Most batches that a message names. */
const NAMED_MAX = 5;

interface LostDeps {
  readonly ledger: Pick<Ledger, 'lostBatches'>;
  readonly settings: Settings;
}

/**
 * Throws a Fault `lost-batches` while batches are lost, unless this batch is one of them and has its payments. Never throws
 * in a rehearsal. `ids` returns, for each row of the sheet, the id of an order that begins with the row.
 */
export async function requireNoneLost(
  batch: BatchId,
  ids: () => Iterable<OrderId>,
  { ledger, settings }: LostDeps,
): Promise<void> {
  if (settings.sandbox) return;
  const lost = await ledger.lostBatches();
  if (lost.length === 0) return;
  const named = lost.find(({ id }) => comparedBatchName(id) === comparedBatchName(batch));
  if (named) return requireItsRows(named, ids(), settings);
  const latest = lost.at(-1);
  throw new Fault(
    'lost-batches',
    `The ledger was lost or restored, and does not have ${counted(lost.length, 'batch that was', 'batches that were')} begun here: ${namesOf(lost, settings)}. This sheet may be one of theirs under another name. Nothing was sent.`,
    `If it is, run it under that name: --batch ${latest?.id}. Otherwise run their sheets first, unchanged and under the same names: what was paid is found and not paid again. If a batch no longer has to be looked up: paybatch ledger close-lost NAME --reason "..."`,
  );
}

/**
 * Throws a Fault `lost-batches` while a batch is lost that was begun after this one: it may have taken over rows that this ledger
 * calls unpaid, and paid them under its own ids, which no look-up of this batch finds. Never throws in a rehearsal. `plannedAt`:
 * when this ledger planned the batch, in wall-clock milliseconds; a lost batch was planned earlier.
 */
export async function requireNoneLostSince(
  { id, plannedAt }: Pick<BatchHeader, 'id' | 'plannedAt'>,
  { ledger, settings }: LostDeps,
): Promise<void> {
  if (settings.sandbox) return;
  const lost = await ledger.lostBatches();
  const begunAt = lost.find((one) => comparedBatchName(one.id) === comparedBatchName(id))?.plannedAt ?? plannedAt;
  const since = lost.filter((one) => one.plannedAt > begunAt);
  const latest = since.at(-1);
  if (!latest) return;
  throw new Fault(
    'lost-batches',
    `The ledger was lost or restored, and does not have ${counted(since.length, 'batch that was', 'batches that were')} begun here after ${id}: ${namesOf(since, settings)}. Rows that count as not paid may have been paid there, to a corrected phone or account. Nothing was sent.`,
    `Run their sheets first, unchanged and under the same names, the latest first (--batch ${latest.id}): what was paid is found and not paid again. What was sent of ${id} is looked up by \`paybatch status\`. If a batch no longer has to be looked up: paybatch ledger close-lost NAME --reason "..."`,
  );
}

/**
 * Throws a Fault `lost-batches` unless the sheet has one of the lost batch's first payments. Ids follow from the account,
 * the name and the rows: if one of these differs, nothing that was sent would be found.
 */
function requireItsRows(lost: BegunBatch, ids: Iterable<OrderId>, settings: Settings): void {
  const { first = [] } = lost;
  if (first.length === 0) return;
  for (const id of ids) {
    if (first.includes(idBeginning(id))) return;
  }
  throw new Fault(
    'lost-batches',
    `The ledger was lost or restored. ${namesOf([lost], settings)} was begun here, and none of its first payments is in this sheet: the references differ, the account has another client id, or these are different rows. So payments that were made would not be found. Nothing was sent.`,
    `Run its sheet as it was then: the same reference column and references, the same account (after a new client id: "idNamespace" with the old one in the profile). For other payments choose another name. Once it no longer has to be looked up: \`paybatch ledger close-lost ${lost.id} --reason "…"\`.`,
  );
}

function namesOf(lost: readonly BegunBatch[], { timezone }: Pick<Settings, 'timezone'>): string {
  const named = lost.slice(-NAMED_MAX).map(({ id, plannedAt, payable, total }) => {
    return `${id} (${localDate(plannedAt, timezone)}, ${counted(payable, 'payment')}, ${total})`;
  });
  return andMore(named, lost.length);
}
