/**
 * What ends a run, or its sending alone. The signal and a failure end both; an alarm ends the sending, and so does whoever
 * calls `stop`: from that moment no request of a submission leaves, and what was sent is still followed.
 */
import type { BatchStop } from '../domain/batch-stop.ts';
import type { Tell } from '../domain/event.ts';
import { alarmStop, personStop, type Stop, stopNotice } from './stop-reasons.ts';
import type { DispatchResult, RunTask } from './task.ts';

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
