/** What the stages are told by the configuration. The command line reads and checks it; the stages trust it. */

import type { ApprovalPolicy } from './approval.ts';
import type { JournalSettings } from './journal.ts';
import type { Language } from './language.ts';

/** How the service carries one kind. Spec: "Operations that appear in the menu without shape" (transaction routes). */
export interface RouteSettings {
  readonly routeId: string;
  readonly channelType: number;
  readonly transactionTypeId: string;
}

export interface SendingSettings {
  /** Submissions in flight at once. */
  readonly concurrency: number;
  /** 0: no limit of our own. */
  readonly ratePerSecond: number;
  readonly linesPerOrder: number;
  readonly requestTimeoutMs: number;
  /** Rows that go ahead alone; the rest leaves when they are completed. */
  readonly canary?: number | undefined;
  /** Rows without payment after which a run sends nothing more; 0: whatever fails. */
  readonly stopAfterFailures?: number | undefined;
  /** What fees may be above the charges quoted, in percent of the charges of the batch, before sending stops. */
  readonly feeTolerancePercent?: number | undefined;
}

export interface PollingSettings {
  readonly firstMs: number;
  readonly maxMs: number;
  /** How long an accepted order is followed in one run before it counts as in doubt. */
  readonly deadlineMs: number;
}

/** When an order whose answer was lost may be submitted again, with the same id and the same bytes. */
export interface InDoubtSettings {
  /** `same-id`: under the rule below. `never`: such an order is left to a person. */
  readonly resend: 'same-id' | 'never';
  /** Two look-ups must say "unknown" at least this far apart. */
  readonly unknownGapMs: number;
  /** No submission of the id may have ended within this time before the last of them. */
  readonly quietMs: number;
  /** Nothing is submitted again when its first submission is older than this. */
  readonly maxAgeMs: number;
  readonly maxResends: number;
  /**
   * Which orders are looked up before they are sent. `doubt`: those that this ledger may not know of. `always`: all of them,
   * because the whole disk may be put back to an earlier day, and nothing on it can tell. Undefined: `doubt`.
   */
  readonly lookFirst?: 'doubt' | 'always';
}

/**
 * Who pays, as orders say it, in the provider's own spelling. Which kinds need which fields: `kinds/kind.ts`. The currency is
 * that of the batch. Spec: "Payment order (request)", remitter fields; the pages of the provider list more for banks.
 */
export interface RemitterSettings {
  readonly name?: string;
  /** International, for example `+254700000000`. */
  readonly phoneNumber?: string;
  /** ISO 3166 alpha-2. */
  readonly country?: string;
  readonly sourceOfFunds?: string;
  readonly principalActivity?: string;
  readonly address?: string;
  readonly idType?: string;
  readonly idNumber?: string;
  readonly idIssuePlace?: string;
  /** yyyy/MM/dd, as all its dates. */
  readonly idIssueDate?: string;
  readonly idExpireDate?: string;
  readonly dateOfBirth?: string;
  /** A word, for example `Kenyan`. */
  readonly nationality?: string;
  readonly email?: string;
  readonly city?: string;
  readonly postalCode?: string;
  readonly state?: string;
  /** The bank of the remitter, and its code. */
  readonly financialInstitution?: string;
  readonly institutionIdentifier?: string;
}

export type RemitterField = keyof RemitterSettings;

/** For how many days a batch stands in the way of the same payments; see `preflight/duplicates/pay-period.ts`. */
export interface DuplicateSettings {
  /** Of a sheet that is named after the same month or week, and of a rehearsal without a name. */
  readonly withinDays: number;
  /** Of a sheet with a name that says no month and no week. */
  readonly samePersonDays: number;
  /** Of a sheet that is named after another month or week than the batch. */
  readonly otherPeriodDays: number;
}

/**
 * Stands where a request must name an address for results and nobody listens: they are looked up then. The ending `.invalid`
 * is reserved (RFC 2606), so that whatever a service sends there can never reach anybody. `localhost` would be the provider's own
 * machine, and an address of ours somebody else's.
 */
export const NOBODYS_ADDRESS = 'https://callbacks.invalid/paybatch';

export interface Settings {
  readonly organisation: string;
  /**
   * What every id of a payment is made from, beside its batch and its row: the client id of the account, or what the profile keeps in
   * its place. Never a name that people correct, nor an address that moves: a sheet would be paid again after a loss.
   */
  readonly idNamespace: string;
  /** ISO 4217 code of the batch. */
  readonly currency: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
  /** IANA name, for times that people read. */
  readonly timezone: string;
  /** In which people are told what is wrong with their sheet; undefined: English. */
  readonly language?: Language;
  /** Stands for the purpose of rows that give none. */
  readonly purpose: string;
  readonly profile: string;
  /** True for the embedded practice service. */
  readonly sandbox: boolean;
  /** By kind name. */
  readonly routes: Readonly<Record<string, RouteSettings>>;
  readonly sending: SendingSettings;
  readonly polling: PollingSettings;
  readonly inDoubt: InDoubtSettings;
  readonly remitter?: RemitterSettings;
  /** File that these were read from, as a whole path; missing: there is none. For messages. */
  readonly file?: string;
  /** Where the service reports results; orders of airtime and bills must name one, because they are paid by its word. */
  readonly callbackUrl?: string;
  /** Decimal amounts by currency code; a payment or batch above is refused. */
  readonly limits: {
    readonly perRow: Readonly<Record<string, string>>;
    readonly perBatch: Readonly<Record<string, string>>;
    /** Most rows of a sheet; undefined: as many as can be read. */
    readonly rows?: number | undefined;
  };
  readonly duplicates: DuplicateSettings;
  /** How payments are written for the books; undefined: as `usualJournal`. */
  readonly journal?: JournalSettings;
  /** Who has to agree before money leaves; undefined: nobody. */
  readonly approval?: ApprovalPolicy;
}
