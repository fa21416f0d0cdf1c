/** The input of a run, what ends it, and its result. */

import type { Attempt, BatchStop, PlannedOrder, Tally } from '../domain/batch.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { Emit } from '../domain/event.ts';
import type { CallbackMessage } from '../domain/fact.ts';
import type { BatchId } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import type { InDoubtSettings } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Client } from '../service/client/client.ts';
import type { AdmissionSettings } from './admission.ts';
import { alarmStop, personStop, type Stop, stopNotice } from './stop-reasons.ts';

/** The messages that the service sent on its own. A run reads them while a listener keeps adding more. */
export interface CallbackSource {
  /** Returns messages after `seq`, oldest first, at most `most` of them. */
  since(seq: number, most: number): Promise<readonly CallbackMessage[]>;
}

/**
 * Reads the balance of the wallet; `undefined` if it cannot be read. `neededMinor`: at most what the rest of the run needs; a
 * balance that covers more than that need not be exact. The signal ends the wait for the request's turn.
 */
export type ReadBalance = (neededMinor: bigint, signal: AbortSignal) => Promise<Money | undefined>;

export interface DispatchDeps {
  readonly ledger: Ledger;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly emit: Emit;
  /** The messages that the service sent on its own, as a listener keeps them; absent if there is no listener. */
  readonly callbacks?: CallbackSource;
  /** Returns the other orders that can hold the row, in turn (`batch/other-orders.ts`); absent if no lost ledger can have made any. */
  readonly otherOrdersOf?: (attempt: Attempt) => readonly PlannedOrder[];
  /** Reads the wallet again while orders go out; absent if the wallet is not watched. */
  readonly readBalance?: ReadBalance;
}

/**
 * The settings of a run: the limits of the profile, and its brakes, which are the canary as recorded with the run and the
 * limit on fees.
 */
export interface DispatchSettings extends AdmissionSettings {
  readonly inDoubt: InDoubtSettings;
}

export interface DispatchResult {
  /** Evidence of the service that contradicts the plan; sending stopped at the first. */
  readonly alarms: readonly string[];
  /** Why sending stopped early; absent if it did not. */
  readonly stop?: Stop;
  /**
   * Absent if there was no reason to doubt that the ledger knows everything that was sent. `over`: there no longer is one.
   * `open`: the ledger may still not know everything, because not every look-up could be made or was answered clearly.
   */
  readonly recovery?: 'over' | 'open';
  /**
   * The row to ask the provider about: everything was sent, look-ups do not know some of it, and another run alone cannot
   * prove that those orders are absent.
   */
  readonly rowToAskFor?: number;
}

/** The work of a run: its batch, its settings, and what it may do. */
export interface RunTask {
  readonly batch: BatchId;
  readonly epoch: number;
  readonly settings: DispatchSettings;
  /** Stops the run; requests in flight still land. */
  readonly signal: AbortSignal;
  /** False for a run that only follows what was sent. */
  readonly maySubmit: boolean;
  /** Whether the ledger may not know everything that was sent (`Ledger.recoveryReason`), so that every order is looked up before it is sent. */
  readonly lookFirst: boolean;
}

/** How a run finds its batch when it begins. */
export interface RunStart {
  readonly tallies: readonly Tally[];
  /** The machine's own clock, which may jump. */
  readonly wall: Clock;
  /** Whether the batch was begun before this run. */
  readonly asksEach: boolean;
}

/**
 * What ends a run, or only its sending. The signal and a failure end both; an alarm, or a call of `stop`, ends the sending:
 * from that moment no submission leaves, and what was sent is still followed.
 */
export class RunControl {
  /** Aborted when nothing more may be submitted. */
  readonly sendSignal: AbortSignal;
  /** Aborted when nothing more is looked up either. */
  readonly followSignal: AbortSignal;
  readonly #task: RunTask;
  readonly #emit: Emit;
  readonly #halted = new AbortController();
  readonly #broken = new AbortController();
  readonly #alarms: string[] = [];
  #stop: Stop | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(task: RunTask, emit: Emit) {
    this.#task = task;
    this.#emit = emit;
    this.followSignal = AbortSignal.any([task.signal, this.#broken.signal]);
    this.sendSignal = AbortSignal.any([this.followSignal, this.#halted.signal]);
  }

  /** Returns the result of the run; throws the error that broke it. */
  result(): DispatchResult {
    if (this.#failure) throw this.#failure.error;
    const stop = this.#stop;
    return { alarms: this.#alarms, ...(stop && { stop }) };
  }

  /** Does a part of the run. Never rejects: the first failure ends all parts, and `result` throws it when they have ended. */
  async guard(part: () => Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      this.#failure ??= { error };
      this.#broken.abort();
    }
  }

  /** Raises alarms, each once, including those of earlier runs: nothing may be sent while the service contradicts the plan. */
  raise(alarms: readonly string[]): void {
    for (const reason of alarms) {
      if (this.#alarms.includes(reason)) continue;
      this.#alarms.push(reason);
      this.stop(alarmStop);
      this.#emit({ type: 'notice', level: 'alarm', message: reason });
    }
  }

  /** Stops sending if a person has stopped the batch. */
  heed(stop: BatchStop | undefined): void {
    if (stop) this.stop(personStop(stop));
  }

  /** Stops sending in this run, and reports why. The first reason counts. */
  stop(stop: Stop): void {
    this.#halted.abort();
    if (this.#stop || !this.#task.maySubmit) return;
    this.#stop = stop;
    // Each alarm is reported separately.
    if (stop.code !== 'alarm') this.#emit(stopNotice(stop, this.#task.batch));
  }
}
