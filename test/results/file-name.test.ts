import { describe, expect, test } from 'vitest';
import { resultsFileName } from '../../src/results/file-name.ts';
import { headerFor } from '../support/result-rows.ts';

const named = (name: string, sandbox = false): string => {
  const header = headerFor([]);
  return resultsFileName({ ...header, sandbox, sheet: { ...header.sheet, name } });
};

describe('the name of the results workbook', () => {
  test.each([
    ['payroll.xlsx', 'payroll.salaries-2026-11.results.xlsx'],
    ['payroll.june.csv', 'payroll.june.salaries-2026-11.results.xlsx'],
    ['no extension', 'no extension.salaries-2026-11.results.xlsx'],
  ])('of %s is %s', (sheet, name) => {
    expect(named(sheet)).toBe(name);
  });

  test('says SANDBOX for a practice run', () => {
    expect(named('payroll.xlsx', true)).toBe('payroll.SANDBOX-salaries-2026-11.results.xlsx');
  });

  test('fits a file system even when the name of the sheet hardly does, and cuts no character in half', () => {
    const name = named(`${'ũ'.repeat(124)}.xlsx`);
    expect(Buffer.byteLength(name)).toBeLessThan(255);
    expect(name.startsWith(`${'ũ'.repeat(60)}.salaries`)).toBe(true);
  });

  test('keeps a name of 120 bytes whole, and of a longer one as many', () => {
    expect(named(`${'a'.repeat(120)}.csv`)).toBe(`${'a'.repeat(120)}.salaries-2026-11.results.xlsx`);
    expect(named(`${'a'.repeat(121)}.csv`)).toBe(`${'a'.repeat(120)}.salaries-2026-11.results.xlsx`);
  });
});
