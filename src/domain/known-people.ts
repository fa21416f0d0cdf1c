/**
 * People of a sheet, known again in the rows of earlier batches. Batches are put beside the sheet one after the other, so that
 * no two sheets are ever held in memory. The staging implements it on its temporary file.
 */
import type { BatchId } from './ids.ts';

/** Somebody of the sheet, as earlier batches are asked about them. */
export interface AskedPerson {
  /** `Payout.payee` */
  readonly payee: string;
  readonly reference?: string;
  readonly name: string;
}

/** A row of an earlier batch that was paid or may still be, as far as people are known by it. */
export interface PaidRow {
  readonly row: number;
  readonly reference?: string;
  readonly name: string;
  /** `Payout.payee` */
  readonly payee: string;
  readonly minor: bigint;
  /** The row was paid, by the last word of the service. */
  readonly isPaid: boolean;
}

/** A row and its amount in minor units. */
export interface NamedRow {
  readonly row: number;
  readonly name: string;
  readonly minor: bigint;
}

/** Some rows: the first few, their count and their sum in minor units. */
export interface SomeRows {
  readonly found: readonly NamedRow[];
  readonly count: number;
  readonly minor: bigint;
}

/** Rows whose amount differs from what the same person got: count, and by how much they are more or less in all. */
export interface OtherAmounts {
  /** The largest difference first. */
  readonly found: readonly (NamedRow & { readonly was: bigint })[];
  readonly count: number;
  readonly more: bigint;
  readonly less: bigint;
}

/** Rows that are far from what the same person got before. */
export interface FarAmounts {
  readonly found: readonly (NamedRow & { readonly usual: bigint; readonly payments: number })[];
  readonly count: number;
}

/** What counts as far. */
export interface FarRule {
  /** So many payments make a history. */
  readonly paymentsMin: number;
  /** More than so many times the middle amount, or less than one of so many parts of it. */
  readonly factor: number;
}

/** Where a person was paid the last time, when that was another payee. */
export interface PaidElsewhere {
  readonly batch: BatchId;
  readonly row: number;
}

/** What one batch and the sheet differ in. */
export interface Difference {
  readonly paid: { readonly count: number; readonly minor: bigint };
  readonly newPeople: SomeRows;
  /** Rows of the batch. */
  readonly gonePeople: SomeRows;
  readonly otherAmounts: OtherAmounts;
}

/**
 * A person is known by the reference first where payee or name agree with it, then by payee and amount, then by the payee, then by the
 * reference alone, and last by the name as names are compared. Each row of a batch is one row of the sheet at most. Of several rows
 * that bear the same name and are known by nothing else, the first is taken for the first, the second for the second.
 */
export interface KnownPeople {
  /** So many people of the sheet at most, each payee once, spread evenly over its rows. */
  sample(most: number): readonly AskedPerson[];
  /** The rows that are added from now on are those of another batch; of the one before nothing is left but whom it was known to pay. */
  begin(): void;
  add(rows: readonly PaidRow[]): void;
  /** How many rows of the sheet have a payee or a name that the rows of the batch have, and how many rows there are. */
  shared(): { readonly count: number; readonly of: number };
  /** Knows people in the rows of this batch, which are all there. Batches come one after the other, the latest first. */
  know(batch: BatchId): void;
  /** What that batch differs in; at most so many rows are named of each. */
  difference(most: number): Difference;
  /** Rows from `first` to `last` that paid another payee in the latest batch in which their person is known. */
  paidElsewhere(first: number, last: number): ReadonlyMap<number, PaidElsewhere>;
  farAmounts(rule: FarRule, most: number): FarAmounts;
}
