/** A batch: one sheet as a unit, and what is recorded about it before the first order is sent. In ISO 20022, the message. */
import type { ApprovalPolicy, ApprovalRecord } from './approval.ts';
import { agreeing } from './counted.ts';
import type { CurrencyCode } from './currency.ts';
import type { NamedOf } from './duplicate.ts';
import type { Fact, PlannedLine } from './fact.ts';
import type { BatchId, BatchKey, Brand, OrderId, TraceNumber } from './ids.ts';
import type { Issue } from './issue.ts';
import type { LeftOut, LeftOutSums } from './left-out.ts';
import type { Money } from './money.ts';
import type { LineState, OrderState } from './order.ts';
import type { Outcome } from './outcome.ts';
import type { SheetValue } from './sheet-value.ts';
import type { SubmissionName } from './submission.ts';

/** A heading of the user's sheet, and the column that it was recognised as. */
export interface Heading {
  /** Column counted from 1. */
  readonly column: number;
  readonly text: string;
  /** Id of paybatch's column; `undefined` if the sheet's column is only carried into the results. */
  readonly means?: string;
  /** How the meaning was determined: the heading is one of the column's own headings, or a mapping decided it. */
  readonly by?: 'alias' | 'mapping';
  /** Excel number format, without words, of the first number or date in the column; absent if no cell has one. */
  readonly format?: string;
}

/** The mapping that the headings of a sheet were read by: enough to tell whether it has changed since. */
export interface MappingRecord {
  readonly name: string;
  /** SHA-256 of the meanings of the headings, lower-case hexadecimal. */
  readonly sha256: string;
}

/** The data of a batch as a whole, fixed when it is planned. */
export interface BatchHeader {
  readonly id: BatchId;
  readonly key: BatchKey;
  /** Fingerprint of the content; it does not depend on the name of the batch. */
  readonly fingerprint: string;
  readonly sheet: {
    /** Name of the file, without its folder. */
    readonly name: string;
    /** Folder that the file was read from. Results are written there unless another folder is given. */
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
  /** Rows of the table in the sheet: payable rows, rows set aside, and rows left out. */
  readonly rows: number;
  readonly payable: number;
  /** Rows that the sheet leaves out on purpose; absent if there are none. */
  readonly leftOut?: LeftOutSums;
  /** Number of values read as their certain repair, because the operator accepted fixes; absent if there are none. */
  readonly repairs?: number;
  /** Control sum of the payable rows. ISO 20022: `CtrlSum`. */
  readonly total: Money;
  /** Charges quoted for the payable rows. */
  readonly charges: Money;
  /** Wallet balance read just before planning. */
  readonly balance: Money;
  readonly plannedAt: number;
  /** The person who ran it, for the audit: user and machine. */
  readonly maker: string;
  /** How the control totals were confirmed. */
  readonly confirmation: string;
  /** The approval policy at planning; absent if there was none. The one of the latest batch counts for the ledger. */
  readonly policy?: ApprovalPolicy;
  /** The plan that the batch pays, and its approvals; absent if the batch was confirmed by control totals. */
  readonly approval?: ApprovalRecord;
  /** Payments of this batch that earlier batches had made, or might still make, at planning; absent if there were none. */
  readonly paidBefore?: PaidBefore;
  /** Differences from earlier batches, as reported at planning; absent if there were none. */
  readonly differs?: SheetDifference;
  /** The first rows that would cost less with a slightly smaller amount, and how much less; absent if there are none. */
  readonly aboveEdge?: readonly { readonly row: number; readonly saving: Money }[];
  /** Number of canary rows, which are sent first, before all others; absent if none. */
  readonly canary?: number;
  /** The most rows that the first run was to send, because the wallet covered no more; absent: all. */
  readonly rowsMost?: number;
  readonly version: string;
}

/** Payments that earlier batches held too, and the reason for repeating them. */
export interface PaidBefore {
  readonly rows: number;
  /** The earlier batches with the most of these payments. */
  readonly batches: readonly BatchId[];
  /** The operator's reason for repeating them; absent if their exact number was accepted or tolerated. */
  readonly reason?: string;
}

/**
 * How a sheet differed from earlier ones, as row numbers and amounts only. The header is kept when people are deleted from
 * the ledger, so their names and accounts must be in the rows only.
 */
export interface SheetDifference {
  /** Compared with the latest batch that paid most of the same people. */
  readonly lastTime?: {
    readonly batch: BatchId;
    readonly newPeople: NamedOf<number> & { readonly amount: Money };
    /** People whom that batch paid and this sheet does not. Rows are those of that batch. */
    readonly gonePeople: NamedOf<number> & { readonly amount: Money };
    readonly changedAmounts: NamedOf<{ readonly row: number; readonly was: Money }> & {
      readonly more: Money;
      readonly less: Money;
    };
  };
  /** Phones and accounts that changed, each with the row that last paid the person. */
  readonly changedPayees?: NamedOf<{ readonly row: number; readonly batch: BatchId; readonly rowThen: number }>;
  readonly unusualAmounts?: NamedOf<{ readonly row: number; readonly usual: Money }>;
  /** Payments to payees whom this ledger had never paid. */
  readonly newPayees?: NamedOf<number> & { readonly amount: Money };
}

/** Returns the clause about a batch that was allowed to repeat payments; `undefined` for any other batch. */
export const duplicateText = ({ paidBefore }: Pick<BatchHeader, 'paidBefore'>): string | undefined =>
  paidBefore && (paidBefore.rows === 0 ? allowedText(paidBefore) : repeatedText(paidBefore));

/** Returns the clause about a batch that repeats no payment, and was allowed because it looked like another batch, corrected. */
const allowedText = ({ reason }: PaidBefore): string | undefined =>
  reason === undefined ? undefined : `Allowed as another payment: ${reason}`;

const repeatedText = (paidBefore: PaidBefore): string =>
  [
    `${paidBefore.rows} of its payments ${agreeing(paidBefore.rows, 'was', 'were')} already in earlier batches`,
    ...(paidBefore.batches.length > 0 ? [` (${paidBefore.batches.join(', ')})`] : []),
    ...(paidBefore.reason === undefined ? [] : [`; allowed: ${paidBefore.reason}`]),
  ].join('');

/** One row of the sheet as recorded: with a payout, left out with its reason, or set aside with its issues. */
export interface PlannedRow {
  readonly row: number;
  readonly payout?: Payout;
  readonly leftOut?: LeftOut;
  readonly order?: OrderId;
  readonly trace?: TraceNumber;
  readonly charge?: Money;
  /** Values of the user's own columns, in the order of the headings. */
  readonly texts: readonly SheetValue[];
  readonly issues: readonly Issue[];
}

/** One order as recorded, with the exact body that every submission of it sends. */
export interface PlannedOrder {
  readonly id: OrderId;
  readonly submission: SubmissionName;
  readonly attempt: number;
  readonly body: string;
  /** What ids and body were made from, as `batch/order-origin.ts` writes it. */
  readonly origin: string;
  readonly lines: readonly PlannedLine[];
}

/** The parts of a recorded order from which another attempt at its rows is made. */
export interface KeptOrder extends Pick<PlannedOrder, 'body' | 'origin'> {
  readonly state: OrderState;
}

/** The attempt of an order at one of its rows. */
export interface Attempt extends KeptOrder {
  readonly row: number;
}

/** Returns the first fact of an order, without the commitments that the ledger adds when it records the fact. */
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

/** Rows and orders that are recorded together, in one transaction. */
export interface PlannedBlock {
  readonly rows: readonly PlannedRow[];
  readonly orders: readonly PlannedOrder[];
}

/** Count and sums of the rows with one outcome. */
export interface Tally {
  readonly outcome: Outcome;
  readonly count: number;
  readonly amount: Money;
  readonly fees: Money;
  /** Rows among them that are left out and whose amount cannot be read; absent if there are none. */
  readonly unread?: number;
  /** Rows among them whose order was superseded, so that no run of the batch sends them; absent if there are none. */
  readonly superseded?: number;
}

/** An order of another batch, with those of its lines whose payments are also in the batch that is being planned. */
export interface HeldOrder {
  readonly batch: BatchId;
  readonly order: OrderId;
  readonly traces: readonly TraceNumber[];
}

/** Unsent rows that no run of a batch sends, because later batches hold the same payments. */
export interface SupersededRows {
  readonly rows: number;
  /** Which rows, and why: a sentence. */
  readonly says: string;
  /** What to do about the rows: sentences. */
  readonly todo: string;
}

/** One row of the sheet with everything that happened to it, as the results workbook shows it. */
export interface ResultRow extends PlannedRow {
  readonly outcome: Outcome;
  readonly state?: OrderState;
  readonly line?: LineState;
  /** Alarms of earlier attempts at the row: one of these attempts may have paid it. */
  readonly earlierAlarms?: readonly string[];
  /** The lines of the row in those earlier attempts that have alarms. */
  readonly earlierLines?: readonly LineState[];
  /**
   * Present if runs of the batch do not send the row, or not again, and `retry` leaves it alone. Either a later batch
   * holds the same payment (`batch`), or, for a row that did not fail, a later batch holds the payment of another row of
   * the same order.
   */
  readonly superseded?: { readonly batch?: BatchId };
  /** True if a ledger before this one may have paid the row, and no run has found out yet. */
  readonly unconfirmed?: true;
  /** Time at which the row was sent, if that is still in the future by the clock of this computer. Wall-clock milliseconds. */
  readonly sentAhead?: number;
  /** Name of the recipient according to the service, if it clearly differs from the name in the sheet. */
  readonly otherName?: string;
}

/** Yields rows in blocks, each as `mark` returns it. */
export async function* marked(
  rows: AsyncIterable<readonly ResultRow[]>,
  mark: (row: ResultRow) => ResultRow,
): AsyncGenerator<readonly ResultRow[]> {
  for await (const block of rows) yield block.map(mark);
}

/** Name of a way of paying. Only `kinds/` knows the names. */
export type KindName = Brand<string, 'KindName'>;

/** A payout: one intended payment, checked and independent of its kind. ISO 20022: `CdtTrfTxInf` (pain.001). */
export interface Payout {
  readonly kind: KindName;
  /** The payer's own reference, normalised; undefined when the row has none. ISO 20022: `EndToEndId`. */
  readonly reference?: string;
  /** Name of the payee as in the sheet; the destination if the sheet has no column of names. */
  readonly name: string;
  /** Where the money goes, for people: `+254712345678`, `Paybill 400200, account 1234`. */
  readonly destination: string;
  /** Kind and destination in normalised form; part of the row's identity. */
  readonly payee: string;
  /** Name of the mobile network, if there is one. */
  readonly network?: string;
  readonly amount: Money;
  /** Free text that goes with the payment. */
  readonly note?: string;
}

/**
 * Reports whether the sheet names the payee. A payout without a name is called by its destination, and no holder's name can
 * differ from that.
 */
export const isNamed = ({ name, destination }: Pick<Payout, 'name' | 'destination'>): boolean => name !== destination;

/** A stop of a batch that is in force: who stopped it, when and why. */
export interface BatchStop {
  readonly batch: BatchId;
  /** Number of the stop among the facts of the batch. A release refers to the stop by this number. */
  readonly number: number;
  /** Wall-clock milliseconds. */
  readonly at: number;
  /** User and machine. */
  readonly by: string;
  readonly reason: string;
}

/** Returns a clause that says who stopped the batch, and why. */
export const batchStopText = ({ by, reason }: Pick<BatchStop, 'by' | 'reason'>): string =>
  `${by} stopped the batch (${reason})`;
