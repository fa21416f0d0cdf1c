/** A change of approvers: the text that the approvers in force sign, and whether enough of them have signed it. */

import { z } from 'zod';
import { type ApprovalPolicy, type PersonSigned, type PolicyInForce, policyText } from '../domain/approval.ts';
import { canonicalText } from '../domain/canonical.ts';
import { sha256 } from '../domain/ids.ts';
import { jsonIn } from '../domain/json.ts';
import { isSignedBy } from '../ledger/signing.ts';
import type { Signatory } from './approver-key.ts';
import { publicKey, recordText, signature } from './plan.ts';
import { text } from './statement-schema.ts';

/**
 * A change of approvers to be signed. The signed text names profile, service and number of earlier changes, so a signature for
 * a rehearsal or for a change that was withdrawn does not count for another one.
 */
export interface AskedChange {
  readonly profile: string;
  readonly service: string;
  readonly inForce: PolicyInForce;
  /** The policy in the configuration; `undefined` if nobody has to approve any more. */
  readonly to: ApprovalPolicy | undefined;
}

const signedSchema = z.strictObject({
  v: z.literal(1),
  type: z.literal('paybatch approvers'),
  name: text,
  key: publicKey,
  signature,
});

/** Returns the text that approvers sign, in RFC 8785 form. No other text that a key signs has this `type`. */
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

/** The number of signatures that a change needs: as many as the highest tier requires, and at least one. */
export const signaturesNeeded = ({ tiers }: ApprovalPolicy): number =>
  Math.max(1, ...tiers.map(({ required }) => required));

export const signChange = (asked: AskedChange, { name, key }: Signatory): PersonSigned => ({
  name,
  key: key.name,
  signature: key.sign(changeText(asked)),
});

/** Returns a signature as JSON text, for the file that goes to the next approver. */
export const signedChangeText = (signed: PersonSigned): string =>
  recordText({ v: 1, type: 'paybatch approvers', ...signed });

/** Reads the text that `signedChangeText` wrote. Returns `undefined` for any other text. */
export function readSignedChange(json: string): PersonSigned | undefined {
  const read = signedSchema.safeParse(jsonIn(json));
  if (!read.success) return undefined;
  const { name, key, signature: given } = read.data;
  return { name, key, signature: given };
}

/** Returns the valid signatures for exactly this change by approvers in force, one for each key. */
export function rightSignatures(asked: AskedChange, given: readonly PersonSigned[]): readonly PersonSigned[] {
  const { approvers } = asked.inForce.policy;
  const signedBy = changeText(asked);
  const right = given.filter(
    ({ name, key, signature: one }) =>
      Object.hasOwn(approvers, name) && approvers[name] === key && isSignedBy(key, signedBy, one),
  );
  return [...new Map(right.map((one) => [one.key, one])).values()];
}
