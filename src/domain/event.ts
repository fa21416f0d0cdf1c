/**
 * What a run tells while it goes: one event, one fact for a person or a program. `cli/` prints them as text or as
 * newline-delimited JSON; the last one is always `end`. Changes within `v: 1` only add.
 */
import type { Heading, MappingRecord } from './batch.ts';
import type { EarlierFindings } from './duplicate.ts';
import type { FaultCode } from './fault.ts';
import type { BatchId } from './ids.ts';
import type { Issue } from './issue.ts';
import type { LedgerHead } from './ledger-head.ts';
import type { LeftOut, LeftOutSums } from './left-out.ts';
import type { Money } from './money.ts';
import type { OutcomeCounts } from './outcome.ts';
import type { PayeeCounts, PayeeFigures, PayeeFinding } from './payee.ts';
import type { RowRecord } from './row-record.ts';

/** Money before the button: one line per kind, and what it does to the wallet. */
export interface MoneyStatement extends EarlierFindings {
  readonly kinds: readonly {
    readonly kind: string;
    readonly title: string;
    readonly count: number;
    readonly amount: Money;
    readonly charges: Money;
  }[];
  readonly count: number;
  /** Payees: rows to one phone or account are one. */
  readonly people: number;
  readonly total: Money;
  readonly charges: Money;
  /** Amount and charges together. */
  readonly needed: Money;
  readonly balance: Money;
  /** Balance after everything is paid; negative when it does not suffice. */
  readonly after: Money;
  readonly largest: readonly { readonly row: number; readonly name: string; readonly amount: Money }[];
  /** Rows whose amount lies just above the edge of a charge band. */
  readonly aboveEdge: readonly { readonly row: number; readonly amount: Money; readonly saving: Money }[];
  /** What other batches of this ledger still need from the wallet, with their charges; missing when it is nothing. */
  readonly owed?: {
    readonly amount: Money;
    readonly batches: readonly { readonly batch: BatchId; readonly rows: number; readonly amount: Money }[];
  };
  /** Rows that the rest of the balance covers, in sheet order; all where it suffices. */
  readonly covered?: { readonly rows: number; readonly amount: Money; readonly charges: Money };
  /** So many rows are sent in this run, because the balance covers no more. */
  readonly upTo?: number;
  /** Rows by what was found out about their payees; missing when they were not verified. */
  readonly payees?: PayeeCounts;
}

/** Where a scheduled payment stands. `waiting`: it is due, and lacks its sheet, its control totals or something else. */
export type PeriodPoint = 'waiting' | 'sent' | 'finished' | 'in-doubt' | 'alarm' | 'missed';

/**
 * Where a worker stands. `ready`: it takes batches. `waiting`: something is gone, and it takes none. Of a batch: `begun`,
 * `handed-on` in the middle, `over`, `later`, `left` to a person, and the same as an `alarm`.
 */
export type WorkerPoint = 'ready' | 'waiting' | 'begun' | 'handed-on' | 'over' | 'later' | 'left' | 'alarm';

export type RunEvent =
  | {
      readonly type: 'start';
      readonly command: string;
      readonly version: string;
      readonly profile: string;
      readonly sandbox: boolean;
      readonly service?: string;
      /** The account at the service. */
      readonly clientId?: string;
      /** Origin that gives the token. */
      readonly tokenService?: string;
      /** File that the settings were read from. */
      readonly configuration?: string;
    }
  | { readonly type: 'sheet'; readonly name: string; readonly worksheet?: string }
  | {
      readonly type: 'columns';
      readonly headerRow: number;
      readonly headings: readonly Heading[];
      readonly mapping?: MappingRecord;
    }
  | { readonly type: 'row.problem'; readonly issue: Issue }
  | {
      readonly type: 'sheet.summary';
      readonly rows: number;
      readonly ready: number;
      readonly withErrors: number;
      readonly errors: number;
      readonly warnings: number;
      readonly total?: Money;
      /** Rows that the sheet leaves out on purpose; missing when there are none. */
      readonly leftOut?: LeftOutSums;
    }
  /** A row that the sheet leaves out on purpose; `name`: empty where none stands there. */
  | ({ readonly type: 'row.left-out'; readonly row: number; readonly name: string } & LeftOut)
  | { readonly type: 'statement'; readonly statement: MoneyStatement }
  /** What a check alone tells of a sheet beside earlier batches; in a run it is part of the statement. */
  | ({ readonly type: 'earlier' } & EarlierFindings)
  /** Which batch the command is about, of one that was planned before. */
  | {
      readonly type: 'batch';
      readonly batch: BatchId;
      readonly sheet: string;
      readonly rows: number;
      readonly payable: number;
      readonly total: Money;
      readonly maker: string;
      /** ISO 8601 in UTC, and the zone in which people are told of it. */
      readonly plannedAt: string;
      readonly timezone: string;
    }
  | { readonly type: 'batch.planned'; readonly batch: string; readonly payouts: number }
  /** How far the ledger goes: kept in the log, it contradicts a history that is rewritten later. */
  | ({ readonly type: 'ledger.head' } & LedgerHead)
  | {
      readonly type: 'progress';
      readonly done: number;
      readonly of: number;
      readonly waiting: number;
      readonly counts: OutcomeCounts;
      /** Rows that ended without being paid. */
      readonly failed: number;
      /** What is paid so far, of the whole batch; missing while nothing is known of its currency. */
      readonly paid?: Money;
      /** What the run waits for; `until`: at the latest, in wall-clock milliseconds. Missing where nothing is waited for. */
      readonly awaits?: { readonly for: 'first-payments' | 'service' | 'final-words'; readonly until?: number };
    }
  /** Look-ups that a ledger in doubt makes before anything is sent; `leftMs`: until it may begin to, as far as can be told. */
  | { readonly type: 'reconcile.progress'; readonly done: number; readonly of: number; readonly leftMs: number }
  | ({ readonly type: 'payee' } & PayeeFinding)
  | ({ readonly type: 'payees' } & PayeeFigures)
  | { readonly type: 'payees.progress'; readonly done: number; readonly of: number }
  /** What became of one row, when the work on its batch is over. */
  | { readonly type: 'row.outcome'; readonly record: RowRecord }
  /** What became of one row that the service was asked to stop. */
  | { readonly type: 'reject'; readonly row: number; readonly end: string; readonly reason?: string }
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warning' | 'alarm';
      readonly message: string;
      /** What it is about, for programs; missing where nobody needs to tell it from others. */
      readonly code?: string;
      /** How long the service asks to be left alone, in seconds (`Retry-After`). */
      readonly waitSeconds?: number;
    }
  /** What came of one period of a schedule; see `schedule/run-due.ts`. */
  | {
      readonly type: 'period';
      readonly schedule: string;
      readonly period: string;
      /** Local day of the payment. */
      readonly day: string;
      readonly point: PeriodPoint;
      readonly batch: string;
      /** From this moment on nothing of it is sent any more. Wall-clock milliseconds. */
      readonly until: number;
      readonly exit: number;
      readonly why?: FaultCode;
      /** Somebody was told of it before. */
      readonly told: boolean;
    }
  /** One step of a worker of a shared ledger; of which batch, and with which exit code work on it ended. */
  | {
      readonly type: 'worker';
      readonly point: WorkerPoint;
      readonly batch?: BatchId;
      readonly exit?: number;
      /** Why, and what to do. */
      readonly message?: string;
    }
  | { readonly type: 'file'; readonly kind: string; readonly path: string };

/** Where a stage tells what happens; it never blocks the money work. */
export type Tell = (event: RunEvent) => void;
