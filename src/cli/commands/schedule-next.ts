import { subcommand } from '../command.ts';
import { wholeNumber } from '../flags/options.ts';
import { comingOf } from '../schedule/coming.ts';
import { timetableFor } from '../schedule/timetables.ts';
import { answered } from '../screens/answered.ts';
import { ScheduleFiles } from '../state/schedule-files.ts';
import { stateFolder } from '../state/state-files.ts';

/** A year of months. */
const DATES_SHOWN = 12;
const DATES_MAX = 400;

/** Below `paybatch schedule`. */
export const scheduleNext = subcommand({
  name: 'next',
  summary: 'the dates that come next, with the batch of each',
  example: 'paybatch schedule next',
  moreExamples: ['paybatch schedule next payroll'],
  declare(command) {
    return command
      .argument('[name]', 'schedule; default: all of them')
      .option('--count <n>', 'how many dates of each', wholeNumber(1, DATES_MAX), DATES_SHOWN);
  },
  async run(shell, [name], { count }) {
    const files = new ScheduleFiles(stateFolder(shell.config()));
    const chosen = name === undefined ? files.list() : [files.find(name)];
    const from = shell.clock.now();
    const coming = chosen.flatMap((schedule) => comingOf(schedule, timetableFor(schedule), { from, count }));
    const zones = new Set(chosen.map(({ timezone }) => timezone));
    if (!shell.flags.json && coming.length > 0) shell.terminal.say(`Times of ${[...zones].join(', ')}:`);
    const lines = coming.length > 0 ? coming.map(({ line }) => line) : ['There is no schedule yet.'];
    return answered(shell, { type: 'schedule-next', next: coming.map(({ event }) => event) }, lines);
  },
});
