import { describe, expect, test } from 'vitest';
import { addressOf, columnLetters } from '../../src/domain/cell.ts';
import { isoTime } from '../../src/domain/clock.ts';
import { InvariantError, invariant, unreachable } from '../../src/domain/invariant.ts';
import { type IssueCode, issue, issueLevels } from '../../src/domain/issue.ts';

const codes = Object.keys(issueLevels) as readonly IssueCode[];

describe('the table of issues', () => {
  test.each(codes)('%s is written as every code is', (code) => {
    expect(code).toMatch(/^PB-[A-Z]+(?:-[A-Z]+)*$/);
  });

  const warnings: readonly IssueCode[] = [
    'PB-NETWORK-DIFFERS',
    'PB-DUP-PAYEE',
    'PB-FORMULA-CACHED',
    'PB-BELOW-NAMED',
    'PB-ROW-COUNT',
    'PB-HOLD-ELSEWHERE',
    'PB-NOTE-NOT-TO-PAY',
    'PB-TITLE-KIND',
    'PB-TITLE-OTHER',
    'PB-PAID-BEFORE-SHEET',
    'PB-NAME-COLUMN',
    'PB-NAME-DAMAGED',
    'PB-NAME-FORMULA',
    'PB-NAME-PLACEHOLDER',
    'PB-NAME-SCRIPTS',
    'PB-TEXT-HIDDEN',
    'PB-UNUSED-VALUE',
    'PB-PHONE-ZERO',
    'PB-ACCOUNT-NUMBER',
    'PB-ACCOUNT-UNUSED',
    'PB-AMOUNT-ROUNDED',
    'PB-AMOUNT-SUM',
    'PB-AMOUNT-UNUSUAL',
    'PB-NET-PAY',
    'PB-CURRENCY-COMPUTER',
    'PB-NOTE-SHARED',
    'PB-NOTE-UNSENT',
    'PB-PHONE-IN-TEXT',
    'PB-AMOUNT-IN-TEXT',
    'PB-PAYEE-CLOSE',
    'PB-PAYEE-NAMES',
    'PB-PAYEE-NO-MATCH',
    'PB-PAYEE-NOT-POSSIBLE',
    'PB-TOTAL-NO-VALUE',
    'PB-TOTAL-UNREAD',
    'PB-NAME-PAYEES',
    'PB-NOT-DEDUCTED',
    'PB-ID-NAMES',
  ];

  test('has these warnings and no other: everything else refuses the row or the sheet', () => {
    expect(codes.filter((code) => issueLevels[code] === 'warning').toSorted()).toEqual(warnings.toSorted());
  });
});

describe('an issue', () => {
  test('holds its place, the value seen and its parameters, and nothing that it does not have', () => {
    expect(issue('PB-EMPTY', {})).toEqual({ code: 'PB-EMPTY', level: 'error', value: '', parameters: {} });
    expect(issue('PB-CURRENCY', { row: 4, cell: 'D4', value: 'USD' }, { currency: 'KES' })).toEqual({
      code: 'PB-CURRENCY',
      level: 'error',
      row: 4,
      cell: 'D4',
      value: 'USD',
      parameters: { currency: 'KES' },
    });
  });
});

describe('addresses and times', () => {
  test.each([
    [1, 'A'],
    [26, 'Z'],
    [27, 'AA'],
    [52, 'AZ'],
    [53, 'BA'],
    [702, 'ZZ'],
    [703, 'AAA'],
    [16_384, 'XFD'],
  ])('column %i is %s', (column, letters) => {
    expect(columnLetters(column)).toBe(letters);
    expect(addressOf(column, 14)).toBe(`${letters}14`);
  });

  test('a time is written in UTC', () => expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z'));
});

describe('bugs', () => {
  test('end with what should have held', () => {
    expect(() => invariant(false, 'two is two')).toThrow(new InvariantError('This must hold and does not: two is two'));
    expect(() => invariant('yes', 'two is two')).not.toThrow();
    expect(() => unreachable('x' as never)).toThrow(InvariantError);
  });
});
