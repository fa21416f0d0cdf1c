/** The schedules: whether something starts `run-due`, as far as its last run shows it, and whether what they ask for can be had. */
import { isoTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { duePeriods } from '../../schedule/due.ts';
import type { Schedule } from '../../schedule/schedule.ts';
import { timetableFor } from '../schedule/timetables.ts';
import { lastTrigger } from '../state/last-trigger.ts';
import { ScheduleFiles } from '../state/schedule-files.ts';
import { type Check, type Finding, ok, problem, warning } from './check.ts';
import type { DoctorContext } from './doctor-context.ts';

const MS_PER_MINUTE = 60_000;
const MINUTES_PER_HOUR = 60;
/** Whoever starts it every few minutes has done so by then. */
const LATE_MS = 15 * MS_PER_MINUTE;
/** Nothing that starts it once a day is further apart. */
const DAY_MS = 25 * MINUTES_PER_HOUR * MS_PER_MINUTE;

const INSTALL = 'Let something start it every few minutes: paybatch schedule export systemd (or cron, windows, k8s)';

export const schedules: Check = {
  name: 'schedules',
  title: 'Schedules',
  look(context) {
    const { folder, loaded, shell } = context;
    const files = new ScheduleFiles(folder);
    const active = files.list().filter(({ pausedSince }) => pausedSince === undefined);
    if (active.length === 0) return ok('None pays anything by itself.');
    const unapproved = active.find(({ approvals }) => approvals !== undefined);
    if (unapproved && loaded.account && !loaded.profile.approval) {
      return problem(
        'configuration',
        `The schedule ${unapproved.name} pays approved plans alone, and the profile names no approvers.`,
        'Name them in approval.approvers of the profile.',
      );
    }
    const now = shell.clock.now();
    return findingOf(active, lastTrigger(folder)?.at, { now, due: overdue(active, files, context, now) });
  },
};

/** Batches whose time has come a while ago. */
function overdue(
  all: readonly Schedule[],
  files: ScheduleFiles,
  { loaded }: DoctorContext,
  now: number,
): readonly Due[] {
  const { catchUpHours } = loaded.config.schedule;
  return all.flatMap((schedule) => {
    const recordOf = (period: string) => files.read(schedule.name, period);
    return duePeriods({ schedule, timetable: timetableFor(schedule), catchUpHours, now, recordOf }).map(
      ({ occurrence: { period, at } }) => ({ name: `${schedule.name} ${period}`, at }),
    );
  });
}

interface Due {
  readonly name: string;
  /** Wall-clock milliseconds. */
  readonly at: number;
}

function findingOf(
  active: readonly Schedule[],
  ranAt: number | undefined,
  { now, due }: { readonly now: number; readonly due: readonly Due[] },
): Finding {
  const figures = { schedules: active.length, ranAt: ranAt === undefined ? null : isoTime(ranAt) };
  const what = `${counted(active.length, 'schedule')} (${active.map(({ name }) => name).join(', ')})`;
  if (ranAt === undefined) return warning(`${what}, and schedule run-due has never run here.`, INSTALL, figures);
  const last = `schedule run-due ran last at ${isoTime(ranAt)}, ${agoText(now - ranAt)} ago`;
  const [missed] = due.filter(({ at }) => at > ranAt && now - at > LATE_MS);
  if (missed) return warning(`${missed.name} is due since ${isoTime(missed.at)}, and ${last}.`, INSTALL, figures);
  if (now - ranAt > DAY_MS) return warning(`${what}: ${last}.`, INSTALL, figures);
  return ok(`${what}: ${last}.`, figures);
}

function agoText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MS_PER_MINUTE));
  return minutes < 2 * MINUTES_PER_HOUR
    ? counted(minutes, 'minute')
    : counted(Math.round(minutes / MINUTES_PER_HOUR), 'hour');
}
