import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/domain/event.ts';
import { amountIn } from '../support/amounts.ts';
import { check } from '../support/sheets/checked-sheet.ts';
import type { CellChoice } from '../support/sheets/sheet-rows.ts';

const HEADINGS = ['Name', 'Phone', 'Salary', 'Payable', 'Payment type', 'Hold'];
const jane = (...amounts: readonly [string, string]) => ['Jane Wanjiku', '0712345678', ...amounts, '', ''];
const ali = (...cells: readonly string[]) => ['Ali Hassan', '0722345678', ...cells];

async function told(rows: readonly (readonly CellChoice[])[]) {
  const events: RunEvent[] = [];
  const { checked, codes } = await check(rows, {}, (event) => events.push(event));
  const summary = events.find((event) => event.type === 'sheet.summary');
  return { checked, codes, summary, types: events.map(({ type }) => type) };
}

describe('while it is asked which heading is the amount', () => {
  test('no sum is shown, as if one of them were chosen', async () => {
    const { checked, codes, summary } = await told([HEADINGS, jane('1000', '750'), ali('500', '450', '', '')]);
    expect(codes).toEqual(['PB-AMOUNT-HEADING']);
    expect(summary).toMatchObject({ rows: 2 });
    expect(summary).not.toHaveProperty('total');
    expect(checked).toMatchObject({ isAmountOpen: true, total: amountIn('0') });
  });

  test('neither a total row nor a row that is there twice is judged by one of them', async () => {
    const { codes, types } = await told([
      HEADINGS,
      jane('1000', '750'),
      jane('1000', '700'),
      ali('500', '450', '', 'on leave'),
      ['TOTAL', '', '2500', '1900', '', ''],
    ]);
    expect(codes).not.toContain('PB-TOTAL-LEFT-OUT');
    expect(codes).not.toContain('PB-DUP-ROW');
    expect(codes).toContain('PB-AMOUNT-HEADING');
    expect(types).not.toContain('notice');
  });

  test('a row that is left out has a reason, and no amount of one of them', async () => {
    const { checked } = await told([HEADINGS, jane('1000', '750'), ali('500', '450', 'cash', '')]);
    expect(checked.leftOut).toEqual({ rows: 1, amount: amountIn('0'), unread: 1 });
  });
});

describe('headings that differ in no row that is to be paid', () => {
  test.each([
    ['a row that is held', ['500', '450', '', 'on leave']],
    ['a row that is paid in cash', ['500', '0', 'cash', '']],
    ['a row that is held and has one amount alone', ['', '450', '', 'x']],
  ] as const)('are not asked about for %s', async (_, cells) => {
    const { checked, codes, summary } = await told([HEADINGS, jane('1000', '1000.00'), ali(...cells)]);
    expect(codes).toEqual([]);
    expect(checked).toMatchObject({ payable: 1, isAmountOpen: false, leftOut: { rows: 1 } });
    expect(summary).toMatchObject({ total: amountIn('1000') });
  });

  test.each([
    ['nothing holds', ['500', '450', '', '']],
    ['has a type that is paid', ['500', '450', 'wallet', '']],
    ['may be held or not', ['500', '450', '', 'no']],
  ] as const)('are asked about for a row that %s', async (_, cells) => {
    const { codes } = await told([HEADINGS, jane('1000', '1000'), ali(...cells)]);
    expect(codes).toContain('PB-AMOUNT-HEADING');
  });
});
