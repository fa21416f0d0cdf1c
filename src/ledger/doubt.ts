/** What can be asked and said about whether a ledger knows all that was sent. */
import type { BatchId } from '../domain/ids.ts';
import type { ClosedBatch, DoubtReason, MarkedBatch } from './mark.ts';

/** A part of `Ledger`, with its promises. */
export interface LedgerDoubt {
  /**
   * Why every order of the batch must be looked up before it is sent: an earlier state of this ledger, or another ledger
   * in its place, may have sent it. Undefined when the ledger knows all that was sent.
   */
  doubt(batch: BatchId): Promise<DoubtReason | undefined>;
  /** Lease. The word of who knows: nothing was ever sent from here. Dispels the doubt about a ledger that is new. */
  vouchNew(): Promise<void>;
  /** Lease. The service shows payments that this ledger never sent: every batch of it is in doubt from here on. */
  suspect(): Promise<void>;
  /**
   * Lease. Ends the doubt about a batch of which every order was sent or found. `andUnnamed`: and about all that no mark
   * names.
   */
  dispelDoubt(batch: BatchId, which: { readonly andUnnamed: boolean }): Promise<void>;
  /** Batches that were begun before this ledger, or before the state that it was put back to, and that it does not have. */
  lostBatches(): Promise<readonly MarkedBatch[]>;
  /** Lease. Records a person's word that one of them needs no look any more. */
  closeLost(closed: ClosedBatch): Promise<void>;
}
