/** Signing keys for ledgers of tests: the same in every process, and kept nowhere. */
import { keyFromSecret, type LedgerKeys } from '../../src/ledger/signing.ts';

export const keysOf = (secret: string): LedgerKeys => ({
  place: 'the test',
  of: (ledger) => [keyFromSecret(secret, ledger)],
  first: (ledger) => keyFromSecret(secret, ledger),
  next: (ledger) => keyFromSecret(secret, ledger),
});

export const testKeys: LedgerKeys = keysOf('a secret of the tests');
