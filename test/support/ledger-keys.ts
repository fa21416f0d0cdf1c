/** Signing keys for ledgers of tests: the same in every process, and kept nowhere. */
import { keyFromSecret, type LedgerKeys, type SigningKey } from '../../src/ledger/signing.ts';

export function keysOf(secret: string): LedgerKeys {
  let kept: { readonly ledger: string; readonly key: SigningKey } | undefined;
  const keyOf = (ledger: string): SigningKey => {
    if (kept?.ledger !== ledger) kept = { ledger, key: keyFromSecret(secret, ledger) };
    return kept.key;
  };
  return { place: 'the test', of: (ledger) => [keyOf(ledger)], first: keyOf, next: keyOf };
}

export const testKeys: LedgerKeys = keysOf('a secret of the tests');
