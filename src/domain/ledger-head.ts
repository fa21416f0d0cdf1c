/**
 * How far a ledger goes, in the word of its own key. Who has one, on paper or in a workbook, can tell a ledger that was rewritten
 * since: it must still have had this very hash when it ended with this fact.
 */
export interface LedgerHead {
  /** Number of its last fact. */
  readonly seq: number;
  /** SHA-256 over the ends of the chains of all batches. */
  readonly hash: string;
  /** Public part of the key, in base64url: it names the key. */
  readonly key: string;
  /** Ed25519, in base64url. */
  readonly signature: string;
}
