/** A worker that also triggers the schedules of its computer, as cron would: it plans what is due, and any worker sends it. */
import { type Clock, hastened } from '../../domain/clock.ts';
import type { RunEvent } from '../../domain/event.ts';
import { Fault } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { payDue } from '../schedule/pay-due.ts';
import { RUN_DUE } from '../schedule/session-payer.ts';
import type { Shell } from '../shell.ts';
import { working } from './at-work.ts';

/** How often it is asked what is due, in milliseconds: the times of schedules are whole minutes. */
const TRIGGER_MS = 60_000;

/** What the journal of a server is to hold of a period. Its rows have names in them, and what was told before is no news. */
const isForJournal = (event: RunEvent): boolean =>
  event.type === 'batch.planned' ||
  event.type === 'ledger.head' ||
  (event.type === 'period' && !event.told) ||
  (event.type === 'notice' && event.level !== 'info');

/** Triggers them again and again until the signal is aborted, or once. What stops one of them is told, and tried again. */
export async function keepSchedules(shell: Shell, signal: AbortSignal, once: boolean): Promise<void> {
  const own = ownShell(shell, signal);
  const clock: Clock = shell.clock;
  let last: string | undefined;
  for (let again = false; !signal.aborted; again = true) {
    const says = sentenceOf(await faultOf(() => payDue(own, { now: clock.now(), isDetached: true, again })));
    // Every minute the same would bury what is new.
    if (says !== undefined && says !== last) {
      shell.reporter.tell({ type: 'notice', level: 'warning', message: `Schedules: ${says}` });
    }
    last = says;
    if (once) return;
    await clock.sleep(hastened(TRIGGER_MS, clock), signal);
  }
}

async function faultOf(pay: () => Promise<RunEnd>): Promise<Fault | undefined> {
  // Slices of this process must not take its leases for those of one that is over.
  using _ = working(RUN_DUE);
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

function ownShell(shell: Shell, signal: AbortSignal): Shell {
  const tell = (event: RunEvent): void => {
    if (isForJournal(event)) shell.reporter.tell(event);
  };
  return { ...shell, signal, reporter: { tell, end: () => undefined }, working: () => undefined };
}
