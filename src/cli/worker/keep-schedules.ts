/** A worker that also triggers the schedules of its computer, as cron would: it plans what is due, and any worker sends it. */
import { hastened } from '../../domain/clock.ts';
import type { RunEvent } from '../../domain/event.ts';
import { Fault } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { payDue } from '../schedule/pay-due.ts';
import type { Shell } from '../shell.ts';
import { ownShell } from './own-shell.ts';

/** How often it is asked what is due, in milliseconds: the times of schedules are whole minutes. */
const TRIGGER_MS = 60_000;

/** What the journal of a server is to hold of a period. Its rows have names in them, and what was told before is no news. */
const isForJournal = (event: RunEvent): boolean =>
  event.type === 'batch.planned' ||
  event.type === 'ledger.head' ||
  (event.type === 'period' && !event.told) ||
  (event.type === 'notice' && event.level !== 'info');

/**
 * Does the work of a worker, and triggers the schedules beside it until that ends, or once before it. Whichever of the two is broken
 * off by a bug ends the other.
 */
export async function besideSchedules<T>(
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

/** Plans what is due by now. What stops that is told, once for as long as it is the same: it is tried again every minute. */
function triggerOf(shell: Shell): Trigger {
  const tell = (event: RunEvent): void => {
    if (isForJournal(event)) shell.reporter.tell(event);
  };
  let again = false;
  let last: string | undefined;
  return async (signal) => {
    const own = ownShell(shell, signal, tell);
    const now = shell.clock.now();
    const says = sentenceOf(await faultOf(() => payDue(own, { now, isDetached: true, again })));
    if (says !== undefined && says !== last) {
      shell.reporter.tell({ type: 'notice', level: 'warning', message: `Schedules: ${says}` });
    }
    [again, last] = [true, says];
  };
}

async function faultOf(pay: () => Promise<RunEnd>): Promise<Fault | undefined> {
  try {
    return (await pay()).fault;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** That somebody else has the ledger, or the period, is nobody's business: it is let go again. */
const sentenceOf = (fault: Fault | undefined): string | undefined =>
  fault === undefined || fault.code === 'ledger-held' ? undefined : `${fault.message} ${fault.remedy}`;
