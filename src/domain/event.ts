/**
 * The events of a run while it works: each is one fact for a person or a program. `cli/` prints them as text or as
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

/** The money statement shown before a person confirms: one line per kind, and the effect on the wallet. */
export interface MoneyStatement extends EarlierFindings {
  readonly kinds: readonly {
    readonly kind: string;
    readonly title: string;
    readonly count: number;
    readonly amount: Money;
    readonly charges: Money;
  }[];
  readonly count: number;
  /** Number of payees: rows that pay one phone or account count once. */
  readonly people: number;
  readonly total: Money;
  readonly charges: Money;
  /** Total and charges together. */
  readonly needed: Money;
  readonly balance: Money;
  /** Balance after everything is paid; negative if the balance does not suffice. */
  readonly after: Money;
  readonly largest: readonly { readonly row: number; readonly name: string; readonly amount: Money }[];
  /** Rows whose amount is just above the edge of a charge band. */
  readonly aboveEdge: readonly { readonly row: number; readonly amount: Money; readonly saving: Money }[];
  /** What other batches of this ledger still need from the wallet, with their charges; absent if nothing. */
  readonly owed?: {
    readonly amount: Money;
    readonly batches: readonly { readonly batch: BatchId; readonly rows: number; readonly amount: Money }[];
  };
  /** The first rows, in sheet order, that the balance covers once other batches have what they need; all rows if it suffices. */
  readonly covered?: { readonly rows: number; readonly amount: Money; readonly charges: Money };
  /** Number of rows that this run sends because the balance covers no more; absent if it sends all. */
  readonly upTo?: number;
  /** Rows by the result of verifying their payees; absent if payees were not verified. */
  readonly payees?: PayeeCounts;
}

/** Progress of a scheduled payment. `waiting`: the payment is due, but its sheet, its control totals or something else is missing. */
export type PeriodPoint = 'waiting' | 'sent' | 'finished' | 'in-doubt' | 'alarm' | 'missed';

/**
 * A step of a worker. `ready`: the worker takes batches. `waiting`: something it needs is unavailable, so it takes none. The
 * others are about one batch: `begun`; `handed-on`, saved half-way for any worker to continue; `over`, nothing is left to do;
 * `later`, to be tried again; `left` to a person; `alarm`, left to a person because of an alarm.
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
      /** Client id of the account at the service. */
      readonly clientId?: string;
      /** Origin of the service that issues the token. */
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
      /** Rows that the sheet leaves out on purpose; absent if there are none. */
      readonly leftOut?: LeftOutSums;
    }
  /** A row that the sheet leaves out on purpose. `name` is empty if the row has none. */
  | ({ readonly type: 'row.left-out'; readonly row: number; readonly name: string } & LeftOut)
  | { readonly type: 'statement'; readonly statement: MoneyStatement }
  /** The findings of a check about earlier batches. In a run they are part of the statement. */
  | ({ readonly type: 'earlier' } & EarlierFindings)
  /** The batch that the command is about, if it was planned before. */
  | {
      readonly type: 'batch';
      readonly batch: BatchId;
      readonly sheet: string;
      readonly rows: number;
      readonly payable: number;
      readonly total: Money;
      readonly maker: string;
      /** Time of planning: ISO 8601 in UTC. `timezone` is the zone in which people see it. */
      readonly plannedAt: string;
      readonly timezone: string;
    }
  | { readonly type: 'batch.planned'; readonly batch: string; readonly payouts: number }
  /** The signed head of the ledger. Kept in the log, it contradicts a history that is rewritten later. */
  | ({ readonly type: 'ledger.head' } & LedgerHead)
  | {
      readonly type: 'progress';
      readonly done: number;
      readonly of: number;
      readonly waiting: number;
      readonly counts: OutcomeCounts;
      /** Rows that ended without being paid. */
      readonly failed: number;
      /** Sum paid so far in the whole batch; absent until the currency of the batch is known. */
      readonly paid?: Money;
      /**
       * What the run waits for; `until` is the latest end of the wait, in wall-clock milliseconds. Absent if the run
       * waits for nothing.
       */
      readonly awaits?: { readonly for: 'first-payments' | 'service' | 'final-words'; readonly until?: number };
    }
  /** Look-ups that a ledger in recovery makes before anything is sent. `leftMs`: estimated time until sending can begin. */
  | { readonly type: 'reconcile.progress'; readonly done: number; readonly of: number; readonly leftMs: number }
  | ({ readonly type: 'payee' } & PayeeFinding)
  | ({ readonly type: 'payees' } & PayeeFigures)
  | { readonly type: 'payees.progress'; readonly done: number; readonly of: number }
  /** The outcome of one row, reported when the work on its batch is over. */
  | { readonly type: 'row.outcome'; readonly record: RowRecord }
  /** The result of asking the service to stop one row. */
  | { readonly type: 'reject'; readonly row: number; readonly end: string; readonly reason?: string }
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warning' | 'alarm';
      readonly message: string;
      /** Identifies the subject, for programs; absent if no program needs to tell the notice from others. */
      readonly code?: string;
      /** How long the service asks clients to wait, in seconds (`Retry-After`). */
      readonly waitSeconds?: number;
    }
  /** The result of one period of a schedule; see `schedule/run-due.ts`. */
  | {
      readonly type: 'period';
      readonly schedule: string;
      readonly period: string;
      /** Local day of the payment. */
      readonly day: string;
      readonly point: PeriodPoint;
      readonly batch: string;
      /** Time from which nothing more of the period is sent, in wall-clock milliseconds. */
      readonly until: number;
      /** The zone in which people see `until`. */
      readonly timezone: string;
      readonly exit: number;
      readonly why?: FaultCode;
      /** Why only a person may continue the batch, as a clause; absent if paybatch continues it. */
      readonly left?: string;
      /** True if the same news about the period was already notified. */
      readonly told: boolean;
    }
  /** One step of a worker of a shared ledger, with the batch, and with the exit code if work on that batch ended. */
  | {
      readonly type: 'worker';
      readonly point: WorkerPoint;
      readonly batch?: BatchId;
      readonly exit?: number;
      /** The reason, and what to do. */
      readonly message?: string;
    }
  | { readonly type: 'file'; readonly kind: string; readonly path: string };

/** Receives the events of a stage. It never blocks the money work. */
export type Emit = (event: RunEvent) => void;
