/** One row of a batch for programs: plain values under names that do not change. Later versions only add. */
import type { Outcome } from './outcome.ts';

/** What is not known of a row is missing. Amounts are decimal texts in `currency`, times ISO 8601 in UTC. */
export interface RowRecord {
  readonly batch: string;
  readonly sandbox: boolean;
  /** Name of the file that was paid, and the number of the row in it. */
  readonly sheet: string;
  readonly row: number;
  readonly plannedAt: string;
  readonly outcome: Outcome;
  /** As the workbook says it: `Yes`, `No`, `Check first`. */
  readonly payAgain: string;
  /** Why it stands where it stands, and what to do; empty where there is nothing to say. */
  readonly reason: string;
  /** What stands in its cells, where it was set aside and nothing else is known of it. */
  readonly cells?: readonly string[];
  readonly kind?: string;
  readonly reference?: string;
  readonly name?: string;
  readonly destination?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly feeQuoted?: string;
  readonly feeCharged?: string;
  /** What left the wallet for it. */
  readonly debit?: string;
  readonly receipt?: string;
  readonly completedAt?: string;
  readonly resultCode?: string;
  readonly order?: string;
  readonly serviceId?: string;
  readonly attempt?: number;
}
