import { isoTime, localTime } from '../../domain/clock.ts';
import { shown } from '../../domain/shown-text.ts';
import { type PeriodRecord, periodStateTexts } from '../../schedule/period-record.ts';
import { ruleText, type Schedule } from '../../schedule/schedule.ts';
import { subcommand } from '../command.ts';
import { wholeNumber } from '../flags/options.ts';
import { comingOf } from '../schedule/coming.ts';
import { timetableFor } from '../schedule/timetables.ts';
import { answered } from '../screens/answered.ts';
import { ScheduleFiles } from '../state/schedule-files.ts';
import { stateFolder } from '../state/state-files.ts';

/** Periods of each schedule that are shown unless more are asked for. */
const PERIODS_SHOWN = 3;

/** Below `paybatch schedule`. */
export const scheduleList = subcommand({
  name: 'list',
  summary: 'the schedules, their next dates, and what came of the latest periods',
  example: 'paybatch schedule list',
  moreExamples: ['paybatch schedule list --json'],
  declare(command) {
    return command.option('--last <n>', 'how many periods of each', wholeNumber(0), PERIODS_SHOWN);
  },
  async run(shell, _, { last }) {
    const files = new ScheduleFiles(stateFolder(shell.config()));
    const all = files.list();
    const lines: string[] = [];
    const events = all.map((schedule) => {
      const periods = files.records(schedule.name).slice(0, last);
      const [next] = comingOf(schedule, timetableFor(schedule), { from: shell.clock.now(), count: 1 });
      lines.push(...linesOf(schedule, next?.line), ...periods.map((record) => `  ${lineOf(record)}`));
      return { ...schedule, next: next?.event ?? null, periods: periods.map(eventOf) };
    });
    if (all.length === 0) lines.push('There is no schedule yet.');
    return answered(shell, { type: 'schedules', schedules: events }, lines);
  },
});

function linesOf(schedule: Schedule, next: string | undefined): readonly string[] {
  const { name, sheet, approvals, pausedSince, timezone } = schedule;
  const coming = pausedSince === undefined ? `next: ${next}` : `paused since ${localTime(pausedSince, timezone)}`;
  const paidBy = approvals === undefined ? [] : ['  pays approved plans alone'];
  return [`${name}  ${ruleText(schedule)}`, `  ${shown(sheet)}`, ...paidBy, `  ${coming}`];
}

/** `2026-11  2026-11-30  done, exit 0, batch payroll-2026-11`, and why. */
function lineOf({ period, day, state, exit, batch, says }: PeriodRecord): string {
  const parts = [
    periodStateTexts[state],
    exit === undefined ? [] : `exit ${exit}`,
    batch === undefined ? [] : `batch ${batch}`,
  ];
  return `${period}  ${day}  ${parts.flat().join(', ')}${says === undefined ? '' : `: ${shown(says)}`}`;
}

const eventOf = ({ dueAt, at, told: _, ...record }: PeriodRecord): object => ({
  ...record,
  dueAt: isoTime(dueAt),
  at: isoTime(at),
});
