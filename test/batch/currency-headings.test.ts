import { describe, expect, test } from 'vitest';
import { currency } from '../support/amounts.ts';
import { check } from '../support/sheets/checked-sheet.ts';

const sheet = (heading: string, phone = '0772123456') => [
  ['Reference', 'Name', 'Phone', heading],
  ['E-1', 'Jane Namuli', phone, '5000'],
];
const uganda = { currency: currency('UGX'), country: 'UG' };

describe('a currency in the heading of the amounts', () => {
  test.each([
    'Amount (UGX)',
    'Net Pay UGX',
    'Net pay [ugx]',
    'USh Amount',
    'Salary (Ushs.)',
    'Montant net (UGX)',
    'UGX',
    'Ush.',
    'Amount (Shs)',
    'Net Pay in Shillings',
  ])('%s is that of a batch in UGX', async (heading) => {
    const { codes, checked } = await check(sheet(heading), uganda);
    expect(codes).toEqual([]);
    expect(checked.total).toEqual({ minor: 5000n, currency: 'UGX' });
  });

  test.each(['Amount (UGX)', 'Net Pay UGX', 'Ush'])(
    '%s contradicts a batch in KES, and both are named',
    async (heading) => {
      const { issues, checked } = await check(sheet(heading, '0712345678'));
      expect(issues).toMatchObject([
        { code: 'PB-CURRENCY-HEADING', cell: 'D1', parameters: { named: 'UGX', currency: 'KES' } },
      ]);
      expect(checked.sheetErrors).toBe(1);
    },
  );

  test.each([
    ['Amount ($)', 'USD'],
    ['Net Pay US$', 'USD'],
    ['$', 'USD'],
    ['Amount (£)', 'GBP'],
    ['Amount (€)', 'EUR'],
    ['Amount (₦)', 'NGN'],
  ])('%s contradicts it too, by its sign', async (heading, named) => {
    const { issues, checked } = await check(sheet(heading, '0712345678'));
    expect(issues).toMatchObject([{ code: 'PB-CURRENCY-HEADING', cell: 'D1', parameters: { named, currency: 'KES' } }]);
    expect(checked.sheetErrors).toBe(1);
  });

  test.each([
    ['Montant BIF', 'BIF'],
    ['Montant (FBU)', 'BIF'],
    ['Net Pay in Birr', 'ETB'],
    ['Amount (Birr)', 'ETB'],
    ['Amount in Kshs', 'KES'],
    ['Amount (Shs)', 'TZS'],
  ] as const)('%s is that of a batch in %s', async (heading, code) => {
    const { codes } = await check(sheet(heading, '+254712345678'), { currency: currency(code) });
    expect(codes).toEqual([]);
  });

  test.each(['Amount ($)', 'Net Pay US$', '$'])('%s is that of a batch in dollars', async (heading) => {
    const { codes } = await check(sheet(heading, '0712345678'), { currency: currency('USD') });
    expect(codes).toEqual([]);
  });

  test('contradicts a currency column that says another', async () => {
    const rows = sheet('Amount (UGX)').map((row, at) => [...row, at === 0 ? 'Currency' : 'KES']);
    const { issues } = await check(rows, uganda);
    expect(issues).toMatchObject([{ code: 'PB-CURRENCY', cell: 'E2', value: 'KES', parameters: { currency: 'UGX' } }]);
  });

  test('beside an amount that names none is asked about, with both', async () => {
    const rows = sheet('Amount').map((row, at) => [...row, at === 0 ? 'Amount (USD)' : '2']);
    const { issues } = await check(rows, uganda);
    expect(issues.find(({ code }) => code === 'PB-AMOUNT-HEADING')?.value).toBe('Amount, Amount (USD)');
  });

  test('decides beside an amount in another currency, which this batch cannot pay', async () => {
    const rows = sheet('Amount (UGX)').map((row, at) => [...row, at === 0 ? 'Amount (USD)' : '2']);
    const { codes, checked } = await check(rows, uganda);
    expect(codes).toEqual([]);
    expect(checked.headings.filter(({ means }) => means === 'amount').map(({ text }) => text)).toEqual([
      'Amount (UGX)',
    ]);
  });

  test('decides nothing beside another sort of amount in another currency', async () => {
    const rows = sheet('Amount (UGX)').map((row, at) => [...row, at === 0 ? 'Salary (USD)' : '2']);
    const { issues } = await check(rows, uganda);
    expect(issues.find(({ code }) => code === 'PB-AMOUNT-HEADING')?.value).toBe('Amount (UGX), Salary (USD)');
  });

  test('beside another amount stays in the command that chooses, and no shell takes it for a variable', async () => {
    const rows = sheet('Amount').map((row, at) => [...row, at === 0 ? 'Amount ($)' : '2', at === 0 ? '$Pay' : '3']);
    const { issues } = await check(rows, uganda);
    const commands = issues.find(({ code }) => code === 'PB-AMOUNT-HEADING')?.parameters['commands'];
    expect(commands).toContain('--column amount="Amount ($)"');
    expect(commands).toContain('--column amount="$ Pay"');
  });

  test.each([
    'Tax (UGX)',
    'Gross Pay UGX',
    'Amount (THE)',
    'Pushups',
    'Amount %',
    'Pay #',
    'Amount ($) %',
    'Pay (KES) #',
  ])('%s is no amount all the same', async (heading) => {
    const { codes } = await check(sheet(heading), uganda);
    expect(codes).toEqual([expect.stringMatching(/^PB-HEADER-(?:MISSING|UNKNOWN)$/)]);
  });
});
