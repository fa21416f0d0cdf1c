import { describe, expect, test } from 'vitest';
import type { Day } from '../../src/schedule/day.ts';
import { readHolidays } from '../../src/schedule/holidays.ts';

const day = (text: string): Day => text as Day; // of a test

const calendar = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');

const closedOn = (text: string, ...days: readonly string[]): readonly string[] => {
  const holidays = readHolidays('holidays', text);
  return days.filter((one) => holidays.on(day(one)));
};

describe('a plain list of holidays', () => {
  test('has one date a line, with or without a name', () => {
    const list = '\ufeff# Kenya\n2026-12-25 Christmas Day\r\n\n2026-12-26; Boxing Day\n  2027-01-01\n';
    expect(closedOn(list, '2026-12-24', '2026-12-25', '2026-12-26', '2027-01-01', '2027-12-25')).toEqual([
      '2026-12-25',
      '2026-12-26',
      '2027-01-01',
    ]);
  });

  test.each(['25/12/2026', '2026-02-30', '0026-12-25', '2260-12-25', '2026-12-25x', '20261225', 'Christmas'])(
    'is refused for "%s", by its line',
    (line) => {
      expect(() => readHolidays('ke.txt', `2026-01-01\n${line}\n`)).toThrow(
        'The holidays ke.txt cannot be used. Line 2:',
      );
    },
  );
});

describe('a calendar of holidays', () => {
  test('has whole days, from the first up to the day before DTEND', () => {
    const text = calendar('SUMMARY:Eid', 'DTSTART;VALUE=DATE:20260320', 'DTEND;VALUE=DATE:20260322');
    expect(closedOn(text, '2026-03-19', '2026-03-20', '2026-03-21', '2026-03-22')).toEqual([
      '2026-03-20',
      '2026-03-21',
    ]);
  });

  test.each([
    ['for ever', 'RRULE:FREQ=YEARLY', ['2026-12-25', '2027-12-25', '2031-12-25']],
    ['until a day', 'RRULE:FREQ=YEARLY;UNTIL=20271231T000000Z', ['2026-12-25', '2027-12-25']],
    ['so many times', 'RRULE:FREQ=YEARLY;COUNT=1', ['2026-12-25']],
    ['but for one year', 'RRULE:FREQ=YEARLY\r\nEXDATE;VALUE=DATE:20271225', ['2026-12-25', '2031-12-25']],
  ])('comes every year, %s', (_, rule, days) => {
    const text = calendar('DTSTART;VALUE=DATE:20261225', rule);
    expect(closedOn(text, '2025-12-25', '2026-12-25', '2027-12-25', '2031-12-25', '2031-12-24')).toEqual(days);
  });

  test('is read with folded lines, parameters in quotes, cancelled events and alarms in them', () => {
    const alarm = ['BEGIN:VALARM', 'DTSTART;VALUE=DATE:20260101', 'END:VALARM'];
    const text = calendar('DTSTART;X-NAME="a:b";VALUE=DATE:2026', ' 1212', 'SUMMARY:Jamhuri', ' Day', ...alarm);
    expect(closedOn(text, '2026-12-12', '2026-01-01')).toEqual(['2026-12-12']);
    expect(closedOn(calendar('STATUS:CANCELLED', 'DTSTART;VALUE=DATE:20261212'), '2026-12-12')).toEqual([]);
  });

  test.each([
    ['a time of day', ['DTSTART:20261225T090000Z'], 'whole day'],
    ['another rule of repetition', ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;BYDAY=-1FR'], 'Only FREQ=YEARLY'],
    ['every month', ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=MONTHLY'], 'Only FREQ=YEARLY'],
    ['moved dates', ['DTSTART;VALUE=DATE:20261225', 'RDATE:20270105'], 'RDATE is not supported'],
    ['no first day', ['SUMMARY:what'], 'no DTSTART'],
    ['a year of days', ['DTSTART;VALUE=DATE:20260101', 'DTEND;VALUE=DATE:20270101'], 'more than 31 days'],
  ])('with %s is refused, and nothing is guessed', (_, lines, says) => {
    expect(() => readHolidays('ke.ics', calendar(...lines))).toThrow(says);
  });

  test('that is cut off is refused', () => {
    expect(() => readHolidays('ke.ics', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;VALUE=DATE:20261225')).toThrow(
      'cut off',
    );
  });
});
