/** The signed head of the ledger as a workbook says it, and as it is read back. */
import type { LedgerHead } from '../domain/ledger-head.ts';

/** What stands before each part on the Summary worksheet. */
export const headLabels = { head: 'Ledger', key: 'Signed with the key', signature: 'Signature' } as const;

/** Labels and texts, in their order. */
export const headTexts = ({ seq, hash, key, signature }: LedgerHead): readonly (readonly [string, string])[] => [
  [headLabels.head, `fact ${seq}, ${hash}`],
  [headLabels.key, key],
  [headLabels.signature, signature],
];

/** The head in texts by label; undefined when one is missing or is nothing that `headTexts` writes. */
export function headIn(texts: ReadonlyMap<string, string>): LedgerHead | undefined {
  const [, seq, hash] = /^fact ([1-9]\d{0,14}), ([0-9a-f]{64})$/.exec(texts.get(headLabels.head) ?? '') ?? [];
  const [key, signature] = [texts.get(headLabels.key), texts.get(headLabels.signature)];
  if (seq === undefined || hash === undefined || key === undefined || signature === undefined) return undefined;
  return { seq: Number(seq), hash, key, signature };
}
