/**
 * Where checked rows wait while the sheet is read, so that no sheet is held in memory: the ids of a batch depend on all
 * of its content, and duplicates show only when every row has been seen. The ledger implements it on a temporary file.
 */
import type { Issue } from './issue.ts';
import type { Payout } from './payout.ts';

export interface StagedRow {
  readonly row: number;
  /** Missing when the row has errors. */
  readonly payout?: Payout;
  /** The order line without route and trace number, as its kind made it. Only the kinds and the plan look inside. */
  readonly draft?: unknown;
  /** Texts of the user's own columns, in the order of the headings. */
  readonly texts: readonly string[];
  readonly issues: readonly Issue[];
}

/** Rows that share a value, for example a reference. */
export interface Repetition {
  readonly value: string;
  /** The rows, in sheet order; at most 50 are named. */
  readonly rows: readonly number[];
  readonly count: number;
}

export interface Staging {
  /** Stores a block of rows. Rows come in sheet order. */
  add(rows: readonly StagedRow[]): void;
  /** All rows in sheet order, in blocks. */
  blocks(): Iterable<readonly StagedRow[]>;
  /** References that stand in more than one payable row. */
  repeatedReferences(): readonly Repetition[];
  /** Payable rows without a reference that pay the same payee the same amount more than once. */
  identicalRows(): readonly Repetition[];
  /** Payees (destinations) paid in more than one payable row, identical or not. */
  repeatedPayees(): readonly Repetition[];
  /** Keeps what was found wrong with the sheet, wherever it stands. */
  note(issues: readonly Issue[]): void;
  /**
   * Everything noted, by row, and as it was noted within a row; what belongs to no row comes first. It is read as it is
   * asked for, and can be read again.
   */
  issues(): Iterable<Issue>;
  close(): void;
}
