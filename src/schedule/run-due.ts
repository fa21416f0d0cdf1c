/**
 * Pays what is due: one batch for each period, no matter what triggers it and how often. The batch is named after schedule
 * and period, so the ledger and the service recognise it. In addition, each period has a lock and a record of its result.
 *
 *   due ──▶ sheet? totals? ──▶ run ──▶ open ──▶ resume … ──▶ ended
 *    │            │ no                                 ▲
 *    │            ▼                                    │ each trigger, until the window ends
 *    │         waiting ── each trigger, until the window ends ──▶ missed
 */
import { localTime } from '../domain/clock.ts';
import type { Emit, PeriodPoint } from '../domain/event.ts';
import { exitCode, exitOfSeveral } from '../domain/exit-code.ts';
import { caughtFault, Fault } from '../domain/fault.ts';
import { noOutcomes, type OutcomeCounts } from '../domain/outcome.ts';
import { endPointOf, type Notify, workbookOf } from '../domain/payment-notice.ts';
import { endedBy, type RunEnd } from '../domain/run-end.ts';
import { type DuePeriod, duePeriods, isFromLater, isLate, isSettled } from './due.ts';
import type { Timetable } from './occurrences.ts';
import { type PeriodRecord, periodStateTexts } from './period-record.ts';
import { batchNameOf, byHand, type Schedule, sheetOf } from './schedule.ts';
import { ofSchedule, withFurther } from './schedule-faults.ts';

/** One payment of a schedule: the name of its batch, and the path of its sheet. */
export interface ScheduledPayment {
  readonly schedule: Schedule;
  readonly batch: string;
  readonly sheet: string;
}

/** State of a batch that is recorded. */
export interface KnownBatch {
  readonly end: RunEnd;
  /** Why the batch is left to a person, as a clause; absent if it may be resumed unattended. */
  readonly left?: string;
}

/** Makes one payment with the same run as `paybatch run`. Opened for that payment, and closed after it. */
export interface Payer extends AsyncDisposable {
  /** Returns the batch as the ledger has it, or `undefined` if it was never recorded. */
  known(): Promise<KnownBatch | undefined>;
  /**
   * Runs the sheet, and calls `onPlanned` when its batch is recorded. Throws a Fault, with nothing sent, if the sheet has no
   * control totals that agree.
   */
  run(onPlanned: () => void): Promise<RunEnd>;
  resume(): Promise<RunEnd>;
}

/** Records of periods, and their locks. */
export interface PeriodStore {
  read(schedule: string, period: string): PeriodRecord | undefined;
  write(schedule: string, record: PeriodRecord): void;
  /** Takes the lock of a period; `undefined` if another process holds it. */
  hold(schedule: string, period: string): Disposable | undefined;
}

interface DueDeps {
  /** Names of the schedules. */
  readonly schedules: readonly string[];
  /** Reads a schedule. Throws a Fault if it cannot be relied on. */
  readonly scheduleCalled: (name: string) => Schedule;
  /** Returns when a schedule pays. Throws a Fault if its holidays cannot be read. */
  readonly timetableOf: (schedule: Schedule) => Timetable;
  readonly store: PeriodStore;
  readonly openPayer: (payment: ScheduledPayment) => Promise<Payer>;
  /** Whether workers send what is planned here, and report how it ended. */
  readonly isDetached?: boolean;
  readonly notify: Notify;
  readonly emit: Emit;
  readonly catchUpHours: number;
  /** The current time of the schedules, in wall-clock milliseconds. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** Called if nothing is due. */
  readonly nothingDue?: () => void;
}

/**
 * Pays everything that is due, and returns the common end of all payments; exit 0 if nothing was due. A schedule that cannot
 * be read or worked out ends with its Fault: it must not keep other people from being paid, nor hide what was paid before.
 */
export async function runDue(deps: DueDeps): Promise<RunEnd> {
  const ends: RunEnd[] = [];
  for (const name of deps.schedules) {
    const own: RunEnd[] = [];
    try {
      for await (const end of settleAll(deps.scheduleCalled(name), deps)) own.push(end);
    } catch (error) {
      own.push(endedBy(caughtFault(error)));
    }
    if (own.length > 0)
      ends.push(ofPeriods(own.map((end) => (end.fault ? { ...end, fault: ofSchedule(name, end.fault) } : end))));
  }
  if (ends.length === 0) deps.nothingDue?.();
  return together(ends);
}

/** Settles the due periods of one schedule, and yields how each of them ended. */
async function* settleAll(schedule: Schedule, deps: DueDeps): AsyncGenerator<RunEnd> {
  if (schedule.pausedSince !== undefined) return;
  const timetable = deps.timetableOf(schedule);
  const recordOf = (period: string) => deps.store.read(schedule.name, period);
  for (const due of duePeriods({ ...deps, schedule, timetable, recordOf })) {
    if (deps.signal.aborted) return;
    const end = await settle(schedule, due, deps);
    if (end) yield end;
  }
}

/** Settles one period. Returns `undefined` if another process settled it in the meantime. */
async function settle(schedule: Schedule, due: DuePeriod, deps: DueDeps): Promise<RunEnd | undefined> {
  const { period } = due.occurrence;
  using held = deps.store.hold(schedule.name, period);
  if (!held) {
    const says = `Another process works on ${period}. Nothing was sent from here.`;
    return endedBy(new Fault('ledger-held', says, 'That process reports the result.'));
  }
  const before = deps.store.read(schedule.name, period);
  if (isSettled(before, { until: due.until, now: deps.now })) return undefined;
  const payment = { schedule, batch: batchNameOf(schedule, due.occurrence), sheet: sheetOf(schedule, due.occurrence) };
  // Awaited here, so that the lock is held until the work is done.
  return await new Settling(payment, due, before, deps).settle();
}

/** The work on one period, done while its lock is held. */
class Settling {
  readonly #payment: ScheduledPayment;
  readonly #due: DuePeriod;
  readonly #deps: DueDeps;
  readonly #told: Set<string>;
  /** Notices in flight. They are sent while payments continue, and awaited once the payer is closed. */
  readonly #notifying: Promise<void>[] = [];
  #record: PeriodRecord | undefined;
  #isWarnedOfRecord = false;
  /** Why the rest of the batch is left to a person; undefined if it is not. */
  #left: string | undefined;

  constructor(payment: ScheduledPayment, due: DuePeriod, before: PeriodRecord | undefined, deps: DueDeps) {
    this.#payment = payment;
    this.#due = due;
    this.#deps = deps;
    this.#record = before;
    // If a clock was ahead, people are notified again, because the earlier notification was wrong.
    this.#told = new Set(before && before.at > deps.now ? [] : before?.told);
  }

  async settle(): Promise<RunEnd> {
    this.#warnOfClock();
    try {
      await using payer = await this.#deps.openPayer(this.#payment);
      const known = await payer.known();
      if (known) return await this.#goOn(payer, known);
      if (isLate(this.#due, this.#deps.now)) return this.#missed();
      return await this.#pay(payer);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // Nothing could be opened, so this run sent nothing. What an earlier run did is unknown.
      return this.#waits(endedBy(error));
    } finally {
      await Promise.all(this.#notifying);
    }
  }

  async #pay(payer: Payer): Promise<RunEnd> {
    this.#warnOfUnknownHolidays();
    const end = await this.#broken(() => payer.run(() => this.#planned()));
    // Another computer with the same schedule planned the batch after `known` was asked.
    const known = end.fault?.code === 'already-paid' ? await payer.known() : undefined;
    if (known) return this.#goOn(payer, known);
    return end.batch === undefined ? this.#waits(end) : this.#ran(end, 'goes on');
  }

  /** Resumes a recorded batch within its window, unless it needs a person. */
  async #goOn(payer: Payer, { end, left }: KnownBatch): Promise<RunEnd> {
    const isOpen = end.exit === exitCode.notFinal;
    this.#left = isOpen ? left : undefined;
    if (!isOpen || this.#left !== undefined || isLate(this.#due, this.#deps.now)) return this.#ran(end);
    return this.#ran(await this.#broken(() => payer.resume(), end), 'goes on');
  }

  /** Runs the work, and turns a Fault into an end. That end keeps what was known before the work began. */
  async #broken(work: () => Promise<RunEnd>, before?: RunEnd): Promise<RunEnd> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { ...(before ?? endedBy(error)), exit: error.exit, fault: error };
    }
  }

  /**
   * Warns once, when the period is first settled. The payment keeps its day, because people count on it and a holiday stops
   * no payment.
   */
  #warnOfUnknownHolidays(): void {
    const { holidaysEnd, period } = this.#due.occurrence;
    if (holidaysEnd === undefined || this.#record) return;
    const message = `The holidays of ${this.#payment.schedule.name} are known only up to ${holidaysEnd}, so its pay day for ${period} may be a holiday. It is paid on that day.`;
    this.#deps.emit({ type: 'notice', level: 'warning', code: 'holidays-unknown', message });
  }

  /** Warns that the period was given up at a time that has not come yet. Its next record has the present time. */
  #warnOfClock(): void {
    const { until, occurrence } = this.#due;
    const { now, emit } = this.#deps;
    if (!this.#record || !isFromLater(this.#record, { until, now })) return;
    const { name, timezone } = this.#payment.schedule;
    const [says, at, end] = [now, this.#record.at, until].map((ms) => localTime(ms, timezone));
    const message =
      `The clock of this computer says ${says} (${timezone}), and ${name} ${occurrence.period} was recorded as ` +
      `"${periodStateTexts[this.#record.state]}" at ${at}: the clock was ahead then, or is behind now. By the present time the period is due until ${end}, so it is paid, unless its batch is in the ledger. If the present time is wrong, set the clock right (\`paybatch doctor\` compares it).`;
    emit({ type: 'notice', level: 'warning', code: 'clock-behind', message });
  }

  #planned(): void {
    this.#write('open', {});
    this.#say('sent', 'sent');
  }

  /**
   * Records the end of a run whose batch is recorded. Rows without a final outcome are not news while workers continue with
   * them.
   */
  #ran(end: RunEnd, how?: 'goes on'): RunEnd {
    const { exit, fault, batch = this.#payment.batch } = end;
    const point = endPointOf(exit);
    const isEnded = point !== undefined || isLate(this.#due, this.#deps.now);
    const why = fault && { why: fault.code, says: fault.message };
    this.#write(isEnded ? 'ended' : 'open', { exit, batch, counts: end.counts, ...why });
    if (point) this.#say(point, point, end);
    else if (isEnded) this.#say('in-doubt', 'still in doubt', end);
    else if (fault || how === undefined || !this.#deps.isDetached) this.#say('in-doubt', 'in-doubt', end);
    return end;
  }

  /** Records that nothing was sent. The next trigger tries again. */
  #waits(end: RunEnd): RunEnd {
    const why = end.fault?.code;
    const state = this.#record?.state === 'open' ? 'open' : 'waiting';
    const reason = end.fault && { why: end.fault.code, says: end.fault.message };
    this.#write(state, { exit: end.exit, ...reason });
    // Another process holds the ledger and will release it, so no notice is needed.
    if (why !== 'ledger-held') this.#say('waiting', `waiting ${why ?? end.exit}`, end);
    return end;
  }

  #missed(): RunEnd {
    const { schedule } = this.#payment;
    const { period, wall } = this.#due.occurrence;
    const last = this.#record?.says;
    const fault = new Fault(
      'period-missed',
      `The payment of ${period} was not made on ${wall.day}, and its payment window has ended. Nothing was sent.`,
      `If it is still to be paid, pay it yourself: ${byHand(schedule, this.#payment)}`,
      last === undefined ? {} : { details: [`Last known reason: ${last}`] },
    );
    const end = endedBy(fault);
    this.#write('missed', {
      exit: fault.exit,
      why: fault.code,
      says: last ?? 'no run was started in its payment window',
    });
    this.#say('missed', 'missed', end);
    return end;
  }

  /**
   * Stores the state of the period, with the keys of the notices that were sent. A record that cannot be written is only a
   * warning: it must not hide what was paid, and the next trigger finds the batch in the ledger and records it.
   */
  #write(state: PeriodRecord['state'], more: Partial<PeriodRecord>): void {
    const { occurrence } = this.#due;
    const { now, store } = this.#deps;
    this.#record = {
      period: occurrence.period,
      day: occurrence.wall.day,
      dueAt: occurrence.at,
      state,
      at: now,
      ...more,
      told: [...this.#told],
    };
    try {
      store.write(this.#payment.schedule.name, this.#record);
    } catch (error) {
      this.#warnOfRecord(caughtFault(error));
    }
  }

  #warnOfRecord({ message, remedy }: Fault): void {
    if (this.#isWarnedOfRecord) return;
    this.#isWarnedOfRecord = true;
    const { name } = this.#payment.schedule;
    const says = `What became of ${name} ${this.#due.occurrence.period} is not recorded with the schedule: ${message} The ledger knows what was sent, and the next schedule run-due records it. ${remedy}`;
    this.#deps.emit({ type: 'notice', level: 'warning', code: 'period-unrecorded', message: says });
  }

  /**
   * Reports a point of the period, and sends its notice once. The key is stored before the notice is sent, so that a run
   * that is triggered again and again does not send it again.
   */
  #say(point: PeriodPoint, key: string, end?: RunEnd): void {
    const { schedule, batch } = this.#payment;
    const { occurrence, until } = this.#due;
    const { exit, fault, counts = noOutcomes(), amounts } = end ?? { exit: exitCode.ok };
    const scheduled = { schedule: schedule.name, period: occurrence.period, day: occurrence.wall.day };
    const told = this.#told.has(key);
    const why = fault?.code;
    this.#deps.emit({
      type: 'period',
      ...scheduled,
      point,
      batch,
      until,
      timezone: schedule.timezone,
      exit,
      ...(why && { why }),
      ...(this.#left !== undefined && { left: this.#left }),
      told,
    });
    if (told) return;
    this.#told.add(key);
    if (this.#record) this.#write(this.#record.state, this.#record);
    if (this.#deps.isDetached && (point === 'finished' || point === 'alarm')) return;
    const notifying = this.#deps.notify({
      point,
      command: 'schedule run-due',
      scheduled,
      batch,
      exit,
      ...(why && { why }),
      counts,
      ...(amounts && { amounts }),
      ...(end && workbookOf(end)),
    });
    this.#notifying.push(notifying);
  }
}

/** Most further periods of one schedule that the fault of several names. */
const FURTHER_MAX = 10;

/** Combines the ends of the periods of one schedule. */
const ofPeriods = (ends: readonly RunEnd[]): RunEnd => together(ends, FURTHER_MAX);

/**
 * Combines several ends into one: the gravest exit, and the sum of all rows. Its fault is that of the gravest end, or of
 * the first that has one, and has what all others say.
 */
function together(ends: readonly RunEnd[], furtherMax?: number): RunEnd {
  const [only, ...others] = ends;
  if (!only) return { exit: exitCode.ok, counts: noOutcomes(), files: [] };
  if (others.length === 0) return only;
  const exit = exitOfSeveral(ends.map((end) => end.exit));
  const faulty = ends.filter(({ fault }) => fault);
  const gravest = faulty.find((end) => end.exit === exit) ?? faulty[0];
  const further = faulty.flatMap((end) => (end === gravest || !end.fault ? [] : end.fault));
  return {
    exit,
    counts: ends.map(({ counts }) => counts).reduce(sumOf),
    batches: ends.flatMap((end) => end.batches ?? (end.batch === undefined ? [] : end)),
    files: ends.flatMap(({ files }) => files),
    ...(gravest?.fault && { fault: withFurther(gravest.fault, further, furtherMax) }),
  };
}

const sumOf = (one: OutcomeCounts, other: OutcomeCounts): OutcomeCounts => {
  const sum = noOutcomes();
  for (const outcome of Object.keys(sum) as (keyof OutcomeCounts)[]) sum[outcome] = one[outcome] + other[outcome]; // the keys of an object literal of this type
  return sum;
};
