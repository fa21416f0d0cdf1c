/** Facts: what happened, in the past tense, appended to the ledger and never changed. State is derived from them. */
import type { ApproversChange } from './approval.ts';
import type { BatchId, OrderId, TraceNumber } from './ids.ts';
import type { Money } from './money.ts';
import type { SubmissionName } from './submission.ts';

/** What a status record says of one line, as it came. Spec: "Payment order status record". */
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
  /** `recipient.name`, where the service holds another text than was sent. */
  readonly heldName?: string;
}

/** What an answer to a submission lets us conclude; see `service/client/verdict.ts`. */
export type AnswerTag = 'accepted' | 'exists' | 'refused' | 'unauthorised' | 'throttled' | 'not-sent' | 'ambiguous';

/** A callback by its place in the inbox. A new inbox counts from 1 again, so the time belongs to it. */
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
  /** The order whose attempt at this row failed for good, when this is another attempt. */
  readonly replaces?: OrderId;
}

/**
 * What the ledger keeps beside its facts, and a plan is bound to: hashes over a random salt that is kept with each text, so
 * that nobody can guess a phone from its hash (`ledger/commitment.ts`).
 */
export interface Commitments {
  /** Of the exact bytes that every submission of the order sends, and of its place in the ledger. */
  readonly body: string;
  /** Of what the order was made of (`PlannedOrder.origin`). */
  readonly origin: string;
  /** Of the rows that its lines pay, in their order. */
  readonly rows: readonly string[];
  /** Charges quoted for them, in minor units. */
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
        /** Every recorded fact has them; one that is only thought of, to ask the service about an id, has none. */
        readonly commitments?: Commitments;
      }
    /** Durable before the order is posted: from here on it may have been sent. */
    | { readonly type: 'order-claimed'; readonly epoch: number }
    | {
        readonly type: 'order-answered';
        readonly tag: AnswerTag;
        /** HTTP status or error code with a bounded excerpt, free of secrets. */
        readonly reason: string;
        readonly serviceId?: string;
      }
    /**
     * A look-up answered "unknown" in the form this service uses for it. `firstInRun`: the first time in a run. What an earlier run
     * was told counts no more: where the ledger was put back since, the order may have been submitted after that.
     */
    | { readonly type: 'order-unknown'; readonly firstInRun?: true }
    | {
        readonly type: 'order-observed';
        readonly serviceId?: string;
        /** `isProcessed`. */
        readonly processed: boolean;
        readonly lines: readonly LineReport[];
        /** Further lines under the same trace numbers: what was carried out more than once. Missing when there are none. */
        readonly repeats?: readonly LineReport[];
        /** Lines that a processed record lacks, though it has others of the order. Missing when there are none. */
        readonly lacking?: readonly TraceNumber[];
        /** The service told it by a callback; missing for the answer to a look-up. */
        readonly source?: 'callback';
        /** Which callback it was. */
        readonly callback?: CallbackPlace;
      }
    /** A documented refusal, and look-ups prove that the service does not hold the order. */
    | { readonly type: 'order-refused' }
    | { readonly type: 'order-overdue' }
    /** The service's evidence contradicts the plan. */
    | { readonly type: 'order-alarmed'; readonly reason: string }
    /** A person's word on one line, for which the service has no final one. */
    | {
        readonly type: 'order-resolved';
        readonly trace: TraceNumber;
        readonly paid: boolean;
        /** User and machine. */
        readonly by: string;
        /** The receipt number as it was given; there when `paid`. */
        readonly receipt?: string;
        /** How the person knows. */
        readonly note?: string;
      }
    /** Somebody asks the service to stop the order; durable before it is asked. Only a look-up tells what comes of it. */
    | ({ readonly type: 'order-reject-requested' } & Said)
    /** A person says that nothing of the last submission arrived: the same bytes may be submitted once more. */
    | ({ readonly type: 'order-said-absent' } & Said)
    /** Another order pays the row of this line now, because this one failed for good. */
    | { readonly type: 'order-retried'; readonly trace: TraceNumber; readonly replacedBy: OrderId }
    /** A batch was planned that holds the payments of these lines, too; recorded with its plan. */
    | { readonly type: 'order-superseded'; readonly traces: readonly TraceNumber[]; readonly by: BatchId }
  );

/** Who said something of an order, and how that person knows. */
export interface Said {
  /** User and machine. */
  readonly by: string;
  readonly note?: string;
}

/** Rows of a batch that a canary does not count, by how they stood when it began. */
export interface CanaryBase {
  readonly completed: number;
  readonly open: number;
  readonly lost: number;
}

/** Rows that go ahead alone in a run; 0: none. */
export interface CanaryRecord {
  readonly rows: number;
  readonly base: CanaryBase;
}

/** On which terms a run works on its batch. */
export interface RunTerms {
  readonly canary?: CanaryRecord;
  /** So many rows were to be sent, in sheet order, because the wallet covered no more. */
  readonly rowsMost?: number;
}

/** Why a run stopped sending, beyond the reason in words. */
export interface StopRecord {
  readonly code: string;
  /** What to do before going on. */
  readonly todo: string;
}

/**
 * What the wallet held when a run ended, and what had left it since the batch was planned: minor units of the currency of the
 * batch, as digits.
 */
export interface WalletRecord {
  readonly balance: string;
  /** Paid by the batch, with fees. */
  readonly own: string;
  /** Paid by other batches of the ledger, with fees. */
  readonly others: string;
  /** Rows without a final word by then. */
  readonly open: number;
}

/** What is recorded of the end of a run beside its reason. */
export type StopDetails = Partial<StopRecord> & {
  readonly wallet?: WalletRecord;
};

/** Credentials that took the place of others of the same account. */
export interface ClientChange {
  readonly from: string;
  readonly to: string;
  /** User and machine. */
  readonly by: string;
  /** How the person knows. */
  readonly reason: string;
}

/** Another key for the signatures of a ledger, vouched for by both. */
export interface KeyChange {
  /** Public keys (`ledger/signing.ts`). */
  readonly from: string;
  readonly to: string;
  /** Of both, over the change. */
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
  (
    | { readonly type: 'batch-planned'; readonly header: unknown; readonly account: RecordedAccount }
    /** A row of the sheet that pays nobody. `hash`: as in `Commitments.rows`. */
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
        /** Rows that are to go ahead alone. */
        readonly canary?: number;
      }
    /** The service holds further attempts at rows, which a ledger that was lost had made: they are followed from here on. */
    | { readonly type: 'attempts-found'; readonly count: number }
    /**
     * Names, phones, accounts and the words of the service were deleted: of the facts before this one, of the rows and of what was
     * sent. `left`: hash over what is left of the rows (`ledger/commitment.ts`).
     */
    | { readonly type: 'batch-purged'; readonly by: string; readonly left: string }
    /** A person stopped the batch: nobody claims anything of it from here on. Recorded beside whoever has its lease. */
    | { readonly type: 'batch-stopped'; readonly by: string; readonly reason: string }
    /** A person takes it back. `stop`: place of that stop among the facts of the batch; one that came later stays in force. */
    | { readonly type: 'batch-released'; readonly by: string; readonly stop: number }
    /** A person said that the account of the ledger has a new client id. It is kept with the latest batch. */
    | ({ readonly type: 'client-id-changed' } & ClientChange)
    /** The ledger is signed with another key from here on. It is kept with the latest batch. */
    | ({ readonly type: 'signing-key-changed' } & KeyChange)
    /** Others have to approve from here on, by the word of those before. It is kept with the latest batch. */
    | ({ readonly type: 'approvers-changed' } & ApproversChange)
    | (RunTerms & {
        readonly type: 'run-started';
        readonly epoch: number;
        readonly holder: string;
        readonly version: string;
      })
    /** Without a code when nothing but its own end, or the operator, stopped the run; without a wallet when nobody could ask for it. */
    | ({ readonly type: 'run-stopped'; readonly epoch: number; readonly reason: string } & StopDetails)
  );
/** One callback, as it was kept. */
export interface CallbackMessage {
  /** Place in the inbox, from 1. It only grows: a reader that has seen n asks for what is after n. */
  readonly seq: number;
  /** What it is about: a name of `callbackShapes`. */
  readonly topic: string;
  /** The originatorConversationId or trace number that the body names, in lower case. */
  readonly subject: string;
  /** Wall-clock milliseconds at which it arrived first. */
  readonly receivedAt: number;
  /** The exact text of the body. It may hold personal data. */
  readonly body: string;
}
