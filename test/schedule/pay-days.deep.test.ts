/**
 * Months of pay days on the real command line, against the practice service as if it were somebody else's: triggered every five
 * minutes where anything can be due, with outages, late sheets, double triggers, runs that are stopped, holidays and changed clocks.
 * The days are computed here in another way than in the room.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { paidTraces, play } from '../support/desk/account.ts';
import type { Told } from '../support/desk/command-line.ts';
import { type Office, openOffice } from '../support/desk/live-office.ts';
import { csvOf, people, type SheetLine } from '../support/desk/payroll-sheet.ts';
import { passingClock } from '../support/fast-clock.ts';
import { sendJson, serve } from '../support/loopback.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TRIGGER_MS = 5 * MINUTE;
const WINDOW_MS = 12 * HOUR;
/** In a year everything happens to both schedules, and clocks change twice. `npm run campaign:pay-days` plays two years. */
const MONTHS = Number(process.env['PAYBATCH_TEST_MONTHS'] ?? 12);
/**
 * The clock at the beginning. It is fixed, so that every pay day meets the same mischief whenever the test runs: one sheet never comes
 * on the day on which clocks skip the time of the payment.
 */
const START = Date.UTC(2026, 11, 1, 6);
const WELL = 'settle-min=20,settle-max=80';

const staff = people(2);
// They are other people by every measure: a shared name would be a staff member whose account changed.
const guards: readonly SheetLine[] = staff.map(({ reference, ...row }, index) => ({
  ...row,
  name: `Guard ${index + 1}`,
  reference: `GUARD-${reference}`,
  phone: `+25472000${index}055`,
}));

/** What happens to a pay day. */
const mischiefs = [
  'none',
  'two triggers at once',
  'service down for an hour',
  'sheet three hours late',
  'totals two hours late',
  'sheet never there',
  'nothing runs that day',
  'nothing runs for four hours',
  'stopped when it is planned',
  'service down when it is planned',
  'clock set back afterwards',
] as const;
type Mischief = (typeof mischiefs)[number];
const unpaid: readonly Mischief[] = ['sheet never there', 'nothing runs that day'];

interface PayDay {
  readonly batch: string;
  readonly period: string;
  readonly day: string;
  readonly at: number;
  readonly timezone: string;
  readonly rows: readonly SheetLine[];
  readonly mischief: Mischief;
}

const dayIn = (ms: number, timezone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone: timezone }).format(ms);

/**
 * The first moment at which the clocks of a zone show a time of a day. If they skip it, the moment is as much later as they skip
 * (RFC 5545, section 3.3.5).
 */
function momentOf(day: string, time: string, timezone: string): number {
  const clocks = new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  const plain = (shown: string): number => Date.parse(`${shown.replace(' ', 'T')}Z`);
  const step = 30 * MINUTE;
  let ms = Date.parse(`${day}T00:00:00Z`) - 15 * HOUR;
  while (clocks.format(ms + step) < `${day} ${time}`) ms += step;
  return ms + plain(`${day} ${time}`) - plain(clocks.format(ms));
}

/** The last day of a month for which something holds. */
function lastDay(period: string, holds: (day: string, weekday: number) => boolean): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  for (let date = new Date(Date.UTC(year, month, 0)); ; date = new Date(date.getTime() - DAY)) {
    const day = date.toISOString().slice(0, 10);
    if (holds(day, date.getUTCDay())) return day;
  }
}

const isWeekday = (weekday: number): boolean => weekday >= 1 && weekday <= 5;

/** Both schedules, month by month, and the holidays that move one of them. */
function calendarFrom(now: number): { readonly days: readonly PayDay[]; readonly holidays: readonly string[] } {
  const holidays: string[] = [];
  const days: PayDay[] = [];
  for (let number = 1; number <= MONTHS; number++) {
    const today = new Date(now);
    const period = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + number)).toISOString().slice(0, 7);
    if (number % 3 === 0) holidays.push(lastDay(period, (_, weekday) => isWeekday(weekday)));
    const payDay = lastDay(period, (day, weekday) => isWeekday(weekday) && !holidays.includes(day));
    const sunday = lastDay(period, (_, weekday) => weekday === 0);
    const add = (name: string, day: string, time: string, timezone: string, rows: readonly SheetLine[]): void => {
      const mischief = mischiefs[days.length % mischiefs.length] ?? 'none';
      days.push({
        batch: `${name}-${period}`,
        period,
        day,
        at: momentOf(day, time, timezone),
        timezone,
        rows,
        mischief,
      });
    };
    add('payroll', payDay, '09:00', 'Africa/Nairobi', staff);
    // The days on which clocks change there, at the very time.
    add('guards', sunday, '02:30', 'Europe/Berlin', guards);
  }
  return { days: days.toSorted((one, other) => one.at - other.at), holidays };
}

class PayDayPlay {
  readonly #office: Office;
  readonly #day: PayDay;
  readonly exits: number[] = [];

  constructor(office: Office, day: PayDay) {
    this.#office = office;
    this.#day = day;
  }

  async play(): Promise<void> {
    const { mischief, at } = this.#day;
    if (mischief === 'nothing runs that day') return this.#once(at + WINDOW_MS + HOUR);
    const from = mischief === 'nothing runs for four hours' ? at + 4 * HOUR : at - 2 * TRIGGER_MS;
    if (mischief !== 'sheet never there' && mischief !== 'sheet three hours late') await this.#sheet();
    if (mischief === 'totals two hours late') await rm(this.#office.desk.path(`${this.#day.batch}.totals.json`));
    if (mischief === 'service down for an hour') await play(this.#office.service, 'down');
    for (let now = from; ; now += TRIGGER_MS) {
      await this.#before(now);
      const told = await this.#trigger(now);
      if (told.end.rows['completed'] === this.#day.rows.length || now > at + WINDOW_MS) break;
    }
    if (mischief === 'clock set back afterwards') this.#office.clock.pass(-2 * HOUR);
    for (let more = 1; more <= 2; more++) this.exits.push((await this.#runDue()).exit);
  }

  async #once(now: number): Promise<void> {
    await this.#trigger(now);
    await this.#trigger(now + TRIGGER_MS);
  }

  /** What comes at last. */
  async #before(now: number): Promise<void> {
    const { mischief, at, batch } = this.#day;
    if (mischief === 'sheet three hours late' && now === at + 3 * HOUR) await this.#sheet();
    if (mischief === 'totals two hours late' && now === at + 2 * HOUR) {
      await this.#office.desk.say(['validate', `${batch}.csv`, '--totals']);
    }
    if (mischief === 'service down for an hour' && now === at + HOUR) await play(this.#office.service, WELL);
    if (mischief === 'service down when it is planned' && now > at) await play(this.#office.service, WELL);
  }

  async #sheet(): Promise<void> {
    const { batch, rows } = this.#day;
    await writeFile(this.#office.desk.path(`${batch}.csv`), csvOf(rows));
    await this.#office.desk.say(['validate', `${batch}.csv`, '--totals']);
  }

  async #trigger(now: number): Promise<Told> {
    const { clock } = this.#office;
    clock.pass(now - clock.now());
    const [told, other] = await Promise.all([
      this.#runDue(),
      this.#day.mischief === 'two triggers at once' ? this.#runDue() : undefined,
    ]);
    this.exits.push(told.exit, ...(other ? [other.exit] : []));
    return other && other.end.rows['completed'] !== 0 ? other : told;
  }

  #runDue(): Promise<Told> {
    const { desk, service } = this.#office;
    const stop = new AbortController();
    return desk.emit(['schedule', 'run-due'], {
      signal: stop.signal,
      onOutput: (text) => {
        if (!text.includes('"batch.planned"')) return;
        if (this.#day.mischief === 'stopped when it is planned') stop.abort('SIGTERM');
        if (this.#day.mischief === 'service down when it is planned') void play(service, 'down');
      },
    });
  }
}

test(`${MONTHS} months of pay days: each is paid once on its local day, or missed and told once`, {
  timeout: 3_600_000,
}, async () => {
  const { url, arrived } = await serve((_, response) => sendJson(response, 200, {}));
  const clock = passingClock();
  clock.pass(START - clock.now());
  const office = await openOffice(WELL, { polling: { firstMs: 30, maxMs: 200, deadlineMs: 8000 } }, clock);
  const { desk, service } = office;
  const config = JSON.parse(await readFile(desk.path('paybatch.config.json'), 'utf8'));
  const secretFile = await desk.write('keys/webhook', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  await desk.writeConfig({ profiles: { env: { ...config.profiles.env, notify: { webhook: { url, secretFile } } } } });
  const { days, holidays } = calendarFrom(clock.now());
  await desk.write('holidays.txt', holidays.join('\n'));
  const add = (name: string, ...more: readonly string[]) =>
    desk.say(['schedule', 'add', name, '--sheet', `${name}-{period}.csv`, ...more]);
  const [first] = days;
  clock.pass(Math.max(0, (first?.at ?? 0) - DAY - clock.now()));
  await add('payroll', '--on', 'last weekday', '--at', '09:00', '--holidays', 'holidays.txt');
  await add('guards', '--on', 'last sunday', '--at', '02:30', '--timezone', 'Europe/Berlin');

  for (const [index, day] of days.entries()) {
    const one = new PayDayPlay(office, day);
    await one.play();
    const stopped = one.exits.filter((exit) => exit !== 0);
    const context = `${day.batch}, ${day.mischief}: ${[...new Set(stopped)]}`;
    // A trigger in the middle of nowhere finds nothing to do.
    const next = days[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    clock.pass(Math.min(DAY, next - HOUR - clock.now()));
    expect((await desk.emit(['schedule', 'run-due'])).exit, context).toBe(0);
    expect(stopped.filter((exit) => exit === 8 && unpaid.includes(day.mischief)).length, context).toBe(
      unpaid.includes(day.mischief) ? 1 : 0,
    );
  }

  const paid = days.filter(({ mischief }) => !unpaid.includes(mischief));
  const history = await desk.emit(['history', '--last', '1000']);
  const batches = history.events.find(({ type }) => type === 'history')?.['batches'] as readonly {
    readonly batch: string;
    readonly plannedAt: string;
    readonly counts: Readonly<Record<string, number>>;
  }[];
  const seen = batches.map(({ batch, plannedAt, counts }) => {
    const timezone = days.find((day) => day.batch === batch)?.timezone ?? 'UTC';
    return [batch, dayIn(Date.parse(plannedAt), timezone), counts['completed']];
  });
  expect(seen.toSorted()).toEqual(paid.map(({ batch, day, rows }) => [batch, day, rows.length]).toSorted());

  const traces = paidTraces(service.books());
  expect(traces).toHaveLength(paid.length * staff.length);
  expect(new Set(traces).size).toBe(traces.length);

  const noticed = arrived.map(({ body }) => JSON.parse(body)).map(({ type, data }) => `${data.batch} ${type}`);
  const timesOf = (what: string): number => noticed.filter((one) => one === what).length;
  for (const { batch, mischief } of days) {
    const isPaid = !unpaid.includes(mischief);
    expect([batch, mischief, timesOf(`${batch} payment.missed`)]).toEqual([batch, mischief, isPaid ? 0 : 1]);
    expect([batch, mischief, timesOf(`${batch} payment.finished`)]).toEqual([batch, mischief, isPaid ? 1 : 0]);
    expect([batch, mischief, timesOf(`${batch} payment.sent`)]).toEqual([batch, mischief, isPaid ? 1 : 0]);
  }
  const said = arrived.map(({ body }) => body).join('\n');
  for (const { name, phone } of [...staff, ...guards]) {
    expect(said.includes(name) || said.includes(phone.slice(1))).toBe(false);
  }
});
