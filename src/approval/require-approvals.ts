/** Before money leaves: have as many people agreed as the profile asks for? Whoever pays without a plan has nobody's word. */
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import type { BatchId } from '../domain/ids.ts';
import { add, type Money, moneyText, zero } from '../domain/money.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { requiredApprovals, requirePolicyInForce } from './policy.ts';

/** What was paid within this time counts along, so that a sum does not pass in parts. */
const COUNTED_MS = 24 * 60 * 60 * 1000;

/** What is to be paid, and how many people agreed to it. */
interface Asked {
  readonly amount: Money;
  /** One for each person. */
  readonly approvals?: readonly unknown[] | undefined;
  /** The command that gets their word. */
  readonly instead: string;
}

interface ApprovalDeps {
  readonly settings: Settings;
  readonly ledger: Pick<Ledger, 'approvalPolicy' | 'paidSince' | 'unsentNeed' | 'othersAtWork'>;
  readonly clock: Clock;
}

/** A Fault `not-approved` when fewer people agreed than the profile asks for, or when it asks others than the ledger knows. */
export async function requireApprovals(
  { amount, approvals = [], instead }: Asked,
  { settings: { approval }, ledger, clock }: ApprovalDeps,
): Promise<void> {
  requirePolicyInForce((await ledger.approvalPolicy())?.policy, approval);
  if (!approval) return;
  const left = await ledger.paidSince(clock.now() - COUNTED_MS, amount.currency);
  const leaves = await leaving(amount, ledger);
  const paid = add(left, leaves);
  const required = requiredApprovals(approval, add(amount, paid));
  if (approvals.length >= required) return;
  const along =
    paid.minor > 0n
      ? `, and ${moneyText(paid)} left in the last 24 hours${leaves.minor > 0n ? ', or leaves in other runs' : ''}`
      : '';
  throw new Fault(
    'not-approved',
    `${counted(required, 'person has', 'people have')} to approve before ${moneyText(amount)} leaves${along}; ${approvals.length === 0 ? 'nobody' : approvals.length} did. Nothing was sent.`,
    instead,
  );
}

/** What other runs are about to send at this moment: nothing of it was claimed yet. */
async function leaving({ currency }: Money, ledger: ApprovalDeps['ledger']): Promise<Money> {
  let sum = zero(currency);
  for (const batch of new Set((await ledger.othersAtWork()).map((lease) => lease.batch))) {
    const { amount } = batch ? await ledger.unsentNeed(batch) : { amount: sum };
    if (batch && amount.currency === currency) sum = add(sum, amount);
  }
  return sum;
}

/** A single call is no batch, and is counted nowhere: where people have to agree to sums, it may not submit any. */
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

/** The way to a sheet's approval. */
export const planInstead = (batch: BatchId): string =>
  `Have it approved: paybatch plan SHEET --batch ${batch}   then: paybatch approve PLAN --key FILE   and: paybatch apply PLAN`;

/** Rows of a batch that is in the ledger cannot be planned again under its name. */
export const ROWS_INSTEAD =
  'Put these rows into a sheet of their own and have that approved: paybatch plan SHEET --batch NAME   What has left is followed all the same: paybatch status';

/** The same of what a batch would still send. What was approved once needs no second word, and following needs none at all. */
export async function requireRestApproved({ id, approval }: BatchHeader, deps: ApprovalDeps): Promise<void> {
  const { amount } = await deps.ledger.unsentNeed(id);
  if (approval || amount.minor === 0n) return;
  await requireApprovals({ amount, instead: ROWS_INSTEAD }, deps);
}
