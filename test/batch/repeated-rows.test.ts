import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/domain/event.ts';
import { check, checkRows, stagingForTest } from '../support/sheets/checked-sheet.ts';
import { type CellChoice, number, sheetRows } from '../support/sheets/sheet-rows.ts';

const HEADINGS = ['Staff No', 'Name', 'Phone', 'Amount'];
const jane = ['EMP-1', 'Jane Wanjiku', '0712345678', '15000'];
const ali = ['EMP-2', 'Ali Hassan', '0722345678', '8500.50'];
const ann = ['EMP-3', 'Ann Atieno', '0733000111', '700'];

describe('rows that repeat one another', () => {
  test('with one reference refuse the sheet, and all of them are named', async () => {
    const { issues, checked } = await check([
      HEADINGS,
      jane,
      ['EMP-1', ...ali.slice(1)],
      ann,
      ['ＥＭＰ-1', ...ann.slice(1)],
    ]);
    const found = issues.filter(({ code }) => code === 'PB-DUP-REFERENCE');
    expect(found).toMatchObject([
      { row: 2, cell: 'A2', value: 'EMP-1', parameters: { others: 2, rows: '3, 5' } },
      { row: 3, cell: 'A3', value: 'EMP-1', parameters: { others: 2, rows: '2, 5' } },
      { row: 5, cell: 'A5', value: 'EMP-1', parameters: { others: 2, rows: '2, 3' } },
    ]);
    expect(checked).toMatchObject({ payable: 4, sheetErrors: 3 });
  });

  test('leave nothing that is ready to pay, and no total of it', async () => {
    const events: RunEvent[] = [];
    await check([HEADINGS, jane, ['EMP-1', ...ali.slice(1)], ['EMP-4', 'Joe', '07', '1']], {}, (event) =>
      events.push(event),
    );
    const summary = events.find((event) => event.type === 'sheet.summary');
    expect(summary).toMatchObject({ rows: 3, ready: 0, withErrors: 1, errors: 3 });
    expect(summary).not.toHaveProperty('total');
  });

  test('of which one has errors are no repetition, but for its reference', async () => {
    const { codes } = await check([HEADINGS, jane, ['EMP-1', 'Jane', '07', '1']]);
    expect(codes).toEqual(['PB-PHONE-LENGTH', 'PB-DUP-REFERENCE']);
  });

  const bare = ['', 'Jane Wanjiku', '0712345678', '500'];
  const same = [HEADINGS, bare, ['', 'J. Wanjiku', '+254712345678', number('500')], ['', ...ann.slice(1)], bare];

  test.each([0, 1, 3, 50])(
    'without references refuse the sheet when %i are acknowledged instead of 2',
    async (allowIdentical) => {
      const { issues, checked } = await check(same, { allowIdentical });
      const found = issues.filter(({ code }) => code === 'PB-DUP-ROW');
      const counts = issues.filter(({ code }) => code === 'PB-IDENTICAL-COUNT');
      expect(counts.map(({ parameters }) => parameters)).toEqual(
        allowIdentical > 0 ? [{ stated: allowIdentical, count: 2 }] : [],
      );
      expect(found).toMatchObject([
        { level: 'error', row: 2, parameters: { others: 2, rows: '3, 5', count: 2 } },
        { level: 'error', row: 3, parameters: { others: 2, rows: '2, 5', count: 2 } },
        { level: 'error', row: 5, parameters: { others: 2, rows: '2, 3', count: 2 } },
      ]);
      expect(checked).toMatchObject({ identical: 2, sheetErrors: 3 + counts.length, payable: 4 });
    },
  );

  test('without references are warnings when exactly so many are acknowledged', async () => {
    const { issues, checked } = await check(same, { allowIdentical: 2 });
    expect(issues.map(({ code, level }) => `${code} ${level}`)).toEqual([
      'PB-DUP-ROW warning',
      'PB-DUP-PAYEE warning',
      'PB-PAYEE-NAMES warning',
    ]);
    expect(checked).toMatchObject({ identical: 2, sheetErrors: 0, errors: 0, warnings: 3 });
  });

  test('in several groups are acknowledged by their sum', async () => {
    const two = ['', 'Ali', '0722345678', '9'];
    const { checked, codes } = await check([HEADINGS, bare, two, bare, two, two], { allowIdentical: 3 });
    expect(checked).toMatchObject({ identical: 3, errors: 0 });
    expect(codes.filter((code) => code === 'PB-DUP-ROW')).toHaveLength(2);
  });

  test('that differ in a cent, a currency of nothing else, or have references, are not identical', async () => {
    const { checked, codes } = await check([
      HEADINGS,
      bare,
      ['', ...bare.slice(1, 3), '500.01'],
      ['EMP-7', ...bare.slice(1)],
    ]);
    expect(checked.identical).toBe(0);
    expect(codes).toEqual(['PB-DUP-PAYEE']);
  });
});

test('of one reference in very many rows, every row is marked, and names a few others', async () => {
  const many = Array.from({ length: 1300 }, (_, at) => [
    'PAY',
    `Person ${at}`,
    `07120${String(at).padStart(5, '0')}`,
    '5',
  ]);
  const { issues } = await check([HEADINGS, ...many]);
  const found = issues.filter(({ code }) => code === 'PB-DUP-REFERENCE');
  expect(found.map(({ row }) => row)).toEqual(many.map((_, at) => at + 2));
  expect(found.at(-1)?.parameters).toEqual({ others: 1299, rows: '2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 1289 more' });
});

test('of one payment in very many rows, every row is marked, and no other payment is', async () => {
  const many = Array.from({ length: 120 }, () => ['', 'Jane Wanjiku', '0712345678', '5']);
  const { issues } = await check([
    HEADINGS,
    ...many.slice(0, 60),
    ['', 'Jane Wanjiku', '0712345678', '6'],
    ...many.slice(60),
  ]);
  const rows = issues.filter(({ code }) => code === 'PB-DUP-ROW').map(({ row }) => row);
  expect(rows).toHaveLength(120);
  expect(rows).not.toContain(62);
});

describe('the fingerprint of a sheet', () => {
  const rows = [jane, ali, ann, ['', 'Ann Atieno', '0733000111', '700'], ['', 'Ann Atieno', '0733000111', '700']];
  const printOf = async (sheet: readonly (readonly CellChoice[])[]) =>
    (await check(sheet, { allowIdentical: 1 })).checked.fingerprint();

  test('depends neither on the order of rows and columns, nor on headings, titles and forms of writing', async () => {
    const print = await printOf([HEADINGS, ...rows]);
    expect(await printOf([HEADINGS, ...rows.toReversed()])).toBe(print);
    expect(await printOf([['Acme'], [], HEADINGS.toReversed(), ...rows.map((row) => row.toReversed())])).toBe(print);
    const rewritten = rows.map(([reference = '', name = '', phone = '', amount = '']) => [
      `${reference}`,
      ` ${name.replace(' ', ' \u00a0')} `,
      number(phone.slice(1)),
      number(`${amount.replace(/\.50$/, '.5000000000000001')}`),
      'KES',
      'Stores',
    ]);
    expect(await printOf([['P/No', 'Payee', 'M-PESA No', 'Net pay', 'Ccy', 'Department'], ...rewritten])).toBe(print);
  });

  test.each<[string, readonly (readonly CellChoice[])[]]>([
    ['an amount differs by a cent', [['EMP-1', 'Jane Wanjiku', '0712345678', '15000.01'], ...rows.slice(1)]],
    ['a phone differs', [['EMP-1', 'Jane Wanjiku', '0712345679', '15000'], ...rows.slice(1)]],
    ['a name differs', [['EMP-1', 'Jane Wanjiru', '0712345678', '15000'], ...rows.slice(1)]],
    ['a reference differs', [['EMP-9', 'Jane Wanjiku', '0712345678', '15000'], ...rows.slice(1)]],
    ['a row is missing', rows.slice(1)],
    ['a row is there once more', [...rows, rows[4] ?? []]],
  ])('is another when %s', async (_, others) => {
    expect(await printOf([HEADINGS, ...others])).not.toBe(await printOf([HEADINGS, ...rows]));
  });

  test('is the same in a mere check, which keeps less of each row', async () => {
    const sheet = sheetRows([HEADINGS, ...rows, ['EMP-8', 'Odd', '07', '1']]);
    const { checked } = await checkRows(sheet, { allowIdentical: 1 }, stagingForTest('check'));
    expect(checked.fingerprint()).toBe(await printOf([HEADINGS, ...rows]));
  });

  test('is of the payable rows alone', async () => {
    expect(await printOf([HEADINGS, ...rows, ['EMP-8', 'Odd', '07', '1']])).toBe(await printOf([HEADINGS, ...rows]));
  });
});
