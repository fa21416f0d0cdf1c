import { describe, expect, test } from 'vitest';
import { issueFix, issueMessage } from '../../src/texts/issue-message.ts';
import { amountIn } from '../support/amounts.ts';
import { check } from '../support/sheets/checked-sheet.ts';
import { number } from '../support/sheets/sheet-rows.ts';

const sheetWith = (heading: string, cell: string | ReturnType<typeof number>) => [
  ['Staff No', 'Name', 'Phone', 'Amount', heading],
  ['E1', 'Jane Wanjiku', '0712345678', '1000', ''],
  ['E2', 'Ali Hassan', '0722345678', '500', cell],
];

describe('a cell that says that its row is not to be paid, outside of the column that holds rows', () => {
  test.each([
    ['Remarks', 'DO NOT PAY'],
    ['Status', 'On hold'],
    ['Comment', 'Hold'],
    ['Notes', ' STOP!! '],
    ['Maoni', 'Usilipe'],
    ['Maoni', 'Amesimamishwa'],
    ['Observations', 'Ne pas payer'],
    ['Observations', 'Suspendue'],
    ['HR status', 'Suspended'],
    ['Action', "Don't pay"],
    ['Action', 'Don’t pay'],
    ['Pay?', 'No'],
    ['Pay (Y/N)', 'N'],
    ['Approved', 'FALSE'],
    ['Lipa?', 'Hapana'],
    ['How', 'Cash'],
    ['How', 'By cheque'],
    ['Remarks', 'Do not pay - on leave'],
    ['Remarks', 'ON HOLD until December'],
    ['Maoni', 'Usilipe mpaka arudi'],
    ['Status', 'Salary stopped, see HR'],
    ['', 'do-not-pay'],
    ['Note', 'Already paid'],
    ['Purpose', '*** ON HOLD ***'],
    ['Department', 'Déjà payé'],
    ['Remarks', 'Final dues - do not pay yet'],
  ])('is told at its cell under "%s": %s', async (heading, word) => {
    const { checked, issues } = await check(sheetWith(heading, word));
    expect(issues).toMatchObject([{ code: 'PB-HOLD-ELSEWHERE', level: 'warning', cell: 'E3', value: word.trim() }]);
    expect(checked).toMatchObject({ payable: 2, errors: 0, total: amountIn('1500') });
  });

  test('is quoted, and the column that would hold the row is named', async () => {
    const { issues } = await check(sheetWith('Remarks', 'DO NOT PAY'));
    const [found] = issues;
    if (!found) throw new Error('nothing was told');
    for (const language of ['en', 'sw', 'fr'] as const) {
      expect(issueMessage(found, language)).toMatch(/Remarks.*"DO NOT PAY".*Hold/);
      expect(issueFix(found, language)).toContain('Hold');
    }
  });

  test('is told beside the other problems of its row, and for each row', async () => {
    const { issues } = await check([
      ['Name', 'Phone', 'Amount', 'Remarks'],
      ['Jane', '0712', '1000', 'hold'],
      ['Ali', '0722345678', '500', 'hold'],
    ]);
    expect(issues.map(({ code, cell }) => [code, cell])).toEqual([
      ['PB-PHONE-LENGTH', 'B2'],
      ['PB-HOLD-ELSEWHERE', 'D2'],
      ['PB-HOLD-ELSEWHERE', 'D3'],
    ]);
  });

  test('is not told of a row that is left out', async () => {
    const { codes, checked } = await check([
      ['Name', 'Phone', 'Amount', 'Hold', 'Remarks'],
      ['Jane', '0712345678', '1000', '', ''],
      ['Ali', '0722345678', '500', 'on leave', 'DO NOT PAY'],
    ]);
    expect(codes).toEqual([]);
    expect(checked).toMatchObject({ payable: 1, leftOut: { rows: 1 } });
  });

  test('is told once where its column has an issue of its own for the cell', async () => {
    const { codes } = await check(sheetWith('Network', 'On hold'));
    expect(codes).toEqual(['PB-NETWORK-UNKNOWN']);
  });
});

describe('a cell that says something else', () => {
  test.each([
    'Active',
    'Approved',
    'Pending',
    'En attente',
    'Paid',
    'Permanent',
    'On leave',
    'OK',
    'Hold harmless agreement signed',
    'Stopover allowance',
    'Do not payroll',
    'Holds a payment card',
    'Cheque book issued',
    'No',
    '',
  ])('is left alone: %s', async (word) => {
    const { codes } = await check(sheetWith('Status', word));
    expect(codes).toEqual([]);
  });

  test.each([
    ['Department', 'Inactive'],
    ['Site', 'Exit'],
    ['Leave status', 'Returned'],
    ['Marital status', 'Removed'],
    ['Designation', 'Stop order clerk'],
    ['Project', 'Holding'],
    ['Remarks', 'not on hold any more'],
    ['Remarks', 'no longer suspended'],
    ['Purpose', 'Suspended ceiling, 2nd floor'],
    ['Purpose', 'Repair of the bus stop'],
    ['Purpose', 'Overtime Oct (paid)'],
  ])('is left alone under "%s": %s', async (heading, word) => {
    const { codes } = await check(sheetWith(heading, word));
    expect(codes).toEqual([]);
  });

  test.each([
    ['Remarks', 'Final dues - resigned'],
    ['Remarks', 'Final pay: left in Sept'],
    ['Purpose', 'Funeral - deceased member'],
    ['Purpose', 'Next of kin of deceased staff'],
    ['Remarks', 'Arrears: salary was stopped in Aug'],
    ['Remarks', 'Refund for wrong number'],
    ['Remarks', 'Has not been paid already'],
  ])('is left alone under "%s" where it is why the row is paid: %s', async (heading, word) => {
    expect((await check(sheetWith(heading, word))).codes).toEqual([]);
  });

  test('is left alone where it is a number', async () => {
    const { codes } = await check(sheetWith('Status', number('0')));
    expect(codes).toEqual([]);
  });
});
