import { describe, expect, test } from 'vitest';
import { typedAgain, withCorrection } from '../../../src/cli/flags/typed-again.ts';
import { Fault } from '../../../src/domain/fault.ts';
import { endedBy } from '../../../src/domain/run-end.ts';

const refused = {
  ...endedBy(new Fault('sheet-refused', 'Errors.', 'Correct them.')),
  files: [{ kind: 'checked', path: '/pay/my sheet.checked.csv' }],
};
const next = (...argv: readonly string[]) => withCorrection(refused, { argv }, 'my sheet.csv').next?.command;

describe('the command after a refused sheet', () => {
  test('names the copy, and keeps every option that decides what is read and paid', () => {
    expect(next('run', 'my sheet.csv', '--currency=USD', '--batch', 'november', '--decimals', 'comma')).toBe(
      'paybatch run "/pay/my sheet.checked.csv" --currency=USD --batch november --decimals comma',
    );
    expect(next('plan', '--map', 'payroll', 'my sheet.csv')).toBe(
      'paybatch plan --map payroll "/pay/my sheet.checked.csv"',
    );
  });

  test('drops what holds of the sheet alone, with its value', () => {
    expect(next('run', 'my sheet.csv', '--encoding', 'latin1', '--skip-invalid=2', '--worksheet', 'Oct')).toBe(
      'paybatch run "/pay/my sheet.checked.csv" --worksheet Oct',
    );
  });

  test('is run after validate, whose own options it does not take', () => {
    expect(next('validate', 'my sheet.csv', '--format', 'html', '--totals', '--lang', 'sw')).toBe(
      'paybatch run "/pay/my sheet.checked.csv" --lang sw',
    );
  });

  test('is left to the other next steps where there is no copy', () => {
    expect(withCorrection({ ...refused, files: [] }, { argv: ['run', 'a.csv'] }, 'a.csv').next).toBeUndefined();
  });
});

test('a value that reads like an option that is dropped stays with its own', () => {
  const argv = ['run', 'a.csv', '--batch', '--dry-run', '--dry-run'];
  expect(typedAgain({ argv }, { without: { '--dry-run': 'alone' } })).toBe('paybatch run a.csv --batch');
});
