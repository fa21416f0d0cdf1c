import { describe, expect, test } from 'vitest';
import type { ResultRow } from '../../src/domain/batch.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import { figuresOf } from '../../src/results/figures.ts';
import { summarySheet } from '../../src/results/summary.ts';
import { RESULTS_OPTIONS, textsOfWorksheet } from '../support/result-report.ts';
import { money, resultRow, sourceOf } from '../support/result-rows.ts';
import { sectionTexts, mixedSource as source } from './section-texts.ts';

const { all: textsOf, part, beside } = sectionTexts(summarySheet);

describe('the Summary', () => {
  test('begins with whose batch it is, and where it went', async () => {
    expect(await part(source(), 'Payout results')).toEqual([['Payout results'], ['Acme Ltd · batch salaries-2026-11']]);
    expect(await part(source(), 'Sheet')).toEqual([
      ['Sheet', 'payroll.xlsx, worksheet November (12 rows)'],
      ['Profile', 'live (https://pay.example.test)'],
      ['Left out', '1 row, KES 512,000.00, on hold or in cash. Not sent, and not part of the total to pay.'],
      [
        'Next',
        'Rows 6, 7, 8 may have been paid: do not pay them again. Everything is saved. Do not run the sheet again; continue with: paybatch resume salaries-2026-11',
      ],
    ]);
    const { worksheet: _, ...sheet } = source().header.sheet;
    expect(await beside(source({ sheet }), 'Sheet')).toEqual(['payroll.xlsx (12 rows)']);
  });

  test('of a practice run has a banner above all, and that of a live one has none', async () => {
    const banner = 'SANDBOX: practice run, no money moved';
    expect((await textsOf(source({ sandbox: true })))[0]).toEqual([banner]);
    expect((await textsOf(source())).flat()).not.toContain(banner);
  });

  test('shows six figures that are the sheet with the rows that are left out', async () => {
    expect(await part(source(), 'Rows in the sheet')).toEqual([
      ['Rows in the sheet', 'Paid', 'Not paid', 'To check or wait for', 'Not sent', 'Charges'],
      [12, 2, 4, 3, 2, '92.86'],
      ['927000.00', '91000.00', '14000.00', '112000.00', '198000.00', '379.00'],
    ]);
  });

  test('tells of every outcome its rows, amount and fees, and of those that somebody may ask about what they mean', async () => {
    expect(await part(source(), 'By outcome')).toEqual([
      ['By outcome'],
      ['Outcome', 'Rows', 'Amount', 'Fees charged', 'Pay again?'],
      ['Completed', 2, '91000.00', '92.86', 'No'],
      ['Rejected', 1, '2000.00', '0.00', 'Yes'],
      ['Refused', 1, '4000.00', '0.00', 'Yes'],
      ['Failed', 1, '8000.00', '0.00', 'Yes'],
      ['CHECK Timed out', 1, '16000.00', '0.00', 'Check first'],
      ['CHECK In doubt', 1, '32000.00', '0.00', 'Check first'],
      ['Pending', 1, '64000.00', '0.00', 'No'],
      ['Not sent', 2, '198000.00', '0.00', 'Yes'],
      ['Invalid', 1, '0.00', '0.00', 'Yes'],
      ['Left out', 1, '512000.00', '0.00', 'Yes'],
      ['Total', 12, '927000.00', '92.86', ''],
    ]);
    const meanings = await part(source(), 'What it means');
    expect(meanings).toHaveLength(10);
    expect(meanings).toContainEqual(['CHECK Timed out', expect.stringContaining('may still arrive')]);
    expect(await part(sourceOf([resultRow(2)]), 'What it means')).toEqual([]);
  });

  test('speaks of one row as one', async () => {
    expect(await beside(sourceOf([resultRow(2)]), 'Sheet')).toEqual(['payroll.xlsx, worksheet November (1 row)']);
  });

  test('says in one line whether everything ties out, and where that stands', async () => {
    const told = 'The worksheet Reconciliation shows every comparison.';
    expect(await beside(source(), 'Everything ties out')).toEqual(['yes', told]);
    const advice = 'Figures on the worksheet Reconciliation disagree. Run `paybatch verify` before you rely on them.';
    expect(await beside(source({ rows: 13 }), 'Everything ties out')).toEqual(['NO', advice]);
  });

  test('does not tie out where the service paid too much or contradicts itself, and says so', async () => {
    const choice = { payout: { amount: money(150_000) }, alarms: ['row 2: the order holds this line twice'] };
    const twice = sourceOf([resultRow(2, { ...choice, repeats: [{ status: 4, paidAmount: '1500.00' }] })]);
    expect(await beside(twice, 'Everything ties out')).toEqual([
      'NO',
      'The service shows more than was to be paid: KES 1,500.00 too much in 1 row. See the worksheet Exceptions.',
    ]);
    expect(await beside(sourceOf([resultRow(2, choice)]), 'Everything ties out')).toEqual([
      'NO',
      'The service contradicts itself about 1 row. See the worksheet Exceptions, and ask the provider.',
    ]);
  });

  test('splits by way of paying, with the rows that were set aside, to the same total', async () => {
    expect(await part(source(), 'By way of paying')).toEqual([
      ['By way of paying'],
      ['Type', 'Rows', 'Amount', 'Paid', 'Quoted for it', 'Charged'],
      ['Mobile wallet', 8, '255000.00', '1000.00', '33.00', '32.93'],
      ['paybill', 2, '160000.00', '90000.00', '60.00', '59.93'],
      ['Set aside, type not read', 1, '0.00', '0.00', '0.00', '0.00'],
      ['Left out', 1, '512000.00', '0.00', '0.00', '0.00'],
      ['Total', 12, '927000.00', '91000.00', '93.00', '92.86'],
    ]);
    expect(await beside(sourceOf([resultRow(2)]), 'Set aside, type not read')).toEqual([]);
  });
});

describe('the tables of the Summary', () => {
  test('tell over time what was completed, to the same sum', async () => {
    const [, headings, ...rows] = await part(source(), 'Completed over time');
    expect(headings).toEqual(['Completed from', 'Rows', 'Amount', 'Completed so far']);
    expect(rows[0]).toEqual(['09:05:02', 1, '1000.00', '1000.00']);
    expect(rows.at(-1)).toEqual(['Total', 2, '91000.00', '']);
    expect(await part(sourceOf([]), 'Completed over time')).toEqual([
      ['Completed over time'],
      ['Nothing was completed', ''],
    ]);
  });

  test('tell why rows were not paid, in words that several may have', async () => {
    expect(await part(source(), 'Why rows were not paid')).toEqual([
      ['Why rows were not paid'],
      ['Outcome', 'Rows', 'Amount', 'Reason'],
      ['Rejected', 1, '2000.00', 'result code 18: Declined'],
      ['Refused', 1, '4000.00', '400 phoneNumber is not valid'],
      ['Failed', 1, '8000.00', 'result code 6: Invalid credit account'],
      ['CHECK Timed out', 1, '16000.00', 'result code -1: Timed Out'],
      ['CHECK In doubt', 1, '32000.00', 'ECONNRESET'],
      ['Pending', 1, '64000.00', 'The service has the payment and has not finished it.'],
      ['Not sent', 2, '198000.00', 'The order never left this computer.'],
      ['Invalid', 1, '0.00', 'PB-PHONE-LENGTH'],
      ['Left out', 1, '512000.00', 'on leave'],
    ]);
    expect(await part(sourceOf([resultRow(2)]), 'Why rows were not paid')).toEqual([]);
  });

  const inDepartment = (row: number, department: string, outcome: Outcome = 'completed') =>
    resultRow(row, { outcome, texts: ['', '', '', '', department], payout: { amount: money(row * 100) } });
  const byDepartment = async (rows: readonly ResultRow[]) => {
    const options = { ...RESULTS_OPTIONS, groupBy: ['Department'] };
    const from = sourceOf(rows);
    const texts = await textsOfWorksheet(
      summarySheet({ source: from, options, figures: await figuresOf(from, options) }),
    );
    const start = texts.findIndex(([first]) => first === 'By Department');
    return texts.slice(
      start + 2,
      texts.findIndex((cells, at) => at > start && cells.length === 0),
    );
  };

  test('count rows by a column of the sheet, as it first has its texts', async () => {
    const rows = [
      inDepartment(2, 'Stores'),
      inDepartment(3, '=1+1', 'failed'),
      inDepartment(4, ''),
      inDepartment(5, 'Stores', 'unsent'),
    ];
    expect(await byDepartment(rows)).toEqual([
      ['Stores', 2, '7.00', 1, '2.00', '32.93'],
      ['=1+1', 1, '3.00', 0, '0.00', '0.00'],
      ['(empty)', 1, '4.00', 1, '4.00', '32.93'],
      ['Total', 4, '14.00', 2, '6.00', '65.86'],
    ]);
  });

  test('put the rest of a column with a value for each person into one line', async () => {
    const table = await byDepartment(Array.from({ length: 130 }, (_, at) => inDepartment(at + 2, `person ${at}`)));
    expect(table).toHaveLength(102);
    expect(table.at(-2)).toEqual(['All others', 30, '3495.00', 30, '3495.00', '987.90']);
    expect(table.at(-1)?.[1]).toBe(130);
  });
});

describe('the plots of the Summary', () => {
  const placed = async (pictures: boolean) => {
    const from = source();
    const options = { ...RESULTS_OPTIONS, pictures };
    const { plots = [], rows } = summarySheet({ source: from, options, figures: await figuresOf(from, options) });
    const texts = await textsOfWorksheet({ spec: { name: '', columns: [], table: false }, rows });
    return { plots, texts };
  };

  test('begin beside the headings of their tables, and the tables give them room', async () => {
    const { plots, texts } = await placed(true);
    expect(plots.map(({ plot, row, column }) => [plot.name, texts[row - 2]?.[0], column])).toEqual([
      ['outcomes', 'By outcome', 8],
      ['charges', 'By way of paying', 8],
      ['timeline', 'Completed over time', 8],
    ]);
    for (const [at, { row }] of plots.entries()) {
      expect((plots[at + 1]?.row ?? texts.length + 2) - row).toBeGreaterThan(10);
    }
  });

  test('are missing where nobody draws, and one line says so', async () => {
    const { plots, texts } = await placed(false);
    expect(plots).toEqual([]);
    expect(texts.filter(([first]) => first === 'Pictures')).toEqual([
      ['Pictures', expect.stringContaining('cannot draw them')],
    ]);
  });
});

describe('rows that were not sent', () => {
  const stopped = { reason: 'the service refused 20 orders in a row', todo: 'Ask the provider' };
  const superseded = (count: number) => ({
    rows: count,
    says: 'Batch december holds them.',
    todo: 'See its status.',
  });
  const stoppedText = (words: string) =>
    `The service refused 20 orders in a row. ${words} not sent. Ask the provider; then continue: paybatch resume salaries-2026-11`;

  test('are told with why sending stopped, and how to go on', async () => {
    expect(await beside({ ...source(), stopped }, 'Sending stopped')).toEqual([stoppedText('2 rows were')]);
    expect(await beside(source(), 'Sending stopped')).toEqual([]);
  });

  test('do not count to the stop where they were left out on purpose', async () => {
    const some = { ...source(), stopped, superseded: superseded(1) };
    expect(await beside(some, 'Sending stopped')).toEqual([stoppedText('1 row was')]);
    expect(await beside(some, 'In a later batch')).toEqual(['Batch december holds them. See its status.']);
    const all = { ...source(), stopped, superseded: superseded(2) };
    expect(await beside(all, 'Sending stopped')).toEqual([]);
    expect(await beside(all, 'In a later batch')).toEqual(['Batch december holds them. See its status.']);
  });

  test('are no reason for a word where every row was sent', async () => {
    const sent = { ...sourceOf([resultRow(2)]), stopped, superseded: superseded(1) };
    expect(await beside(sent, 'Sending stopped')).toEqual([]);
    expect(await beside(sent, 'In a later batch')).toEqual([]);
  });
});

describe('a ledger that may not know all that was sent', () => {
  test('has the rows that count as not paid checked first', async () => {
    const doubted = { ...source(), unconfirmed: 5 };
    expect(await beside(doubted, 'Check first')).toEqual([
      'This ledger may not know all that was sent, so rows that count as not paid may have been paid: 5. Do not pay ' +
        'them by other means before this has found out: paybatch resume salaries-2026-11',
    ]);
    expect(await beside(source(), 'Check first')).toEqual([]);
    const answers = (await part(doubted, 'By outcome')).slice(2, -1).map((cells) => [cells[0], cells[4]]);
    expect(Object.fromEntries(answers)).toEqual({
      Completed: 'No',
      Rejected: 'Check first',
      Refused: 'Check first',
      Failed: 'Check first',
      'CHECK Timed out': 'Check first',
      'CHECK In doubt': 'Check first',
      Pending: 'No',
      'Not sent': 'Check first',
      Invalid: 'Yes',
      'Left out': 'Yes',
    });
  });
});
