/** What the console is given of the world: it reads no environment, and opens no profile, ledger or account itself. */

import type { HeadingDecisions } from '../batch/heading-question.ts';
import type { BatchHeader } from '../domain/batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { Tell } from '../domain/event.ts';
import type { RunEnd } from '../domain/run-end.ts';
import type { Settings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ApplySite } from '../run/apply-plan.ts';
import type { RunDeps } from '../run/paybatch.ts';
import type { PeriodRecord } from '../schedule/period-record.ts';

/** What is read without asking the service. */
export type Records = Pick<RunDeps, 'settings' | 'clock' | 'ledger' | 'pictures' | 'service'>;

/** Something that was opened, and is given back. */
export interface Opened<T> extends AsyncDisposable {
  readonly deps: T;
}

/** A schedule of the profile, as it stands now. */
export interface KeptSchedule {
  readonly name: string;
  readonly sheet: string;
  /** The date that comes next, in words; or why there is none. */
  readonly next: string;
  readonly latest?: PeriodRecord;
}

/** A setting that counts, without secrets, and where it stands. */
export interface ToldSetting {
  readonly name: string;
  readonly value: string;
  readonly origin: string;
}

/** What a check of `doctor` found. */
export interface ExaminedCheck {
  readonly title: string;
  readonly result: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do; missing where it is as it should be. */
  readonly fix?: string;
}

/** How something is sent. */
export interface SendWish {
  /** What the lease of the ledger says is working. */
  readonly command: string;
  /** False: it only asks, and never sends. */
  readonly sends: boolean;
  readonly tell: Tell;
  /** Stops claiming; what is in flight lands. */
  readonly signal: AbortSignal;
  /** Opens when nobody else asks the practice service. */
  readonly inTurn: <T>(open: () => Promise<T>) => Promise<T>;
  /** Folder for the results; undefined: beside the sheet. */
  readonly outFolder?: string | undefined;
  /** So many airtime and bill payments may be sent though the ledger may not know that they were. */
  readonly acceptUnverifiable?: number | undefined;
  /** Currency and purpose in the place of those of the settings, as a plan keeps them. */
  readonly currency?: string | undefined;
  readonly purpose?: string | undefined;
}

export interface ConsoleWorld {
  readonly version: string;
  readonly clock: Clock;
  /** Ends the console. */
  readonly signal: AbortSignal;
  /** Sheets are chosen below it; absolute, without links. */
  readonly folder: string;
  /** For its user alone: what was uploaded, and what is being handed out. Gone when the console ends. */
  readonly ownFolder: string;
  /** Options that every command shown on a page needs, as `--profile branch`; empty, or beginning with a blank. */
  readonly options: string;
  /** The settings, read anew. Fault `configuration`. */
  settings(): Settings;
  /** What was decided before about headings, and where it is kept. */
  readonly decisions: HeadingDecisions;
  schedules(): readonly KeptSchedule[];
  /** Who is at work, for the record: user and machine. */
  readonly maker: string;
  /** What plans are held against beside a session. `service`: its address. */
  planning(service: string): Omit<ApplySite, 'deps'>;
  /** The passphrase that the keychain of the system has for a key. Fault `configuration` when it has none, or cannot be used. */
  passphraseOf(keyFile: string): string;
  /** Writes a sheet with the people of a batch, without amounts, into a folder, and gives its path. */
  lastPeople(batch: BatchHeader, ledger: Ledger, folder: string): Promise<string>;
  toldSettings(): readonly ToldSetting[];
  /** Makes the checks of `doctor`, and gives its last line. */
  examine(signal: AbortSignal): Promise<{ readonly checks: readonly ExaminedCheck[]; readonly summary: string }>;
  /** Opens the ledger; nothing is asked of the service. */
  records(tell: Tell): Promise<Opened<Records>>;
  /** Does something that sends, as the command of that name does it: opens all that it needs, goes on after an outage of a shared ledger, and closes it. */
  send(wish: SendWish, work: (deps: RunDeps) => Promise<RunEnd>): Promise<RunEnd>;
  /** Opens all that a run needs; `sends`: one that would pay, so that it is held to the same. Nobody is asked anything by it. */
  session(tell: Tell, signal: AbortSignal, sends: boolean): Promise<Opened<RunDeps>>;
}
