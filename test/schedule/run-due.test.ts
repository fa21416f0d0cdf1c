/** What is done about a period, trigger by trigger: the payer, the records and who is told are this test's own. */
import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/domain/event.ts';
import { Fault } from '../../src/domain/fault.ts';
import type { BatchId } from '../../src/domain/ids.ts';
import { noOutcomes } from '../../src/domain/outcome.ts';
import type { PaymentNotice } from '../../src/domain/payment-notice.ts';
import { endedBy, type RunEnd } from '../../src/domain/run-end.ts';
import { type Holidays, noHolidays, readHolidays } from '../../src/schedule/holidays.ts';
import type { PeriodRecord } from '../../src/schedule/period-record.ts';
import { type KnownBatch, type Payer, type PeriodStore, runDue } from '../../src/schedule/run-due.ts';
import { type Schedule, timetableOf } from '../../src/schedule/schedule.ts';
import { amountIn } from '../support/amounts.ts';

const HOUR = 3_600_000;
/** Midnight in Nairobi. */
const at = (text: string): number => Date.parse(`${text}+03:00`);

const payroll: Schedule = {
  name: 'payroll',
  sheet: '/sheets/payroll-{yyyy}-{MM}.xlsx',
  on: 'last weekday',
  at: '09:00',
  timezone: 'Africa/Nairobi',
  reading: {},
  since: at('2026-11-01T00:00'),
  by: 'finance',
};

class Office implements PeriodStore {
  readonly records = new Map<string, PeriodRecord>();
  readonly held = new Set<string>();
  readonly noticed: PaymentNotice[] = [];
  readonly events: RunEvent[] = [];
  /** Sheets and control totals that were paid. */
  readonly runs: string[] = [];
  readonly resumed: string[] = [];
  /** What the ledger holds. */
  known: KnownBatch | undefined;
  schedule = payroll;
  names: readonly string[] = [payroll.name];
  /** Schedules that cannot be read. */
  readonly unreadable = new Map<string, Fault>();
  isDetached = false;
  holidays: Holidays = noHolidays;
  holidaysOf = (_: string): Holidays => this.holidays;
  /** The exit code of whoever goes on with a batch. */
  resumesWith = 0;
  /** What comes of a run; a Fault is thrown. */
  outcome: (planned: () => void, batch: string) => Promise<RunEnd> = async (planned) => this.#paid(planned, 0);

  read = (schedule: string, period: string): PeriodRecord | undefined => this.records.get(`${schedule} ${period}`);
  write = (schedule: string, record: PeriodRecord): void => {
    this.records.set(`${schedule} ${record.period}`, record);
  };

  hold(schedule: string, period: string): Disposable | undefined {
    const key = `${schedule} ${period}`;
    if (this.held.has(key)) return undefined;
    this.held.add(key);
    return { [Symbol.dispose]: () => void this.held.delete(key) };
  }

  #paid(planned: () => void, exit: number, name = 'payroll-2026-11'): RunEnd {
    planned();
    const end = { exit, batch: name as BatchId, counts: { ...noOutcomes(), completed: 2 }, files: [] };
    this.known = { end };
    return end;
  }

  ends(exit: number): void {
    this.outcome = async (planned) => this.#paid(planned, exit);
  }

  refuses(fault: Fault): void {
    this.outcome = async () => {
      throw fault;
    };
  }

  trigger(now: string, more: { readonly opens?: Fault } = {}): Promise<RunEnd> {
    return runDue({
      schedules: this.names,
      scheduleCalled: (name) => {
        const fault = this.unreadable.get(name);
        if (fault) throw fault;
        return { ...this.schedule, name };
      },
      timetableOf: (schedule) => timetableOf(schedule, this.holidaysOf(schedule.name)),
      store: this,
      openPayer: async ({ batch, sheet }): Promise<Payer> => {
        if (more.opens) throw more.opens;
        return {
          known: async () => this.known,
          run: async (planned) => {
            this.runs.push(`${sheet} as ${batch}`);
            return this.outcome(planned, batch);
          },
          resume: async () => {
            this.resumed.push(batch);
            return this.#paid(() => undefined, this.resumesWith, batch);
          },
          [Symbol.asyncDispose]: async () => undefined,
        };
      },
      isDetached: this.isDetached,
      notify: async (notice) => void this.noticed.push(notice),
      emit: (event) => void this.events.push(event),
      catchUpHours: 12,
      now: at(now),
      signal: new AbortController().signal,
    });
  }

  get points(): readonly string[] {
    return this.noticed.map(({ point, scheduled }) => `${scheduled?.period} ${point}`);
  }
}

const late = new Fault('sheet-late', 'The sheet is not there. Nothing was sent.', 'Put it there.');

describe('a period', () => {
  test('is paid once at its time, however often it is triggered', async () => {
    const office = new Office();
    expect((await office.trigger('2026-11-30T08:59')).exit).toBe(0);
    expect(office.runs).toEqual([]);
    for (const time of ['2026-11-30T09:00', '2026-11-30T09:00', '2026-11-30T09:05', '2026-12-15T09:00']) {
      expect((await office.trigger(time)).exit).toBe(0);
    }
    expect(office.runs).toEqual(['/sheets/payroll-2026-11.xlsx as payroll-2026-11']);
    expect(office.points).toEqual(['2026-11 sent', '2026-11 finished']);
    expect(office.read('payroll', '2026-11')).toMatchObject({ state: 'ended', exit: 0, batch: 'payroll-2026-11' });
  });

  test('that another process works on is left to it: 75', async () => {
    const office = new Office();
    using _ = office.hold('payroll', '2026-11');
    expect(await office.trigger('2026-11-30T09:00')).toMatchObject({ exit: 75, fault: { code: 'ledger-held' } });
    expect(office.runs).toEqual([]);
    expect(office.records.size).toBe(0);
  });

  test('is not paid by whoever comes second, though it was due when both began', async () => {
    const office = new Office();
    let second: RunEnd | undefined;
    const first = office.outcome;
    office.outcome = async (planned, batch) => {
      second = await office.trigger('2026-11-30T09:00');
      return first(planned, batch);
    };
    expect((await office.trigger('2026-11-30T09:00')).exit).toBe(0);
    expect(second?.exit).toBe(75);
    expect(office.runs).toHaveLength(1);
  });

  test('waits for its sheet to the end of its window, and somebody is told once', async () => {
    const office = new Office();
    office.refuses(late);
    for (const time of ['2026-11-30T09:00', '2026-11-30T09:05', '2026-11-30T20:55']) {
      expect(await office.trigger(time)).toMatchObject({ exit: 3, fault: { code: 'sheet-late' } });
    }
    expect(office.points).toEqual(['2026-11 waiting']);
    office.ends(0);
    expect((await office.trigger('2026-11-30T20:59')).exit).toBe(0);
    expect(office.points).toEqual(['2026-11 waiting', '2026-11 sent', '2026-11 finished']);
  });

  test('that comes after its holidays end is paid on its day, and that is told once', async () => {
    const office = new Office();
    office.holidays = readHolidays('ke.txt', '2025-12-25 Christmas Day');
    office.refuses(late);
    await office.trigger('2026-11-30T09:00');
    await office.trigger('2026-11-30T09:05');
    office.ends(0);
    expect((await office.trigger('2026-11-30T09:10')).exit).toBe(0);
    const told = office.events.flatMap((event) => (event.type === 'notice' ? event.message : []));
    expect(told).toEqual([expect.stringContaining('known only up to 2025-12-31')]);
    office.holidays = readHolidays('ke.txt', '2026-12-25 Christmas Day');
    await office.trigger('2026-12-31T09:00');
    expect(office.events.filter(({ type }) => type === 'notice')).toHaveLength(1);
  });

  test('for which another reason comes is told of again', async () => {
    const office = new Office();
    office.refuses(late);
    await office.trigger('2026-11-30T09:00');
    office.refuses(new Fault('balance-short', 'The wallet lacks money.', 'Top it up.'));
    expect((await office.trigger('2026-11-30T09:05')).exit).toBe(5);
    expect(office.noticed.map(({ why }) => why)).toEqual(['sheet-late', 'balance-short']);
  });

  test('is missed when its window is over: told once, and never paid late', async () => {
    const office = new Office();
    const missed = await office.trigger('2026-11-30T21:00');
    expect(missed).toMatchObject({ exit: 8, fault: { code: 'period-missed' } });
    expect((await office.trigger('2026-11-30T21:05')).exit).toBe(0);
    expect(office.runs).toEqual([]);
    expect(office.points).toEqual(['2026-11 missed']);
    expect(office.read('payroll', '2026-11')).toMatchObject({ state: 'missed' });
  });

  test('of which the ledger cannot be opened is not called missed: nobody knows what was sent', async () => {
    const office = new Office();
    const opens = new Fault('ledger-unsafe', 'The ledger cannot be read.', 'Look at it.');
    expect((await office.trigger('2026-12-01T09:00', { opens })).exit).toBe(10);
    expect(office.read('payroll', '2026-11')).toMatchObject({ state: 'waiting', why: 'ledger-unsafe' });
    expect((await office.trigger('2026-12-01T09:05')).fault?.code).toBe('period-missed');
  });

  test('of several that were missed each is told, and the one that is due is paid', async () => {
    const office = new Office();
    const end = await office.trigger('2027-01-29T09:00');
    expect(end.exit).toBe(8);
    expect(office.points).toEqual(['2026-11 missed', '2026-12 missed', '2027-01 sent', '2027-01 finished']);
    expect(office.runs).toEqual(['/sheets/payroll-2027-01.xlsx as payroll-2027-01']);
  });

  test('of several that were missed is named in the one fault, up to ten of them, with the command that pays it', async () => {
    const office = new Office();
    const { fault } = await office.trigger('2027-02-15T09:00');
    expect(fault?.message).toContain('Schedule payroll: The payment of 2026-11 was not made on 2026-11-30');
    expect(fault?.details.slice(-2)).toEqual([
      expect.stringMatching(
        /^Schedule payroll: The payment of 2026-12 was not made .* paybatch run \S+2026-12.xlsx --batch payroll-2026-12$/,
      ),
      expect.stringMatching(
        /^Schedule payroll: The payment of 2027-01 was not made .* paybatch run \S+2027-01.xlsx --batch payroll-2027-01$/,
      ),
    ]);
    const many = (await new Office().trigger('2028-01-15T09:00')).fault?.details.slice(-11);
    expect(many).toHaveLength(11);
    expect(many?.at(-1)).toBe('And 3 more periods: paybatch schedule list --last 14');
  });
});

describe('a clock that was ahead', () => {
  const ahead = '2027-06-15T09:00';

  test('keeps no period from being paid on its day, once, and that is told', async () => {
    const office = new Office();
    expect((await office.trigger(ahead)).fault?.code).toBe('period-missed');
    expect(office.points).toContain('2026-12 missed');
    expect((await office.trigger('2026-12-31T08:59')).exit).toBe(0);
    expect(office.runs).toEqual([]);
    for (const time of ['2026-12-31T09:00', '2026-12-31T09:05', '2026-12-31T21:05']) {
      expect((await office.trigger(time)).exit, time).toBe(0);
    }
    expect(office.runs).toEqual(['/sheets/payroll-2026-12.xlsx as payroll-2026-12']);
    expect(office.points.slice(-2)).toEqual(['2026-12 sent', '2026-12 finished']);
    expect(office.events.flatMap((event) => (event.type === 'notice' ? event : []))).toEqual([
      expect.objectContaining({
        level: 'warning',
        code: 'clock-behind',
        message: expect.stringMatching(
          /says 2026-12-31 09:00 \(Africa\/Nairobi\), and payroll 2026-12 was recorded as "missed, nothing was sent" at 2027-06-15 09:00/,
        ),
      }),
    ]);
  });

  test('leaves a period that is missed after all missed, and people are told again', async () => {
    const office = new Office();
    office.refuses(late);
    await office.trigger('2026-11-30T20:00');
    await office.trigger('2026-11-30T22:00');
    await office.trigger('2026-11-30T20:55');
    expect(office.read('payroll', '2026-11')).toMatchObject({ state: 'waiting' });
    expect((await office.trigger('2026-11-30T21:00')).fault?.code).toBe('period-missed');
    expect((await office.trigger('2026-11-30T21:05')).exit).toBe(0);
    expect(office.points).toEqual(['2026-11 waiting', '2026-11 missed', '2026-11 waiting', '2026-11 missed']);
  });

  test('pays nothing twice that a person paid under the name of the period', async () => {
    const office = new Office();
    await office.trigger(ahead);
    office.known = { end: { ...endedBy(late), exit: 0, batch: 'payroll-2026-11' as BatchId } };
    expect((await office.trigger('2026-11-30T09:00')).exit).toBe(0);
    expect(office.runs).toEqual([]);
    expect(office.read('payroll', '2026-11')).toMatchObject({ state: 'ended', exit: 0 });
  });

  test('does not end a batch that is still in its window: it is gone on with', async () => {
    const office = new Office();
    office.ends(7);
    await office.trigger('2026-11-30T09:00');
    await office.trigger('2026-11-30T22:00');
    expect(office.read('payroll', '2026-11')).toMatchObject({ state: 'ended', exit: 7 });
    expect((await office.trigger('2026-11-30T09:10')).exit).toBe(0);
    expect(office).toMatchObject({ runs: { length: 1 }, resumed: ['payroll-2026-11'] });
  });

  test('that paid a period early pays it no second time on its day', async () => {
    const office = new Office();
    expect((await office.trigger('2026-11-30T09:00')).exit).toBe(0);
    for (const time of ['2026-11-20T09:00', '2026-11-30T09:00']) expect((await office.trigger(time)).exit).toBe(0);
    expect(office.runs).toHaveLength(1);
  });
});

describe('a clock that is behind', () => {
  test('pays nothing before its own time, and after it is set right what has become late is missed', async () => {
    const office = new Office();
    expect((await office.trigger('2026-11-15T09:00')).exit).toBe(0);
    expect((await office.trigger('2026-12-02T09:00')).fault?.code).toBe('period-missed');
    expect(office.runs).toEqual([]);
  });
});

describe('a period that workers send', () => {
  test('that another computer has planned in the same moment is theirs to end, and nobody is told that it is in doubt', async () => {
    const office = Object.assign(new Office(), { isDetached: true, resumesWith: 7 });
    office.outcome = async () => {
      office.known = {
        end: { exit: 7, batch: 'payroll-2026-11' as BatchId, counts: noOutcomes(), files: [] },
      };
      const fault = new Fault('already-paid', 'It was already started. Nothing was sent.', 'Continue with it.');
      return { ...office.known.end, exit: fault.exit, fault };
    };
    expect((await office.trigger('2026-11-30T09:00')).exit).toBe(7);
    expect(office).toMatchObject({ points: [], resumed: ['payroll-2026-11'] });
    expect(office.read('payroll', '2026-11')).toMatchObject({ state: 'open' });
  });

  const detached = (): Office => Object.assign(new Office(), { isDetached: true, resumesWith: 7 });

  test('is planned once, and they tell how it ended: that it is not final meanwhile is no news', async () => {
    const office = detached();
    office.ends(7);
    for (const time of ['2026-11-30T09:00', '2026-11-30T09:01']) expect((await office.trigger(time)).exit).toBe(7);
    expect(office.read('payroll', '2026-11')).toMatchObject({ state: 'open' });
    office.resumesWith = 0;
    expect((await office.trigger('2026-11-30T09:02')).exit).toBe(0);
    expect((await office.trigger('2026-11-30T09:03')).exit).toBe(0);
    expect(office).toMatchObject({ points: ['2026-11 sent'], resumed: ['payroll-2026-11', 'payroll-2026-11'] });
    expect(office.runs).toHaveLength(1);
    expect(office.read('payroll', '2026-11')).toMatchObject({ state: 'ended', exit: 0 });
  });

  test('is told of when they leave it to a person, and when its window ends before it does', async () => {
    const office = detached();
    office.ends(7);
    await office.trigger('2026-11-30T09:00');
    if (office.known) office.known = { ...office.known, left: 'Ann stopped the batch (wrong sheet)' };
    await office.trigger('2026-11-30T09:01');
    expect(office.points).toEqual(['2026-11 sent', '2026-11 in-doubt']);

    const other = detached();
    other.ends(7);
    await other.trigger('2026-11-30T09:00');
    await other.trigger('2026-11-30T21:00');
    expect(other.points).toEqual(['2026-11 sent', '2026-11 in-doubt']);
    expect(other.read('payroll', '2026-11')).toMatchObject({ state: 'ended', exit: 7 });
  });
});

describe('a batch that has no end yet', () => {
  test('is gone on with in its window, and by nobody after it', async () => {
    const office = new Office();
    office.ends(7);
    expect((await office.trigger('2026-11-30T09:00')).exit).toBe(7);
    expect((await office.trigger('2026-11-30T09:05')).exit).toBe(0);
    expect(office).toMatchObject({
      resumed: ['payroll-2026-11'],
      points: ['2026-11 sent', '2026-11 in-doubt', '2026-11 finished'],
    });

    const other = new Office();
    other.ends(7);
    await other.trigger('2026-11-30T09:00');
    expect((await other.trigger('2026-11-30T21:00')).exit).toBe(7);
    expect((await other.trigger('2026-11-30T21:05')).exit).toBe(0);
    expect(other).toMatchObject({ resumed: [], points: ['2026-11 sent', '2026-11 in-doubt', '2026-11 in-doubt'] });
  });

  test('is left to a person where something stopped it on purpose', async () => {
    const office = new Office();
    office.ends(7);
    await office.trigger('2026-11-30T09:00');
    if (office.known) office.known = { ...office.known, left: 'Ann stopped the batch (wrong sheet)' };
    expect((await office.trigger('2026-11-30T09:05')).exit).toBe(7);
    expect(office.resumed).toEqual([]);
    const left = 'Ann stopped the batch (wrong sheet)';
    expect(office.events.at(-1)).toMatchObject({ type: 'period', point: 'in-doubt', left });
  });

  test('is known again where its process died in the middle', async () => {
    const office = new Office();
    office.outcome = async (planned) => {
      planned();
      office.known = { end: { ...endedBy(late), exit: 7, batch: 'payroll-2026-11' as BatchId } };
      throw new Error('power cut');
    };
    await expect(office.trigger('2026-11-30T09:00')).rejects.toThrow('power cut');
    expect(office.read('payroll', '2026-11')).toMatchObject({ state: 'open' });
    expect((await office.trigger('2026-11-30T09:05')).exit).toBe(0);
    expect(office).toMatchObject({ runs: { length: 1 }, resumed: ['payroll-2026-11'] });
  });

  test('that somebody else paid under its name counts as paid', async () => {
    const office = new Office();
    office.known = { end: { ...endedBy(late), exit: 0, batch: 'payroll-2026-11' as BatchId } };
    expect((await office.trigger('2026-11-30T09:00')).exit).toBe(0);
    expect(office.runs).toEqual([]);
    expect(office.read('payroll', '2026-11')).toMatchObject({ state: 'ended', exit: 0 });
  });
});

describe('a schedule', () => {
  test('that is paused pays and misses nothing', async () => {
    const office = new Office();
    office.schedule = { ...payroll, pausedSince: at('2026-11-10T00:00') };
    expect((await office.trigger('2026-12-15T09:00')).exit).toBe(0);
    expect(office).toMatchObject({ runs: [], points: [] });
  });

  test('has a window of its own where it says one', async () => {
    const office = new Office();
    office.schedule = { ...payroll, catchUpHours: 1 };
    expect((await office.trigger('2026-11-30T10:00')).fault?.code).toBe('period-missed');
    expect(office.read('payroll', '2026-11')?.dueAt).toBe(at('2026-11-30T10:00') - HOUR);
  });
});

describe('several schedules', () => {
  /** Three schedules whose period is due; what is paid for each is its own batch. */
  function threeOf(): Office {
    const office = Object.assign(new Office(), { names: ['a', 'm', 'z'] });
    office.schedule = { ...payroll, sheet: '/sheets/{period}.csv' };
    office.outcome = async (planned, batch) => {
      planned();
      return { exit: 0, batch: batch as BatchId, counts: { ...noOutcomes(), completed: 2 }, files: [] };
    };
    return office;
  }

  const broken = new Fault('configuration', 'm.json cannot be used. Nothing was sent.', 'Restore it.');
  const damages: Readonly<Record<string, (office: Office) => void>> = {
    'cannot be read': (office) => void office.unreadable.set('m', broken),
    'has no day because of its holidays': (office) => {
      const days = Array.from({ length: 31 }, (_, at) => `2026-12-${String(at + 1).padStart(2, '0')}`);
      const closed = readHolidays('m.txt', days.join('\n'));
      office.holidaysOf = (name) => (name === 'm' ? closed : noHolidays);
    },
    'has a damaged record': (office) => {
      const { read } = office;
      office.read = (name, period) => {
        if (name === 'm') throw broken;
        return read(name, period);
      };
    },
    'has a folder that is not private': (office) => {
      const hold = office.hold.bind(office);
      office.hold = (name, period) => {
        if (name === 'm') throw broken;
        return hold(name, period);
      };
    },
  };

  test.each(Object.entries(damages))('are paid where one of them %s, and the end says both', async (_, damage) => {
    const office = threeOf();
    damage(office);
    const { exit, counts, fault } = await office.trigger('2026-11-30T09:00');
    expect(office.runs).toEqual(['/sheets/2026-11.csv as a-2026-11', '/sheets/2026-11.csv as z-2026-11']);
    expect(counts.completed).toBe(4);
    expect(exit).toBe(2);
    expect(fault).toMatchObject({ code: 'configuration', message: expect.stringMatching(/^Schedule m: /) });
  });

  test.each([
    [6, 3],
    [7, 7],
  ])(
    'of which one ended with %i and the others wait have all their faults in one end, with exit %i',
    async (first, exit) => {
      const office = threeOf();
      office.outcome = async (planned, batch) => {
        if (!batch.startsWith('a-')) throw late;
        planned();
        return { exit: first, batch: batch as BatchId, counts: { ...noOutcomes(), rejected: 1 }, files: [] };
      };
      const end = await office.trigger('2026-11-30T09:00');
      expect(end).toMatchObject({ exit, counts: { rejected: 1 }, fault: { code: 'sheet-late' } });
      expect(end.fault?.message).toMatch(/^Schedule m: /);
      expect(end.fault?.details).toEqual([expect.stringMatching(/^Schedule z: The sheet is not there/)]);
    },
  );

  test('of which one was paid too much and one may have been paid before say so in one end', async () => {
    const office = threeOf();
    const overpaid = { rows: [3], tooMuch: amountIn('1') };
    office.outcome = async (planned, batch) => {
      planned();
      const counts = { ...noOutcomes(), completed: 1, failed: 4 };
      const own = { a: { exit: 11, overpaid }, m: { exit: 6, unconfirmed: 4 }, z: { exit: 0 } }[batch.charAt(0)];
      return { exit: 0, ...own, batch: batch as BatchId, counts, files: [] };
    };
    const { exit, batches } = await office.trigger('2026-11-30T09:00');
    expect([exit, batches]).toMatchObject([
      11,
      [
        { batch: 'a-2026-11', exit: 11, overpaid },
        { batch: 'm-2026-11', exit: 6, unconfirmed: 4 },
        { batch: 'z-2026-11', exit: 0 },
      ],
    ]);
  });

  test('are paid though their records cannot be written, which is a warning for each, and paid once', async () => {
    const office = Object.assign(threeOf(), { names: ['a'] });
    const { write } = office;
    office.write = () => {
      throw new Fault('file-unwritten', 'The record cannot be written. Nothing was recorded.', 'Look at the disk.');
    };
    const end = await office.trigger('2026-11-30T09:00');
    expect(end).toMatchObject({ exit: 0, counts: { completed: 2 } });
    expect(end.fault).toBeUndefined();
    expect(office.events.flatMap((event) => (event.type === 'notice' ? event.code : []))).toEqual([
      'period-unrecorded',
    ]);
    office.write = write;
    office.known = { end };
    expect((await office.trigger('2026-11-30T09:05')).exit).toBe(0);
    expect(office.runs).toHaveLength(1);
    expect(office.read('a', '2026-11')).toMatchObject({ state: 'ended', exit: 0 });
  });
});
