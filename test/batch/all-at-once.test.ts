import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../src/batch/refusal.ts';
import { check } from '../support/sheets/checked-sheet.ts';
import type { CellChoice } from '../support/sheets/sheet-rows.ts';

const HEADINGS = ['Reference', 'Name', 'Phone', 'Amount'];
const sheet = (...rows: readonly (readonly CellChoice[])[]) => [HEADINGS, ...rows];
const placesOf = async (rows: readonly (readonly CellChoice[])[]) =>
  (await check(rows)).issues.map(({ code, cell }) => `${code} ${cell}`);

describe('all mistakes of a sheet are told at once', () => {
  test('a duplicate reference and a wrong total beside rows with other errors, in the order of the rows', async () => {
    const told = await placesOf(
      sheet(
        ['E1', 'Jane', '0712345678', '100'],
        ['E2', 'Ali', '071234', '200'],
        ['E1', 'Joe', '0722100200', '300'],
        ['E3', 'Amy', '0733444555', ''],
        ['TOTAL', '', '', '601'],
      ),
    );
    expect(told).toEqual([
      'PB-DUP-REFERENCE A2',
      'PB-PHONE-LENGTH C3',
      'PB-DUP-REFERENCE A4',
      'PB-AMOUNT-MISSING D5',
      'PB-TOTAL-ROW D6',
    ]);
  });

  test('errors before warnings, each in the order of the rows', async () => {
    const told = await placesOf(
      sheet(
        ['E1', 'Jane', { type: 'number', text: '712345678' }, '100'],
        ['E2', '=Ali', '0722100200', '200'],
        ['E3', 'Joe', '0733', '300'],
      ),
    );
    expect(told).toEqual(['PB-PHONE-LENGTH C4', 'PB-PHONE-ZERO C2', 'PB-NAME-FORMULA B3']);
  });

  test('a reference that a row with errors has as well, which can still be set aside', async () => {
    const { issues, checked } = await check(
      sheet(['E1', 'Jane', '0712345678', '100'], ['E1', 'Ali', '071234', '200'], ['E1', 'Joe', '0722', '']),
    );
    expect(issues.map(({ code, cell }) => `${code} ${cell}`)).toEqual([
      'PB-PHONE-LENGTH C3',
      'PB-DUP-REFERENCE A3',
      'PB-AMOUNT-MISSING D4',
      'PB-PHONE-LENGTH C4',
      'PB-DUP-REFERENCE A4',
    ]);
    expect(refusalOf(checked, undefined)).toBeDefined();
    expect(refusalOf(checked, 2)).toBeUndefined();
  });

  test('a wrong total where an amount is empty, and none where one cannot be read', async () => {
    const total = (amount: string) =>
      placesOf(
        sheet(['E1', 'Jane', '0712345678', '100'], ['E2', 'Ali', '0722100200', amount], ['TOTAL', '', '', '101']),
      );
    expect(await total('')).toContain('PB-TOTAL-ROW D4');
    expect(await total('five')).not.toContain('PB-TOTAL-ROW D4');
  });

  test('a column that the sheet lacks, once, and its rows can be set aside', async () => {
    const { issues, checked } = await check([
      ['Name', 'Payment type', 'Phone', 'Amount'],
      ['Jane', 'wallet', '0712345678', '100'],
      ['Ali', 'till', '', '200'],
      ['Joe', 'till', '', '300'],
    ]);
    expect(issues.map(({ code, cell, parameters }) => [code, cell, parameters['column']])).toEqual([
      ['PB-HEADER-MISSING', 'A1', 'Till number'],
    ]);
    expect(checked).toMatchObject({ rows: 3, payable: 1, invalid: 2, sheetErrors: 0 });
    expect(refusalOf(checked, 2)).toBeUndefined();
  });
});
