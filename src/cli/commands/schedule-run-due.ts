import { Fault } from '../../domain/fault.ts';
import type { RunEnd } from '../../domain/run-end.ts';
import { runDue } from '../../schedule/run-due.ts';
import { subcommand } from '../command.ts';
import { openNotifier } from '../notify/notifier.ts';
import { openPayer } from '../schedule/session-payer.ts';
import { timetableOrFault } from '../schedule/timetables.ts';
import { toldAndLogged } from '../session.ts';
import { writeTrigger } from '../state/last-trigger.ts';
import { ScheduleFiles } from '../state/schedule-files.ts';
import { stateFolder } from '../state/state-files.ts';

/** Below `paybatch schedule`. */
export const scheduleRunDue = subcommand({
  name: 'run-due',
  summary: 'pay what is due by now, each period once; for cron or systemd, every few minutes',
  example: 'paybatch schedule run-due --profile live',
  moreExamples: ['paybatch schedule run-due --now 2026-12-31T09:00:00+03:00'],
  declare(command) {
    return command.option(
      '--now <time>',
      'sandbox only: as if it were this time, for example 2026-12-24T09:00:00+03:00',
    );
  },
  async run(shell, _, options): Promise<RunEnd> {
    const loaded = shell.config();
    const now = options.now === undefined ? shell.clock.now() : momentFrom(options.now, loaded.account !== undefined);
    const store = new ScheduleFiles(stateFolder(loaded));
    const all = store.list();
    let hasBegun = false;
    const { tell } = toldAndLogged(shell, () => loaded.home);
    const unwritten = all.length > 0 && writeTrigger(stateFolder(loaded), shell.clock.now());
    if (unwritten) tell({ type: 'notice', level: 'warning', message: unwritten.message });
    await using notifier = openNotifier(shell, loaded, tell);
    return await runDue({
      schedules: all.map((schedule) => ({ schedule, timetable: timetableOrFault(schedule) })),
      store,
      openPayer: (payment) => {
        const again = hasBegun;
        hasBegun = true;
        return openPayer(shell, payment, again);
      },
      notify: notifier.notify,
      tell,
      catchUpHours: loaded.config.schedule.catchUpHours,
      now,
      signal: shell.signal,
    });
  },
});

/** A Fault `usage` on a live account: there a payment is due when it is due. */
function momentFrom(text: string, isLive: boolean): number {
  if (isLive) {
    throw new Fault(
      'usage',
      '--now is for rehearsals. Nothing was sent.',
      'Leave it out, or rehearse: --profile sandbox.',
    );
  }
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isWhole ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new Fault(
    'usage',
    `"${text}" is not a time. Nothing was sent.`,
    'Write it with its zone, for example 2026-12-24T09:00:00+03:00.',
  );
}
