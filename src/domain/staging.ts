/**
 * Holds checked rows while the sheet is read, so that no sheet is held in memory: the ids of a batch depend on all of its
 * content, and duplicates show only when every row has been seen. `staging/` implements this on a temporary file.
 */

import type { Payout } from './batch.ts';
import type { CurrencyCode } from './currency.ts';
import type { NamedOf } from './duplicate.ts';
import type { Issue } from './issue.ts';
import type { KnownPeople } from './known-people.ts';
import type { LeftOut } from './left-out.ts';
import type { Money } from './money.ts';
import type { SheetValue } from './sheet-value.ts';

export interface StagedRow {
  readonly row: number;
  /** Absent if the row has errors, or is left out. */
  readonly payout?: Payout;
  /** Present if the sheet leaves the row out on purpose. */
  readonly leftOut?: LeftOut;
  /** The reference of a row with errors, because another row may have the same. */
  readonly reference?: string;
  /**
   * The order line without route and trace number, as its kind made it: JSON, in the form in which it is recorded with
   * its order. Absent if the configuration lacks a setting that it needs, and in a check without a run. Only the kinds and the
   * plan look inside.
   */
  readonly draft?: unknown;
  /** Values of the user's own columns, in the order of the headings. */
  readonly texts: readonly SheetValue[];
  /** The number of an identity document or a register that the sheet states beside a payable row; it is only compared. */
  readonly identity?: string;
  readonly issues: readonly Issue[];
}

/** Rows that share a value, for example a reference. */
export interface Repetition {
  readonly value: string;
  /** The rows, in sheet order; at most 50 are listed. */
  readonly rows: readonly number[];
  readonly count: number;
}

export interface RepeatedReference extends Repetition {
  /** Number of these rows that can be paid. */
  readonly payable: number;
}

export interface ReferredRow {
  readonly row: number;
  readonly isPayable: boolean;
}

/** A row that differs from an earlier row in something that should be equal. */
export interface Contrast {
  readonly row: number;
  readonly name: string;
  /** Where the money of the row goes, for people. */
  readonly payee: string;
  /** What the earlier row has instead: its name, or its payee. */
  readonly first: string;
  readonly firstRow: number;
}

/** A payable row, in the form in which it is compared with earlier payments. */
export interface StagedPayment {
  readonly row: number;
  readonly name: string;
  readonly reference?: string;
  readonly payee: string;
  /** Where the money goes, for people. */
  readonly destination: string;
  readonly amount: Money;
  /** Number of the row among those with this payee, amount and currency, from 1. */
  readonly occurrence: number;
}

/** Whom a row pays how much, where nothing but the name tells who it is. */
export type NamedAmount = Pick<StagedPayment, 'name' | 'amount'>;

export interface UnusualAmounts extends NamedOf<{ readonly row: number; readonly minor: bigint }> {
  /** Median of the payable amounts in minor units; for an even number of rows, the larger of the two middle ones. */
  readonly median: bigint;
}

/** Marks within a word, which people leave out: `Achieng'` and `Ng'ang'a`. */
const APOSTROPHES = /['\u2018\u2019\u02bc`\u00b4]/g;

/** Returns a name as it is compared: without case, accents, punctuation and the order of its parts. */
export const comparedName = (name: string): string =>
  (
    name
      .replace(APOSTROPHES, '')
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .toSorted()
    .join(' ');

/**
 * The purpose of staging: a plan needs all of every row, and a check only what rows are compared by. A sheet that is only
 * checked is never read back, so what would be submitted for it is neither made nor kept.
 */
export type StagedFor = 'plan' | 'check';

export interface Staging {
  /** Whether whole rows are kept, for a plan. */
  readonly keepsRows: boolean;
  /** Stores a block of rows. Rows come in sheet order. */
  add(rows: readonly StagedRow[]): void;
  /** Returns all rows in sheet order, in blocks. Calling it when rows are not kept is a bug. */
  blocks(): Iterable<readonly StagedRow[]>;
  /** Returns all payable rows in sheet order, in blocks. Call it only after all rows were added. */
  payments(): Iterable<readonly StagedPayment[]>;
  /** Returns the references that occur in more than one row, payable or not. */
  repeatedReferences(): readonly RepeatedReference[];
  /** Returns the payable rows without a reference that pay the same payee the same amount more than once. */
  identicalRows(): readonly Repetition[];
  /**
   * Returns every row with a repeated reference, in sheet order; meant for iteration, not for keeping in memory.
   * `rowsOfPayment` does the same for identical rows.
   */
  rowsOfReference(repetition: RepeatedReference): Iterable<ReferredRow>;
  rowsOfPayment(repetition: Repetition): Iterable<number>;
  /** Returns the payees (destinations) that more than one payable row pays, whether the rows are identical or not. */
  repeatedPayees(): readonly Repetition[];
  /** Returns the payable rows above `factor` times the median amount; none if there are fewer than `rowsMin` payable rows. */
  unusualAmounts(factor: number, rowsMin: number, most: number): UnusualAmounts;
  /** Returns, for each payee that is paid under several names, the first row with another name than its first one. */
  payeesWithNames(most: number): NamedOf<Contrast>;
  /** Returns, for each name that is paid to several payees, the first row with another payee than its first one. */
  namesWithPayees(most: number): NamedOf<Contrast>;
  /**
   * Returns, for each identity number beside several names, the first row with another name than its first one. With
   * `mayBeEmployers`, a number that stands beside everybody is left out.
   */
  identitiesWithNames(most: number, mayBeEmployers: boolean): NamedOf<Contrast>;
  /** Returns those of the people whom a payable row pays, by amount and name, as names are compared. */
  paidAmong<T extends NamedAmount>(people: readonly T[]): readonly T[];
  /** Recognises the people of the sheet in rows of earlier batches in its currency. Forgets what an earlier call recognised. */
  knownPeople(currency: CurrencyCode): KnownPeople;
  /** Keeps issues of the sheet, whether they belong to a row or not. */
  note(issues: readonly Issue[]): void;
  /**
   * Returns everything noted, by row, and in the order of noting within a row; issues that belong to no row come first. They
   * are read lazily, and can be read again.
   */
  issues(): Iterable<Issue>;
  close(): void;
}
