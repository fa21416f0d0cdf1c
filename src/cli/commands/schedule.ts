import { Fault } from '../../domain/fault.ts';
import { cliCommand } from '../command.ts';
import { scheduleAdd } from './schedule-add.ts';
import { scheduleExport } from './schedule-export.ts';
import { scheduleList } from './schedule-list.ts';
import { scheduleNext } from './schedule-next.ts';
import { schedulePause } from './schedule-pause.ts';
import { scheduleRemove } from './schedule-remove.ts';
import { scheduleResume } from './schedule-resume.ts';
import { scheduleRunDue } from './schedule-run-due.ts';

const children = [
  scheduleAdd,
  scheduleList,
  scheduleNext,
  scheduleRunDue,
  schedulePause,
  scheduleResume,
  scheduleRemove,
  scheduleExport,
];

export const schedule = cliCommand({
  example: 'paybatch schedule list',
  moreExamples: ['paybatch schedule next', 'paybatch schedule run-due --profile live'],
  declare: (command) => command,
  run() {
    const known = children.map(({ name }) => `paybatch schedule ${name}`).join(', ');
    throw new Fault('usage', 'What about the schedules?', `Known: ${known}.`);
  },
  children,
});
