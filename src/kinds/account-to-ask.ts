/**
 * Whose account the service can be asked about before a payout is made. Spec: "Operations that appear in the menu without
 * shape" (Account Number Validation Request), with the types and codes that have been observed for it.
 */
import type { Draft } from '../submissions/index.ts';

export interface AccountToAsk {
  /** 1: mobile wallet, 2: bank account. */
  readonly type: 1 | 2;
  readonly account: string;
  /** Mobile network code, or bank code. */
  readonly institutionCode: string;
}

/**
 * The account of a staged draft, or undefined when the service tells no holder of such a one. A line to a bank names its
 * institution and its remitter, one to a business its institution alone, and one to a wallet no institution but the network.
 */
export function accountToAsk(staged: unknown): AccountToAsk | undefined {
  const draft = staged as Draft | undefined; // staged by the kind that made the payout
  if (draft?.submission !== 'payment-order') return undefined;
  const { recipient, remitter } = draft.line;
  const { primaryAccountNumber: account, institutionIdentifier, mccmnc } = recipient;
  if (institutionIdentifier) return remitter && { type: 2, account, institutionCode: institutionIdentifier };
  return mccmnc === undefined ? undefined : { type: 1, account, institutionCode: mccmnc };
}
