import { Fault } from '../../domain/fault.ts';
import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { ScheduleFiles } from '../state/schedule-files.ts';
import { stateFolder } from '../state/state-files.ts';

/** Below `paybatch schedule`. */
export const schedulePause = subcommand({
  name: 'pause',
  summary: 'pay nothing by a schedule until it is resumed',
  example: 'paybatch schedule pause payroll',
  declare(command) {
    return command.argument('<name>', 'schedule');
  },
  async run(shell, [name]) {
    const files = new ScheduleFiles(stateFolder(shell.config()));
    const schedule = files.find(name);
    if (schedule.pausedSince !== undefined)
      throw new Fault('usage', `${name} is paused already.`, `To go on: paybatch schedule resume ${name}`);
    files.save({ ...schedule, pausedSince: shell.clock.now() });
    const line = `${name} is paused. A payment that comes due meanwhile is not made, and not made up for.`;
    return answered(shell, { type: 'schedule-paused', schedule: name }, [line]);
  },
});
