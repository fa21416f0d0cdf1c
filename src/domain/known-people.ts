/**
 * Recognises the people of a sheet in the rows of earlier batches. Batches are compared with the sheet one after the other,
 * so that two sheets are never held in memory. The staging implements this on its temporary file.
 */
import type { NamedOf, NamedRow, Sum } from './duplicate.ts';
import type { BatchId } from './ids.ts';
import type { Money } from './money.ts';

/** A person of the sheet, for whom the ledger finds earlier batches. */
export interface AskedPerson {
  /** `Payout.payee` */
  readonly payee: string;
  readonly reference?: string;
  readonly name: string;
}

/** A row of an earlier batch that was paid or may still be, with what people are recognised by. */
export interface PaidRow {
  readonly row: number;
  readonly reference?: string;
  readonly name: string;
  /** `Payout.payee` */
  readonly payee: string;
  readonly minor: bigint;
  /** Whether the row was paid, according to the latest answer of the service. */
  readonly isPaid: boolean;
}

/** The rule for amounts that are far from earlier ones. */
export interface FarRule {
  /** Number of earlier payments that a person must have at least. */
  readonly paymentsMin: number;
  /** An amount is far if it is more than `factor` times the median, or less than one `factor`th of it. */
  readonly factor: number;
}

/** The row that last paid a person, if it paid another payee. */
export interface PaidElsewhere {
  readonly batch: BatchId;
  readonly row: number;
}

/** How one batch differs from the sheet; see `LastTime`. */
export interface Difference {
  readonly paid: Sum;
  readonly newPeople: Sum & NamedOf<NamedRow>;
  /** People of the batch whom the sheet does not pay. Rows are those of the batch. */
  readonly gonePeople: Sum & NamedOf<NamedRow>;
  readonly changedAmounts: NamedOf<NamedRow & { readonly was: Money }> & { readonly more: Money; readonly less: Money };
}

/**
 * A person is recognised first by the reference, if payee or name agree with it, then by payee and amount, then by the payee,
 * then only by the reference, and last by the name as names are compared. Each row of a batch is matched to at most one row
 * of the sheet. If several rows have the same name and nothing else to recognise them by, the first is matched to the first,
 * the second to the second.
 */
export interface KnownPeople {
  /** Returns at most `most` people of the sheet, each payee once, spread evenly over its rows. */
  sample(most: number): readonly AskedPerson[];
  /** Starts another batch: rows added from now on are its rows. Of the batch before, only the people recognised in it are kept. */
  begin(): void;
  add(rows: readonly PaidRow[]): void;
  /** Returns how many rows of the sheet share a payee or a name with the rows of the batch, and how many rows the sheet has. */
  shared(): { readonly count: number; readonly of: number };
  /** Recognises people in the rows of this batch, after all of them were added. Batches come one after the other, the latest first. */
  know(batch: BatchId): void;
  /** Returns how that batch differs from the sheet, with at most `most` rows of each difference. */
  difference(most: number): Difference;
  /**
   * Returns the rows from `first` to `last` whose person was paid through another payee in the latest batch in which the
   * person is recognised.
   */
  paidElsewhere(first: number, last: number): ReadonlyMap<number, PaidElsewhere>;
  /** Returns the rows whose amount is far from what the same person was paid before: at most `most` of them. */
  farAmounts(rule: FarRule, most: number): NamedOf<NamedRow & { readonly usual: Money; readonly payments: number }>;
}
