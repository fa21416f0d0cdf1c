/** What the console is given: it reads no environment, and opens no profile, ledger or account itself. */

import type { HeadingDecisions } from '../batch/heading-question.ts';
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { Emit } from '../domain/event.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ApplySite } from '../run/apply-plan.ts';
import type { RunDeps } from '../run/run-deps.ts';
import type { PeriodRecord } from '../schedule/period-record.ts';

/** What can be read without asking the service. */
export type Records = Pick<RunDeps, 'settings' | 'clock' | 'ledger' | 'pictures' | 'service'>;

/** Something open, which the user closes by disposing of it. */
export interface Opened<T> extends AsyncDisposable {
  readonly deps: T;
}

/** A schedule of the profile, as it is now. */
export interface KeptSchedule {
  readonly name: string;
  /** Absent for a schedule that cannot be read. */
  readonly sheet?: string;
  /** The next date, in words; or why there is none. */
  readonly next: string;
  readonly latest?: PeriodRecord | undefined;
}

/** An effective setting, without secrets, and where it comes from. */
export interface SettingInForce {
  readonly name: string;
  readonly value: string;
  readonly origin: string;
}

/** The result of one check of `doctor`. */
export interface ExaminedCheck {
  readonly title: string;
  readonly result: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do; absent if everything is in order. */
  readonly fix?: string | undefined;
}

/** A request to send something. */
export interface SendWish {
  /** The command that the lease of the ledger names. */
  readonly command: string;
  /** False for a command that only asks and never sends. */
  readonly sends: boolean;
  readonly emit: Emit;
  /** Stops claiming; requests in flight are still answered and recorded. */
  readonly signal: AbortSignal;
  /** Opens when no other request to the practice service is in progress. */
  readonly inTurn: <T>(open: () => Promise<T>) => Promise<T>;
  /** Folder for the results; `undefined` for the folder of the sheet. */
  readonly outFolder?: string | undefined;
  /** Number of airtime and bill payments that may be sent although the ledger may not know about earlier ones. */
  readonly acceptUnverifiable?: number | undefined;
  /** Currency and purpose that a plan fixes, instead of those of the settings. */
  readonly currency?: string | undefined;
  readonly purpose?: string | undefined;
}

export interface ConsoleWorld {
  readonly version: string;
  readonly clock: Clock;
  /** Ends the console. */
  readonly signal: AbortSignal;
  /** The folder below which sheets are chosen; absolute, with links resolved. */
  readonly folder: string;
  /** A private folder for uploads and downloads, deleted when the console ends. */
  readonly ownFolder: string;
  /** Options that every shown command needs, such as `--profile branch`; empty, or beginning with a space. */
  readonly options: string;
  /** Reads the settings again. Throws a Fault `configuration`. */
  settings(): Settings;
  /** Earlier answers about headings, and where new ones are kept. */
  readonly decisions: HeadingDecisions;
  schedules(): readonly KeptSchedule[];
  /** User and machine, for the record. */
  readonly maker: string;
  /** What plans are compared with, in addition to a session. `service`: address of the service. */
  planning(service: string): Omit<ApplySite, 'deps'>;
  /** The passphrase of a key, from the keychain of the system. Throws a Fault `configuration` if it has none or cannot be used. */
  passphraseOf(keyFile: string): string;
  /** Writes a sheet with the people of a batch, without amounts, into a folder, and returns its path. */
  lastPeople(batch: BatchHeader, ledger: Ledger, folder: string): Promise<string>;
  shownSettings(): readonly SettingInForce[];
  /** Runs the checks of `doctor`, and returns them with its last line. */
  examine(signal: AbortSignal): Promise<{ readonly checks: readonly ExaminedCheck[]; readonly summary: string }>;
  /** Opens the ledger without asking the service anything. */
  records(emit: Emit): Promise<Opened<Records>>;
  /**
   * Does work that sends, as the command of that name does it: opens what the work needs, resumes after an outage of a shared
   * ledger, and closes everything.
   */
  send(wish: SendWish, work: (deps: RunDeps) => Promise<RunEnd>): Promise<RunEnd>;
  /** Opens everything that a run needs, without asking a person anything. `sends`: applies the conditions of a run that pays. */
  session(emit: Emit, signal: AbortSignal, sends: boolean): Promise<Opened<RunDeps>>;
}
