/** The payments of earlier batches that a sheet is compared with so that nobody is paid twice, and what they have in common. */
import type { BatchId, BatchKey, OrderId, TraceNumber } from './ids.ts';
import type { Money } from './money.ts';
import type { Outcome } from './outcome.ts';

/** A payment of an earlier batch that was made, or may still be. */
interface PaymentBefore {
  readonly batch: BatchId;
  readonly key: BatchKey;
  /** When the batch was planned, in wall-clock milliseconds. */
  readonly plannedAt: number;
  readonly payee: string;
  readonly reference?: string;
  readonly amount: Money;
}

/** Payments of one batch that are equal in payee, reference and amount. */
export interface EarlierPayment extends PaymentBefore {
  readonly count: number;
}

/** An earlier payment under a reference of the sheet, to another payee than the sheet has for that reference. */
export interface MovedPayment extends PaymentBefore {
  /** Row of the payment in the sheet of that batch. */
  readonly row: number;
  readonly reference: string;
  readonly name: string;
  /** Where the money went, for people. */
  readonly destination: string;
}

/** A reference of the sheet, with its payee in the sheet. */
export interface ReferredPayee {
  readonly reference: string;
  readonly payee: string;
}

/** The payees and references of a sheet, for which the ledger looks up earlier payments. */
export interface PayeesAsked {
  /** `Payout.payee` */
  readonly payees: readonly string[];
  readonly referred: readonly ReferredPayee[];
}

/** A row for which a batch has an order and which was not paid, with any outcome. */
export interface UnpaidRow extends PaymentBefore {
  readonly row: number;
  readonly name: string;
  readonly outcome: Outcome;
  readonly order: OrderId;
  readonly trace: TraceNumber;
}

export interface Sum {
  readonly count: number;
  readonly amount: Money;
}

/** A payment, with the row and the name that identify it to people. */
export interface NamedRow {
  readonly row: number;
  readonly name: string;
  readonly amount: Money;
}

/** A payment of a sheet, with its cell. */
export interface NamedPayment extends NamedRow {
  /** Cell of the amount. */
  readonly cell: string;
}

/** A payment of the sheet that an earlier batch makes as well. */
export interface RepeatedPayment extends NamedPayment {
  /** Whom the batch pays, with numbers masked, if it is another payee: `Peter Otieno, +2547•••••678`. */
  readonly paidTo?: string;
}

/** Count and sum of some payments, with the first of them named. */
export interface SumWithRows extends Sum {
  readonly rows: readonly NamedPayment[];
}

/** Payments of the sheet that an earlier batch holds as well. */
interface BatchOverlap extends SumWithRows {
  readonly rows: readonly RepeatedPayment[];
  readonly batch: BatchId;
  /** Day on which the batch was planned, in the time zone of the configuration: `2026-11-21`. */
  readonly date: string;
  /** Whether the batch is so recent that equal payments are taken for a repetition. */
  readonly isHeld: boolean;
}

/** A person whose phone or account differs from the last time. */
export interface ChangedPayee {
  readonly row: number;
  readonly name: string;
  readonly reference?: string;
  /** Where their money went the last time, with numbers masked. */
  readonly from: string;
  readonly to: string;
  readonly batch: BatchId;
  /** Their row in the sheet of that batch. */
  readonly rowThen: number;
  /** What became of that row, unless it was paid. */
  readonly outcome?: Outcome;
}

/** How many there are, and the first of them. */
export interface NamedOf<T> {
  readonly count: number;
  readonly rows: readonly T[];
}

/** A person who gets another amount than the last time. */
interface ChangedAmount extends NamedPayment {
  readonly was: Money;
}

/** An amount that is far from what the payee was paid before. */
export interface UnusualAmount extends NamedPayment {
  /** Median of those payments; for an even number of them, the larger of the two middle ones. */
  readonly usual: Money;
  readonly payments: number;
}

/** A sheet compared with the latest batch that paid most of the same people: the same payroll a month ago. */
export interface LastTime {
  readonly batch: BatchId;
  /** Day on which the batch was planned, in the time zone of the configuration: `2026-11-21`. */
  readonly date: string;
  /** Count and sum of the payments that the batch was to make. */
  readonly paid: Sum;
  readonly newPeople: SumWithRows;
  /** People whom the batch paid and this sheet does not. Rows are those of the sheet of that batch. */
  readonly gonePeople: SumWithRows;
  /** Rows with a changed amount, the largest difference first. */
  readonly changedAmounts: NamedOf<ChangedAmount> & { readonly more: Money; readonly less: Money };
}

/** What people are shown about a sheet compared with earlier batches. A finding that does not apply is absent. */
export interface EarlierFindings {
  /**
   * Payments that an earlier batch made, or may still make. `held`: those in batches so recent that they are taken for a
   * repetition, which the salaries of the month before are not. `batches`: the batches with the most of these payments, the
   * recent ones first.
   */
  readonly paidBefore?: Sum & { readonly held: Sum; readonly batches: readonly BatchOverlap[] };
  /** Phones and accounts that changed. A live run continues only if their exact number was acknowledged. */
  readonly changedPayees?: NamedOf<ChangedPayee>;
  /** Payments to payees whom this ledger never paid; absent for a first batch. */
  readonly newPayees?: SumWithRows;
  /** Absent if no earlier batch of this ledger paid most of these people. */
  readonly lastTime?: LastTime;
  readonly unusualAmounts?: NamedOf<UnusualAmount>;
}
