/**
 * The signed head of a ledger: how far the ledger goes, signed with its own key. A person who has a head, on paper or in a
 * workbook, can detect a ledger that was rewritten since: at this fact, the ledger must still have had this very hash.
 */
export interface LedgerHead {
  /** Number of the last fact of the ledger. */
  readonly seq: number;
  /** SHA-256 over the ends of the chains of all batches. */
  readonly hash: string;
  /** Public key, in base64url; it also names the key. */
  readonly key: string;
  /** Ed25519 signature, in base64url. */
  readonly signature: string;
}
