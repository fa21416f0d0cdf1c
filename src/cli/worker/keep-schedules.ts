/** A worker that also triggers the schedules of its computer, as cron would: it plans what is due, and any worker sends it. */
import { type Clock, hastened } from '../../domain/clock.ts';
import type { RunEvent } from '../../domain/event.ts';
import { Fault } from '../../domain/fault.ts';
import { payDue } from '../schedule/pay-due.ts';
import { RUN_DUE } from '../schedule/session-payer.ts';
import type { Shell } from '../shell.ts';
import { working } from './at-work.ts';

/** How often it is asked what is due, in milliseconds: the times of schedules are whole minutes. */
const TRIGGER_MS = 60_000;

/** What the journal of a server is to hold of a period. Its rows have names in them. */
const toldOn: ReadonlySet<RunEvent['type']> = new Set<RunEvent['type']>(['period', 'batch.planned', 'ledger.head']);

/** Triggers them again and again until the signal is aborted, or once. What stops one of them is told, and tried again. */
export async function keepSchedules(shell: Shell, signal: AbortSignal, once: boolean): Promise<void> {
  const own = ownShell(shell, signal);
  const clock: Clock = shell.clock;
  let last: string | undefined;
  for (let again = false; !signal.aborted; again = true) {
    let says: string | undefined;
    try {
      // Slices of this process must not take its leases for those of one that is over.
      using _ = working(RUN_DUE);
      const { fault } = await payDue(own, { now: clock.now(), isDetached: true, again });
      says = fault && `${fault.message} ${fault.remedy}`;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      says = `${error.message} ${error.remedy}`;
    }
    // Every minute the same would bury what is new.
    if (says !== undefined && says !== last) {
      shell.reporter.tell({ type: 'notice', level: 'warning', message: `Schedules: ${says}` });
    }
    last = says;
    if (once) return;
    await clock.sleep(hastened(TRIGGER_MS, clock), signal);
  }
}

function ownShell(shell: Shell, signal: AbortSignal): Shell {
  const tell = (event: RunEvent): void => {
    if (toldOn.has(event.type) || (event.type === 'notice' && event.level !== 'info')) shell.reporter.tell(event);
  };
  return { ...shell, signal, reporter: { tell, end: () => undefined }, working: () => undefined };
}
