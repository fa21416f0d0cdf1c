/** A worker that also triggers the schedules of its computer, as cron would: it plans what is due, and any worker sends it. */
import { hastened } from '../../domain/clock.ts';
import type { RunEvent } from '../../domain/event.ts';
import { caughtFault, type Fault } from '../../domain/fault.ts';
import { payDue } from '../schedule/pay-due.ts';
import { ownShell, type Shell } from '../shell.ts';

/** Interval between two checks of what is due, in milliseconds: the times of schedules are whole minutes. */
const TRIGGER_MS = 60_000;

/**
 * Reports whether an event of the schedules belongs in the journal of a server. Rows contain names, and what was reported before
 * is not news.
 */
const isForJournal = (event: RunEvent): boolean =>
  event.type === 'batch.planned' ||
  event.type === 'ledger.head' ||
  (event.type === 'period' && !event.told) ||
  (event.type === 'notice' && event.level !== 'info');

/**
 * Runs the work of a worker and triggers the schedules concurrently until that work ends; with `once`, triggers them one time
 * before it. A bug that ends one of the two also ends the other.
 */
export async function withSchedules<T>(
  shell: Shell,
  once: boolean,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const trigger = triggerOf(shell);
  if (once) {
    await trigger(shell.signal);
    return work(shell.signal);
  }
  const over = new AbortController();
  const signal = AbortSignal.any([shell.signal, over.signal]);
  const end = (): void => over.abort();
  const [worked, kept] = await Promise.allSettled([
    work(signal).finally(end),
    keep(trigger, shell, signal).finally(end),
  ]);
  if (kept.status === 'rejected') throw kept.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return worked.value;
}

type Trigger = (signal: AbortSignal) => Promise<void>;

async function keep(trigger: Trigger, { clock }: Shell, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await trigger(signal);
    await clock.sleep(hastened(TRIGGER_MS, clock), signal);
  }
}

/**
 * Returns a trigger that plans what is due. It is tried again every minute, so a fault that stops it is reported once for as long
 * as it stays the same.
 */
function triggerOf(shell: Shell): Trigger {
  const tell = (event: RunEvent): void => {
    if (isForJournal(event)) shell.reporter.tell(event);
  };
  let again = false;
  let last: string | undefined;
  return async (signal) => {
    const own = ownShell(shell, 'schedule run-due', signal, tell);
    const now = shell.clock.now();
    const fault = await payDue(own, { now, isDetached: true, again }).then((end) => end.fault, caughtFault);
    const says = sentenceOf(fault);
    if (says !== undefined && says !== last) {
      shell.reporter.tell({ type: 'notice', level: 'warning', message: `Schedules: ${says}` });
    }
    [again, last] = [true, says];
  };
}

/**
 * Returns the sentence to report about a fault; `undefined` if another process holds the ledger or the period, because it will
 * release it.
 */
const sentenceOf = (fault: Fault | undefined): string | undefined =>
  fault === undefined || fault.code === 'ledger-held' ? undefined : `${fault.message} ${fault.remedy}`;
