/** Other approvers than before: what those before sign, and whether enough of them have. */
import { z } from 'zod';
import { type ApprovalPolicy, type PersonSigned, type PolicyInForce, policyText } from '../domain/approval.ts';
import { canonicalText } from '../domain/canonical.ts';
import { sha256 } from '../domain/ids.ts';
import { isSignedBy } from '../ledger/signing.ts';
import type { Signatory } from './approver-key.ts';
import { publicKey, signature } from './plan.ts';
import { text } from './statement-schema.ts';

/** A change that is to be signed. What was signed for a rehearsal, or for a change that was taken back, counts for no other. */
export interface AskedChange {
  readonly profile: string;
  readonly service: string;
  readonly inForce: PolicyInForce;
  /** As the configuration has it now; undefined: nobody has to agree any more. */
  readonly to: ApprovalPolicy | undefined;
}

const signedSchema = z.strictObject({
  v: z.literal(1),
  type: z.literal('paybatch approvers'),
  name: text,
  key: publicKey,
  signature,
});

/** What is signed, as RFC 8785 writes it. No other text that a key signs has its `type`. */
const changeText = ({ profile, service, inForce: { policy, changes }, to }: AskedChange): string =>
  canonicalText({
    v: 1,
    type: 'paybatch approvers change',
    profile,
    service,
    changes,
    from: sha256(policyText(policy)),
    to: to ? sha256(policyText(to)) : 'nobody',
  });

/** As many as the largest sum needs, and one at least. */
export const signaturesNeeded = ({ tiers }: ApprovalPolicy): number =>
  Math.max(1, ...tiers.map(({ required }) => required));

export const signChange = (asked: AskedChange, { name, key }: Signatory): PersonSigned => ({
  name,
  key: key.name,
  signature: key.sign(changeText(asked)),
});

/** A signature as text, for a file that goes to the next approver. */
export const signedChangeText = (signed: PersonSigned): string =>
  `${JSON.stringify({ v: 1, type: 'paybatch approvers', ...signed }, undefined, 1)}\n`;

/** Reads what `signedChangeText` wrote; undefined for anything else. */
export function readSignedChange(json: string): PersonSigned | undefined {
  try {
    const read = signedSchema.safeParse(JSON.parse(json));
    if (!read.success) return undefined;
    const { name, key, signature: given } = read.data;
    return { name, key, signature: given };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Those of the signatures that an approver of before gave for this very change, one for each key. */
export function rightSignatures(asked: AskedChange, given: readonly PersonSigned[]): readonly PersonSigned[] {
  const { approvers } = asked.inForce.policy;
  const signedBy = changeText(asked);
  const right = given.filter(
    ({ name, key, signature: one }) =>
      Object.hasOwn(approvers, name) && approvers[name] === key && isSignedBy(key, signedBy, one),
  );
  return [...new Map(right.map((one) => [one.key, one])).values()];
}
