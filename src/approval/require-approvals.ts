/**
 * Checks, before money leaves, that as many people have approved as the profile requires. A payment without a plan has no
 * approvals.
 */
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { add, type Money, moneyText, zero } from '../domain/money.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { requiredApprovals, requirePolicyInForce } from './policy.ts';

/** Payments within this time count towards the sum, so that a large sum cannot pass in small parts. In milliseconds. */
const COUNTED_MS = 24 * 60 * 60 * 1000;

/** A sum to be paid, and who approved it. */
interface Asked {
  readonly amount: Money;
  /** How many people approved; absent if nobody was asked. */
  readonly approved?: number | undefined;
  /** The remedy with the command that gets these approvals. */
  readonly instead: string;
}

interface ApprovalDeps {
  readonly settings: Settings;
  readonly ledger: Pick<Ledger, 'approvalPolicy' | 'paidSince' | 'unsentOutstanding' | 'othersAtWork'>;
  readonly clock: Clock;
}

/**
 * Throws a Fault `not-approved` if fewer people approved than the profile requires, or if the configuration and the ledger
 * disagree on who must approve.
 */
export async function requireApprovals(
  { amount, approved = 0, instead }: Asked,
  { settings: { approval }, ledger, clock }: ApprovalDeps,
): Promise<void> {
  requirePolicyInForce((await ledger.approvalPolicy())?.policy, approval);
  if (!approval) return;
  const left = await ledger.paidSince(clock.now() - COUNTED_MS, amount.currency);
  const leaves = await leaving(amount, ledger);
  const paid = add(left, leaves);
  const required = requiredApprovals(approval, add(amount, paid));
  if (approved >= required) return;
  const along =
    paid.minor > 0n
      ? ` (on top of ${moneyText(paid)} sent in the last 24 hours${leaves.minor > 0n ? ', or about to be sent by other runs' : ''})`
      : '';
  throw new Fault(
    'not-approved',
    `${counted(required, 'person', 'people')} must approve before ${moneyText(amount)} is sent${along}, and ${approved === 0 ? 'nobody has' : `only ${approved} did`}. Nothing was sent.`,
    instead,
  );
}

/** Returns what other runs are about to send and have not claimed yet. */
async function leaving({ currency }: Money, ledger: ApprovalDeps['ledger']): Promise<Money> {
  let sum = zero(currency);
  for (const batch of new Set((await ledger.othersAtWork()).map((lease) => lease.batch))) {
    const { amount } = batch ? await ledger.unsentOutstanding(batch) : { amount: sum };
    if (batch && amount.currency === currency) sum = add(sum, amount);
  }
  return sum;
}

/**
 * Throws a Fault `not-approved` if the profile has tiers. A single call is not a batch and counts towards no sum, so it must
 * not submit money where people have to approve sums.
 */
export async function requireNoTiers(
  operation: string,
  { settings: { approval, profile }, ledger }: Pick<ApprovalDeps, 'settings' | 'ledger'>,
): Promise<void> {
  const inForce = await ledger.approvalPolicy();
  requirePolicyInForce(inForce?.policy, approval);
  if (!approval || approval.tiers.length === 0) return;
  throw new Fault(
    'not-approved',
    `The profile "${profile}" pays by approved plans, and ${operation} is a single call. Nothing was sent.`,
    'Put the payment into a sheet and have it approved: paybatch plan SHEET --batch NAME',
  );
}

/** Returns the remedy with the commands that get a sheet approved. `sheet`: as it is typed. */
export const planInstead = (sheet: string, batch: BatchId, { approval }: Pick<Settings, 'approval'>): string =>
  `Have it approved: paybatch plan ${sheet} --batch ${batch}${approval?.makerKey ? ' --key FILE' : ''}   then: paybatch approve PLAN --key FILE   and: paybatch apply PLAN`;

/** The remedy for rows of a batch in the ledger, which cannot be planned again under the name of that batch. */
export const ROWS_INSTEAD =
  'Put these rows into a sheet of their own and have it approved: paybatch plan SHEET --batch NAME   To follow payments that were already sent: paybatch status';

/**
 * Like `requireApprovals`, for the sum that a batch would still send. An approved batch needs no second approval, and following
 * needs none at all.
 */
export async function requireRestApproved({ id, approval }: BatchHeader, deps: ApprovalDeps): Promise<void> {
  const { amount } = await deps.ledger.unsentOutstanding(id);
  if (approval || amount.minor === 0n) return;
  await requireApprovals({ amount, instead: ROWS_INSTEAD }, deps);
}
