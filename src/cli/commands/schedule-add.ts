import path from 'node:path';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { isTimeZone } from '../../domain/clock.ts';
import { Fault } from '../../domain/fault.ts';
import type { NextStep } from '../../domain/run-end.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { requireRoll, rolls, ruleFrom } from '../../schedule/rule.ts';
import { minuteFrom, requireOwnSheets, ruleText, type Schedule, scheduleName } from '../../schedule/schedule.ts';
import { subcommand } from '../command.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { field, wholeNumber } from '../flags/options.ts';
import { declareMeaning } from '../flags/sheet-options.ts';
import { comingOf } from '../schedule/coming.ts';
import { timetableFor } from '../schedule/timetables.ts';
import { answered } from '../screens/answered.ts';
import { readMapping } from '../state/mapping-file.ts';
import { ScheduleFiles } from '../state/schedule-files.ts';
import { stateFolder } from '../state/state-files.ts';
import { makerName } from '../state/system.ts';

/** A month has fewer hours: a longer window would reach into the next payment. */
const CATCH_UP_HOURS_MAX = 24 * 28;
const SHOWN = 3;

/** Below `paybatch schedule`. */
export const scheduleAdd = subcommand({
  name: 'add',
  summary: 'keep a schedule; `paybatch schedule run-due` pays by it',
  example: 'paybatch schedule add payroll --sheet "payroll-{yyyy}-{MM}.xlsx" --on "last weekday" --at 09:00',
  moreExamples: [
    'paybatch schedule add wages --sheet "wages-{yyyy}-w{ww}.xlsx" --on "2nd friday" --at 16:00',
    'paybatch schedule add payroll --sheet "payroll-{yyyy}-{MM}.xlsx" --on "day 25" --at 09:00 --roll back',
  ],
  declare(command) {
    return declareMeaning(command)
      .argument('<name>', 'its name, which the batches have with the period behind it')
      .requiredOption('--sheet <pattern>', 'its sheets, with {yyyy} {MM} {dd} {HH} {mm} or {period} in the name')
      .requiredOption('--on <rule>', '"last weekday", "2nd friday", "day 25", "last day", "cron 0 9 25 * *"')
      .option('--at <time>', 'local time, for example 09:00; a pattern of cron says its own')
      .option('--timezone <name>', 'whose clocks count; default: timezone of the configuration')
      .addOption(
        new Option('--roll <way>', 'which way a weekend or a holiday moves the day; default: it stays').choices(rolls),
      )
      .option('--holidays <file>', 'a calendar (.ics), or a list of dates')
      .option(
        '--catch-up <hours>',
        'how long it is made up for when nothing ran at its time; default: schedule.catchUpHours',
        wholeNumber(1, CATCH_UP_HOURS_MAX),
      )
      .option(
        '--approvals [folder]',
        'pay approved plans alone; where they lie with their approvals, default: beside the sheet',
        folderName,
      );
  },
  async run(shell, [named], options) {
    const loaded = shell.config();
    const name = scheduleName(named);
    const files = new ScheduleFiles(stateFolder(loaded));
    if (files.has(name))
      throw new Fault(
        'usage',
        `There is a schedule "${name}" already.`,
        `To change it, take it away first: paybatch schedule remove ${name}. What it paid stays on record.`,
      );
    const rule = ruleFrom(options.on);
    requireRoll(rule, options.roll);
    requireOwnSheets(options.sheet, rule);
    requireTime(rule.tag === 'cron', options.at);
    if (options.approvals !== undefined) requireApprovers(loaded);
    const { worksheet, delimiter, encoding, map, currency, decimals, purpose, acceptFixes, out } = options;
    if (map !== undefined) readMapping(loaded.home, map);
    const whole = (file: string): string => path.resolve(shell.cwd, file);
    const schedule: Schedule = {
      name,
      sheet: whole(options.sheet),
      on: options.on.trim(),
      ...field('at', options.at),
      timezone: timeZone(options.timezone ?? loaded.config.timezone),
      ...field('roll', options.roll),
      ...field('holidays', options.holidays === undefined ? undefined : whole(options.holidays)),
      ...field('catchUpHours', options.catchUp),
      reading: {
        ...field('worksheet', worksheet),
        ...field('delimiter', delimiter),
        ...field('encoding', encoding),
        ...field('map', map),
        ...field('currency', currency),
        ...field('decimals', decimals),
        ...field('purpose', purpose),
        ...(acceptFixes === true && { acceptFixes }),
        ...field('out', out === undefined ? undefined : whole(out)),
      },
      ...(options.approvals !== undefined && {
        approvals: typeof options.approvals === 'string' ? { folder: whole(options.approvals) } : {},
      }),
      since: shell.clock.now(),
      by: makerName(),
    };
    const coming = comingOf(schedule, timetableFor(schedule), { from: schedule.since, count: SHOWN });
    files.save(schedule);
    const [first] = coming;
    if (schedule.approvals && first) {
      const { sheet, batch } = first.event;
      shell.terminal.say(
        `Each payment needs a plan that was approved, the first: paybatch plan ${typedPath(sheet)} --batch ${batch}${loaded.profile.approval?.makerKey ? ' --key FILE' : ''}`,
      );
    }
    const lines = [`${name}: ${ruleText(schedule)}`, ...coming.map(({ line }) => line)];
    return {
      ...answered(shell, { type: 'schedule', schedule, next: coming.map(({ event }) => event) }, lines),
      next: toStart(shell.flags.profile),
    };
  },
});

/** What starts it on the system that this is; elsewhere there are others. */
const startedBy: Readonly<Partial<Record<NodeJS.Platform, string>>> = { win32: 'windows', linux: 'systemd' };

const toStart = (profile: string | undefined): NextStep => ({
  says: 'Nothing starts it yet. Have this machine do it:',
  command: `paybatch schedule export ${startedBy[process.platform] ?? 'cron'}${profile === undefined ? '' : ` --profile ${profile}`}`,
});

/** A script gives an empty one for a variable that is not set. */
function folderName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Give --approvals its folder, or leave the folder out.');
  return text;
}

/** Without approvers no plan could ever be paid. A rehearsal takes anybody's word. */
function requireApprovers({ account, profile, profileName }: LoadedConfig): void {
  if (!account || profile.approval) return;
  throw new Fault(
    'usage',
    `The profile "${profileName}" names no approvers, so nobody could approve a plan.`,
    'Name them in approval.approvers of the profile, or leave --approvals out: the sheet is then paid by control totals.',
  );
}

function requireTime(isCron: boolean, at: string | undefined): void {
  if (isCron && at !== undefined)
    throw new Fault('usage', 'A pattern of cron says its time itself.', 'Leave --at out, or the pattern.');
  if (isCron) return;
  if (at === undefined) throw new Fault('usage', 'At which time of the day?', 'Add it, for example: --at 09:00');
  minuteFrom(at);
}

function timeZone(name: string): string {
  if (isTimeZone(name)) return name;
  throw new Fault('usage', `"${name}" is not a time zone of the IANA list.`, 'For example: Africa/Nairobi.');
}
