/** Approvals: the people who must approve before money leaves, as a profile names them, and those who did, as a batch records them. */
import { canonicalText } from './canonical.ts';

/** The number of people who must approve once a sum is above an amount. */
interface ApprovalTier {
  /** Decimal amounts by currency code. Any sum in a currency that is not named counts as above. */
  readonly above: Readonly<Record<string, string>>;
  readonly required: number;
}

export interface ApprovalPolicy {
  /** Whether plans must be signed by their maker, who then cannot approve them. */
  readonly makerKey: boolean;
  readonly tiers: readonly ApprovalTier[];
  /** Public keys (32 bytes in base64url) by the names of their owners. */
  readonly approvers: Readonly<Record<string, string>>;
}

/** The approval policy in force, according to the facts of a ledger. */
export interface PolicyInForce {
  readonly policy: ApprovalPolicy;
  /** Number of changes to the policy so far. Signatures on a change cover it, so they are not valid for another change. */
  readonly changes: number;
}

/**
 * Returns the canonical text of a policy, regardless of the order in which a file writes it. Two policies are the same if
 * their texts are.
 */
export const policyText = ({ makerKey, tiers, approvers }: ApprovalPolicy): string =>
  canonicalText({ makerKey, tiers: tiers.map(({ above, required }) => ({ above, required })), approvers });

/** One person's signature. */
export interface PersonSigned {
  readonly name: string;
  readonly key: string;
  readonly signature: string;
}

/** The plan that a batch was paid by, and the people who approved it. Part of the header of the batch. */
export interface ApprovalRecord {
  /** SHA-256 of the bytes of the plan. */
  readonly plan: string;
  /** The person who signed the plan as its maker; absent if nobody did. */
  readonly maker?: PersonSigned;
  readonly approvals: readonly (PersonSigned & {
    /** ISO 8601. */
    readonly at: string;
    /** The note that the approver wrote next to their name and signed; absent if there is none. */
    readonly note?: string;
  })[];
}

/** A change of the approvers of a ledger, signed by the approvers before it. */
export interface ApproversChange {
  /** The new policy; null if no approval is needed any more. */
  readonly to: ApprovalPolicy | null;
  readonly signatures: readonly PersonSigned[];
  /** User and machine. */
  readonly by: string;
}
