/** Who has to agree before money leaves, and who did: what a profile says of it, and what a batch keeps of it. */
import { canonicalText } from './canonical.ts';

/** From which sum on how many people have to agree. */
export interface ApprovalTier {
  /** Decimal amounts by currency code. A currency that is not named counts as above. */
  readonly above: Readonly<Record<string, string>>;
  readonly required: number;
}

export interface ApprovalPolicy {
  /** Plans have to be signed by their maker, who cannot approve them then. */
  readonly makerKey: boolean;
  readonly tiers: readonly ApprovalTier[];
  /** Public keys (32 bytes in base64url) by the names of their owners. */
  readonly approvers: Readonly<Record<string, string>>;
}

/** Who has to agree by the word of a ledger. */
export interface PolicyInForce {
  readonly policy: ApprovalPolicy;
  /** How often it was changed: what was signed for one change is no word on another. */
  readonly changes: number;
}

/** The one text of a policy, whatever the order in which a file writes it: two of them are the same if their texts are. */
export const policyText = ({ makerKey, tiers, approvers }: ApprovalPolicy): string =>
  canonicalText({ makerKey, tiers: tiers.map(({ above, required }) => ({ above, required })), approvers });

/** One person's signature. */
export interface PersonSigned {
  readonly name: string;
  readonly key: string;
  readonly signature: string;
}

/** The plan that a batch was paid by, and who approved it: kept in its header. */
export interface ApprovalRecord {
  /** SHA-256 of the bytes of the plan. */
  readonly plan: string;
  /** Who signed it as its maker; missing where nobody did. */
  readonly maker?: PersonSigned;
  readonly approvals: readonly (PersonSigned & {
    /** ISO 8601. */
    readonly at: string;
    /** What they wrote beside their name, and signed; missing: nothing. */
    readonly note?: string;
  })[];
}

/** The approvers of a ledger were changed, by the word of those before. */
export interface ApproversChange {
  /** Null: nobody has to agree any more. */
  readonly to: ApprovalPolicy | null;
  readonly signatures: readonly PersonSigned[];
  /** User and machine. */
  readonly by: string;
}
