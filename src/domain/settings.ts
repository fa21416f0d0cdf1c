/** The settings that stages get from the configuration. The command line reads and checks them; the stages trust them. */

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
  /** Submissions in flight at the same time. */
  readonly concurrency: number;
  /** 0 means that paybatch sets no limit of its own. */
  readonly ratePerSecond: number;
  readonly linesPerOrder: number;
  readonly requestTimeoutMs: number;
  /** Number of canary rows; the other rows are sent when these are completed. */
  readonly canary?: number | undefined;
  /** Number of rows that end without payment after which a run sends nothing more; 0: the run never stops for that. */
  readonly stopAfterFailures?: number | undefined;
  /** How far fees may exceed the charges quoted before sending stops, in percent of the charges of the batch. */
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
  /** `same-id`: under the conditions below. `never`: a person decides about such an order. */
  readonly resend: 'same-id' | 'never';
  /** At least two look-ups must say "unknown", with at least this time between them. */
  readonly unknownGapMs: number;
  /** No submission of the id may have ended within this time before the last of these look-ups. */
  readonly quietMs: number;
  /** Nothing is submitted again if its first submission is older than this. */
  readonly maxAgeMs: number;
  readonly maxResends: number;
  /**
   * Which orders are looked up before they are sent. `recovery`: those that this ledger may not know about. `always`: all of them,
   * because the whole disk may be restored to an earlier day, and nothing on it could show that. `undefined` means `recovery`.
   */
  readonly lookFirst?: 'recovery' | 'always';
}

/**
 * The payer as orders name it, in the provider's own spelling. `kinds/kind.ts` says which kinds need which fields. The
 * currency is that of the batch. Spec: "Payment order (request)", remitter fields; the provider's pages list more for banks.
 */
export interface RemitterSettings {
  readonly name?: string;
  /** In international form, for example `+254700000000`. */
  readonly phoneNumber?: string;
  /** ISO 3166 alpha-2. */
  readonly country?: string;
  readonly sourceOfFunds?: string;
  readonly principalActivity?: string;
  readonly address?: string;
  readonly idType?: string;
  readonly idNumber?: string;
  readonly idIssuePlace?: string;
  /** yyyy/MM/dd, like all dates of the remitter. */
  readonly idIssueDate?: string;
  readonly idExpireDate?: string;
  readonly dateOfBirth?: string;
  /** A word, for example `Kenyan`. */
  readonly nationality?: string;
  readonly email?: string;
  readonly city?: string;
  readonly postalCode?: string;
  readonly state?: string;
  /** The bank of the remitter; `institutionIdentifier` is its code. */
  readonly financialInstitution?: string;
  readonly institutionIdentifier?: string;
}

export type RemitterField = keyof RemitterSettings;

/** For how many days a batch blocks the same payments; see `preflight/duplicates/pay-period.ts`. */
export interface DuplicateSettings {
  /** For a sheet that is named after the same month or week as the batch, and for a rehearsal without a name. */
  readonly withinDays: number;
  /** For a sheet whose name says neither a month nor a week. */
  readonly samePersonDays: number;
  /** For a sheet that is named after another month or week than the batch. */
  readonly otherPeriodDays: number;
}

/**
 * Callback address for requests that must name one although no listener runs: results are then looked up. The ending
 * `.invalid` is reserved (RFC 2606), so what a service sends there can never reach anybody. `localhost` would be the
 * provider's own machine, and an address of paybatch's would belong to somebody else.
 */
export const NOBODYS_ADDRESS = 'https://callbacks.invalid/paybatch';

export interface Settings {
  readonly organisation: string;
  /**
   * What every payment id is made from, in addition to its batch and its row: the client id of the account, or the value that the
   * profile keeps instead. Never a name that people correct, nor an address that changes: after the loss of a ledger, a sheet
   * would be paid again.
   */
  readonly idNamespace: string;
  /** ISO 4217 code of the batch. */
  readonly currency: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
  /** IANA name, for times that people read. */
  readonly timezone: string;
  /** Language of the issues of a sheet; `undefined` means English. */
  readonly language?: Language;
  /** The purpose of rows that give none. */
  readonly purpose: string;
  readonly profile: string;
  /** True for the embedded practice service. */
  readonly sandbox: boolean;
  /** Routes by kind name. */
  readonly routes: Readonly<Record<string, RouteSettings>>;
  readonly sending: SendingSettings;
  readonly polling: PollingSettings;
  readonly inDoubt: InDoubtSettings;
  readonly remitter?: RemitterSettings;
  /** Absolute path of the file that these settings were read from, for messages; absent if there is none. */
  readonly file?: string;
  /**
   * Where the service reports results. Orders of airtime and bills must name an address, because the service reports
   * their outcome there.
   */
  readonly callbackUrl?: string;
  /** Limits as decimal amounts by currency code. A payment or batch above its limit is refused. */
  readonly limits: {
    readonly perRow: Readonly<Record<string, string>>;
    readonly perBatch: Readonly<Record<string, string>>;
    /** Most rows of a sheet; `undefined` if only the size that can be read limits them. */
    readonly rows?: number | undefined;
  };
  readonly duplicates: DuplicateSettings;
  /** How payments are written for the books; `undefined` means `usualJournal`. */
  readonly journal?: JournalSettings;
  /** The people who must approve before money leaves; `undefined` if nobody must. */
  readonly approval?: ApprovalPolicy;
}
