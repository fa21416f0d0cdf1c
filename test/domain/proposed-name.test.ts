import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPlainName } from '../../src/domain/ids.ts';
import { languages } from '../../src/domain/language.ts';
import { monthNames, proposedBatchName, shortMonthNames } from '../../src/domain/proposed-name.ts';

const NAIROBI = 'Africa/Nairobi';
/** Still November in London. */
const FIRST_OF_DECEMBER = Date.UTC(2026, 10, 30, 22);
const proposed = (file: string): string => proposedBatchName(file, FIRST_OF_DECEMBER, NAIROBI);

describe('the name that is proposed for a batch', () => {
  test.each([
    ['payroll.xlsx', 'payroll-2026-12'],
    ['Payroll.CSV', 'payroll-2026-12'],
    ['Net pay (final).xlsx', 'net-pay-final-2026-12'],
    ['payroll.checked.xlsx', 'payroll-2026-12'],
    ['payroll.checked (2).xlsx', 'payroll-2026-12'],
    ['Été & Salaires.csv', 'ete-salaires-2026-12'],
    ['a..b__c.xlsx', 'a-b-c-2026-12'],
    ['工资.xlsx', 'payments-2026-12'],
    ['payroll', 'payroll-2026-12'],
  ])('is made of the file %s and the month', (file, name) => {
    expect(proposed(file)).toBe(name);
  });

  test('says the month of the time zone', () => {
    expect(proposedBatchName('payroll.xlsx', FIRST_OF_DECEMBER, 'Europe/London')).toBe('payroll-2026-11');
  });

  test.each([
    ['payroll-2026-11.xlsx', 'payroll-2026-11'],
    ['2026_11 payroll.xlsx', 'payroll-2026-11'],
    ['payroll 11.2026.xlsx', 'payroll-2026-11'],
    ['payroll202611.xlsx', 'payroll202611-2026-12'],
    ['payroll-202611.xlsx', 'payroll-2026-11'],
    ['Salaries November 2026.xlsx', 'salaries-2026-11'],
    ['2026 Nov salaries.xlsx', 'salaries-2026-11'],
    ['Mishahara Desemba 2026.xlsx', 'mishahara-2026-12'],
    ['Salaires décembre 2026 v2.xlsx', 'salaires-v2-2026-12'],
    ['november.xlsx', 'payments-2026-11'],
    ['august salaries.xlsx', 'salaries-2026-08'],
    ['Sept 2026 salaries.xlsx', 'salaries-2026-09'],
    ['may salaries.xlsx', 'salaries-2027-05'],
    ['january.xlsx', 'payments-2027-01'],
    ['wages-2026-w48.csv', 'wages-2026-w48'],
    ['wages 2026w48.csv', 'wages-2026w48'],
    ['advance 2026-11-15.csv', 'advance-2026-11-15'],
  ])('says the month of the file %s once', (file, name) => {
    expect(proposed(file)).toBe(name);
  });

  test('takes the December of last year in January', () => {
    expect(proposedBatchName('december.xlsx', Date.UTC(2027, 0, 5), NAIROBI)).toBe('payments-2026-12');
  });

  test('can name a batch, whatever the file is called', () => {
    const anyFile = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-z0-9 ._-]{0,100}$/));
    fc.assert(
      fc.property(
        anyFile,
        fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
        (file, at) => {
          const name = proposedBatchName(file, at.getTime(), NAIROBI);
          expect(isPlainName(name), name).toBe(true);
        },
      ),
    );
  });
});

describe('the months that are known by their names', () => {
  const monthsOf = (language: string, width: 'long' | 'short'): string =>
    Array.from({ length: 12 }, (_, month) =>
      new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' })
        .format(Date.UTC(2026, month))
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .toLowerCase(),
    ).join(' ');

  test.each(languages)('are called as the engine calls them: %s', (language) => {
    expect(monthNames[language]).toBe(monthsOf(language, 'long'));
  });

  test('are known by the short English ones as well', () => {
    expect(shortMonthNames).toBe(monthsOf('en', 'short'));
  });
});
