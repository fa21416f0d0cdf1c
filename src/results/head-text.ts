/** The signed head of the ledger as text in a workbook, and how that text is read back. */
import type { LedgerHead } from '../domain/ledger-head.ts';

/** Labels of the parts of a head, on the Audit worksheet and on the evidence page. */
export const headLabels = { head: 'Ledger', key: 'Signed with the key', signature: 'Signature' } as const;

/** Returns labels and texts of a head, in their order. */
export const headTexts = ({ seq, hash, key, signature }: LedgerHead): readonly (readonly [string, string])[] => [
  [headLabels.head, `fact ${seq}, ${hash}`],
  [headLabels.key, key],
  [headLabels.signature, signature],
];

/** Returns the head in texts by label; `undefined` if a part is missing or is not what `headTexts` writes. */
export function headIn(texts: ReadonlyMap<string, string>): LedgerHead | undefined {
  const [, seq, hash] = /^fact ([1-9]\d{0,14}), ([0-9a-f]{64})$/.exec(texts.get(headLabels.head) ?? '') ?? [];
  const [key, signature] = [texts.get(headLabels.key), texts.get(headLabels.signature)];
  if (seq === undefined || hash === undefined || key === undefined || signature === undefined) return undefined;
  return { seq: Number(seq), hash, key, signature };
}
