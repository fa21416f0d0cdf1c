import { describe, expect, test } from 'vitest';
import { currency } from '../support/amounts.ts';
import { check } from '../support/sheets/checked-sheet.ts';
import { type CellChoice, number } from '../support/sheets/sheet-rows.ts';

const HEADINGS = ['Name', 'Phone', 'Amount'];
const told = async (...sheet: Parameters<typeof check>) =>
  (await check(...sheet)).issues.map(({ code, cell = '' }) => `${code} ${cell}`.trim());
/** People who differ in everything, each with an amount. */
const people = (amounts: readonly string[]) => [
  HEADINGS,
  ...amounts.map((amount, at) => [`Person ${at}`, `07${String(12_000_000 + at)}`, number(amount)]),
];

describe('an amount', () => {
  test('above twenty times the middle one is warned of, at its cell', async () => {
    const { issues } = await check(people(['100', '100', '2000.01', '100', '2000']));
    expect(issues).toMatchObject([
      { code: 'PB-AMOUNT-UNUSUAL', level: 'warning', cell: 'C4', value: 'KES 2,000.01', parameters: { factor: 20 } },
    ]);
    expect(issues[0]?.parameters['median']).toBe('KES 100.00');
  });

  test('is not compared in a sheet of four rows', async () => {
    expect(await told(people(['1', '1', '1', '1000']))).toEqual([]);
  });

  test('is named at most twenty times, and the last one says how many more there are', async () => {
    const { issues } = await check(people([...Array(60).fill('1'), ...Array(25).fill('500')]));
    expect(issues).toHaveLength(20);
    expect(issues.map(({ parameters }) => parameters['hint']).filter(Boolean)).toEqual(['; there are 5 more like it']);
  });

  test('is compared among the rows that can be paid', async () => {
    expect(await told([...people(['1', '1', '1', '1', '1']), ['Odd', '07', '900']])).toEqual(['PB-PHONE-LENGTH B7']);
  });
});

describe('people', () => {
  test('who share a phone under two names are warned of at the second name', async () => {
    const { issues } = await check([
      HEADINGS,
      ['Jane Wanjiku', '0712345678', '5'],
      ['WANJIKU, Jane', '+254712345678', '6'],
      ['Ali Hassan', '0712345678', '7'],
    ]);
    const found = issues.filter(({ code }) => code === 'PB-PAYEE-NAMES');
    expect(found).toMatchObject([
      {
        cell: 'A4',
        value: 'Ali Hassan',
        parameters: { payee: '+254712345678', first: 'Jane Wanjiku', firstRow: 2 },
      },
    ]);
  });

  test('whose phone is registered to another name are warned of with that phone', async () => {
    const { issues } = await check([
      [...HEADINGS, 'M-PESA Name'],
      ['Jane Wanjiku', '0712345678', '5', 'Mary Atieno'],
    ]);
    const parameters = { payee: '+254712345678', first: 'Jane Wanjiku', firstRow: 2 };
    expect(issues).toMatchObject([{ code: 'PB-PAYEE-NAMES', cell: 'D2', value: 'Mary Atieno', parameters }]);
  });

  test('who share a name with two phones are warned of at the second row', async () => {
    const { issues } = await check([
      HEADINGS,
      ['Jane Wanjiku', '0712345678', '5'],
      ['José', '0733000111', '5'],
      ['jane  wanjiku', '0722345678', '6'],
    ]);
    expect(issues).toMatchObject([
      {
        code: 'PB-NAME-PAYEES',
        cell: 'A4',
        value: 'jane wanjiku',
        parameters: { payee: '+254722345678', first: '+254712345678', firstRow: 2 },
      },
    ]);
  });

  test.each([
    ['ID No', '27 654 321', '27654321'],
    ['KRA PIN', 'A004321987K', 'a004321987k'],
    ['National ID Number', '27654321', '27654321'],
    ['NSSF No.', '2009876543', '2009876543'],
    ['ID/Passport No', '27654321', '27654321'],
    ['Namba ya Kitambulisho cha Taifa', '27654321', '27654321'],
    ["N° carte d'identité", '123456789', '123456789'],
  ])('who share the number of a column "%s" are warned of at the second row', async (heading, first, second) => {
    const { issues } = await check([
      [...HEADINGS, heading],
      ['Jane Wanjiku', '0712345678', '5', first],
      ['Ali Hassan', '0722345678', '5', '30111222'],
      ['Peter Otieno', '0733000111', '6', second],
    ]);
    const parameters = { first: 'Jane Wanjiku', firstRow: 2, hint: '' };
    expect(issues).toMatchObject([{ code: 'PB-ID-NAMES', cell: 'A4', value: 'Peter Otieno', parameters }]);
  });

  const everybodys = (last: string, heading = 'TIN') => [
    [...HEADINGS, heading],
    ...['Jane Wanjiku', 'Ali Hassan', 'Peter Otieno', 'Mary Achieng'].map((name, place) => [
      name,
      `071234567${place}`,
      '5',
      '1001234567',
    ]),
    ['Joseph Kiptoo', '0733000111', '6', last],
  ];

  test('do not share the register number that stands beside all of them: it is that of their employer', async () => {
    expect((await check(everybodys('1001234567'))).issues).toEqual([]);
    expect((await check(everybodys('1007654321'))).issues).toMatchObject([{ code: 'PB-ID-NAMES', cell: 'A3' }]);
    expect((await check(everybodys(''))).issues).toMatchObject([{ code: 'PB-ID-NAMES', cell: 'A3' }]);
    // No employer has a national ID.
    const { issues } = await check(everybodys('1001234567', 'National ID'));
    expect(issues).toMatchObject([{ code: 'PB-ID-NAMES', cell: 'A3' }]);
  });

  test('are told apart by their documents, and only without these by a register', async () => {
    const { issues } = await check([
      [...HEADINGS, 'TIN', 'National ID'],
      ['Jane Wanjiku', '0712345678', '5', '1001234567', '27654321'],
      ['Ali Hassan', '0722345678', '5', '1001234567', '30111222'],
      ['Peter Otieno', '0733000111', '6', '1001234567', '27654321'],
    ]);
    expect(issues).toMatchObject([{ code: 'PB-ID-NAMES', cell: 'A4' }]);
  });

  test.each([
    ['Employer PIN', 'P051234567X'],
    ['ID No', '00000000'],
    ['ID No', 'N/A'],
    ['ID No', ''],
    ['Branch ID', '10023'],
    ['Grade', '12345'],
  ])('are not warned of for a column "%s" with %s in all rows', async (heading, value) => {
    const { issues } = await check([
      [...HEADINGS, heading],
      ['Jane Wanjiku', '0712345678', '5', value],
      ['Peter Otieno', '0733000111', '6', value],
    ]);
    expect(issues).toEqual([]);
  });

  test.each(['Jаne', 'Αli Hassan'])('whose name mixes alphabets are warned of: %s', async (name) => {
    expect(await told([HEADINGS, [name, '0712345678', '5']])).toEqual(['PB-NAME-SCRIPTS A2']);
  });

  test('whose name is of one alphabet are not', async () => {
    expect(await told([HEADINGS, ['Иван', '0712345678', '5'], ['Njeri Wañjiku', '0722345678', '5']])).toEqual([]);
  });
});

describe('a column', () => {
  const computed = (text: string): CellChoice => ({ type: 'number', text, formula: 'cached' });

  test('of formulas is warned of once, at its first cell, with the count', async () => {
    const { issues, checked, staged } = await check([
      HEADINGS,
      ['Jane', '0712345678', '5'],
      ['Ali', '0722345678', computed('6')],
      [{ text: 'Ann', formula: 'cached' }, '0733000111', computed('7')],
    ]);
    expect(issues).toMatchObject([{ code: 'PB-FORMULA-CACHED', cell: 'C3', value: '6', parameters: { count: 2 } }]);
    expect(checked).toMatchObject({ payable: 3, warnings: 1, errors: 0 });
    expect(staged.flatMap((row) => row.issues)).toEqual([]);
  });

  test('of phones without their zero is noted once, and the phones are read', async () => {
    const { issues, staged } = await check([
      HEADINGS,
      ['Jane', '0712345678', '5'],
      ['Ali', number('722345678'), '6'],
      ['Ann', '733000111', '7'],
      ['Tom', number('254733000112'), '7'],
    ]);
    expect(issues).toMatchObject([
      { code: 'PB-PHONE-ZERO', level: 'warning', cell: 'B3', parameters: { count: 2, read: '+254722345678' } },
    ]);
    expect(staged.map(({ payout }) => payout?.destination)).toContain('+254733000111');
  });

  test.each([
    ['1,234.50', '1.234,50'],
    ['1 234,50', '99.75'],
    ['1,234,567', '1.234.567'],
  ])('with amounts like %s and %s is refused, and both cells are named', async (one, other) => {
    const { issues, checked } = await check([HEADINGS, ['Jane', '0712345678', one], ['Ali', '0722345678', other]]);
    expect(issues).toMatchObject([
      { code: 'PB-AMOUNT-STYLES', cell: 'C3', value: other, parameters: { first: one, firstCell: 'C2' } },
    ]);
    expect(checked).toMatchObject({ sheetErrors: 1 });
  });

  test('with amounts of one way of writing is taken', async () => {
    const rows = [
      ['Jane', '0712345678', '1.234,50'],
      ['Ali', '0722345678', '1 234,50'],
      ['Ann', '0733000111', '70'],
    ];
    expect(await told([HEADINGS, ...rows])).toEqual([]);
  });

  test.each(['Amount (KES)', 'Kes'])('under the heading %s is refused in a batch of UGX', async (heading) => {
    const uganda = { country: 'UG', currency: currency('UGX') };
    const sheet = [
      ['Name', 'Phone', heading],
      ['Jane', '0772123456', '500'],
    ];
    expect(await told(sheet, uganda)).toEqual(['PB-CURRENCY-HEADING C1']);
    expect((await check(sheet, uganda)).checked.sheetErrors).toBe(1);
    expect(
      await told([
        ['Name', 'Phone', heading],
        ['Jane', '0712345678', '500'],
      ]),
    ).toEqual([]);
  });
});

describe('net pay', () => {
  const sheet = (gross: CellChoice, deductions: CellChoice) => [
    ['Name', 'Phone', 'Gross Pay', 'Total Deductions', 'Net Pay'],
    ['Jane', '0712345678', gross, deductions, '750'],
  ];

  test.each<[CellChoice, CellChoice]>([
    ['1000', '250'],
    [number('1000'), number('-250')],
    ['750', ''],
    ['see slip', '1'],
    ['1000.01', '250.01'],
  ])('agrees with %o less %o, or is not compared', async (gross, deductions) => {
    expect(await told(sheet(gross, deductions))).toEqual([]);
  });

  test.each<[CellChoice, CellChoice, string]>([
    ['1000', '250.01', 'KES 749.99'],
    ['1000.01', '250', 'KES 750.01'],
    [number('1000.3'), number('-250'), 'KES 750.30'],
  ])('that differs by cents is warned of: %o less %o', async (gross, deductions, net) => {
    const { issues } = await check(sheet(gross, deductions));
    expect(issues).toMatchObject([{ code: 'PB-NET-PAY', value: 'KES 750.00', parameters: { net } }]);
  });

  test('that differs is warned of at its cell', async () => {
    const { issues } = await check(sheet('1000', '200'));
    expect(issues).toMatchObject([
      { code: 'PB-NET-PAY', level: 'warning', cell: 'E2', parameters: { net: 'KES 800.00' } },
    ]);
  });
});

describe('rows around the table', () => {
  test('above the headings are not lost when they look like payments', async () => {
    const { issues, checked } = await check([
      ['Casual workers'],
      ['Worker', 'Simu yake', 'Malipo'],
      ['Tom', '0733000111', '900'],
      ['', '', '', number('712345679'), number('4')],
      HEADINGS,
      ['Jane', '0712345678', '5'],
    ]);
    expect(issues.map(({ code, cell }) => `${code} ${cell}`)).toEqual(['PB-ABOVE-TABLE C3', 'PB-ABOVE-TABLE D4']);
    expect(checked).toMatchObject({ rows: 1, sheetErrors: 2 });
  });

  test('above the headings are found by the columns of the table too', async () => {
    const sheet = [
      ['Duka', '512345', '900'],
      ['Name', 'Till number', 'Amount'],
      ['Mama', '512346', '5'],
    ];
    expect(await told(sheet)).toEqual(['PB-ABOVE-TABLE C1']);
  });

  test('above the headings may be titles with phone numbers, dates and figures', async () => {
    const titles = [
      ['Tel', '0712345678'],
      ['Net pay', '', '2026'],
      ['Rows', number('25')],
      ['', '2026-11-20', '3'],
    ];
    expect(await told([...titles, HEADINGS, ['Jane', '0712345678', '5']])).toEqual([]);
  });

  test('of spaces only are blank, and end the table', async () => {
    const { checked, issues } = await check([
      HEADINGS,
      ['Jane', '0712345678', '5'],
      [' ', '\u00a0', '  '],
      ['Note', 'to nobody'],
    ]);
    expect(issues).toEqual([]);
    expect(checked).toMatchObject({ rows: 1, payable: 1 });
  });
});
