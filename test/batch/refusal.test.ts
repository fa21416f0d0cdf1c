import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../src/batch/refusal.ts';
import { check } from '../support/sheets/checked-sheet.ts';

const HEADINGS = ['Name', 'Phone', 'Amount'];
const jane = ['Jane', '0712345678', '5'];
const ali = ['Ali', '0722345678', '5'];
const short = ['Short', '07', '5'];
const OTHER_KIND =
  'The sheet has errors. --skip-invalid sets aside rows with errors of their own, and 1 error here is of another kind, such as a repeated payment or a wrong total.';
const empty = ['Empty', '0733000111', ''];

describe('a sheet', () => {
  test.each<[string, readonly (readonly string[])[], number | undefined, string | undefined]>([
    ['without errors is taken', [jane, ali], undefined, undefined],
    ['without errors of which none is set aside is taken', [jane, ali], 0, undefined],
    [
      'without errors of which one is set aside is refused',
      [jane, ali],
      1,
      'No row has errors, but --skip-invalid says 1.',
    ],
    ['with a row that has errors is refused', [jane, short], undefined, '1 row has errors.'],
    ['with a row that has errors and is set aside is taken', [jane, short], 1, undefined],
    ['of which none is set aside is refused', [jane, short], 0, '1 row has errors, but --skip-invalid says 0.'],
    ['of which too many are set aside is refused', [jane, short], 2, '1 row has errors, but --skip-invalid says 2.'],
    [
      'of which too few are set aside is refused',
      [jane, short, empty],
      1,
      '2 rows have errors, but --skip-invalid says 1.',
    ],
    ['with two such rows is taken with both set aside', [jane, short, empty], 2, undefined],
    [
      'with nothing but errors is refused, whatever is set aside',
      [short, empty],
      2,
      'The sheet has errors. --skip-invalid would leave nothing to pay.',
    ],
    ['without rows is refused', [], undefined, 'The sheet has errors.'],
    ['with a wrong total is refused', [jane, short, ['Total', '', '6']], 1, OTHER_KIND],
    [
      'with a repeated payment is refused',
      [jane, short, jane],
      1,
      OTHER_KIND.replace('1 error here is', '2 errors here are'),
    ],
    ['with a row below its end is refused', [jane, short, ['Total', '', '10'], ali], 1, OTHER_KIND],
  ])('%s', async (_, rows, skipInvalid, message) => {
    const { checked } = await check([HEADINGS, ...rows]);
    const fault = refusalOf(checked, skipInvalid);
    expect(fault?.message).toBe(message);
    if (!fault) return;
    expect(fault).toMatchObject({ code: 'sheet-refused', exit: 3 });
    expect(fault.remedy).toMatch(/Nothing was sent\.$/);
  });
});
