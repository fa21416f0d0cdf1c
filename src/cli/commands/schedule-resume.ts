import { Fault } from '../../domain/fault.ts';
import { duePeriods } from '../../schedule/due.ts';
import { subcommand } from '../command.ts';
import { comingOf } from '../schedule/coming.ts';
import { timetableFor } from '../schedule/timetables.ts';
import { answered } from '../screens/answered.ts';
import { ScheduleFiles } from '../state/schedule-files.ts';
import { stateFolder } from '../state/state-files.ts';

/** Below `paybatch schedule`. */
export const scheduleResume = subcommand({
  name: 'resume',
  summary: 'pay again by a schedule that was paused',
  example: 'paybatch schedule resume payroll',
  declare(command) {
    return command.argument('<name>', 'schedule');
  },
  async run(shell, [name]) {
    const loaded = shell.config();
    const files = new ScheduleFiles(stateFolder(loaded));
    const { pausedSince, ...schedule } = files.find(name);
    if (pausedSince === undefined) throw new Fault('usage', `${name} is not paused.`, 'Go on as usual.');
    const now = shell.clock.now();
    const timetable = timetableFor(schedule);
    const { catchUpHours } = loaded.config.schedule;
    const recordOf = (period: string) => files.read(name, period);
    // What came due meanwhile is not made up for. A batch that is recorded has an end of its own.
    const skipped = duePeriods({ schedule, timetable, catchUpHours, now, recordOf }).filter(
      ({ occurrence: { at, period } }) => at >= pausedSince && recordOf(period)?.state !== 'open',
    );
    for (const { occurrence } of skipped) {
      const { period, wall, at } = occurrence;
      files.write(name, {
        period,
        day: wall.day,
        dueAt: at,
        state: 'skipped',
        at: now,
        says: 'the schedule was paused',
        told: [],
      });
    }
    files.save(schedule);
    const periods = skipped.map(({ occurrence }) => occurrence.period);
    const [next] = comingOf(schedule, timetable, { from: now, count: 1 });
    const lines = [
      ...periods.map((period) => `${period} came due while it was paused, and is not paid.`),
      `${name} goes on${next === undefined ? '' : `: ${next.line}`}`,
    ];
    return answered(
      shell,
      { type: 'schedule-resumed', schedule: name, skipped: periods, next: next?.event ?? null },
      lines,
    );
  },
});
