/**
 * People of a sheet, known again in the rows of earlier batches. Batches are put beside the sheet one after the other, so that
 * no two sheets are ever held in memory. The staging implements it on its temporary file.
 */
import type { BatchId } from './ids.ts';

/** A payable row of an earlier batch, as far as people are known by it. */
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
 * A person is known by the reference first, then by payee and amount, then by the payee, and last by the name as names are
 * compared. Each row of a batch is one row of the sheet at most. Of several rows that bear the same name and are known by nothing
 * else, the first is taken for the first, the second for the second.
 */
export interface KnownPeople {
  /** The rows that are added from now on are those of this batch. Batches come one after the other, the latest first. */
  begin(batch: BatchId): void;
  add(rows: readonly PaidRow[]): void;
  /** Knows people in the rows of the batch, which are all there. */
  know(): void;
  /** What that batch differs in; at most so many rows are named of each. */
  difference(most: number): Difference;
  /** Rows from `first` to `last` that paid another payee in the latest batch in which their person is known. */
  paidElsewhere(first: number, last: number): ReadonlyMap<number, PaidElsewhere>;
  farAmounts(rule: FarRule, most: number): FarAmounts;
}
