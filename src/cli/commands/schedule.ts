/** `paybatch schedule …`: schedules by which a sheet is paid on its day, every month or week, once. */

import path from 'node:path';
import { Argument, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { isoTime, isTimeZone, localTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { Fault } from '../../domain/fault.ts';
import { present } from '../../domain/present.ts';
import type { NextStep, RunEnd } from '../../domain/run-end.ts';
import { shown } from '../../domain/shown-text.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { writeWholeFile } from '../../files/whole-file.ts';
import { type Day, daysOf, partsOf, writtenDay } from '../../schedule/day.ts';
import { duePeriods } from '../../schedule/due.ts';
import { type Calling, cron, type Exported, k8s, systemd, windows } from '../../schedule/export.ts';
import { holidayCountries } from '../../schedule/holidays.ts';
import { type NamedHoliday, type Occurrence, occurrencesFrom, type Timetable } from '../../schedule/occurrences.ts';
import { requireRoll, rolls, ruleFrom } from '../../schedule/rule.ts';
import {
  batchNameOf,
  requireOwnSheets,
  ruleText,
  type Schedule,
  scheduleName,
  sheetOf,
} from '../../schedule/schedule.ts';
import { minuteFrom, timeText, wallTimeAt } from '../../schedule/wall-time.ts';
import { answered, commandFamily, subcommand } from '../command.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { severalTexts, wholeNumber } from '../flags/options.ts';
import { declareMeaning } from '../flags/sheet-options.ts';
import { payDue } from '../schedule/pay-due.ts';
import {
  faultOfUnusable,
  knownSchedules,
  missedSince,
  type PeriodStatus,
  periodStatus,
  recordIn,
  type UnusableSchedule,
} from '../schedule/period-status.ts';
import { holidaysOf, holidayText, metText, sayAnnounced, sourcesOf, timetableFor } from '../schedule/timetables.ts';
import { declareDetach, leftToWorkers } from '../send-batch.ts';
import type { Shell } from '../shell.ts';
import { readMapping } from '../state/mapping-file.ts';
import { profilesWithSchedules, ScheduleFiles } from '../state/schedule-files.ts';
import { stateFolder } from '../state/state-files.ts';
import { makerName, userName } from '../state/system.ts';

const filesOf = (shell: Shell): ScheduleFiles => new ScheduleFiles(stateFolder(shell.config()));

interface Coming {
  readonly line: string;
  readonly event: Readonly<Record<'schedule' | 'period' | 'day' | 'at' | 'batch' | 'sheet', string>> & {
    readonly holidays: readonly NamedHoliday[];
    /** The last day that the known holidays cover, if the payment comes after it; otherwise null. */
    readonly holidaysEnd: Day | null;
    /** What is recorded about the period already. */
    readonly recorded: object | undefined;
  };
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

interface Asked {
  /** Wall-clock milliseconds. */
  readonly from: number;
  readonly count: number;
  /** Returns what is recorded about a period already. */
  readonly recorded?: (period: string) => PeriodStatus | undefined;
}

/** Returns the next `count` dates that belong to a schedule, from a moment on. */
export function comingOf(
  schedule: Schedule,
  timetable: Timetable,
  { from, count, recorded = () => undefined }: Asked,
): readonly Coming[] {
  const found: Coming[] = [];
  for (const one of occurrencesFrom(timetable, Math.max(from, schedule.since))) {
    found.push(comingAt(schedule, one, recorded(one.period)));
    if (found.length === count) break;
  }
  return found;
}

function comingAt(schedule: Schedule, occurrence: Occurrence, recorded: PeriodStatus | undefined): Coming {
  const { at, wall, period, holidays, holidaysEnd = null } = occurrence;
  // Clocks that are set forward skip an hour. A payment in that hour comes at the time that the clocks show instead.
  const shown = wallTimeAt(at, schedule.timezone);
  const skipped =
    shown.day === wall.day && shown.minute === wall.minute ? '' : `  (no ${timeText(wall.minute)} that day)`;
  const [sheet, batch] = [sheetOf(schedule, occurrence), batchNameOf(schedule, occurrence)];
  const told = recorded ? `  (${recorded.text})` : '';
  return {
    line: `${weekday.format(Date.parse(`${shown.day}T00:00:00Z`))} ${shown.day} ${timeText(shown.minute)}  ${batch}${skipped}${metText(wall.day, holidays, holidaysEnd)}${told}`,
    event: {
      schedule: schedule.name,
      period,
      day: shown.day,
      at: isoTime(at),
      batch,
      sheet,
      holidays,
      holidaysEnd,
      recorded: recorded && eventOf(recorded),
    },
  };
}

/** The hours of the shortest month: a longer window would reach into the next payment. */
const CATCH_UP_HOURS_MAX = 24 * 28;
const SHOWN = 3;

const scheduleAdd = subcommand({
  name: 'add',
  summary: 'add a schedule, which `paybatch schedule run-due` then follows',
  example: 'paybatch schedule add payroll --sheet "payroll-{yyyy}-{MM}.xlsx" --on "last weekday" --at 09:00',
  moreExamples: [
    'paybatch schedule add wages --sheet "wages-{yyyy}-{MM}.xlsx" --on "2nd friday" --at 16:00',
    'paybatch schedule add payroll --sheet "payroll-{yyyy}-{MM}.xlsx" --on "day 25" --at 09:00 --roll back',
  ],
  declare: (command) =>
    declareMeaning(command)
      .argument('<name>', 'name of the schedule; each batch is named after it and its period')
      .requiredOption('--sheet <pattern>', 'its sheets, with {yyyy} {MM} {dd} {HH} {mm} or {period} in the name')
      .requiredOption('--on <rule>', '"last weekday", "2nd friday", "day 25", "last day", "cron 0 9 25 * *"')
      .option('--at <time>', 'local time, for example 09:00; a cron pattern already contains it')
      .option('--timezone <name>', 'time zone of its days and times; default: timezone of the configuration')
      .addOption(
        new Option('--roll <way>', 'how to move a pay day that is a weekend or a holiday; default: it stays').choices(
          rolls,
        ),
      )
      .option(
        '--holidays <which>',
        `a country (${holidayCountries.join(', ')}), or a file: a calendar (.ics) or a list of dates; may be repeated`,
        severalTexts,
      )
      .option(
        '--catch-up <hours>',
        'how many hours late a payment can still be made; default: schedule.catchUpHours',
        wholeNumber(1, CATCH_UP_HOURS_MAX),
      )
      .option(
        '--approvals [folder]',
        'pay only approved plans; folder of the plans and their approvals, default: next to the sheet',
        folderName,
      ),
  async run(shell, [named], options) {
    const loaded = shell.config();
    const name = scheduleName(named);
    const files = new ScheduleFiles(stateFolder(loaded));
    if (files.has(name))
      throw new Fault(
        'usage',
        `There is a schedule "${name}" already.`,
        `To change it, remove it first: \`paybatch schedule remove ${name}\`. What it paid stays on record.`,
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
      timezone: timeZone(options.timezone ?? loaded.config.timezone),
      ...present({
        at: options.at,
        roll: options.roll,
        holidays: sourcesOf(options.holidays ?? loaded.config.schedule.holidays, shell),
        catchUpHours: options.catchUp,
      }),
      reading: {
        ...present({ worksheet, delimiter, encoding, map, currency, decimals, purpose, acceptFixes }),
        ...present({ out: out === undefined ? undefined : whole(out) }),
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
        `Each payment needs an approved plan. For the first one: paybatch plan ${typedPath(sheet)} --batch ${batch}${loaded.profile.approval?.makerKey ? ' --key FILE' : ''}`,
      );
    }
    sayAnnounced(
      shell,
      coming.flatMap(({ event }) => event.holidays),
    );
    const lines = [`${name}: ${ruleText(schedule)}`, ...coming.map(({ line }) => line)];
    return {
      ...answered(shell, { type: 'schedule', schedule, next: coming.map(({ event }) => event) }, lines),
      next: toStart(shell.flags.profile),
    };
  },
});

/** What starts `run-due` on this platform; others use cron. */
const startedBy: Readonly<Partial<Record<NodeJS.Platform, string>>> = { win32: 'windows', linux: 'systemd' };

const toStart = (profile: string | undefined): NextStep => ({
  says: 'Nothing starts it yet. Have this machine do it:',
  command: `paybatch schedule export ${startedBy[process.platform] ?? 'cron'}${profile === undefined ? '' : ` --profile ${profile}`}`,
});

/** Parses a folder for commander. An empty text, as a script passes it for a variable that is not set, is a usage error. */
function folderName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Give --approvals its folder, or leave the folder out.');
  return text;
}

/**
 * Throws a Fault `usage` for a profile without approvers, because no plan of it could ever be paid. In a rehearsal anyone
 * can approve.
 */
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
    throw new Fault('usage', 'A cron pattern already contains the time.', 'Leave --at out, or the pattern.');
  if (isCron) return;
  if (at === undefined) throw new Fault('usage', 'At which time of the day?', 'Add it, for example: --at 09:00');
  minuteFrom(at);
}

function timeZone(name: string): string {
  if (isTimeZone(name)) return name;
  throw new Fault('usage', `"${name}" is not a time zone of the IANA list.`, 'For example: Africa/Nairobi.');
}

/** Default number of periods shown for each schedule. */
const PERIODS_SHOWN = 3;

const scheduleList = subcommand({
  name: 'list',
  summary: 'list the schedules, their next dates, and the results of the latest periods',
  example: 'paybatch schedule list',
  moreExamples: ['paybatch schedule list --json'],
  declare: (command) =>
    command.option('--last <n>', 'number of periods to show for each schedule', wholeNumber(0), PERIODS_SHOWN),
  async run(shell, _, { last }) {
    const files = filesOf(shell);
    const lines: string[] = [];
    const { usable, unusable } = knownSchedules(files, shell.config(), shell.clock.now());
    const events = usable.map((place) => {
      const { schedule, timetable, records, now } = place;
      const statuses = records.slice(0, last).map((record) => periodStatus(record, place));
      const [next] = comingOf(schedule, timetable, { from: now, count: 1 });
      lines.push(...linesOf(schedule, next?.line), ...statuses.flatMap(linesOfPeriod));
      return { ...schedule, next: next?.event ?? null, periods: statuses.map(eventOf) };
    });
    if (usable.length + unusable.length === 0) lines.push('There is no schedule yet.');
    return withUnusable(unusable, answered(shell, { type: 'schedules', schedules: events }, lines));
  },
});

/** Adds the schedules that cannot be used to an answer about the others. */
function withUnusable(unusable: readonly UnusableSchedule[], end: RunEnd): RunEnd {
  const fault = faultOfUnusable(unusable);
  return fault ? { ...end, exit: fault.exit, fault } : end;
}

function linesOf(schedule: Schedule, next: string | undefined): readonly string[] {
  const { name, sheet, approvals, pausedSince, timezone } = schedule;
  const coming = pausedSince === undefined ? `next: ${next}` : `paused since ${localTime(pausedSince, timezone)}`;
  const paidBy = approvals === undefined ? [] : ['  pays only approved plans'];
  return [`${name}  ${ruleText(schedule)}`, `  ${shown(sheet)}`, ...paidBy, `  ${coming}`];
}

/**
 * Returns the line of a period, `2026-11  2026-11-30  done, exit 0, batch payroll-2026-11`, with the reason if there is one,
 * and the command for one that was missed.
 */
function linesOfPeriod({ record, text, pay, isFromLater }: PeriodStatus): readonly string[] {
  const { period, day, exit, batch, says } = record;
  const parts = [text, exit === undefined ? [] : `exit ${exit}`, batch === undefined ? [] : `batch ${batch}`];
  const line = isFromLater ? text : `${parts.flat().join(', ')}${says === undefined ? '' : `: ${shown(says)}`}`;
  return [`  ${period}  ${day}  ${line}`, ...(pay === undefined ? [] : [`    ${unlessPaid(pay)}`])];
}

const unlessPaid = (pay: string): string => `If it is still to be paid: ${pay}`;

const eventOf = ({ record, pay, isFromLater }: PeriodStatus): object => {
  const { dueAt, at, told: _, ...more } = record;
  return { ...more, dueAt: isoTime(dueAt), at: isoTime(at), isFromLater: isFromLater || undefined, pay };
};

/** Default number of dates shown: a year of months. */
const DATES_SHOWN = 12;
const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;
const [YEAR_MIN, YEAR_MAX] = [2000, 2199];
const DATES_MAX = 400;

const scheduleNext = subcommand({
  name: 'next',
  summary: 'the dates that come next, with the batch of each',
  example: 'paybatch schedule next',
  moreExamples: ['paybatch schedule next payroll'],
  declare: (command) =>
    command
      .argument('[name]', 'schedule; default: all of them')
      .option('--count <n>', 'number of dates to show for each schedule', wholeNumber(1, DATES_MAX), DATES_SHOWN),
  async run(shell, [name], { count }) {
    const files = filesOf(shell);
    const names = name === undefined ? files.names() : [files.nameOf(name)];
    const { usable, unusable } = knownSchedules(files, shell.config(), shell.clock.now(), names);
    const coming = usable.flatMap((place) => {
      const { schedule, timetable, now } = place;
      const recorded = (period: string) => {
        const record = recordIn(place, period);
        return record && periodStatus(record, place);
      };
      return comingOf(schedule, timetable, { from: now, count, recorded });
    });
    const missed = usable.flatMap((place) =>
      missedSince(place).map((status) => ({ name: place.schedule.name, status })),
    );
    if (!shell.flags.json) {
      for (const { name, status } of missed.slice(0, SHOWN)) {
        const { record, text, pay = '' } = status;
        shell.terminal.say(`${name} ${record.period} (${record.day}): ${text}. ${unlessPaid(pay)}`);
      }
      if (missed.length > SHOWN)
        shell.terminal.say(
          `And ${counted(missed.length - SHOWN, 'more period')}: paybatch schedule list --last ${missed.length}`,
        );
    }
    const zones = new Set(usable.map(({ schedule: { timezone } }) => timezone));
    if (!shell.flags.json && coming.length > 0) shell.terminal.say(`Times of ${[...zones].join(', ')}:`);
    sayAnnounced(
      shell,
      coming.flatMap(({ event }) => event.holidays),
    );
    const lines = names.length > 0 ? coming.map(({ line }) => line) : ['There is no schedule yet.'];
    const event = {
      type: 'schedule-next',
      next: coming.map((one) => one.event),
      missed: missed.map(({ name, status }) => ({ schedule: name, ...eventOf(status) })),
    };
    return withUnusable(unusable, answered(shell, event, lines));
  },
});

const scheduleHolidays = subcommand({
  name: 'holidays',
  summary: 'the public holidays of a year, of a country or in a file',
  example: 'paybatch schedule holidays KE',
  moreExamples: ['paybatch schedule holidays UG --year 2027', 'paybatch schedule holidays KE own.ics'],
  declare: (command) =>
    command
      .argument('<holidays...>', `countries (${holidayCountries.join(', ')}) and files; a later one adds and corrects`)
      .option('--year <year>', 'default: the current year', wholeNumber(YEAR_MIN, YEAR_MAX)),
  async run(shell, [which], { year }) {
    const { timezone } = shell.config().config;
    const known = holidaysOf(sourcesOf(which, shell) ?? []);
    const asked = year ?? partsOf(wallTimeAt(shell.clock.now(), timezone).day).year;
    const days = MONTHS.flatMap((month) => daysOf({ year: asked, month }));
    const found = days.flatMap((day) => {
      const holiday = known.on(day);
      return holiday ? [{ day, ...holiday }] : [];
    });
    sayAnnounced(shell, found);
    const { until = null } = known;
    const end = until === null || days.every((day) => day <= until) ? [] : [`No holidays are known after ${until}.`];
    const lines = found.map(
      (holiday) => `${weekday.format(Date.parse(`${holiday.day}T00:00:00Z`))} ${holidayText(holiday)}`,
    );
    const event = { type: 'schedule-holidays', year: asked, until, holidays: found };
    return answered(shell, event, [...lines, ...end]);
  },
});

const scheduleRunDue = subcommand({
  name: 'run-due',
  summary: 'pay what is due now, each period once; for cron or systemd, every few minutes',
  example: 'paybatch schedule run-due --profile live',
  moreExamples: [
    'paybatch schedule run-due --detach --profile live',
    'paybatch schedule run-due --now 2026-12-31T09:00:00+03:00',
  ],
  declare: (command) =>
    declareDetach(command).option(
      '--now <time>',
      'sandbox only: as if it were this time, for example 2026-12-24T09:00:00+03:00',
    ),
  async run(shell, _, options) {
    const isLive = shell.config().account !== undefined;
    const now = options.now === undefined ? shell.clock.now() : momentFrom(options.now, isLive);
    const isDetached = options.detach === true;
    const nothingDue = (): void =>
      shell.reporter.emit({ type: 'notice', level: 'info', message: nothingDueText(shell, now) });
    return await leftToWorkers(shell, options, [], () => payDue(shell, { now, isDetached, nothingDue }));
  },
});

/** Says that nothing is due, and what comes next, or which profiles have schedules if this one has none. */
function nothingDueText(shell: Shell, now: number): string {
  const loaded = shell.config();
  const { usable } = knownSchedules(filesOf(shell), loaded, now);
  if (usable.length === 0) {
    const others = profilesWithSchedules(loaded);
    const elsewhere =
      others.length === 0
        ? 'To add one: paybatch schedule add --help'
        : `The schedules are in ${others.join(', ')}: paybatch schedule run-due --profile ${others[0]}`;
    return `There is no schedule in the profile ${loaded.profileName}, so nothing is due. ${elsewhere}`;
  }
  const coming = usable
    .filter(({ schedule: { pausedSince } }) => pausedSince === undefined)
    .flatMap(({ schedule, timetable }) =>
      comingOf(schedule, timetable, { from: now + 1, count: 1 }).map((next) => ({ next, zone: schedule.timezone })),
    )
    .toSorted((one, other) => (one.next.event.at < other.next.event.at ? -1 : 1));
  const [first] = coming;
  if (!first) return 'Nothing is due: every schedule is paused.';
  return `Nothing is due. Next: ${first.next.line} (${first.zone})`;
}

/** Parses the time of `--now`. Throws a Fault `usage` on a live account, where only the real time says what is due. */
function momentFrom(text: string, isLive: boolean): number {
  if (isLive) {
    throw new Fault(
      'usage',
      '--now is for rehearsals. Nothing was sent.',
      'Leave it out, or rehearse: --profile sandbox.',
    );
  }
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isWhole && writtenDay(text.slice(0, 'yyyy-mm-dd'.length)) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new Fault(
    'usage',
    `"${text}" is not a time. Nothing was sent.`,
    'Write it with its zone, for example 2026-12-24T09:00:00+03:00.',
  );
}

const schedulePause = subcommand({
  name: 'pause',
  summary: 'pause a schedule: it pays nothing until it is resumed',
  example: 'paybatch schedule pause payroll',
  declare: (command) => command.argument('<name>', 'schedule'),
  async run(shell, [name]) {
    const files = filesOf(shell);
    const schedule = files.find(name);
    if (schedule.pausedSince !== undefined)
      throw new Fault('usage', `${name} is paused already.`, `To continue: paybatch schedule resume ${name}`);
    files.save({ ...schedule, pausedSince: shell.clock.now() });
    const line = `${name} is paused. A payment that comes due in the meantime is not made, neither then nor later.`;
    return answered(shell, { type: 'schedule-paused', schedule: name }, [line]);
  },
});

const scheduleResume = subcommand({
  name: 'resume',
  summary: 'resume a paused schedule',
  example: 'paybatch schedule resume payroll',
  declare: (command) => command.argument('<name>', 'schedule'),
  async run(shell, [name]) {
    const loaded = shell.config();
    const files = new ScheduleFiles(stateFolder(loaded));
    const { pausedSince, ...schedule } = files.find(name);
    if (pausedSince === undefined) throw new Fault('usage', `${name} is not paused.`, 'Nothing to do.');
    const now = shell.clock.now();
    const timetable = timetableFor(schedule);
    const { catchUpHours } = loaded.config.schedule;
    const recordOf = (period: string) => files.read(name, period);
    // Payments that came due during the pause are not made up for. A period whose batch is recorded ends on its own. If the
    // pause began at a time that is still to come, it is not known what came due before it, and nothing of that is paid.
    const hasBatch = (period: string) => ['open', 'ended'].includes(recordOf(period)?.state ?? '');
    const skipped = duePeriods({ schedule, timetable, catchUpHours, now, recordOf }).filter(
      ({ occurrence: { at, period } }) => (at >= pausedSince || pausedSince > now) && !hasBatch(period),
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
      `${name} is resumed${next === undefined ? '' : `: ${next.line}`}`,
    ];
    return answered(
      shell,
      { type: 'schedule-resumed', schedule: name, skipped: periods, next: next?.event ?? null },
      lines,
    );
  },
});

const scheduleRemove = subcommand({
  name: 'remove',
  summary: 'remove a schedule; what it paid stays on record',
  example: 'paybatch schedule remove payroll',
  declare: (command) => command.argument('<name>', 'schedule'),
  async run(shell, [name]) {
    filesOf(shell).remove(name);
    return answered(shell, { type: 'schedule-removed', schedule: name }, [`${name} no longer pays anything.`]);
  },
});

const systems = { systemd, cron, windows, k8s } as const satisfies Record<string, (calling: Calling) => Exported>;
type System = keyof typeof systems;

const scheduleExport = subcommand({
  name: 'export',
  summary: 'write the unit or file that starts `schedule run-due` every few minutes',
  example: 'paybatch schedule export systemd',
  moreExamples: ['paybatch schedule export windows', 'paybatch schedule export cron --profile live'],
  declare: (command) =>
    command
      .addArgument(new Argument('<system>', 'what starts it').choices(Object.keys(systems) as System[])) // the keys of the table
      .option('--out <folder>', 'folder for the files; default: this one'),
  async run(shell, [system], { out = '.' }) {
    const folder = path.resolve(shell.cwd, out);
    const { files, todo } = systems[system]({ ...callingFor(shell, shell.config()), out: folder });
    const written = [];
    for (const { name, content, encoding = 'utf8' } of files) {
      const { path: file } = await writeWholeFile(path.join(folder, name), 'page', async ({ stream }) => {
        stream.write(Buffer.from(content, encoding));
      });
      written.push({ kind: system, path: file });
    }
    for (const line of todo) shell.reporter.emit({ type: 'notice', level: 'info', message: line });
    return answered(shell, { type: 'schedule-export', system, todo }, [], written);
  },
});

/** Returns the call of this same program with its present settings. */
function callingFor({ cwd, version }: Shell, { profileName, exportedEnv }: LoadedConfig): Omit<Calling, 'out'> {
  const [node, main = ''] = process.argv;
  return {
    argv: [node ?? 'node', main, 'schedule', 'run-due', '--profile', profileName],
    env: exportedEnv(),
    profile: profileName,
    user: userName() ?? String(process.geteuid?.()),
    folder: cwd,
    version,
  };
}

export const schedule = commandFamily('schedule', {
  example: 'paybatch schedule list',
  moreExamples: ['paybatch schedule next', 'paybatch schedule run-due --profile live'],
  children: [
    scheduleAdd,
    scheduleList,
    scheduleNext,
    scheduleHolidays,
    scheduleRunDue,
    schedulePause,
    scheduleResume,
    scheduleRemove,
    scheduleExport,
  ],
});
