import { describe, expect, test } from 'vitest';
import { issue } from '../../src/domain/issue.ts';
import { amountIn } from '../support/amounts.ts';
import { check, checkRows } from '../support/sheets/checked-sheet.ts';
import { type CellChoice, number, sheetRow, sheetRows } from '../support/sheets/sheet-rows.ts';

const HEADINGS = ['Staff No', 'Name', 'Phone', 'Amount'];
const jane = ['EMP-1', 'Jane Wanjiku', '0712345678', '15000'];
const ali = ['EMP-2', 'Ali Hassan', '0722345678', '8500.50'];
const ann = ['EMP-3', 'Ann Atieno', '0733000111', '700'];

describe('a sheet without a problem', () => {
  test('is counted, added up and staged in sheet order with its own texts', async () => {
    const { checked, staged, codes } = await check([HEADINGS, jane, ali, ann]);
    expect(codes).toEqual([]);
    expect(checked).toMatchObject({
      headerRow: 1,
      rows: 3,
      payable: 3,
      invalid: 0,
      errors: 0,
      warnings: 0,
      sheetErrors: 0,
      identical: 0,
      total: amountIn('24200.50'),
    });
    expect(checked.headings.map(({ means }) => means)).toEqual(['reference', 'name', 'phone', 'amount']);
    expect(staged.map(({ row }) => row)).toEqual([2, 3, 4]);
    expect(staged.map(({ texts }) => texts)).toEqual([jane, ali, ann]);
    expect(staged.map(({ payout }) => payout?.destination)).toEqual([
      '+254712345678',
      '+254722345678',
      '+254733000111',
    ]);
  });

  test('may have its headings anywhere in the first thirty rows, under titles and blank rows', async () => {
    const { checked, staged } = await check([
      ['Acme Ltd'],
      ['', 'Net pay for November', '', '2026'],
      [],
      ['Printed', '2026-11-20'],
      HEADINGS,
      jane,
    ]);
    expect(checked).toMatchObject({ headerRow: 5, rows: 1, payable: 1, errors: 0 });
    expect(staged[0]?.row).toBe(6);
  });

  test('holds its columns in any order, with others between them', async () => {
    const { staged, codes } = await check([
      ['Amount', 'Department', 'Phone', '', 'Name'],
      ['15000', 'Stores', '0712345678', 'x', 'Jane'],
    ]);
    expect(codes).toEqual([]);
    expect(staged[0]).toMatchObject({
      payout: { name: 'Jane', destination: '+254712345678', amount: amountIn('15000') },
      texts: ['15000', 'Stores', '0712345678', 'Jane'],
    });
  });
});

describe('a sheet without a table', () => {
  test.each<[string, readonly (readonly CellChoice[])[], string]>([
    ['nothing', [], 'PB-HEADER-MISSING'],
    [
      'no amount',
      [
        ['Name', 'Phone'],
        ['Jane', '0712345678'],
      ],
      'PB-HEADER-MISSING',
    ],
    ['headings in row 31', [...Array.from({ length: 30 }, () => ['title']), HEADINGS, jane], 'PB-HEADER-LATE'],
    ['headings only', [HEADINGS], 'PB-EMPTY'],
    ['a total only', [HEADINGS, ['Total', '', '', '0']], 'PB-EMPTY'],
  ])('has an issue of its own: %s', async (_, rows, code) => {
    const { checked, codes } = await check(rows);
    expect(codes).toEqual([code]);
    expect(checked).toMatchObject({ rows: 0, payable: 0, invalid: 0, sheetErrors: 1, errors: 1 });
  });

  test('headings in row 30 are found', async () => {
    const { checked } = await check([...Array.from({ length: 29 }, () => ['title']), HEADINGS, jane]);
    expect(checked).toMatchObject({ headerRow: 30, payable: 1, errors: 0 });
  });
});

describe('a total row', () => {
  const withTotal = (...total: readonly CellChoice[]) => check([HEADINGS, jane, ali, total]);

  test.each<[CellChoice, CellChoice]>([
    ['Total', number('23500.5')],
    ['TOTALS:', '23,500.50'],
    ['Grand Total', 'KSh 23,500.50/='],
    ['GrandTotal', ' 23500.50\u00a0'],
    ['Jumla', number('23500.499999999996')],
    ['Jumla kuu', '23500.50\u200b'],
    ['Somme', '23 500,50'],
    ['Net Total', number('23500.5')],
    ['Totaux', '23 500,50'],
    ['T O T A L', number('23500.5')],
    ['Sub Total', { type: 'number', text: '23500.5', formula: 'cached' }],
  ])('%o that says %o agrees with the rows', async (word, total) => {
    const { codes, checked } = await withTotal(word, '', '', total);
    expect(codes).toEqual([]);
    expect(checked).toMatchObject({ rows: 2, payable: 2 });
  });

  test.each<[string, CellChoice]>([
    ['a cent more', number('23500.51')],
    ['a cent less', number('23500.49')],
    ['the sum without one row', number('15000')],
    ['nothing', number('0')],
    ['two figures in one', '23,500'],
    ['words', 'see above'],
    ['an error', { type: 'error', text: '#REF!' }],
  ])('that says %s is an issue of the sheet', async (_, total) => {
    const { codes, issues, checked } = await withTotal('Total', '', '', total);
    expect(codes).toEqual(['PB-TOTAL-ROW']);
    expect(issues[0]).toMatchObject({ cell: 'D4', parameters: { sum: 'KES 23,500.50' } });
    expect(checked).toMatchObject({ sheetErrors: 1, payable: 2 });
  });

  test('that was never calculated is not compared, and that is said', async () => {
    const { issues, checked } = await withTotal('Total', '', '', { type: 'number', formula: 'missing' });
    expect(issues).toMatchObject([
      { code: 'PB-TOTAL-NO-VALUE', level: 'warning', cell: 'D4', parameters: { sum: 'KES 23,500.50' } },
    ]);
    expect(checked).toMatchObject({ sheetErrors: 0, payable: 2 });
  });

  test('that is empty says nothing', async () => {
    expect((await withTotal('Total', 'two people')).codes).toEqual([]);
  });

  test('is not compared where amounts cannot be read, and it is said what the others add up to', async () => {
    const odd = (amount: CellChoice): readonly CellChoice[] => ['EMP-4', 'Odd', '0712000111', amount];
    const { issues, checked } = await check([
      HEADINGS,
      jane,
      odd('about 100'),
      odd({ type: 'error', text: '#N/A' }),
      ['Total', '', '', number('99')],
    ]);
    const told = issues.filter(({ level }) => level === 'warning');
    expect(told).toMatchObject([
      { code: 'PB-TOTAL-UNREAD', cell: 'D5', value: '99', parameters: { sum: 'KES 15,000.00', first: 'D3', count: 2 } },
    ]);
    expect(checked).toMatchObject({ sheetErrors: 0, invalid: 2 });
  });

  test('agrees with the amounts that can be read, if a spreadsheet adds up no others', async () => {
    const odd = ['EMP-4', 'Odd', '0712000111', 'about 100'];
    const { codes } = await check([HEADINGS, jane, odd, ['Total', '', '', number('15000')]]);
    expect(codes).toEqual(['PB-AMOUNT-TEXT']);
  });

  test('may stand in a later column, under a blank row, and be followed by signatures', async () => {
    const { codes, checked } = await check([
      HEADINGS,
      jane,
      [],
      ['', 'TOTAL', '', number('15000')],
      [],
      ['Prepared by', 'Grace'],
      ['Approved by:'],
    ]);
    expect(codes).toEqual([]);
    expect(checked.rows).toBe(1);
  });

  test('adds up what the sheet shows, rows with errors too', async () => {
    const faulty = ['EMP-4', 'Odd', '07', '100'];
    const { codes } = await check([HEADINGS, jane, faulty, ['Total', '', '', number('15100')]]);
    expect(codes).toEqual(['PB-PHONE-LENGTH']);
  });

  test('is compared also when an amount has characters around it that nobody sees', async () => {
    const odd = ['EMP-4', 'Odd', '0712000111', '\u200b100\u00a0'];
    const { codes } = await check([HEADINGS, jane, odd, ['Total', '', '', number('99')]]);
    expect(codes).toEqual(['PB-TOTAL-ROW']);
  });

  test('cannot hide a business whose name begins like one', async () => {
    const { checked, codes } = await check([
      ['Name', 'Till number', 'Amount'],
      ['Total Energies Ltd', '512345', '100'],
      ['Total', '', '100'],
    ]);
    expect(codes).toEqual([]);
    expect(checked).toMatchObject({ rows: 1, payable: 1 });
  });
});

describe('what stands below the table', () => {
  test.each<[string, readonly (readonly CellChoice[])[], readonly number[]]>([
    ['a row after a blank one', [[], ali], [4]],
    ['a row after a total', [['Total', '', '', '15000'], ali], [4]],
    ['rows in other columns after a subtotal', [['Sub Total', '', '', '15000'], [], ['', ...ali]], [5]],
    ['a row after a signature', [['Prepared by', 'Grace'], ali], [4]],
    ['a second table', [[], HEADINGS, ali], [5]],
    ['a row far below', [[], [], [], [], [], [], ali], [9]],
    ['a row whose amount was never calculated', [[], ['EMP-2', 'Ali', '0722345678', { formula: 'missing' }]], [4]],
    ['a row with an amount in words', [[], ['EMP-2', 'Ali', '0722345678', 'ten']], [4]],
  ])('is never dropped when it holds an amount: %s', async (_, below, rows) => {
    const { issues, checked } = await check([HEADINGS, jane, ...below]);
    const found = issues.filter(({ code }) => code === 'PB-BELOW-TABLE');
    expect(found.map(({ row }) => row)).toEqual(rows);
    // Jane is in row 2; a subtotal belongs to the table as well.
    const last = below[0]?.[0] === 'Sub Total' ? 3 : 2;
    expect(found.map(({ parameters }) => parameters)).toEqual(rows.map(() => ({ last })));
    expect(checked).toMatchObject({ rows: 1, payable: 1, sheetErrors: rows.length });
  });

  test.each<[string, readonly CellChoice[], string]>([
    ['a state that says more than a signature', ['Approved: 25/11', 'Ali Hassan'], 'B3'],
    ['the same beside one word', ['Approved: 25/11', 'Ali'], 'B3'],
    ['the day of a state', ['Date: 25/11/2026', 'Ali Hassan'], 'B3'],
  ])('is told where it names somebody beside %s', async (_, line, cell) => {
    const headings = ['Status', 'Name', 'Phone', 'Amount'];
    const { issues, checked } = await check([headings, ['Pending', ...jane.slice(1)], line]);
    expect(issues).toMatchObject([{ code: 'PB-BELOW-NAMED', cell }]);
    expect(checked).toMatchObject({ rows: 1, payable: 1 });
  });

  test('is left alone where a name belongs to a signature', async () => {
    const headings = ['Status', 'Name', 'Phone', 'Amount'];
    const signed = [['Approved by:', 'Ann Atieno'], [], ['Checked: ____', 'Ali Hassan']];
    const { codes } = await check([headings, ['Pending', ...jane.slice(1)], ...signed]);
    expect(codes).toEqual([]);
  });

  test('is told where a payee is beside a signature', async () => {
    const { codes } = await check([HEADINGS, jane, ['Approved by:', 'Ann Atieno', '0722345678']]);
    expect(codes).toEqual(['PB-BELOW-NAMED']);
  });

  test('is left alone when it is a signature or a note', async () => {
    const { codes } = await check([HEADINGS, jane, [], ['Checked by', 'Ann'], ['Signature'], ['', '', '', '7']]);
    expect(codes).toEqual([]);
  });

  test('is still the table when a payee stands in a row that begins like a signature', async () => {
    const { checked, codes } = await check([
      ['Status', 'Name', 'Phone', 'Amount'],
      ['Approved', 'Jane', '0712345678', '5'],
      ['Approved', 'Ali', '0722345678', ''],
      ['Approved', 'Ann', '0733000111', '7'],
    ]);
    expect(codes).toEqual(['PB-AMOUNT-MISSING']);
    expect(checked).toMatchObject({ rows: 3, payable: 2 });
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['a state with a colon', ['Approved: 25/11', 'Ali Hassan', '0722345678', ''], ['PB-AMOUNT-MISSING']],
    ['a dash for the amount', ['Approved: 25/11', 'Ali Hassan', '0722345678', '-'], ['PB-AMOUNT-TEXT']],
    ['a place to sign', ['Signed:', 'Ali Hassan', '0722345678', ''], ['PB-AMOUNT-MISSING']],
    [
      'a state, and nothing but a name',
      ['Approved: 25/11', 'Ali Hassan', '', ''],
      ['PB-AMOUNT-MISSING', 'PB-PHONE-MISSING'],
    ],
    ['a site called Total', ['Total Kenya', 'Ali Hassan', '', '1500'], ['PB-PHONE-MISSING']],
    [
      'a site called Total, without an amount',
      ['Total Kenya', 'Ali Hassan', '', ''],
      ['PB-AMOUNT-MISSING', 'PB-PHONE-MISSING'],
    ],
  ])(
    'is still the table when a column that is not used says something beside a person: %s',
    async (_, row, problems) => {
      const state = row[0]?.replace('25', '24') ?? '';
      for (const after of [[], [['Approved: 25/11', 'Ann Atieno', '0733000111', '7']]]) {
        const { checked, issues } = await check([
          ['Status', 'Name', 'Phone', 'Amount'],
          [state, 'Jane Wanjiku', '0712345678', '1500'],
          row,
          ...after,
        ]);
        expect(issues.map(({ code, row: at }) => [code, at])).toEqual(problems.map((code) => [code, 3]));
        expect(checked).toMatchObject({ rows: 2 + after.length, payable: 1 + after.length, sheetErrors: 0 });
      }
    },
  );

  test('is a signature or a total in a column that is not used, beside nobody', async () => {
    const { checked, codes } = await check([
      ['No.', 'Name', 'Phone', 'Amount'],
      ['1', 'Jane Wanjiku', '0712345678', '1500'],
      ['TOTAL', '', '', '1500'],
      ['Prepared by:', 'Grace Wanjiru', '', ''],
      ['Signed: ______', '', '', ''],
    ]);
    expect(codes).toEqual([]);
    expect(checked).toMatchObject({ rows: 1, payable: 1 });
  });
});

describe('a row', () => {
  test('that is hidden is an issue, even if nothing else is wrong', async () => {
    const [headings, first] = sheetRows([HEADINGS, jane]);
    const { codes, checked, staged } = await checkRows([
      headings ?? sheetRow(1, []),
      { ...(first ?? sheetRow(2, [])), hidden: true },
    ]);
    expect(codes).toEqual(['PB-HIDDEN']);
    expect(checked).toMatchObject({ rows: 1, payable: 0, invalid: 1, sheetErrors: 0 });
    expect(staged[0]).not.toHaveProperty('payout');
    expect(staged[0]).not.toHaveProperty('draft');
  });

  test('with an issue of the reader is not paid, however well it reads', async () => {
    const ragged = issue('PB-RAGGED', { row: 2, value: '' }, { fields: 5, expected: 4 });
    const rows = [sheetRow(1, HEADINGS), sheetRow(2, jane, { issues: [ragged] })];
    const { codes, checked } = await checkRows(rows);
    expect(codes).toEqual(['PB-RAGGED']);
    expect(checked).toMatchObject({ payable: 0, invalid: 1 });
  });

  test('tells all of its problems at their cells', async () => {
    const { issues } = await check([HEADINGS, ['EMP\u200b1', { type: 'error', text: '#N/A' }, '07O', '1,500']]);
    expect(issues.map(({ code, cell }) => `${code} ${cell}`)).toEqual([
      'PB-CELL-CHARS A2',
      'PB-CELL-ERROR B2',
      'PB-AMOUNT-AMBIGUOUS D2',
      'PB-PHONE-CHARS C2',
    ]);
  });

  test('without a phone lacks exactly that, if the columns of the sheet leave no other way of paying', async () => {
    const nobody = ['EMP-9', 'Ali Hassan', '', '2500'];
    const { issues, checked } = await check([HEADINGS, jane, nobody]);
    expect(issues).toMatchObject([{ code: 'PB-PHONE-MISSING', row: 3, cell: 'C3' }]);
    expect(checked).toMatchObject({ rows: 2, payable: 1, invalid: 1 });
    for (const more of ['Payment type', 'Till']) {
      const { codes } = await check([[...HEADINGS, more], jane, nobody]);
      expect(codes, more).toEqual(['PB-TYPE-UNCLEAR']);
    }
  });

  test('with a warning only is paid', async () => {
    const { checked, staged, codes } = await check([
      [...HEADINGS, 'Network'],
      [...jane, 'Airtel'],
    ]);
    expect(codes).toEqual(['PB-NETWORK-DIFFERS']);
    expect(checked).toMatchObject({ payable: 1, errors: 0, warnings: 1 });
    expect(staged[0]?.payout?.network).toBe('Airtel Kenya');
  });

  test('of another currency, another type or no type at all is refused', async () => {
    const { codes } = await check([
      [...HEADINGS, 'Currency', 'Type'],
      [...jane, 'UGX', ''],
      [...ali, '', 'cheque'],
      ['EMP-9', 'Nobody', '', '5'],
    ]);
    expect(codes).toEqual(['PB-CURRENCY', 'PB-TYPE-UNKNOWN', 'PB-TYPE-UNCLEAR']);
  });
});
