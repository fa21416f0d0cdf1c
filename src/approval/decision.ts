/** A person's decision on a plan, approved or declined: a small file, signed over the hash of the plan's exact bytes. */

import { z } from 'zod';
import type { ApprovalPolicy, PersonSigned } from '../domain/approval.ts';
import { canonicalText } from '../domain/canonical.ts';
import { isoTime } from '../domain/clock.ts';
import { Fault } from '../domain/fault.ts';
import { jsonIn } from '../domain/json.ts';
import { type Money, moneyText } from '../domain/money.ts';
import { isSignedBy } from '../ledger/signing.ts';
import type { Signatory } from './approver-key.ts';
import { hash, type PlanFile, publicKey, recordText, signature, time } from './plan.ts';
import { text } from './statement-schema.ts';

const decisionSchema = z.strictObject({
  v: z.literal(1),
  type: z.literal('paybatch approval'),
  decision: z.enum(['approved', 'declined']),
  /** SHA-256 of the bytes of the plan. */
  plan: hash,
  /** Batch and total of the plan, for people. */
  batch: text,
  total: text,
  name: text,
  at: time,
  /** Why the plan was declined. */
  reason: text.exactOptional(),
  /** What the approver wrote next to the name. */
  note: text.exactOptional(),
  key: publicKey,
  signature,
});

/** A decision on a plan. Its signature is valid; `judgeDecisions` says whether the person's decision counts. */
export type SignedDecision = z.infer<typeof decisionSchema>;

/**
 * Returns the text that a person signs: the whole file except the signature, in RFC 8785 form. No other text that a key signs
 * has this `type`.
 */
const signedText = (said: Omit<SignedDecision, 'signature'>): string => canonicalText(said);

/** A decision and its time, in wall-clock milliseconds. */
interface Saying {
  readonly decision: SignedDecision['decision'];
  readonly now: number;
  readonly reason?: string | undefined;
  readonly note?: string | undefined;
}

/** Returns the signed text of a person's decision. */
export function decisionText(
  { plan, sha256 }: PlanFile,
  { name, key }: Signatory,
  { decision, now, reason, note }: Saying,
): string {
  const said: Omit<SignedDecision, 'signature'> = {
    v: 1,
    type: 'paybatch approval',
    decision,
    plan: sha256,
    batch: plan.batch,
    total: moneyText(plan.total),
    name,
    at: isoTime(now),
    ...(reason !== undefined && { reason }),
    ...(note !== undefined && { note }),
    key: key.name,
  };
  return recordText({ ...said, signature: key.sign(signedText(said)) });
}

/** Reads the text that `decisionText` wrote. Returns `undefined` if a single byte of it differs. */
export function readDecision(json: string): SignedDecision | undefined {
  const read = decisionSchema.safeParse(jsonIn(json));
  if (!read.success) return undefined;
  const { signature: given, ...said } = read.data;
  const isWhole = recordText({ ...said, signature: given }) === json;
  return isWhole && isSignedBy(said.key, signedText(said), given) ? read.data : undefined;
}

/** An approval as a batch keeps it, with the plan that it is for. */
interface KeptApproval extends PersonSigned {
  readonly at: string;
  readonly note?: string;
  readonly plan: string;
  readonly batch: string;
  readonly total: Money;
}

/** Returns the text that an approver signed, from what a batch keeps about the approval. */
export const approvalText = ({ plan, batch, total, name, at, note, key }: KeptApproval): string =>
  signedText({
    v: 1,
    type: 'paybatch approval',
    decision: 'approved',
    plan,
    batch,
    total: moneyText(total),
    name,
    at,
    ...(note !== undefined && { note }),
    key,
  });

/** Throws a Fault `not-approved` if the signatory made the plan: its maker cannot approve it. */
export function requireOtherThanMaker({ plan: { signed } }: PlanFile, { name, key }: Signatory): void {
  if (signed?.key !== key.name) return;
  throw new Fault(
    'not-approved',
    `${name} made this plan, with the same key, and cannot approve it. Nothing was signed.`,
    'Send the plan to another approver.',
  );
}

/** Throws a Fault `plan-stale` if the plan has expired: it can no longer be approved. */
export function requireNotExpired({ plan: { expiresAt } }: PlanFile, now: number): void {
  if (now < Date.parse(expiresAt)) return;
  throw new Fault(
    'plan-stale',
    `The plan has expired: it was valid until ${expiresAt}, and it is ${isoTime(now)} now. Nothing was signed.`,
    'Make a new plan: paybatch plan SHEET --batch NAME',
  );
}

/** A decision file as it was found. */
export interface GivenDecision {
  /** Name of the decision file. */
  readonly file: string;
  /** Absent if the file is not as it was signed. */
  readonly decided?: SignedDecision;
  /** How the file was changed in transit, as far as its bytes show; absent if they do not. */
  readonly change?: string;
}

interface Judged {
  /** Approvals that count, one for each key. */
  readonly counted: readonly SignedDecision[];
  /** Why decisions do not count, a line each. */
  readonly wrong: readonly string[];
  /** Whether any of the files declines this plan, no matter who signed it. */
  readonly isDeclined: boolean;
}

/** Judges which decisions count. With `policy` `undefined`, in a rehearsal, anybody's approval counts. */
export function judgeDecisions(
  plan: PlanFile,
  given: readonly GivenDecision[],
  policy: ApprovalPolicy | undefined,
): Judged {
  const byKey = new Map<string, SignedDecision>();
  const wrong: string[] = [];
  for (const { file, decided, change } of given) {
    const damage = `is not as it was signed${change === undefined ? '' : `: ${change}`}`;
    const why = decided ? objectionTo(decided, plan, policy) : damage;
    if (why !== undefined) wrong.push(`${file}: ${why}.`);
    else if (decided) byKey.set(decided.key, decided);
  }
  const isDeclined = given.some(({ decided }) => decided?.plan === plan.sha256 && decided.decision === 'declined');
  return { counted: [...byKey.values()], wrong, isDeclined };
}

function objectionTo(
  decided: SignedDecision,
  { plan, sha256 }: PlanFile,
  policy: ApprovalPolicy | undefined,
): string | undefined {
  const { name, at, key, reason } = decided;
  if (decided.plan !== sha256) return `${name} saw another plan, SHA-256 ${decided.plan} then, ${sha256} now`;
  if (decided.decision === 'declined') return `${name} declined it at ${at}: ${reason ?? 'no reason'}`;
  if (key === plan.signed?.key) return `${name} approved it, and made it with the same key`;
  if (at >= plan.expiresAt) return `${name} approved it at ${at}, after it had expired`;
  const known = policy && Object.hasOwn(policy.approvers, name) ? policy.approvers[name] : undefined;
  if (!policy || known === key) return undefined;
  const now = known === undefined ? 'is not an approver now' : `has the key ${known} now`;
  return `${name} approved it at ${at} with the key ${key} then, and ${now}`;
}
