/** Pays what the schedules of this computer say is due, or plans it for the workers of a shared ledger. */
import type { RunEnd } from '../../domain/run-end.ts';
import { runDue } from '../../schedule/run-due.ts';
import { openNotifier } from '../notify/notifier.ts';
import { toldAndLogged } from '../session.ts';
import type { Shell } from '../shell.ts';
import { ScheduleFiles, writeTrigger } from '../state/schedule-files.ts';
import { stateFolder } from '../state/state-files.ts';
import { openPayer } from './session-payer.ts';
import { timetableOrFault } from './timetables.ts';

interface PayDueOptions {
  /** The present time for the schedules, in wall-clock milliseconds. */
  readonly now: number;
  /** Workers send what is planned here, and report how it ended. */
  readonly isDetached: boolean;
  /** The command began earlier, so its start is not reported again. */
  readonly again?: boolean;
}

export async function payDue(shell: Shell, { now, isDetached, again = false }: PayDueOptions): Promise<RunEnd> {
  const loaded = shell.config();
  const store = new ScheduleFiles(stateFolder(loaded));
  const all = store.list();
  let hasBegun = again;
  const { tell } = toldAndLogged(shell, () => loaded.home);
  const unwritten = all.length > 0 && writeTrigger(stateFolder(loaded), shell.clock.now());
  if (unwritten) tell({ type: 'notice', level: 'warning', message: unwritten.message });
  await using notifier = openNotifier(shell, loaded, tell);
  return await runDue({
    schedules: all.map((schedule) => ({ schedule, timetable: timetableOrFault(schedule) })),
    store,
    openPayer: (payment) => {
      const isSecond = hasBegun;
      hasBegun = true;
      return openPayer(shell, payment, { again: isSecond, isDetached });
    },
    isDetached,
    notify: notifier.notify,
    tell,
    catchUpHours: loaded.config.schedule.catchUpHours,
    now,
    signal: shell.signal,
  });
}
