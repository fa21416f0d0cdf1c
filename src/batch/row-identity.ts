import type { RowIdentity } from '../domain/ids.ts';
import type { Payout } from '../domain/payout.ts';

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
