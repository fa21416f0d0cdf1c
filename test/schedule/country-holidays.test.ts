import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Day } from '../../src/schedule/day.ts';
import {
  type HolidayCountry,
  type Holidays,
  holidayCountries,
  joinedHolidays,
  readHolidays,
} from '../../src/schedule/holidays.ts';
import { occurrencesBetween } from '../../src/schedule/occurrences.ts';
import { timetableOf } from '../../src/schedule/schedule.ts';
import { calendarOf, easterOf } from '../support/holidays/public-holidays.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'templates', 'holidays');
const day = (text: string): Day => text as Day; // of a test

const textOf = (code: HolidayCountry): string => readFileSync(path.join(FOLDER, `${code}.ics`), 'utf8');
const holidaysOf = (code: HolidayCountry): Holidays => readHolidays(`${code}.ics`, textOf(code));

const on = (code: HolidayCountry, ...days: readonly string[]): readonly (string | undefined)[] =>
  days.map((one) => holidaysOf(code).on(day(one))?.name);

describe('the calendars of countries', () => {
  test.each(holidayCountries)(
    'of %s are what the table of laws makes today; make-holidays.ts writes them again',
    (code) => {
      expect(textOf(code)).toBe(calendarOf(code));
    },
  );

  test('know Easter in the years of the calendars and far from them', () => {
    const known = {
      2026: '2026-04-05',
      2027: '2027-03-28',
      2028: '2028-04-16',
      1981: '1981-04-19',
      2049: '2049-04-18',
    };
    for (const [year, sunday] of Object.entries(known)) expect(easterOf(Number(year)), year).toBe(sunday);
  });

  test.each(holidayCountries)('of %s have Good Friday and the Monday after Easter', (code) => {
    const fridays = ['2026-04-03', '2027-03-26', '2028-04-14'];
    expect(on(code, ...fridays)).toEqual(fridays.map(() => 'Good Friday'));
    expect(on(code, '2026-04-06', '2027-03-29', '2028-04-17')).not.toContain(undefined);
  });

  test.each([
    ['KE', { '05-01': 'Labour Day', '06-01': 'Madaraka Day', '10-20': 'Mashujaa Day' }],
    [
      'UG',
      {
        '01-26': 'NRM Liberation Day',
        '02-16': 'Archbishop Janani Luwum Day',
        '03-08': "International Women's Day",
        '06-03': "Martyrs' Day",
        '06-09': "National Heroes' Day",
        '10-09': 'Independence Day',
      },
    ],
    ['TZ', { '04-26': 'Union Day', '07-07': 'Saba Saba', '08-08': 'Nane Nane', '10-14': 'Nyerere Day' }],
    ['RW', { '04-07': 'Genocide against the Tutsi Memorial Day', '07-04': 'Liberation Day' }],
    ['NG', { '06-12': 'Democracy Day', '10-01': 'National Day' }],
    ['GH', { '03-06': 'Independence Day', '07-01': 'Republic Day', '09-21': "Founder's Day" }],
    ['ZA', { '04-27': 'Freedom Day', '09-24': 'Heritage Day', '12-16': 'Day of Reconciliation' }],
  ] as const)('of %s have the days of its law in every year', (code, days) => {
    for (const year of [2026, 2027, 2028]) {
      for (const [date, name] of Object.entries(days)) expect(on(code, `${year}-${date}`)).toEqual([name]);
    }
  });

  test('give a day in lieu of a Sunday where a law gives one, and none where none does', () => {
    expect(on('KE', '2026-12-12', '2027-12-12', '2027-12-13')).toEqual([
      'Jamhuri Day',
      undefined,
      'Jamhuri Day, in lieu',
    ]);
    // Boxing Day of 2027 is a Sunday: the Monday after it.
    expect(on('KE', '2027-12-27', '2027-12-28')).toEqual(['Boxing Day, in lieu', undefined]);
    expect(on('ZA', '2026-08-09', '2026-08-10', '2026-12-28')).toEqual([
      "National Women's Day",
      "National Women's Day, in lieu",
      undefined,
    ]);
    expect(on('UG', '2026-03-08', '2026-03-09', '2027-12-27')).toEqual([
      "International Women's Day",
      undefined,
      undefined,
    ]);
    expect(on('TZ', '2026-04-26', '2026-04-27')).toEqual(['Union Day', undefined]);
    // Two holidays of one weekend have one day in Rwanda, and two in Nigeria.
    expect(on('RW', '2027-12-27', '2027-12-28')).toEqual(['Christmas Day, in lieu', undefined]);
    expect(on('NG', '2027-12-27', '2027-12-28')).toEqual(['Christmas Day, in lieu', 'Boxing Day, in lieu']);
  });

  test('mark as expected what is announced each time, and nothing that a law dates', () => {
    const isExpected = (code: HolidayCountry, date: string) => holidaysOf(code).on(day(date))?.isExpected;
    expect(isExpected('KE', '2027-03-09')).toBe(true);
    expect(isExpected('NG', '2026-12-28')).toBe(true);
    expect(isExpected('GH', '2026-07-03')).toBe(true);
    expect(isExpected('KE', '2027-12-13')).toBe(false);
    expect(textOf('ZA')).not.toContain('STATUS:TENTATIVE');
  });

  test('name the law that they follow, in lines that any calendar reads', () => {
    for (const code of holidayCountries) {
      const text = textOf(code);
      expect(text.replace(/\r\n /g, '')).toMatch(/^X-WR-CALDESC:.*(Act|Order)/m);
      const lines = text.split('\r\n');
      expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
      const ids = lines.filter((line) => line.startsWith('UID:'));
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

describe('a file behind a country', () => {
  const own = readHolidays(
    'own.txt',
    '2027-03-10 Idd-ul-Fitr, as it was announced\nnot 2027-03-09\n2027-08-09; Closed\n',
  );
  const both = joinedHolidays([holidaysOf('KE'), own]);

  test('adds days and takes days away, and all others stay', () => {
    expect(both.on(day('2027-03-10'))).toEqual({ name: 'Idd-ul-Fitr, as it was announced', isExpected: false });
    expect(both.on(day('2027-03-09'))).toBeNull();
    expect(both.on(day('2027-08-09'))?.name).toBe('Closed');
    expect(both.on(day('2027-06-01'))?.name).toBe('Madaraka Day');
    expect(both.on(day('2027-06-02'))).toBeUndefined();
  });

  test('as a calendar takes a day away with a cancelled event', () => {
    const event = ['BEGIN:VEVENT', 'STATUS:CANCELLED', 'DTSTART;VALUE=DATE:20270309', 'END:VEVENT'];
    const calendar = readHolidays('own.ics', ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR'].join('\r\n'));
    expect(joinedHolidays([holidaysOf('KE'), calendar]).on(day('2027-03-09'))).toBeNull();
    expect(joinedHolidays([calendar, holidaysOf('KE')]).on(day('2027-03-09'))?.name).toBe('Idd-ul-Fitr');
  });

  test('carries on where the country ends, and what comes every year ends nothing and carries nothing on', () => {
    expect(both.until).toBe('2028-12-31');
    expect(joinedHolidays([holidaysOf('KE'), readHolidays('own.txt', '2029-06-01')]).until).toBe('2029-12-31');
    const event = ['BEGIN:VEVENT', 'RRULE:FREQ=YEARLY', 'DTSTART;VALUE=DATE:20260701', 'END:VEVENT'];
    const yearly = readHolidays('own.ics', ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR'].join('\r\n'));
    expect(yearly.until).toBeUndefined();
    expect(joinedHolidays([holidaysOf('KE'), yearly]).until).toBe('2028-12-31');
  });
});

describe('a pay day', () => {
  const rule = { on: 'day 1', at: '09:00', roll: 'back', timezone: 'Africa/Nairobi' } as const;
  const timetable = timetableOf(rule, holidaysOf('KE'));
  const between = (from: string, to: string) =>
    occurrencesBetween(timetable, Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`));

  test('says which holidays it gave way to, weekends aside', () => {
    // Madaraka Day of 2027 is a Tuesday; Labour Day a Saturday.
    const said = between('2027-04-15', '2027-06-15').map(({ wall, holidays }) => [
      wall.day,
      holidays.map(({ name }) => name),
    ]);
    expect(said).toEqual([
      ['2027-04-30', []],
      ['2027-05-31', ['Madaraka Day']],
    ]);
  });

  test('says from which day on nobody knows its holidays', () => {
    const ends = between('2028-11-15', '2029-02-15').map(({ period, holidaysEnd }) => [period, holidaysEnd]);
    expect(ends).toEqual([
      ['2028-12', undefined],
      ['2029-01', '2028-12-31'],
      ['2029-02', '2028-12-31'],
    ]);
  });
});

describe('a year of month ends', () => {
  const monthEnds = (code: HolidayCountry, from: string, to: string) =>
    occurrencesBetween(
      timetableOf({ on: 'last weekday', at: '09:00', timezone: 'Africa/Nairobi' }, holidaysOf(code)),
      Date.parse(`${from}T00:00:00Z`),
      Date.parse(`${to}T23:59:59Z`),
    ).map(({ wall, holidays }) => [wall.day, ...holidays.map(({ day: at, name }) => `${at} ${name}`)].join(', '));

  // No holiday of 2027 is in the last days of a month there but around Easter, which ends two days before.
  test.each(['KE', 'UG'] as const)('is paid in %s on these days', (code) => {
    expect(monthEnds(code, '2027-01-01', '2027-12-31')).toEqual([
      '2027-01-29',
      '2027-02-26',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
      '2027-07-30',
      '2027-08-31',
      '2027-09-30',
      '2027-10-29',
      '2027-11-30',
      '2027-12-31',
    ]);
  });

  test('gives way to days that are only expected, and names them', () => {
    expect(monthEnds('NG', '2028-02-01', '2028-02-29')).toEqual([
      '2028-02-25, 2028-02-28 Id el Fitr, in lieu, 2028-02-29 Id el Fitr, second day, in lieu',
    ]);
  });
});
