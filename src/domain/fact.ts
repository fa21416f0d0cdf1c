/** Facts: what happened, in the past tense, appended to the ledger and never changed. State is derived from facts. */
import type { ApproversChange } from './approval.ts';
import type { BatchId, OrderId, TraceNumber } from './ids.ts';
import type { Money } from './money.ts';
import type { SubmissionName } from './submission.ts';

/** The content of a status record about one line, as received. Spec: "Payment order status record". */
export interface LineReport {
  readonly trace: TraceNumber;
  /** `transactionStatus`. */
  readonly status: number;
  readonly statusText: string;
  /** `paymentAmount` as decimal text: 0 until paid. */
  readonly paidAmount: string;
  /** `feeAmount` as decimal text. */
  readonly feeAmount: string;
  readonly resultCode?: string;
  readonly resultText?: string;
  /** `thirdPartyReceiptNumber`: the network's proof of payment. ISO 20022: `ClrSysRef`. */
  readonly receipt?: string;
  readonly tracking?: string;
  /** `transactionDate` as the service wrote it. */
  readonly date?: string;
  /** `transactionCreditParty`. */
  readonly creditParty?: string;
  /** `recipient.name`, if the service holds another text than was sent. */
  readonly heldName?: string;
}

/** The conclusion from an answer to a submission; see `service/client/verdict.ts`. */
export type AnswerTag = 'accepted' | 'exists' | 'refused' | 'unauthorised' | 'throttled' | 'not-sent' | 'ambiguous';

/** A callback by its place in the inbox. A new inbox counts from 1 again, so the time is part of the place. */
export interface CallbackPlace {
  readonly seq: number;
  /** Wall-clock milliseconds. */
  readonly receivedAt: number;
}

interface OrderFact {
  readonly order: OrderId;
  /** Wall-clock milliseconds. */
  readonly at: number;
}

export interface PlannedLine {
  readonly trace: TraceNumber;
  readonly row: number;
  readonly amount: Money;
  /** The order whose attempt at this row failed for good, if this line is another attempt. */
  readonly replaces?: OrderId;
}

/**
 * Hashes that the ledger keeps with its facts and that a plan is bound to. Each is over a text and a random salt stored with
 * that text, so that nobody can guess a phone number from its hash (`ledger/commitment.ts`).
 */
export interface Commitments {
  /** Over the exact bytes that every submission of the order sends, and its place in the ledger. */
  readonly body: string;
  /** Over what the order was made from (`PlannedOrder.origin`). */
  readonly origin: string;
  /** Over the rows that its lines pay, in the order of the lines. */
  readonly rows: readonly string[];
  /** Charges quoted for the lines, in minor units. */
  readonly charges: readonly (string | null)[];
}

/** A fact about one order. */
export type Fact = OrderFact &
  (
    | {
        readonly type: 'order-planned';
        readonly submission: SubmissionName;
        readonly attempt: number;
        readonly lines: readonly PlannedLine[];
        /** Present in every recorded fact. Absent in a hypothetical fact, which only serves to ask the service about an id. */
        readonly commitments?: Commitments;
      }
    /** Written to disk before the order is posted: from now on it may have been sent. */
    | { readonly type: 'order-claimed'; readonly epoch: number }
    | {
        readonly type: 'order-answered';
        readonly tag: AnswerTag;
        /** HTTP status or error code with a bounded excerpt, free of secrets. */
        readonly reason: string;
        readonly serviceId?: string;
      }
    /**
     * A look-up answered "unknown" in the form this service uses for it. `firstInRun` marks the first such answer of a run.
     * Answers from earlier runs no longer count: if the ledger was restored to an earlier state since, the order may have
     * been submitted after them.
     */
    | { readonly type: 'order-unknown'; readonly firstInRun?: true }
    | {
        readonly type: 'order-observed';
        readonly serviceId?: string;
        /** `isProcessed`. */
        readonly processed: boolean;
        readonly lines: readonly LineReport[];
        /** Further lines under the same trace numbers: payments that were carried out more than once. Absent if there are none. */
        readonly repeats?: readonly LineReport[];
        /** Lines that a processed record lacks although it has others of the order. Absent if there are none. */
        readonly lacking?: readonly TraceNumber[];
        /** Set if the report came by a callback; absent for the answer to a look-up. */
        readonly source?: 'callback';
        /** The callback that the report came by. */
        readonly callback?: CallbackPlace;
      }
    /** The service answered with a documented refusal, and look-ups prove that it does not hold the order. */
    | { readonly type: 'order-refused' }
    | { readonly type: 'order-overdue' }
    /** Evidence from the service contradicts the plan. */
    | { readonly type: 'order-alarmed'; readonly reason: string }
    /** A person's decision on one line for which the service has no final outcome. */
    | {
        readonly type: 'order-resolved';
        readonly trace: TraceNumber;
        readonly paid: boolean;
        /** User and machine. */
        readonly by: string;
        /** The receipt number as the person entered it; present if `paid`. */
        readonly receipt?: string;
        /** How the person knows. */
        readonly note?: string;
      }
    /** A person asks the service to stop the order. Written to disk before the request; only a look-up shows whether it worked. */
    | ({ readonly type: 'order-reject-requested' } & Said)
    /** A person says that nothing of the last submission arrived, so the same bytes may be submitted again. */
    | ({ readonly type: 'order-said-absent' } & Said)
    /** Another order now pays the row of this line, because this order failed for good. */
    | { readonly type: 'order-retried'; readonly trace: TraceNumber; readonly replacedBy: OrderId }
    /** A batch was planned that holds the payments of these lines too. Recorded together with the plan of that batch. */
    | { readonly type: 'order-superseded'; readonly traces: readonly TraceNumber[]; readonly by: BatchId }
  );

/** The person who said something about an order, and how that person knows. */
export interface Said {
  /** User and machine. */
  readonly by: string;
  readonly note?: string;
}

/** Counts of the rows of a batch when a canary began. The canary does not count these rows. */
export interface CanaryBase {
  readonly completed: number;
  readonly open: number;
  readonly lost: number;
}

/** The canary of a run: rows sent first, before all others. `rows` is 0 if there is none. */
export interface CanaryRecord {
  readonly rows: number;
  readonly base: CanaryBase;
}

/** The limits under which a run works on its batch. */
export interface RunTerms {
  readonly canary?: CanaryRecord;
  /** At most this many rows were to be sent, in sheet order, because the wallet covered no more. */
  readonly rowsMost?: number;
}

/** Why a run stopped sending, in addition to the reason in words. */
interface StopRecord {
  readonly code: string;
  /** What to do before continuing. */
  readonly todo: string;
}

/**
 * The balance of the wallet when a run ended, and what had left the wallet since the batch was planned. All sums are minor
 * units of the currency of the batch, as digits.
 */
export interface WalletRecord {
  readonly balance: string;
  /** Paid by the batch, with fees. */
  readonly own: string;
  /** Paid by other batches of the ledger, with fees. */
  readonly others: string;
  /** Rows without a final outcome at that time. */
  readonly open: number;
}

/** What is recorded about the end of a run in addition to its reason. */
export type StopDetails = Partial<StopRecord> & {
  readonly wallet?: WalletRecord;
};

/** Credentials that replaced others of the same account. */
export interface ClientChange {
  readonly from: string;
  readonly to: string;
  /** User and machine. */
  readonly by: string;
  /** How the person knows. */
  readonly reason: string;
}

/** A change of the key that signs a ledger, signed by both keys. */
export interface KeyChange {
  /** Public keys (`ledger/signing.ts`). */
  readonly from: string;
  readonly to: string;
  /** Signatures of both keys over the change. */
  readonly signatures: readonly [from: string, to: string];
  /** User and machine. */
  readonly by: string;
  readonly reason: string;
}

/** The account that a batch is paid from. */
export interface RecordedAccount {
  readonly service: string;
  readonly tokenUrl: string;
  readonly clientId: string;
}

interface BatchFactBase {
  readonly batch: BatchId;
  readonly at: number;
}

/** A fact about a whole batch. */
export type BatchFact = BatchFactBase &
  /**
   * `rows`: a hash over what the sheet said about all rows, in sheet order, so that it can be proven without the orders.
   * Plans of earlier versions have none. `beginsAfter`: number of the last fact that an interrupted planning left under the
   * same id; absent if there is none.
   */
  (
    | {
        readonly type: 'batch-planned';
        readonly header: unknown;
        readonly account: RecordedAccount;
        readonly rows?: string;
        readonly beginsAfter?: number;
      }
    /** A row of the sheet that is not paid. `hash`: as in `Commitments.rows`. */
    | { readonly type: 'row-set-aside'; readonly row: number; readonly hash: string; readonly leftOut?: true }
    | {
        readonly type: 'retry-planned';
        readonly count: number;
        /** Sum of the new orders as decimal text, in the currency of the batch. */
        readonly total: string;
        /** User and machine. */
        readonly maker: string;
        /** How the control totals were confirmed. */
        readonly confirmation: string;
        /** Number of canary rows, which are sent first, before all others. */
        readonly canary?: number;
      }
    /** The service holds further attempts at rows, made by a ledger that was lost. They are followed from now on. */
    | { readonly type: 'attempts-found'; readonly count: number }
    /**
     * Names, phones, accounts and the words of the service were deleted from the earlier facts, from the rows and from what
     * was sent. `left`: hash over what is left of the rows (`ledger/commitment.ts`).
     */
    | { readonly type: 'batch-purged'; readonly by: string; readonly left: string }
    /**
     * A person stopped the batch: nothing of it is claimed from now on. Recorded even while another process has the lease
     * of the batch.
     */
    | { readonly type: 'batch-stopped'; readonly by: string; readonly reason: string }
    /** A person takes a stop back. `stop`: number of that stop among the facts of the batch; a later stop stays in force. */
    | { readonly type: 'batch-released'; readonly by: string; readonly stop: number }
    /** A person said that the account of the ledger has a new client id. Kept with the latest batch. */
    | ({ readonly type: 'client-id-changed' } & ClientChange)
    /** The ledger is signed with another key from now on. Kept with the latest batch. */
    | ({ readonly type: 'signing-key-changed' } & KeyChange)
    /** Other people must approve from now on, as the approvers before them signed. Kept with the latest batch. */
    | ({ readonly type: 'approvers-changed' } & ApproversChange)
    | (RunTerms & {
        readonly type: 'run-started';
        readonly epoch: number;
        readonly holder: string;
        readonly version: string;
      })
    /**
     * No code if the run stopped only because it was finished or the operator stopped it; no wallet if the balance could
     * not be read.
     */
    | ({ readonly type: 'run-stopped'; readonly epoch: number; readonly reason: string } & StopDetails)
  );
/** One callback, as stored. */
export interface CallbackMessage {
  /** Place in the inbox, counted from 1. It only grows: a reader that has seen n asks for what is after n. */
  readonly seq: number;
  /** Subject matter of the callback: a name of `callbackShapes`. */
  readonly topic: string;
  /** The originatorConversationId or trace number that the body names, in lower case. */
  readonly subject: string;
  /** When it first arrived, in wall-clock milliseconds. */
  readonly receivedAt: number;
  /** The exact text of the body. It may hold personal data. */
  readonly body: string;
}
