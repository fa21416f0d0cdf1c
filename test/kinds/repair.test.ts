import { describe, expect, test } from 'vitest';
import { repairOf } from '../../src/kinds/repair.ts';
import { issueFix } from '../../src/texts/issue-message.ts';
import { amountIn } from '../support/amounts.ts';
import { check } from '../support/sheets/checked-sheet.ts';
import type { CellChoice } from '../support/sheets/sheet-rows.ts';

const HEADINGS = ['Ref', 'Name', 'Phone', 'Till', 'Paybill', 'Account', 'Amount'];
type Row = Readonly<Partial<Record<'Ref' | 'Name' | 'Phone' | 'Till' | 'Paybill' | 'Account' | 'Amount', CellChoice>>>;
const row = (cells: Row) => HEADINGS.map((id) => cells[id as keyof Row] ?? '');
const wallet: Row = { Ref: 'E1', Name: 'Jane', Phone: '0712345678', Amount: '1500' };
const business: Row = { Ref: 'E2', Name: 'Maji', Paybill: '400200', Account: '0012345', Amount: '10' };
const tillRow: Row = { Ref: 'E3', Name: 'Duka', Till: '512345', Amount: '10' };

describe('a value that can be mended in one way', () => {
  const mendable: readonly (readonly [string, Row, string, string])[] = [
    ['an apostrophe before a phone', { ...wallet, Phone: "'0712345678" }, 'C2', '0712345678'],
    ['a mark nobody sees in a phone', { ...wallet, Phone: '0712\u200b345678' }, 'C2', '0712345678'],
    ['wide digits in a phone', { ...wallet, Phone: '０７１２３４５６７８' }, 'C2', '0712345678'],
    ['a mark nobody sees in an amount', { ...wallet, Amount: '15\u200b00' }, 'G2', '1500'],
    ['an apostrophe before an amount', { ...wallet, Amount: '\u20191,500.00' }, 'G2', '1,500.00'],
    ['wide digits in an amount', { ...wallet, Amount: '１５００' }, 'G2', '1500'],
    ['a mark nobody sees in a reference', { ...wallet, Ref: 'EMP\u200b1' }, 'A2', 'EMP1'],
    ['an apostrophe before an account', { ...business, Account: "'0012345" }, 'F2', '0012345'],
    ['a mark nobody sees in an account', { ...business, Account: '00\ufeff12345' }, 'F2', '0012345'],
    ['wide digits in a till number', { ...tillRow, Till: '５１２３４５' }, 'D2', '512345'],
    ['all of it at once', { ...tillRow, Till: "'51\u2060２３45" }, 'D2', '512345'],
  ];

  test.each(mendable)('is refused, and the repair is proposed: %s', async (_, cells, cell, to) => {
    const { issues, checked } = await check([HEADINGS, row(cells)]);
    expect(issues).toMatchObject([{ level: 'error', cell, repair: { to } }]);
    expect(issueFix(issues[0] ?? expect.fail())).toContain(`With --accept-fixes it would be read as ${to}.`);
    expect(checked).toMatchObject({ payable: 0, repairs: 0 });
  });

  test.each(mendable)('is read as its repair when fixes are accepted: %s', async (_, cells, cell, to) => {
    const { issues, checked, staged } = await check([HEADINGS, row(cells)], { acceptFixes: true });
    expect(issues).toMatchObject([{ level: 'warning', cell, repair: { to } }]);
    expect(issueFix(issues[0] ?? expect.fail())).toContain(to);
    expect(checked).toMatchObject({ payable: 1, errors: 0, warnings: 1, repairs: 1 });
    expect(staged[0]?.issues).toEqual(issues);
    expect(staged[0]?.payout).toBeDefined();
  });

  test('is paid as what was proposed, and held against the total row', async () => {
    const rows = [
      row({ ...wallet, Phone: "'0712345678" }),
      row({ ...wallet, Ref: 'E9', Name: 'Ali', Phone: '0722345678', Amount: '１５００' }),
    ];
    const paid = await check([HEADINGS, ...rows, ['Total', '', '', '', '', '', '3000']], { acceptFixes: true });
    expect(paid.checked).toMatchObject({ total: amountIn('3000'), repairs: 2, errors: 0 });
    expect(paid.staged[0]?.payout?.destination).toBe('+254712345678');
    const wrong = await check([HEADINGS, ...rows, ['Total', '', '', '', '', '', '2999']], { acceptFixes: true });
    expect(wrong.codes).toContain('PB-TOTAL-ROW');
  });
});

describe('a value that could mean something else', () => {
  test.each<[string, Row]>([
    ['a letter O in a phone', { ...wallet, Phone: '071234567O' }],
    ['a letter O behind an apostrophe', { ...wallet, Phone: "'071234567O" }],
    ['a shortened phone', { ...wallet, Phone: '7.12E+08' }],
    ['a shortened phone behind an apostrophe', { ...wallet, Phone: "'7.12E+08" }],
    ['fifteen hundred or one and a half', { ...wallet, Amount: '1,500' }],
    ['the same behind an apostrophe', { ...wallet, Amount: "'1,500" }],
    ['a hard space in an odd place', { ...wallet, Amount: '15\u00a000' }],
    ['an apostrophe between thousands', { ...wallet, Amount: "1'500" }],
    ['a change of direction', { ...business, Account: '12\u202e34' }],
    ['a soft hyphen, which some programs show', { ...business, Account: '12\u00ad34' }],
    ['a tab inside', { ...business, Account: '12\t34' }],
    ['digits of another script', { ...wallet, Amount: '١٥٠٠' }],
    ['a superscript', { ...business, Account: '12²' }],
    ['twenty digits in a number cell', { ...business, Account: { type: 'number', text: '12345678901234567000' } }],
  ])('is never mended, also when fixes are accepted: %s', async (_, cells) => {
    const { issues, checked } = await check([HEADINGS, row(cells)], { acceptFixes: true });
    expect(issues).toMatchObject([{ level: 'error' }]);
    expect(issues[0]).not.toHaveProperty('repair');
    expect(checked).toMatchObject({ payable: 0, repairs: 0 });
  });

  test('has no repair when there is nothing to take off', () => {
    for (const text of ['', '0712345678', ' 1500\u00a0', '\u200b1500', 'Jane']) expect(repairOf(text)).toBeUndefined();
  });
});
