/** The dates of a schedule that come next, for people and for programs. */
import { isoTime } from '../../domain/clock.ts';
import { wallTimeAt } from '../../schedule/cron.ts';
import { type Occurrence, occurrencesFrom, type Timetable, timeText } from '../../schedule/occurrences.ts';
import { batchNameOf, type Schedule, sheetOf } from '../../schedule/schedule.ts';

export interface Coming {
  readonly line: string;
  readonly event: Readonly<Record<'schedule' | 'period' | 'day' | 'at' | 'batch' | 'sheet', string>>;
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });

/** So many dates from a moment on. */
export function comingOf(
  schedule: Schedule,
  timetable: Timetable,
  { from, count }: { readonly from: number; readonly count: number },
): readonly Coming[] {
  const found: Coming[] = [];
  for (const one of occurrencesFrom(timetable, from)) {
    found.push(comingAt(schedule, one));
    if (found.length === count) break;
  }
  return found;
}

function comingAt(schedule: Schedule, occurrence: Occurrence): Coming {
  const { at, wall, period } = occurrence;
  // Clocks that are set forward never show the hour that they skip: the payment comes at the time that they do show.
  const shown = wallTimeAt(at, schedule.timezone);
  const skipped =
    shown.day === wall.day && shown.minute === wall.minute ? '' : `  (no ${timeText(wall.minute)} that day)`;
  const [sheet, batch] = [sheetOf(schedule, occurrence), batchNameOf(schedule, occurrence)];
  return {
    line: `${weekday.format(Date.parse(`${shown.day}T00:00:00Z`))} ${shown.day} ${timeText(shown.minute)}  ${batch}${skipped}`,
    event: { schedule: schedule.name, period, day: shown.day, at: isoTime(at), batch, sheet },
  };
}
