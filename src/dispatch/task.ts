/** What a run is given and works on, what ends it, what comes of it, and who goes on with its batch. */

import { type Attempt, type BatchStop, batchStopText, type PlannedOrder, type Tally } from '../domain/batch.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { Tell } from '../domain/event.ts';
import type { CallbackMessage } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { InDoubtSettings, PollingSettings, SendingSettings } from '../domain/settings.ts';
import type { LedgerStops } from '../ledger/batch-stops.ts';
import type { LedgerJournal } from '../ledger/faces.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Client } from '../service/client/client.ts';
import type { AdmitPolicy } from './admission.ts';
import { alarmStop, personStop, type Stop, stopNotice } from './stop-reasons.ts';

/** What the service sent by itself, as a run reads it while somebody else keeps more. */
export interface CallbackSource {
  /** Messages after `seq`, oldest first, at most `most` of them. */
  since(seq: number, most: number): Promise<readonly CallbackMessage[]>;
}

/** The balance of the wallet; undefined when it cannot be read. The signal ends the waiting for its turn. */
export type ReadBalance = (signal: AbortSignal) => Promise<Money | undefined>;

export interface DispatchDeps {
  readonly ledger: Ledger;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly tell: Tell;
  /** What the service sent by itself, as a listener keeps it; missing when nobody listens. */
  readonly callbacks?: CallbackSource;
  /** The other orders that can hold the row, in turn (`batch/other-orders.ts`); missing: no ledger that was lost can have made any. */
  readonly ordersBeside?: (attempt: Attempt) => readonly PlannedOrder[];
  /** Reads the wallet again while orders go out; missing: nobody watches it. */
  readonly readBalance?: ReadBalance;
}

/** The limits of a run besides those of the profile are its brakes: the canary as it was recorded with the run, and what fees may be. */
export interface DispatchSettings extends Pick<AdmitPolicy, 'canary' | 'overchargeMost'> {
  readonly sending: SendingSettings;
  readonly polling: PollingSettings;
  readonly inDoubt: InDoubtSettings;
}

export interface DispatchResult {
  /** Evidence of the service that contradicts the plan; sending stopped at the first. */
  readonly alarms: readonly string[];
  /** Why sending stopped before its end. */
  readonly stop?: Stop;
  /**
   * Missing where nobody had to doubt that the ledger knows all that was sent. `open`: it may still not know it, because not
   * everything could be asked about, or was answered clearly.
   */
  readonly doubt?: 'over' | 'open';
  /** All was sent, nothing of it shows at the service, and a further run alone cannot prove that: the provider is asked of this row. */
  readonly rowToAskFor?: number;
}

/** What a run works on, and how. */
export interface RunTask {
  readonly batch: BatchId;
  readonly epoch: number;
  readonly settings: DispatchSettings;
  /** Stops the run; what is in flight lands. */
  readonly signal: AbortSignal;
  /** False for a run that only follows what was sent. */
  readonly maySubmit: boolean;
  /** The ledger may not know all that was sent (`Ledger.doubt`): every order is looked up before it is. */
  readonly lookFirst: boolean;
}

/** How a run finds its batch. */
export interface RunStart {
  readonly tallies: readonly Tally[];
  /** The machine's own clock, which may jump. */
  readonly wall: Clock;
  /** The batch was begun before. */
  readonly asksEach: boolean;
}

/**
 * What ends a run, or its sending alone. The signal and a failure end both; an alarm ends the sending, and so does whoever calls `stop`:
 * from that moment no request of a submission leaves, and what was sent is still followed.
 */
export class RunControl {
  /** Aborted when nothing more may be submitted. */
  readonly sendSignal: AbortSignal;
  /** Aborted when nothing more is looked up either. */
  readonly followSignal: AbortSignal;
  readonly #task: RunTask;
  readonly #tell: Tell;
  readonly #halted = new AbortController();
  readonly #broken = new AbortController();
  readonly #alarms: string[] = [];
  #stop: Stop | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(task: RunTask, tell: Tell) {
    this.#task = task;
    this.#tell = tell;
    this.followSignal = AbortSignal.any([task.signal, this.#broken.signal]);
    this.sendSignal = AbortSignal.any([this.followSignal, this.#halted.signal]);
  }

  /** What came of the run; throws what broke it. */
  result(): DispatchResult {
    if (this.#failure) throw this.#failure.error;
    const stop = this.#stop;
    return { alarms: this.#alarms, ...(stop && { stop }) };
  }

  /** Does a part of the run. It never rejects: the first failure ends all parts, and is thrown when they have ended. */
  async guard(part: () => Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      this.#failure ??= { error };
      this.#broken.abort();
    }
  }

  /** Raises alarms, once each, also what an earlier run left: nothing may be sent while the service contradicts the plan. */
  raise(alarms: readonly string[]): void {
    for (const reason of alarms) {
      if (this.#alarms.includes(reason)) continue;
      this.#alarms.push(reason);
      this.stop(alarmStop);
      this.#tell({ type: 'notice', level: 'alarm', message: reason });
    }
  }

  /** Sends nothing more where a person has stopped the batch. */
  heed(stop: BatchStop | undefined): void {
    if (stop) this.stop(personStop(stop));
  }

  /** Sends nothing more in this run, and says why. The first reason stands. */
  stop(stop: Stop): void {
    this.#halted.abort();
    if (this.#stop || !this.#task.maySubmit) return;
    this.#stop = stop;
    // Each alarm is told by itself.
    if (stop.code !== 'alarm') this.#tell(stopNotice(stop, this.#task.batch));
  }
}

/**
 * Why the signal of a run was aborted by a worker that gives the batch to the next one, and the reason that is recorded then. After
 * any other interruption a person says when it goes on.
 */
export const HANDED_ON = 'handed on';

/** The reason that is recorded when a person ended a run. */
const INTERRUPTED = 'interrupted';

/** Why a run ended that nothing of its own stopped, for the record. */
export function ownEnd({ aborted, reason }: AbortSignal): string {
  if (!aborted) return 'finished';
  return reason === HANDED_ON ? HANDED_ON : INTERRUPTED;
}

/** Lease. Records that the workers may go on with a batch, whatever stopped it before. */
export async function handOver(
  batch: BatchId,
  { ledger, version }: { readonly ledger: Pick<LedgerJournal, 'recordRun' | 'recordStop'>; readonly version: string },
): Promise<void> {
  await ledger.recordRun(batch, version);
  await ledger.recordStop(HANDED_ON);
}

/** Lease. Takes a batch back that somebody stopped, on record, and tells whose stop that was. */
export async function takeBack(
  batch: BatchId,
  { ledger, maker, tell }: { readonly ledger: LedgerStops; readonly maker: string; readonly tell: Tell },
): Promise<void> {
  const stop = await ledger.stopOf(batch);
  if (!stop) return;
  await ledger.takeBack(stop, maker);
  tell({ type: 'notice', level: 'info', code: 'taken-back', message: `Taken back: ${batchStopText(stop)}.` });
}
