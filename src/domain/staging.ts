/**
 * Where checked rows wait while the sheet is read, so that no sheet is held in memory: the ids of a batch depend on all
 * of its content, and duplicates show only when every row has been seen. The ledger implements it on a temporary file.
 */

import type { Payout } from './batch.ts';
import type { Issue } from './issue.ts';
import type { KnownPeople } from './known-people.ts';
import type { LeftOut } from './left-out.ts';
import type { Money } from './money.ts';
import type { SheetValue } from './sheet-value.ts';

export interface StagedRow {
  readonly row: number;
  /** Missing when the row has errors, or is left out. */
  readonly payout?: Payout;
  /** Of a row that the sheet leaves out on purpose. */
  readonly leftOut?: LeftOut;
  /** Of a row with errors: another row may have the same. */
  readonly reference?: string;
  /**
   * The order line without route and trace number, as its kind made it: JSON, as it is recorded with its order. Missing while the
   * configuration lacks what it needs, and in a mere check. Only the kinds and the plan look inside.
   */
  readonly draft?: unknown;
  /** What stands in the user's own columns, in the order of the headings. */
  readonly texts: readonly SheetValue[];
  readonly issues: readonly Issue[];
}

/** Rows that share a value, for example a reference. */
export interface Repetition {
  readonly value: string;
  /** The rows, in sheet order; at most 50 are named. */
  readonly rows: readonly number[];
  readonly count: number;
}

export interface RepeatedReference extends Repetition {
  /** How many of the rows can be paid. */
  readonly payable: number;
}

export interface ReferredRow {
  readonly row: number;
  readonly isPayable: boolean;
}

/** So many of what was found, in sheet order, and how many there are in all. */
export interface Some<T> {
  readonly found: readonly T[];
  readonly count: number;
}

/** A row that differs from an earlier one in what should be the same for both. */
export interface Contrast {
  readonly row: number;
  readonly name: string;
  /** Where the money of the row goes, for people. */
  readonly payee: string;
  /** What the earlier row has instead: its name, or its payee. */
  readonly first: string;
  readonly firstRow: number;
}

/** A payable row as it is held against what was paid before. */
export interface StagedPayment {
  readonly row: number;
  readonly name: string;
  readonly reference?: string;
  readonly payee: string;
  /** Where the money goes, for people. */
  readonly destination: string;
  readonly amount: Money;
  /** Which of the rows with this payee, amount and currency it is, from 1. */
  readonly occurrence: number;
}

export interface UnusualAmounts extends Some<{ readonly row: number; readonly minor: bigint }> {
  /** Middle amount of the payable rows in minor units; of an even number of rows the larger of the two. */
  readonly median: bigint;
}

/** A name as it is compared: without case, accents, punctuation and the order of its parts. */
export const comparedName = (name: string): string =>
  (
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .toSorted()
    .join(' ');

/**
 * What rows wait for: a plan needs all of what was staged, and a check only what rows are compared by. A sheet that is only
 * checked is never read back, so what would be submitted for it is neither made nor kept.
 */
export type StagedFor = 'plan' | 'check';

export interface Staging {
  /** Whole rows wait here, for a plan. */
  readonly keepsRows: boolean;
  /** Stores a block of rows. Rows come in sheet order. */
  add(rows: readonly StagedRow[]): void;
  /** All rows in sheet order, in blocks. A bug where they are not kept. */
  blocks(): Iterable<readonly StagedRow[]>;
  /** All payable rows in sheet order, in blocks. To be asked for when all rows are there. */
  payments(): Iterable<readonly StagedPayment[]>;
  /** References that stand in more than one row, whether it can be paid or not. */
  repeatedReferences(): readonly RepeatedReference[];
  /** Payable rows without a reference that pay the same payee the same amount more than once. */
  identicalRows(): readonly Repetition[];
  /** Every row of a repeated reference, and of identical rows, in sheet order; to be gone through, not to be held. */
  rowsOfReference(repetition: RepeatedReference): Iterable<ReferredRow>;
  rowsOfPayment(repetition: Repetition): Iterable<number>;
  /** Payees (destinations) paid in more than one payable row, identical or not. */
  repeatedPayees(): readonly Repetition[];
  /** Payable rows above `factor` times the middle amount; none when there are fewer than `rowsMin` payable rows. */
  unusualAmounts(factor: number, rowsMin: number, most: number): UnusualAmounts;
  /** For each payee that is paid under several names, the first row with another name than its first one. */
  payeesWithNames(most: number): Some<Contrast>;
  /** For each name that is paid to several payees, the first row with another payee than its first one. */
  namesWithPayees(most: number): Some<Contrast>;
  /** Knows its people again in the rows of earlier batches; what was known through an earlier call is forgotten. */
  knownPeople(): KnownPeople;
  /** Keeps what was found wrong with the sheet, wherever it stands. */
  note(issues: readonly Issue[]): void;
  /**
   * Everything noted, by row, and as it was noted within a row; what belongs to no row comes first. It is read as it is
   * asked for, and can be read again.
   */
  issues(): Iterable<Issue>;
  close(): void;
}
