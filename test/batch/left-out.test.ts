import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/domain/event.ts';
import { numberFormat } from '../../src/sheet/xlsx/number-format.ts';
import { amountIn } from '../support/amounts.ts';
import { check, checkRows } from '../support/sheets/checked-sheet.ts';
import { type CellChoice, number, sheetRow, sheetRows } from '../support/sheets/sheet-rows.ts';

const HEADINGS = ['Staff No', 'Name', 'Phone', 'Amount', 'Payment type', 'Hold'];
const jane = ['EMP-1', 'Jane Wanjiku', '0712345678', '1000', 'wallet', ''];
const held = (reason: CellChoice, over: { readonly phone?: CellChoice; readonly amount?: CellChoice } = {}) => [
  'EMP-2',
  'Ali Hassan',
  over.phone ?? '0722345678',
  over.amount ?? '500',
  'wallet',
  reason,
];
const inCash = (word: string) => ['EMP-3', 'Ann Atieno', '', '70.50', word, ''];

describe('a row with a reason in the column hold', () => {
  test('is left out with that reason, counted and summed apart, and not staged as a payment', async () => {
    const { checked, staged, codes } = await check([HEADINGS, jane, held('on  maternity leave')]);
    expect(codes).toEqual([]);
    expect(checked).toMatchObject({ rows: 2, payable: 1, invalid: 0, errors: 0, total: amountIn('1000') });
    expect(checked.leftOut).toEqual({ rows: 1, amount: amountIn('500') });
    expect(staged[1]).toMatchObject({ row: 3, leftOut: { reason: 'on maternity leave', amount: amountIn('500') } });
    expect(staged[1]?.payout).toBeUndefined();
  });

  test.each(['yes', 'x', 'X', 'hold', 'Y', 'TRUE', '✓', 'left in May', 'no contract yet', 'ndiyo', 'oui'])(
    'may be held by the word "%s" alone',
    async (word) => {
      const { checked, staged } = await check([HEADINGS, jane, held(word)]);
      expect(checked).toMatchObject({ payable: 1, leftOut: { rows: 1 } });
      expect(staged[1]?.leftOut?.reason).toBe(word);
    },
  );

  test.each(['1', '-', '--', '?', 'n/a', 'None', 'NULL', 'TBC', 'nil', 'ok', 'pay', '.'])(
    'is neither held nor paid by "%s", which may mean either',
    async (word) => {
      const { checked, issues } = await check([HEADINGS, jane, held(word)]);
      expect(issues).toMatchObject([{ code: 'PB-HOLD-UNCLEAR', level: 'error', cell: 'F3', value: word }]);
      expect(checked).toMatchObject({ payable: 1, invalid: 1 });
      expect(checked.leftOut).toBeUndefined();
    },
  );

  const flag: CellChoice = { type: 'boolean', text: 'FALSE' };

  test.each<CellChoice>([
    flag,
    number('0'),
    ...['FALSE', 'Faux', '0', 'no', 'No', 'N', 'hapana', 'La', 'non', 'off', 'Not held'],
  ])('is paid where %j says that nothing holds it', async (word) => {
    const { checked, codes } = await check([HEADINGS, jane, held(word)]);
    expect(codes).toEqual([]);
    expect(checked).toMatchObject({ payable: 2, total: amountIn('1500') });
    expect(checked.leftOut).toBeUndefined();
  });

  test.each([
    ['Do not pay', 'no'],
    ["Don't pay", 'N'],
    ['Usilipe', 'hapana'],
    ['Ne pas payer', 'non'],
  ])('is asked about under "%s", where "%s" is either', async (heading, word) => {
    const { codes } = await check([[...HEADINGS.slice(0, 5), heading], jane, held(word)]);
    expect(codes).toEqual(['PB-HOLD-UNCLEAR']);
  });

  test('is paid under "Do not pay" where a flag is not set', async () => {
    const { checked, codes } = await check([[...HEADINGS.slice(0, 5), 'Do not pay'], jane, held(flag)]);
    expect(codes).toEqual([]);
    expect(checked).toMatchObject({ payable: 2 });
  });

  test('is not seen in flags that are filled in below the table, and a total with one is a total', async () => {
    const filled = ['', '', '', '', '', flag];
    const total = ['TOTAL', '', '', '1500', '', flag];
    const { checked, codes } = await check([HEADINGS, jane, held(flag), filled, filled]);
    expect(codes).toEqual([]);
    expect(checked).toMatchObject({ rows: 2, payable: 2 });
    const summed = await check([HEADINGS, jane, held(flag), total, filled]);
    expect(summed.codes).toEqual([]);
    expect(summed.checked).toMatchObject({ rows: 2, total: amountIn('1500') });
    const wrong = await check([HEADINGS, jane, held(flag), ['TOTAL', '', '', '9', '', flag]]);
    expect(wrong.codes).toEqual(['PB-TOTAL-ROW']);
  });

  test.each<[string, CellChoice, string]>([
    ['a number', number('2'), 'PB-HOLD-UNCLEAR'],
    ['a date', { type: 'date', text: '2026-12-01' }, 'PB-HOLD-UNCLEAR'],
    ['an error of the spreadsheet', { type: 'error', text: '#N/A' }, 'PB-CELL-ERROR'],
    ['a formula that was never calculated', { formula: 'missing' }, 'PB-FORMULA-NO-VALUE'],
  ])('is not decided by %s', async (_, cell, code) => {
    const { codes, checked } = await check([HEADINGS, jane, held(cell)]);
    expect(codes).toContain(code);
    expect(checked).toMatchObject({ payable: 1, invalid: 1 });
  });

  test('needs no valid phone, and its other problems are not told', async () => {
    const { codes, checked } = await check([
      HEADINGS,
      jane,
      held('on leave', { phone: '0712' }),
      held('sick', { phone: '' }),
    ]);
    expect(codes).toEqual([]);
    expect(checked.leftOut).toEqual({ rows: 2, amount: amountIn('1000') });
  });

  test('counts with an amount that cannot be read, and the sum says that it lacks it', async () => {
    const { codes, checked } = await check([HEADINGS, jane, held('on leave'), held('new', { amount: 'to be agreed' })]);
    expect(codes).toEqual([]);
    expect(checked.leftOut).toEqual({ rows: 2, amount: amountIn('500'), unread: 1 });
  });

  test.each([
    'On hold',
    'DO NOT PAY',
    "Don't pay",
    'Held',
    'hold_reason',
    'Usilipe',
    'Imezuiwa',
    'Ne pas payer',
    'Bloqué',
  ])('is known by the heading "%s"', async (heading) => {
    const { checked } = await check([[...HEADINGS.slice(0, 5), heading], jane, held('on leave')]);
    expect(checked).toMatchObject({ payable: 1, leftOut: { rows: 1 } });
  });

  test('may be hidden, and does not count to the hidden rows that are meant to be paid', async () => {
    const rows = [
      sheetRow(1, HEADINGS),
      sheetRow(2, jane, { hidden: true }),
      sheetRow(3, held('sick'), { hidden: true }),
    ];
    const { codes, checked } = await checkRows(rows, { includeHidden: 1 });
    expect(codes).toEqual(['PB-HIDDEN']);
    expect(checked).toMatchObject({ errors: 0, payable: 1, leftOut: { rows: 1 } });
  });

  test('does not make a duplicate of the row that pays the same person', async () => {
    const { codes, checked } = await check([HEADINGS, jane, [...jane.slice(0, 5), 'second half, next month']]);
    expect(codes).toEqual([]);
    expect(checked).toMatchObject({ payable: 1, leftOut: { rows: 1, amount: amountIn('1000') } });
  });
});

test('two columns that could both hold a row are an issue of the headings, and neither is picked', async () => {
  const { codes } = await check([
    [...HEADINGS, 'Do not pay'],
    [...jane, 'on leave'],
  ]);
  expect(codes).toContain('PB-HEADER-TWICE');
});

describe('a row that is paid in cash', () => {
  test.each(['cash', 'Cash', 'PESA TASLIMU', 'taslimu', 'espèces', 'en espèces', 'paid in cash'])(
    'is left out by the type "%s", and the reason is cash',
    async (word) => {
      const { checked, staged, codes } = await check([HEADINGS, jane, inCash(word)]);
      expect(codes).toEqual([]);
      expect(checked.leftOut).toEqual({ rows: 1, amount: amountIn('70.50') });
      expect(staged[1]?.leftOut?.reason).toBe('cash');
    },
  );

  test('is told with the reason of its hold where it is held as well', async () => {
    const { staged } = await check([HEADINGS, jane, ['E', 'Ann', '', '5', 'cash', 'left in May']]);
    expect(staged[1]?.leftOut?.reason).toBe('left in May');
  });
});

describe('the total row of a sheet with rows that are left out', () => {
  const told = async (total: string) => {
    const notices: RunEvent[] = [];
    const { codes } = await check([HEADINGS, jane, held('sick'), ['TOTAL', '', '', total, '', '']], {}, (event) => {
      if (event.type === 'notice') notices.push(event);
    });
    return { codes, notices: notices.map((notice) => 'code' in notice && notice.code) };
  };

  test('may hold them or not, and it is said which', async () => {
    expect(await told('1000')).toEqual({ codes: [], notices: ['total-without-left-out'] });
    expect(await told('1500')).toEqual({ codes: [], notices: ['total-with-left-out'] });
  });

  test.each(['500', '1499.99', '2000'])('must be one of the two sums, which %s is not', async (total) => {
    expect(await told(total)).toEqual({ codes: ['PB-TOTAL-LEFT-OUT'], notices: [] });
  });
});

describe('a row that is left out and shows another amount than its cell holds', () => {
  const shown = (digits: string, code: string): CellChoice => {
    const format = numberFormat(164, code);
    return { type: 'number', text: digits, ...(format && { format }) };
  };

  test.each([
    ['a percentage', '0.15', '0%', 'PB-AMOUNT-SHOWN', '1000.15'],
    ['thousands', '500', '0,', 'PB-AMOUNT-SHOWN', '1500'],
    ['dollars', '500', '"US$ "#,##0', 'PB-CURRENCY-SHOWN', '1500'],
  ] as const)(
    'is told at its cell, and a total may hold what the cell holds: %s',
    async (_, digits, code, told, total) => {
      for (const stated of ['1000', total]) {
        const { issues, checked } = await check([
          HEADINGS,
          jane,
          held('on leave', { amount: shown(digits, code) }),
          ['TOTAL', '', '', stated, '', ''],
        ]);
        expect(issues).toMatchObject([{ code: told, level: 'warning', cell: 'D3' }]);
        expect(checked).toMatchObject({ errors: 0, total: amountIn('1000') });
        expect(checked.leftOut).toEqual({ rows: 1, amount: amountIn('0'), unread: 1 });
      }
    },
  );

  test('does not tie out with a total that is neither', async () => {
    const { codes } = await check([
      HEADINGS,
      jane,
      held('on leave', { amount: shown('500', '0%') }),
      ['TOTAL', '', '', '1600', '', ''],
    ]);
    expect(codes).toEqual(['PB-TOTAL-LEFT-OUT', 'PB-AMOUNT-SHOWN']);
  });
});

test('a row whose values may have slid into other columns is not held by what stands in one of them', async () => {
  const ragged = {
    code: 'PB-RAGGED',
    level: 'error',
    row: 3,
    value: '',
    parameters: { fields: 7, expected: 6 },
  } as const;
  const rows = sheetRows([HEADINGS, jane, held('sick')]).map((row) =>
    row.number === 3 ? { ...row, issues: [ragged] } : row,
  );
  const { codes, checked } = await checkRows(rows);
  expect(codes).toEqual(['PB-RAGGED']);
  expect(checked).toMatchObject({ payable: 1, invalid: 1 });
});
