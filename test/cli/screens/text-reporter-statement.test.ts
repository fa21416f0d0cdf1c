import { describe, expect, test } from 'vitest';
import { TextReporter } from '../../../src/cli/screens/text-reporter.ts';
import type { MoneyStatement } from '../../../src/domain/event.ts';
import type { BatchId } from '../../../src/domain/ids.ts';
import { amountIn } from '../../support/amounts.ts';
import { openPage, toned } from '../../support/desk/page.ts';
import { start, told } from '../../support/desk/told-text.ts';

describe('the money statement', () => {
  const statement: MoneyStatement = {
    kinds: [
      { kind: 'wallet', title: 'Mobile wallet', count: 12, amount: amountIn('1000.10'), charges: amountIn('20.2') },
      { kind: 'till', title: 'Till', count: 3, amount: amountIn('300'), charges: amountIn('4.04') },
    ],
    count: 15,
    people: 14,
    total: amountIn('1300.10'),
    charges: amountIn('24.24'),
    needed: amountIn('1324.34'),
    balance: amountIn('50000'),
    after: amountIn('48675.66'),
    largest: [
      { row: 7, name: 'Jane\u0007', amount: amountIn('900') },
      { row: 8, name: 'Joe', amount: amountIn('100') },
    ],
    aboveEdge: [],
  };
  const figures = [
    '',
    '  Kind                   Rows          Amount KES         Charges',
    '  Mobile wallet            12            1,000.10           20.20',
    '  Till                      3              300.00            4.04',
    '  Total                    15            1,300.10           24.24',
    '  People                   14',
    '',
    '  Wallet balance now                    50,000.00',
    '  Leaves the wallet                      1,324.34',
    '  Wallet balance after                  48,675.66',
  ];
  const NOTHING = '          Nothing to compare with: no earlier batch paid most of these people';
  const incomparable = [NOTHING, ''];
  const largest = '  Largest payment: row 7, Jane<U+0007>, KES 900.00';

  test('shows what is paid in each way, and the wallet now and after', () => {
    expect(told([{ type: 'statement', statement }])).toEqual([...figures, largest, '', ...incomparable]);
  });

  test('keeps each kind on one line of a narrow screen', () => {
    const page = openPage(true, 60);
    new TextReporter(
      page.terminal,
      () => 0,
      () => 'en',
    ).emit({ type: 'statement', statement });
    const plain = page.says().map((line) => toned(line).replaceAll(/<[^>]*>/g, ''));
    expect(plain.slice(1, 5)).toEqual([
      '  Kind                   Rows          Amount KES    Charges',
      '  Mobile wallet            12            1,000.10      20.20',
      '  Till                      3              300.00       4.04',
      '  Total                    15            1,300.10      24.24',
    ]);
  });

  test('of a practice run speaks of the practice wallet', () => {
    const lines = told([start({ sandbox: true }), { type: 'statement', statement }]);
    expect(lines).toContain('  Practice wallet now                   50,000.00');
    expect(lines.join()).not.toContain('Wallet balance now');
    expect(told([start({ sandbox: true }), start(), { type: 'statement', statement }])).toContain(figures[7]);
  });

  test('puts its heading back and its total forward', () => {
    const lines = told([{ type: 'statement', statement }], { isTTY: true }).map(toned);
    expect(lines[1]).toBe(`<dim>${figures[1]}</>`);
    expect(lines[4]).toBe(`<bold>${figures[4]}</>`);
  });

  test('names payees that were asked about, and a row just above a charge band', () => {
    const payees = { match: 1, closeMatch: 2, noMatch: 3, notPossible: 4 };
    const edge = { row: 9, amount: amountIn('501'), saving: amountIn('6') };
    const lines = told([{ type: 'statement', statement: { ...statement, payees, aboveEdge: [edge] } }]);
    const edgeLine = '  Just above a charge band: row 9, KES 501.00; slightly less would cost KES 6.00 less';
    expect(lines.slice(figures.length)).toEqual([
      '  Payees: 1 match, 2 close match, 3 NO MATCH, 4 not possible',
      largest,
      edgeLine,
      '',
      ...incomparable,
    ]);
    const aboveEdge = [edge, { ...edge, row: 10 }, { ...edge, row: 11 }];
    expect(told([{ type: 'statement', statement: { ...statement, aboveEdge } }])).toContain(
      `${edgeLine} (and 2 more rows)`,
    );
    const none = told([{ type: 'statement', statement: { ...statement, largest: [] } }]);
    expect(none).toEqual([...figures, '', ...incomparable]);
  });

  const newPayees = {
    count: 1,
    amount: amountIn('5'),
    rows: [{ row: 4, cell: 'D4', name: 'Ann', amount: amountIn('5') }],
  };

  test('ends with what earlier batches have in common with it', () => {
    const lines = told([{ type: 'statement', statement: { ...statement, newPayees } }]);
    expect(lines.slice(-5)).toEqual([
      '',
      NOTHING,
      '          Never paid before: 1 row, KES 5.00',
      '            row 4, Ann: KES 5.00',
      '',
    ]);
  });

  test('of a check that pays nobody is only that', () => {
    expect(told([{ type: 'earlier', newPayees }])).toEqual([
      NOTHING,
      '          Never paid before: 1 row, KES 5.00',
      '            row 4, Ann: KES 5.00',
      '',
    ]);
    expect(told([{ type: 'earlier' }])).toEqual(incomparable);
  });

  test('says who is new, gone, paid otherwise and elsewhere, a line each of 80 columns', () => {
    const rows = Array.from({ length: 13 }, (_, at) => ({
      row: 99_980 + at,
      cell: `D${at}`,
      name: 'Wanjiku wa Kamau Njoroge Mwangi',
      amount: amountIn('1250000.50'),
    }));
    const some = { count: 13, amount: amountIn('16250006.5'), rows };
    const batch = 'salaries-2026-11' as BatchId;
    const lines = told([
      {
        type: 'earlier',
        changedPayees: {
          count: 25,
          rows: rows.map((one) => ({ ...one, from: '+2547•••••155', to: '+254719999955', batch, rowThen: 1 })),
        },
        lastTime: {
          batch,
          date: '2026-11-28',
          paid: { count: 300, amount: amountIn('4000000') },
          newPeople: some,
          gonePeople: { ...some, count: 1, rows: rows.slice(0, 1) },
          changedAmounts: {
            count: 6,
            more: amountIn('10'),
            less: amountIn('20'),
            rows: rows.slice(0, 6).map((one) => ({ ...one, was: amountIn('1250010.50') })),
          },
        },
        unusualAmounts: {
          count: 1,
          rows: rows.slice(0, 1).map((one) => ({ ...one, usual: amountIn('10'), payments: 11 })),
        },
      },
    ]);
    const who = 'Wanjiku wa Kamau Njorog…';
    expect(lines.slice(0, 4)).toEqual([
      '          Compared with batch salaries-2026-11 of 2026-11-28:',
      '            300 rows, KES 4,000,000.00 then',
      '            amount: 6 rows, KES 10.00 more and KES 20.00 less',
      `              row 99980, ${who}: 1,250,010.50 → 1,250,000.50`,
    ]);
    expect(lines.slice(8, 11)).toEqual([
      '              and 1 more',
      'WARN        phone or account: 25 rows',
      `              row 99980, ${who}: +2547•••••155 → +254719999955`,
    ]);
    expect(lines.slice(20, 23)).toEqual([
      '              and 15 more',
      '            new: 13 rows, KES 16,250,006.50',
      `              row 99980, ${who}: KES 1,250,000.50`,
    ]);
    expect(lines.slice(27, 30)).toEqual([
      '              and 8 more',
      '            gone: 1 row, KES 16,250,006.50',
      `              row 99980 there, ${who}: KES 1,250,000.50`,
    ]);
    expect(lines).toContain(`            row 99980, ${who}: 1,250,000.50, usually 10.00`);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test('says that nothing changed, and names another batch that shows a change', () => {
    const none = { count: 0, amount: amountIn('0'), rows: [] };
    const lastTime = {
      batch: 'a-1' as BatchId,
      date: '2026-11-28',
      paid: { count: 1, amount: amountIn('1') },
      newPeople: none,
      gonePeople: none,
      changedAmounts: { count: 0, rows: [], more: amountIn('0'), less: amountIn('0') },
    };
    const moved = { row: 2, name: 'Joe', from: 'a', to: 'b', batch: 'bonus' as BatchId, rowThen: 9 };
    const lines = told([{ type: 'earlier', lastTime, changedPayees: { count: 1, rows: [moved] } }]);
    expect(lines).toContain('              row 2, Joe: a → b (batch bonus)');
    expect(told([{ type: 'earlier', lastTime }])).toEqual([
      '          Compared with batch a-1 of 2026-11-28:',
      '            1 row, KES 1.00 then',
      '            the same people, and the same amounts',
      '',
    ]);
  });

  test('warns of what a batch of these days paid, and of no salaries of the month before', () => {
    const sum = { count: 1, amount: amountIn('5') };
    const none = { count: 0, amount: amountIn('0') };
    const paid = { ...newPayees, batch: 'october' as BatchId, date: '2026-10-30', isHeld: false };
    expect(told([{ type: 'earlier', paidBefore: { ...sum, held: none, batches: [paid] } }])).toEqual([
      '          Also paid by batch october of 2026-10-30:',
      '            1 row, KES 5.00, each the same amount to the same payee or under the same reference',
      ...incomparable,
    ]);
    const near = { ...paid, isHeld: true };
    expect(told([{ type: 'earlier', paidBefore: { ...sum, held: sum, batches: [near, paid] } }])).toEqual([
      'WARN      Paid before: 1 row, KES 5.00. Batches of these days paid the same, or may still pay it:',
      '            batch october of 2026-10-30: 1 row, KES 5.00',
      '              row 4, Ann: KES 5.00',
      ...incomparable,
    ]);
  });

  test('says what of the wallet is spoken for, and how far the rest goes', () => {
    const amount = amountIn('10.5');
    const batches = ['a', 'b', 'c', 'd', 'e'].map((batch) => ({ batch: batch as BatchId, rows: 1, amount }));
    const short = {
      ...statement,
      owed: { amount: amountIn('52.5'), batches },
      covered: { rows: 9, amount: amountIn('900'), charges: amountIn('9') },
    };
    const lines = told([{ type: 'statement', statement: short }]);
    expect(lines.slice(9, 16)).toEqual([
      '  Wallet balance after                  48,675.66',
      '  Reserved by other batches                 52.50',
      '  Reserved for rows that are not sent, or not finished, and not paid yet',
      '    by batch a: 1 row, KES 10.50',
      '    by batch b: 1 row, KES 10.50',
      '    by batch c: 1 row, KES 10.50',
      '    and 2 more batches',
    ]);
    expect(lines[16]).toBe('  The balance covers the first 9 of 15 rows: KES 909.00');
    const all = { ...statement, covered: { rows: 15, amount: statement.total, charges: statement.charges } };
    expect(told([{ type: 'statement', statement: all }])).toEqual([...figures, largest, '', ...incomparable]);
  });
});
