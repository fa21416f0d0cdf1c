import { describe, expect, test } from 'vitest';
import { numberFormat } from '../../src/sheet/xlsx/number-format.ts';
import { check, checkRows } from '../support/sheets/checked-sheet.ts';
import { sheetRow } from '../support/sheets/sheet-rows.ts';

const HEADINGS = ['Name', 'Phone', 'Amount'];

describe('hidden rows', () => {
  const rows = [
    sheetRow(1, HEADINGS),
    sheetRow(2, ['Jane', '0712345678', '5'], { hidden: true }),
    sheetRow(3, ['Ali', '0722345678', '6']),
    sheetRow(4, ['Ann', '0733000111', '7'], { hidden: true }),
  ];
  const found = async (includeHidden: number) => {
    const { issues, checked } = await checkRows(rows, { includeHidden });
    return { told: issues.map(({ code, level, cell = '' }) => `${code} ${level} ${cell}`.trim()), issues, checked };
  };

  test('refuse the sheet when they are not accepted', async () => {
    const { told, checked } = await found(0);
    expect(told).toEqual(['PB-HIDDEN error A2', 'PB-HIDDEN error A4']);
    expect(checked).toMatchObject({ payable: 1, invalid: 2, errors: 2 });
  });

  test('are paid, with a warning each, when exactly so many are accepted', async () => {
    const { told, checked } = await found(2);
    expect(told).toEqual(['PB-HIDDEN warning A2', 'PB-HIDDEN warning A4']);
    expect(checked).toMatchObject({ payable: 3, invalid: 0, errors: 0, sheetErrors: 0, warnings: 2 });
  });

  test.each([1, 3])('refuse the sheet when %i are accepted instead of 2, and the right number is said', async (n) => {
    const { issues, checked } = await found(n);
    const wrong = issues.filter(({ code }) => code === 'PB-HIDDEN-COUNT');
    expect(wrong).toMatchObject([{ level: 'error', parameters: { stated: n, count: 2 } }]);
    expect(checked).toMatchObject({ sheetErrors: 1 });
  });
});

describe('rows that are struck through, and amounts that nobody sees', () => {
  const unseen = numberFormat(164, ';;;');
  const struck = { text: 'Ann', struck: true } as const;
  const rows = [
    sheetRow(1, HEADINGS),
    sheetRow(2, ['Jane', '0712345678', { type: 'number', text: '5', ...(unseen && { format: unseen }) }]),
    sheetRow(3, ['Ali', '0722345678', '6']),
    sheetRow(4, [struck, '0733000111', '7'], { hidden: true }),
    sheetRow(5, [struck, '0733000112', { type: 'number', text: '8', struck: true }]),
  ];
  const found = async (includeHidden: number) => {
    const { issues, checked } = await checkRows(rows, { includeHidden });
    const told = issues.filter(({ code }) => code !== 'PB-NAME-PAYEES');
    return { told: told.map(({ code, level, cell = '' }) => `${code} ${level} ${cell}`.trim()), checked };
  };

  test('refuse the sheet at their cells', async () => {
    const { told, checked } = await found(0);
    expect(told).toEqual([
      'PB-AMOUNT-UNSEEN error C2',
      'PB-HIDDEN error A4',
      'PB-STRUCK error A4',
      'PB-STRUCK error A5',
    ]);
    expect(checked).toMatchObject({ payable: 1, invalid: 3 });
  });

  test('are paid when exactly so many rows are accepted: a row with two reasons counts once', async () => {
    const { told, checked } = await found(3);
    expect(told.every((one) => one.includes(' warning '))).toBe(true);
    expect(checked).toMatchObject({ payable: 4, errors: 0, sheetErrors: 0 });
    expect((await found(4)).checked).toMatchObject({ sheetErrors: 1 });
  });
});

describe('an acknowledgement of nothing', () => {
  const sheet = [HEADINGS, ['Jane', '0712345678', '5']];

  test('refuses a sheet without identical rows', async () => {
    const { issues, checked } = await check(sheet, { allowIdentical: 4 });
    expect(issues).toMatchObject([{ code: 'PB-IDENTICAL-COUNT', parameters: { stated: 4, count: 0 } }]);
    expect(checked.sheetErrors).toBe(1);
  });

  test('refuses a sheet without hidden rows', async () => {
    const { issues } = await check(sheet, { includeHidden: 1 });
    expect(issues).toMatchObject([{ code: 'PB-HIDDEN-COUNT', parameters: { stated: 1, count: 0 } }]);
  });
});

describe('hidden columns', () => {
  test('refuse the sheet at their headings when they are used, and only then', async () => {
    const sheet = [
      [...HEADINGS, 'Department'],
      ['Jane', '0712345678', '5', 'Stores'],
    ];
    const { issues, checked } = await check(sheet, { hiddenColumns: [{ from: 2, to: 4 }] });
    expect(issues.map(({ code, cell }) => `${code} ${cell}`)).toEqual(['PB-HIDDEN-COLUMN B1', 'PB-HIDDEN-COLUMN C1']);
    expect(checked).toMatchObject({ payable: 1, sheetErrors: 2, warnings: 0 });
  });
});
