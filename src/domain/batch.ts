/** A batch: one sheet as a unit, and what is recorded of it before the first order is sent. ISO 20022: the message. */
import type { ApprovalPolicy, ApprovalRecord } from './approval.ts';
import type { CurrencyCode } from './currency.ts';
import type { Fact, PlannedLine } from './fact.ts';
import type { BatchId, BatchKey, Brand, OrderId, TraceNumber } from './ids.ts';
import type { Issue } from './issue.ts';
import type { LeftOut, LeftOutSums } from './left-out.ts';
import type { Money } from './money.ts';
import type { LineState, OrderState } from './order.ts';
import type { Outcome } from './outcome.ts';
import type { SheetValue } from './sheet-value.ts';
import type { SubmissionName } from './submission.ts';

/** A heading of the user's sheet and what it was taken for. */
export interface Heading {
  /** Column counted from 1. */
  readonly column: number;
  readonly text: string;
  /** Our column, or undefined when the column is only carried into the results. */
  readonly means?: string;
  /** How that was known: the heading is one of the column's own, or a mapping decided it. */
  readonly by?: 'alias' | 'mapping';
  /** How the first number or date of the column is shown, as an Excel number format without words; missing where none is. */
  readonly format?: string;
}

/** The mapping of headings that a sheet was read with: enough to tell whether it is still the same one. */
export interface MappingRecord {
  readonly name: string;
  /** SHA-256 of what its headings mean, lower-case hexadecimal. */
  readonly sha256: string;
}

/** What is known of a batch as a whole, fixed when it is planned. */
export interface BatchHeader {
  readonly id: BatchId;
  readonly key: BatchKey;
  /** Fingerprint of the content, whatever the batch is called. */
  readonly fingerprint: string;
  readonly sheet: {
    /** Name of the file, without its folder. */
    readonly name: string;
    /** Folder that the file was read from; results go there unless told otherwise. */
    readonly folder: string;
    readonly sha256: string;
    readonly worksheet?: string;
    readonly headings: readonly Heading[];
    readonly mapping?: MappingRecord;
  };
  readonly profile: string;
  /** True for the embedded practice service: no real money moves. */
  readonly sandbox: boolean;
  readonly service: string;
  readonly organisation: string;
  /** `Settings.idNamespace` */
  readonly idNamespace: string;
  readonly currency: CurrencyCode;
  /** Rows of the table in the sheet: payable ones, ones set aside, and ones left out. */
  readonly rows: number;
  readonly payable: number;
  /** Rows that the sheet leaves out on purpose; missing when there are none. */
  readonly leftOut?: LeftOutSums;
  /** Values that were read as their certain repair, because the operator accepted fixes; left out when there are none. */
  readonly repairs?: number;
  /** Control sum of the payable rows. ISO 20022: `CtrlSum`. */
  readonly total: Money;
  /** Charges quoted for the payable rows. */
  readonly charges: Money;
  /** Wallet balance read just before. */
  readonly balance: Money;
  readonly plannedAt: number;
  /** Who ran it, for the audit: user and machine. */
  readonly maker: string;
  /** How the control totals were confirmed. */
  readonly confirmation: string;
  /** Who had to agree when it was planned; left out when nobody. The latest one counts for the ledger. */
  readonly policy?: ApprovalPolicy;
  /** The plan that it pays, and who approved it; left out when it was confirmed by control totals. */
  readonly approval?: ApprovalRecord;
  /** What earlier batches paid, or might still pay, when it was planned; left out when they had nothing in common. */
  readonly paidBefore?: PaidBefore;
  /** How the sheet differed from earlier batches, as it was told when it was planned; left out when there was nothing to tell. */
  readonly differs?: SheetDifference;
  /** The first rows that would cost less with a slightly smaller amount, and how much less; left out when there are none. */
  readonly aboveEdge?: readonly { readonly row: number; readonly saving: Money }[];
  /** Rows that are to go ahead alone; left out when none. */
  readonly canary?: number;
  readonly version: string;
}

/** Payments that were made once more, and who answers for it. */
export interface PaidBefore {
  readonly rows: number;
  /** The batches with the most of them. */
  readonly batches: readonly BatchId[];
  /** Why they were made once more, in the operator's words; missing when their exact number was accepted or tolerated. */
  readonly reason?: string;
}

/** Some rows of a sheet by their number, and how many there are in all. */
interface RecordedRows<T = number> {
  readonly count: number;
  readonly rows: readonly T[];
}

/**
 * How a sheet differed from earlier ones: rows and amounts alone. The header stays when people are deleted from the ledger, so their
 * names and accounts are only in the rows themselves.
 */
export interface SheetDifference {
  /** Beside the latest batch that paid most of the same people. */
  readonly lastTime?: {
    readonly batch: BatchId;
    readonly newPeople: RecordedRows & { readonly amount: Money };
    /** Rows of that batch. */
    readonly gonePeople: RecordedRows & { readonly amount: Money };
    readonly changedAmounts: RecordedRows<{ readonly row: number; readonly was: Money }> & {
      readonly more: Money;
      readonly less: Money;
    };
  };
  /** Phones and accounts that changed, each with the row that paid the person the last time. */
  readonly changedPayees?: RecordedRows<{ readonly row: number; readonly batch: BatchId; readonly rowThen: number }>;
  readonly unusualAmounts?: RecordedRows<{ readonly row: number; readonly usual: Money }>;
  /** Payments to payees that this ledger had never paid. */
  readonly newPayees?: RecordedRows & { readonly amount: Money };
}

/** What is said of a batch that was allowed to repeat payments; undefined for one that was not. */
export const duplicateText = ({ paidBefore }: Pick<BatchHeader, 'paidBefore'>): string | undefined =>
  paidBefore &&
  [
    `${paidBefore.rows} of its payments stood in earlier batches`,
    ...(paidBefore.batches.length > 0 ? [` (${paidBefore.batches.join(', ')})`] : []),
    ...(paidBefore.reason === undefined ? [] : [`; allowed: ${paidBefore.reason}`]),
  ].join('');

/** One row of the sheet as it is recorded: with a payout, left out with its reason, or set aside with its issues. */
export interface PlannedRow {
  readonly row: number;
  readonly payout?: Payout;
  readonly leftOut?: LeftOut;
  readonly order?: OrderId;
  readonly trace?: TraceNumber;
  readonly charge?: Money;
  /** What stands in the user's own columns, in the order of the headings. */
  readonly texts: readonly SheetValue[];
  readonly issues: readonly Issue[];
}

/** One order as it is recorded, with the exact body that every submission sends. */
export interface PlannedOrder {
  readonly id: OrderId;
  readonly submission: SubmissionName;
  readonly attempt: number;
  readonly body: string;
  /** What ids and body were made of, as `batch/order-origin.ts` writes it. */
  readonly origin: string;
  readonly lines: readonly PlannedLine[];
}

/** A recorded order, as far as another attempt at its rows begins with it. */
export interface KeptOrder extends Pick<PlannedOrder, 'body' | 'origin'> {
  readonly state: OrderState;
}

/** The attempt of an order at one of its rows. */
export interface Attempt extends KeptOrder {
  readonly row: number;
}

/** The first fact of an order, without what the ledger commits to when it is recorded. */
export const plannedFact = (
  { id, submission, attempt, lines }: PlannedOrder,
  at: number,
): Extract<Fact, { type: 'order-planned' }> => ({
  type: 'order-planned',
  order: id,
  at,
  submission,
  attempt,
  lines,
});

/** Rows and orders that are recorded together; all blocks of a batch are one transaction. */
export interface PlannedBlock {
  readonly rows: readonly PlannedRow[];
  readonly orders: readonly PlannedOrder[];
}

/** Count and sum of the rows of one outcome. */
export interface Tally {
  readonly outcome: Outcome;
  readonly count: number;
  readonly amount: Money;
  readonly fees: Money;
  /** Rows among them that are left out and have no amount that can be read; missing when there are none. */
  readonly unread?: number;
  /** Rows among them whose order was superseded: no run of the batch sends them. Missing when there are none. */
  readonly superseded?: number;
}

/** An order of another batch, and those of its lines whose payments a batch holds that is planned now. */
export interface HeldOrder {
  readonly batch: BatchId;
  readonly order: OrderId;
  readonly traces: readonly TraceNumber[];
}

/** Rows that no run of a batch sends although they were never sent, because later batches hold the same payments. */
export interface SupersededRows {
  readonly rows: number;
  /** Which, and why: a sentence. */
  readonly says: string;
  /** What to do about them: sentences. */
  readonly todo: string;
}

/** One row of the sheet with all that became of it: what the results workbook shows. */
export interface ResultRow extends PlannedRow {
  readonly outcome: Outcome;
  readonly state?: OrderState;
  readonly line?: LineState;
  /** Alarms that stand on earlier attempts at the row: one of them may have paid it. */
  readonly earlierAlarms?: readonly string[];
  /** Its lines in those orders. */
  readonly earlierLines?: readonly LineState[];
  /**
   * Runs of the batch do not send the row, or not again, and it is not tried again: a later batch holds the same payment
   * (`batch`), or, of a row that did not fail, that of another row of the same order.
   */
  readonly superseded?: { readonly batch?: BatchId };
  /** A ledger before this one may have paid the row, and no run has found out yet. */
  readonly unconfirmed?: true;
  /** When it was sent, in wall-clock milliseconds: a time that has not come yet. */
  readonly sentAhead?: number;
  /** Whom the service names as its recipient, where that is clearly another name than the sheet's. */
  readonly otherName?: string;
}

/** Name of a way of paying. The names themselves are known in `kinds/` alone. */
export type KindName = Brand<string, 'KindName'>;

/** A payout: one intended payment, checked and blind to its kind. ISO 20022: `CdtTrfTxInf` (pain.001). */
export interface Payout {
  readonly kind: KindName;
  /** The payer's own reference, normalised; undefined when the row has none. ISO 20022: `EndToEndId`. */
  readonly reference?: string;
  /** Who is paid, as the sheet says it; the destination where it has no column of names. */
  readonly name: string;
  /** Where the money goes, for people: `+254712345678`, `Paybill 400200, account 1234`. */
  readonly destination: string;
  /** Kind and destination in normalised form, part of the row's identity. */
  readonly payee: string;
  /** Name of the mobile network, when there is one. */
  readonly network?: string;
  readonly amount: Money;
  /** Free text that goes with the payment. */
  readonly note?: string;
}

/** Whether the sheet names who is paid; a payout that it does not name is called by its destination, and no holder's name can differ. */
export const isNamed = ({ name, destination }: Pick<Payout, 'name' | 'destination'>): boolean => name !== destination;

/** Who stopped a batch, when and why, while that is in force. */
export interface BatchStop {
  readonly batch: BatchId;
  /** Place of the fact that says so among the facts of the batch: which stop is taken back. */
  readonly number: number;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** User and machine. */
  readonly by: string;
  readonly reason: string;
}

/** Longest reason that is recorded, in characters: it is kept for ever, and shown wherever the batch is. */
export const STOP_REASON_MAX = 300;

/** Says it of a batch in a clause. */
export const batchStopText = ({ by, reason }: Pick<BatchStop, 'by' | 'reason'>): string =>
  `${by} stopped the batch (${reason})`;
