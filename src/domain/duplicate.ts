/** What a sheet is held against so that nobody is paid twice: payments of earlier batches, and what they have in common. */
import type { BatchId, BatchKey, OrderId, TraceNumber } from './ids.ts';
import type { Money } from './money.ts';

/** A payment of an earlier batch that was made or may still be. */
interface PaymentBefore {
  readonly batch: BatchId;
  readonly key: BatchKey;
  /** When the batch was planned, in wall-clock milliseconds. */
  readonly plannedAt: number;
  readonly payee: string;
  readonly reference?: string;
  readonly amount: Money;
}

/** Payments of one batch that are alike in payee, reference and amount. */
export interface EarlierPayment extends PaymentBefore {
  readonly count: number;
}

/** A payment under a reference of the sheet, to another payee than the sheet has for it. */
export interface MovedPayment extends PaymentBefore {
  /** Its row in the sheet of that batch. */
  readonly row: number;
  readonly reference: string;
  readonly name: string;
  /** Where the money went, for people. */
  readonly destination: string;
}

/** A reference of the sheet and the payee that it has there. */
export interface ReferredPayee {
  readonly reference: string;
  readonly payee: string;
}

/** Whom a sheet pays, as others are asked about it. */
export interface PayeesAsked {
  /** `Payout.payee` */
  readonly payees: readonly string[];
  readonly referred: readonly ReferredPayee[];
}

/** A row that a batch has an order for and has not paid, whatever became of it. */
export interface UnpaidRow extends PaymentBefore {
  readonly name: string;
  readonly order: OrderId;
  readonly trace: TraceNumber;
}

export interface Sum {
  readonly count: number;
  readonly amount: Money;
}

/** A payment of the sheet, named to people. */
export interface NamedPayment {
  readonly row: number;
  /** Cell of the amount. */
  readonly cell: string;
  readonly name: string;
  readonly amount: Money;
}

/** Some payments, the first of them named. */
export interface SumWithRows extends Sum {
  readonly rows: readonly NamedPayment[];
}

/** Payments of the sheet that an earlier batch holds as well. */
export interface BatchOverlap extends SumWithRows {
  readonly batch: BatchId;
  /** Day on which it was planned, in the zone of the configuration: `2026-11-21`. */
  readonly date: string;
  /** It is so near that the same payments are taken for a repetition. */
  readonly isHeld: boolean;
}

/** Somebody whose phone or account is another one than the last time. */
export interface ChangedPayee {
  readonly row: number;
  readonly name: string;
  readonly reference?: string;
  /** Where their money went the last time; numbers are masked. */
  readonly from: string;
  readonly to: string;
  readonly batch: BatchId;
  /** Their row in the sheet of that batch. */
  readonly rowThen: number;
}

/** So many of them, the first ones named. */
export interface NamedOf<T> {
  readonly count: number;
  readonly rows: readonly T[];
}

/** Somebody who gets another amount than the last time. */
export interface ChangedAmount extends NamedPayment {
  readonly was: Money;
}

/** An amount that is far from what the payee got before. */
export interface UnusualAmount extends NamedPayment {
  /** The middle one of those payments; of an even number the larger of the two. */
  readonly usual: Money;
  readonly payments: number;
}

/** A sheet beside the latest batch that paid most of the same people: the same payroll a month ago. */
export interface LastTime {
  readonly batch: BatchId;
  /** Day on which it was planned, in the zone of the configuration: `2026-11-21`. */
  readonly date: string;
  /** What it was to pay. */
  readonly paid: Sum;
  readonly newPeople: SumWithRows;
  /** Whom it paid and this sheet does not; rows are those of its own sheet. */
  readonly gonePeople: SumWithRows;
  /** The largest difference first. */
  readonly changedAmounts: NamedOf<ChangedAmount> & { readonly more: Money; readonly less: Money };
}

/** What people are told of a sheet beside earlier ones; what there is nothing of is missing. */
export interface EarlierFindings {
  /**
   * Payments that an earlier batch made, or may still make. `held`: those of batches that are so near that they are taken for a
   * repetition; salaries of the month before are none. The batches with the most of them are named, the near ones first.
   */
  readonly paidBefore?: Sum & { readonly held: Sum; readonly batches: readonly BatchOverlap[] };
  /** Phones and accounts that changed: a live run goes on when their exact number was acknowledged. */
  readonly changedPayees?: NamedOf<ChangedPayee>;
  /** Payments to payees that this ledger never paid; missing for a first batch. */
  readonly newPayees?: SumWithRows;
  /** Missing when no earlier batch of this ledger paid most of these people. */
  readonly lastTime?: LastTime;
  readonly unusualAmounts?: NamedOf<UnusualAmount>;
}
