import { subcommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { ScheduleFiles } from '../state/schedule-files.ts';
import { stateFolder } from '../state/state-files.ts';

/** Below `paybatch schedule`. */
export const scheduleRemove = subcommand({
  name: 'remove',
  summary: 'take a schedule away; what it paid stays on record',
  example: 'paybatch schedule remove payroll',
  declare(command) {
    return command.argument('<name>', 'schedule');
  },
  async run(shell, [name]) {
    const files = new ScheduleFiles(stateFolder(shell.config()));
    files.remove(files.find(name).name);
    return answered(shell, { type: 'schedule-removed', schedule: name }, [`${name} pays nothing any more.`]);
  },
});
