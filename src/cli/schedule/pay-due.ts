/** Pays what the schedules of this computer say is due, or plans it for the workers of a shared ledger. */

import { localTime } from '../../domain/clock.ts';
import type { Tell } from '../../domain/event.ts';
import { present } from '../../domain/present.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { runDue } from '../../schedule/run-due.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { openNotifier } from '../notify/notifier.ts';
import { toldAndLogged } from '../session.ts';
import type { Shell } from '../shell.ts';
import { lastTrigger, ScheduleFiles, writeTrigger } from '../state/schedule-files.ts';
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
  /** Called if nothing is due. */
  readonly nothingDue?: () => void;
}

export async function payDue(
  shell: Shell,
  { now, isDetached, again = false, nothingDue }: PayDueOptions,
): Promise<RunEnd> {
  const loaded = shell.config();
  const store = new ScheduleFiles(stateFolder(loaded));
  const all = store.list();
  let hasBegun = again;
  const { tell } = toldAndLogged(shell, () => loaded.home);
  if (all.length > 0) tellClockBehind(shell.clock.now(), loaded, tell);
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
    ...present({ nothingDue }),
  });
}

/** A clock that is off by less than this catches up before anyone could act, in milliseconds. */
const PASSING_MS = 60_000;

/**
 * Warns that schedules were triggered before at a time that is still to come. The warning is given once, because each trigger
 * is recorded.
 */
function tellClockBehind(now: number, loaded: LoadedConfig, tell: Tell): void {
  const last = lastTrigger(stateFolder(loaded))?.at ?? now;
  if (last - now <= PASSING_MS) return;
  const { timezone } = loaded.config;
  const [says, before] = [now, last].map((ms) => localTime(ms, timezone));
  const message = `The clock of this computer says ${says} (${timezone}), and schedule run-due ran last at ${before}: the clock was ahead then, or is behind now. If it is behind, set it right; \`paybatch doctor\` compares it. Periods that were recorded as missed at such a time are paid when they are due: paybatch schedule next`;
  tell({ type: 'notice', level: 'warning', code: 'clock-behind', message });
}
