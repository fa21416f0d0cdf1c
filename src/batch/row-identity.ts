import { ContentFingerprint, type RowIdentity } from '../domain/ids.ts';
import type { Payout } from '../domain/payout.ts';
import type { Staging } from '../domain/staging.ts';

/** What tells a payout from the others of its batch. */
export const rowIdentity = ({
  reference,
  payee,
  amount,
}: Pick<Payout, 'reference' | 'payee' | 'amount'>): RowIdentity => ({
  ...(reference !== undefined && { reference }),
  payee,
  amountMinor: amount.minor,
  currency: amount.currency,
});

/** The fingerprint of all payable rows that are staged. */
export function fingerprintOf(staging: Staging): string {
  const fingerprint = new ContentFingerprint();
  for (const block of staging.payments()) for (const row of block) fingerprint.add(rowIdentity(row), row.name);
  return fingerprint.value();
}
