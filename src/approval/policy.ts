/** How many people must approve a sum, and whether the configuration still names the policy in force. */
import { type ApprovalPolicy, policyText } from '../domain/approval.ts';
import { Fault } from '../domain/fault.ts';
import { currencyRecord, type Money, parseAmount } from '../domain/money.ts';
import { thenAndNow } from './compare.ts';

/**
 * Returns how many people must approve before a profile pays this sum in all; 0 if nobody must. Throws a Fault `configuration`
 * if a tier's amount cannot be read.
 */
export function requiredApprovals({ tiers }: Pick<ApprovalPolicy, 'tiers'>, sum: Money): number {
  const reached = tiers.filter(({ above }) => {
    const edge = above[sum.currency];
    return edge === undefined || sum.minor > edgeOf(edge, sum).minor;
  });
  return Math.max(0, ...reached.map(({ required }) => required));
}

function edgeOf(text: string, { currency }: Money): Money {
  const parsed = parseAmount(text, currencyRecord(currency));
  if (parsed.ok) return parsed.money;
  throw new Fault(
    'configuration',
    `"${text}" in approval.tiers is not an amount in ${currency}. Nothing was sent.`,
    'Correct the profile.',
  );
}

/** Throws a Fault `not-approved` if a policy is in force and the configuration names another one, or none. */
export function requirePolicyInForce(
  inForce: ApprovalPolicy | undefined,
  configured: ApprovalPolicy | undefined,
): void {
  if (!inForce || (configured && policyText(inForce) === policyText(configured))) return;
  throw new Fault(
    'not-approved',
    'The configuration and this ledger disagree on who must approve. Nothing was sent.',
    'Undo the change, or have it signed by one of the previous approvers: paybatch approver change --key FILE',
    { details: policyDifferences(inForce, configured) },
  );
}

/** Returns the differences between two policies, a line each with both values: then and now. */
export const policyDifferences = (
  before: ApprovalPolicy | undefined,
  after: ApprovalPolicy | undefined,
): readonly string[] => thenAndNow(factsOf(before), factsOf(after));

function* factsOf(policy: ApprovalPolicy | undefined): Generator<readonly [string, string]> {
  if (!policy) return;
  const { makerKey, tiers, approvers } = policy;
  yield ['approval.makerKey', String(makerKey)];
  for (const [index, { above, required }] of tiers.entries()) {
    const edges = Object.entries(above)
      .toSorted()
      .map(([code, edge]) => `${code} ${edge}`);
    yield [`approval.tiers.${index}`, `${required} above ${edges.join(', ')}`];
  }
  for (const [name, key] of Object.entries(approvers)) yield [`approval.approvers.${name}`, key];
}
