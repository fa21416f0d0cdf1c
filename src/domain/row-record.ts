/** One row of a batch for programs: plain values under names that do not change. Later versions only add fields. */
import type { Outcome } from './outcome.ts';

/** A row of a batch. Unknown values are absent. Amounts are decimal texts in `currency`, times are ISO 8601 in UTC. */
export interface RowRecord {
  readonly batch: string;
  readonly sandbox: boolean;
  /** Name of the file that was paid, and number of the row in it. */
  readonly sheet: string;
  readonly row: number;
  readonly plannedAt: string;
  readonly outcome: Outcome;
  /** Whether the row may be paid again, in the words of the workbook: `Yes`, `No`, `Check first`. */
  readonly payAgain: string;
  /** Why the row has this outcome, and what to do; empty if there is nothing to say. */
  readonly reason: string;
  /** Values of its cells, for a row that was set aside and of which nothing else is known. */
  readonly cells?: readonly string[];
  readonly kind?: string;
  readonly reference?: string;
  readonly name?: string;
  readonly destination?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly feeQuoted?: string;
  readonly feeCharged?: string;
  /** Sum that left the wallet for the row. */
  readonly debit?: string;
  readonly receipt?: string;
  readonly completedAt?: string;
  readonly resultCode?: string;
  readonly order?: string;
  readonly serviceId?: string;
  readonly attempt?: number;
}
