import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import type { ResultRow } from '../../src/domain/batch.ts';
import { type Outcome, outcomes, outcomeTable } from '../../src/domain/outcome.ts';
import { resultsColumns } from '../../src/results/columns.ts';
import type { ResultsSource } from '../../src/results/source.ts';
import { withUnconfirmed } from '../../src/results/unconfirmed.ts';
import { writeResults } from '../../src/results/workbook.ts';
import { BATCH_TIME, money, orderIdAt, resultRow, sourceOf } from '../support/result-rows.ts';
import {
  hasOpenpyxl,
  readWithOpenpyxl,
  type SeenSheet,
  type SeenWorkbook,
} from '../support/second-readers/openpyxl.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const OPTIONS = {
  printedAt: BATCH_TIME + 3_600_000,
  timezone: 'Africa/Nairobi',
  kindTitles: { wallet: 'Mobile wallet' },
};

/** Two paid rows, then one of every other outcome: rows 2 to 11. */
const everyOutcome = (): ResultRow[] => [
  resultRow(2),
  ...outcomes.map((outcome, index) => resultRow(index + 3, { outcome, payout: { amount: money(100_050) } })),
];

/** The workbook of a source as openpyxl reads it. */
const written = (source: ResultsSource): Promise<SeenWorkbook> =>
  inTemporaryFolder(async (folder) => readWithOpenpyxl((await writeResults(source, folder, OPTIONS)).path));

/** The cells of the row whose first cell says `label`, from the left. */
function lineOf(sheet: SeenSheet | undefined, label: string | number): unknown[] {
  const found = Object.entries(sheet?.cells ?? {}).find(([at, { value }]) => /^A\d+$/.test(at) && value === label);
  const row = found?.[0].slice(1);
  return ['A', 'B', 'C', 'D', 'E', 'F'].map((letter) => sheet?.cells[letter + row]?.value);
}

const columnOf = (heading: string): string =>
  String.fromCharCode(65 + resultsColumns.findIndex((column) => column.heading === heading));

const wordsOf = (sheet: SeenSheet | undefined): unknown[] =>
  Object.values(sheet?.cells ?? {}).map(({ value }) => value);

describe('the file', () => {
  test('is named after sheet and batch, opens on the Summary, and stands alone in its folder', () =>
    inTemporaryFolder(async (folder) => {
      const { path: file, sha256 } = await writeResults(sourceOf([resultRow(2)]), folder, OPTIONS);
      expect(path.basename(file)).toBe('payroll.salaries-2026-11.results.xlsx');
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(await readdir(folder)).toEqual([path.basename(file)]);
      const book = new exceljs.Workbook();
      await book.xlsx.readFile(file);
      expect(book.worksheets.map(({ name }) => name)).toEqual(['Summary', 'Results', 'Exceptions']);
    }));

  test('says SANDBOX in its name, and a live one does not', () =>
    inTemporaryFolder(async (folder) => {
      await writeResults(sourceOf([resultRow(2)], { sandbox: true }), folder, OPTIONS);
      expect(await readdir(folder)).toEqual(['payroll.SANDBOX-salaries-2026-11.results.xlsx']);
    }));

  test('is not left half written when the ledger breaks off', () =>
    inTemporaryFolder(async (folder) => {
      const broken = new Error('the ledger broke off');
      const source = sourceOf([resultRow(2)]);
      let passes = 0;
      const rows = async function* () {
        passes += 1;
        yield* source.rows();
        if (passes === 2) throw broken;
      };
      await expect(writeResults({ ...source, rows }, folder, OPTIONS)).rejects.toBe(broken);
      expect(await readdir(folder)).toEqual([]);
    }));
});

describe.skipIf(!hasOpenpyxl)('Summary', () => {
  test('lists every outcome with its count, amount and fees, zero ones too', async () => {
    const summary = (await written(sourceOf([resultRow(2), resultRow(3, { outcome: 'in-doubt' })]))).sheets['Summary'];
    expect(lineOf(summary, 'Completed').slice(0, 5)).toEqual(['Completed', 1, 15002, 33, 'No']);
    expect(lineOf(summary, 'CHECK In doubt').slice(0, 5)).toEqual(['CHECK In doubt', 1, 15003, 0, 'Check first']);
    for (const outcome of outcomes) {
      const [, count] = lineOf(summary, outcomeTable[outcome].title);
      expect(count).toBe(outcome === 'completed' || outcome === 'in-doubt' ? 1 : 0);
    }
    expect(lineOf(summary, 'Total').slice(0, 4)).toEqual(['Total', 2, 30005, 33]);
  });

  test('of a ledger that was put back says that rows which count as not paid are to be checked first', async () => {
    const source = sourceOf(everyOutcome());
    const { sheets } = await written({ ...source, unconfirmed: 4, rows: () => withUnconfirmed(source.rows()) });
    const summary = sheets['Summary'];
    expect(lineOf(summary, 'Check first')[1]).toContain('may have been paid: 4.');
    for (const outcome of outcomes) {
      const again = lineOf(summary, outcomeTable[outcome].title)[4];
      expect(again).toBe({ completed: 'No', pending: 'No', invalid: 'Yes' }[outcome as string] ?? 'Check first');
    }
    const results = sheets['Results'];
    for (const [index, { outcome }] of everyOutcome().entries()) {
      const again = results?.cells[columnOf('Pay again?') + (index + 2)]?.value;
      expect(again).toBe({ completed: 'No', pending: 'No', invalid: 'Yes' }[outcome as string] ?? 'Check first');
    }
    const others = (await written(source)).sheets['Summary'];
    expect(lineOf(others, 'Failed')[4]).toBe('Yes');
  });

  test('ties out to the sheet, the plan and the ledger', async () => {
    const source = sourceOf(everyOutcome());
    const summary = (await written(source)).sheets['Summary'];
    expect(lineOf(summary, 'Everything ties out')[1]).toBe('yes');
    expect(wordsOf(summary)).not.toContain('NO');
    expect(lineOf(summary, 'Rows with an outcome').slice(1, 5)).toEqual([10, 10, 0, 'yes']);
    expect(lineOf(summary, 'Planned total').slice(1, 5)).toEqual([23006, 23006, 0, 'yes']);
  });

  test.each<[string, (source: ResultsSource) => ResultsSource]>([
    ['the sheet has one row more', (source) => ({ ...source, header: { ...source.header, rows: 11 } })],
    ['the plan has another total', (source) => ({ ...source, header: { ...source.header, total: money(1) } })],
    ['the plan has another number of payments', (source) => ({ ...source, header: { ...source.header, payable: 3 } })],
    [
      'the ledger counts an outcome differently',
      (source) => ({ ...source, tallies: moved(source, 'failed', 'rejected') }),
    ],
    [
      'a row is missing from the list',
      (source) => ({ ...source, rows: () => sourceOf(everyOutcome().slice(1)).rows() }),
    ],
  ])('says so in red when %s', async (_, change) => {
    const summary = (await written(change(sourceOf(everyOutcome())))).sheets['Summary'];
    expect(lineOf(summary, 'Everything ties out')[1]).toBe('NO');
  });

  test('splits by way of paying, with the rows that were set aside, to the same total', async () => {
    const rows = [
      resultRow(2),
      resultRow(3, { payout: { kind: 'some-other-way' as never, amount: money(100) }, outcome: 'failed' }),
      resultRow(4, { outcome: 'invalid' }),
    ];
    const summary = (await written(sourceOf(rows))).sheets['Summary'];
    expect(lineOf(summary, 'Mobile wallet').slice(0, 5)).toEqual(['Mobile wallet', 1, 15002, 15002, 33]);
    expect(lineOf(summary, 'some-other-way').slice(0, 5)).toEqual(['some-other-way', 1, 1, 0, 0]);
    expect(lineOf(summary, 'Set aside, type not read')[1]).toBe(1);
  });

  test('foots the wallet: before, paid, fees, expected after, and what may still go', async () => {
    const rows = [resultRow(2), resultRow(3, { outcome: 'pending' })];
    const summary = (await written(sourceOf(rows))).sheets['Summary'];
    expect(lineOf(summary, 'Balance before')[1]).toBe(5_000_000);
    expect(lineOf(summary, 'Paid')[1]).toBe(15_002);
    expect(lineOf(summary, 'Expected balance after')[1]).toBe(4_984_965);
    expect(lineOf(summary, 'If all open rows are paid')[1]).toBe(4_969_962);
  });

  test('names organisation, batch, sheet, hash, profile, maker and confirmation', async () => {
    const words = wordsOf((await written(sourceOf([resultRow(2)]))).sheets['Summary']);
    const said = words.join('\n');
    for (const part of ['Acme Ltd', 'salaries-2026-11', 'payroll.xlsx', '3b4f9c0d', 'live', 'grace', 'was typed']) {
      expect(said).toContain(part);
    }
    expect(said).not.toContain('SANDBOX');
  });

  test('a practice run begins with its banner', async () => {
    const summary = (await written(sourceOf([resultRow(2)], { sandbox: true }))).sheets['Summary'];
    expect(summary?.cells['A1']?.value).toBe('SANDBOX: practice run, no money moved');
  });
});

describe.skipIf(!hasOpenpyxl)('Results', () => {
  test('has one line for every row of the sheet, in its order, with its own outcome', async () => {
    const rows = everyOutcome();
    const cells = (await written(sourceOf(rows, {}, 3))).sheets['Results']?.cells ?? {};
    for (const [index, row] of rows.entries()) {
      expect(cells[`A${index + 2}`]?.value).toBe(row.row);
      expect(cells[columnOf('Outcome') + (index + 2)]?.value).toBe(outcomeTable[row.outcome].title);
    }
    expect(cells[`A${rows.length + 2}`]).toBeUndefined();
  });

  test('types every cell: money and times as numbers, phones and ids as text', async () => {
    const cells =
      (await written(sourceOf([resultRow(2, { report: { date: '2026-11-21T06:00:00Z' } })]))).sheets['Results']
        ?.cells ?? {};
    const cell = (heading: string) => cells[`${columnOf(heading)}2`];
    expect(cell('Amount')).toEqual({ value: 15002, type: 'n', format: '#,##0.00' });
    expect(cell('Fee quoted')?.value).toBe(33);
    expect(cell('Fee charged')?.value).toBe(33);
    expect(cell('Total debit')).toEqual({ value: 15035, type: 'n', format: '#,##0.00' });
    expect(cell('Completed at')).toEqual({ value: '2026-11-21T09:00:00', type: 'd', format: 'dd mmm yyyy hh:mm' });
    expect(cell('Paid to')).toEqual({ value: '+254700000002', type: 's', format: '@' });
    expect(cell('Type')?.value).toBe('Mobile wallet');
    expect(cell('Pay again?')?.value).toBe('No');
    expect(cell('Order id')).toEqual({ value: orderIdAt(2), type: 's', format: '@' });
    expect(cell('Attempts')).toEqual({ value: 1, type: 'n', format: '#,##0' });
  });

  test('carries the columns of the user behind our own, as text', async () => {
    const texts = ['=1+1', 'Jane', '0712345678', '15,000', '@SUM(A1)'];
    const cells = (await written(sourceOf([resultRow(2, { texts })]))).sheets['Results']?.cells ?? {};
    expect(['V1', 'W1', 'X1', 'Y1', 'Z1'].map((at) => cells[at]?.value)).toEqual([
      'Staff No',
      'Employee Name',
      'Mobile',
      'Net Pay',
      'Department',
    ]);
    const carried = ['V2', 'W2', 'X2', 'Y2', 'Z2'].map((at) => cells[at]);
    expect(carried).toEqual(texts.map((value) => ({ value, type: 's', format: '@' })));
  });

  test('names a row that was set aside by what its sheet says, and gives its issues as the reason', async () => {
    const cells = (await written(sourceOf([resultRow(2, { outcome: 'invalid' })]))).sheets['Results']?.cells ?? {};
    expect(cells['C2']?.value).toBe('Person 2');
    expect(cells[`${columnOf('Reason in plain words')}2`]?.value).toBe(
      'C2: Phone number "07123" is not complete or too long: 5 digits. Type the whole number, for example 0712 345 678.',
    );
    expect(cells[`${columnOf('Amount')}2`]?.value).toBeNull();
  });

  test('keeps its headings, filters, and the first three columns in view', async () => {
    const sheet = (await written(sourceOf([resultRow(2), resultRow(3)]))).sheets['Results'];
    expect(sheet).toMatchObject({ freeze: 'D2', filter: 'A1:Z3', titleRows: '$1:$1', landscape: true });
    expect(sheet?.footer).toContain('batch salaries-2026-11');
  });

  test('shows amounts with the digits of their currency', async () => {
    const row = resultRow(2, { payout: { amount: money(25_000, 'UGX') }, charge: money(150, 'UGX') });
    const { sheets } = await written(sourceOf([row], { currency: money(0, 'UGX').currency }));
    expect(sheets['Results']?.cells[`${columnOf('Amount')}2`]).toEqual({ value: 25000, type: 'n', format: '#,##0' });
  });
});

describe.skipIf(!hasOpenpyxl)('Exceptions', () => {
  test('lists the rows that were not paid, what happened, what to do and whether paying again is safe', async () => {
    const cells = (await written(sourceOf(everyOutcome()))).sheets['Exceptions']?.cells ?? {};
    const rows = [2, 3, 4, 5, 6, 7, 8, 9].map((at) => [
      cells[`A${at}`]?.value,
      cells[`F${at}`]?.value,
      cells[`I${at}`]?.value,
    ]);
    expect(rows).toEqual([
      [4, 'Rejected', 'Yes'],
      [5, 'Refused', 'Yes'],
      [6, 'Failed', 'Yes'],
      [7, 'CHECK Timed out', 'Check first'],
      [8, 'CHECK In doubt', 'Check first'],
      [9, 'Pending', 'No'],
      [10, 'Not sent', 'Yes'],
      [11, 'Invalid', 'Yes'],
    ]);
    expect(cells['A10']).toBeUndefined();
    expect(cells['G2']?.value).toContain('Declined by the customer.');
    expect(cells['G4']?.value).toContain('Invalid credit account.');
    expect(cells['H6']?.value).toContain('"paybatch resume"');
  });

  test('says that there is nothing to do when every row was paid', async () => {
    const cells = (await written(sourceOf([resultRow(2)]))).sheets['Exceptions']?.cells ?? {};
    expect(cells['A2']?.value).toBe('Every row of the sheet was paid. There is nothing to do here.');
  });

  test('keeps a paid row about which the service contradicts itself', async () => {
    const row = resultRow(2, { alarms: ['row 2: the service said completed and now says Rejected'] });
    const cells = (await written(sourceOf([row]))).sheets['Exceptions']?.cells ?? {};
    expect(cells['G2']?.value).toBe('ALARM: row 2: the service said completed and now says Rejected.');
  });
});

describe.skipIf(!hasOpenpyxl)('a day in a text', () => {
  test('is of the zone of the times beside it, in Results and in Exceptions', async () => {
    const { state, ...row } = resultRow(2, { outcome: 'failed' });
    const at = Date.parse('2026-11-30T22:30:00Z');
    const asked = { ...row, ...(state && { state: { ...state, rejectRequested: { by: 'Jane', at } } }) };
    const { sheets } = await written(sourceOf([asked]));
    const says = expect.stringContaining('requested by Jane on 2026-12-01.');
    expect(sheets['Results']?.cells[`${columnOf('Reason in plain words')}2`]?.value).toEqual(says);
    expect(sheets['Exceptions']?.cells['G2']?.value).toEqual(says);
  });
});

describe.skipIf(!hasOpenpyxl)('a large batch', () => {
  test('of 20,000 rows loses none and does not pile up in memory', { timeout: 300_000 }, () =>
    inTemporaryFolder(async (folder) => {
      const program = path.resolve('test/support/programs/write-many-results.ts');
      const told = JSON.parse(execFileSync(process.execPath, [program, folder, '20000'], { encoding: 'utf8' }));
      // The worksheet alone is more than 25 MB of XML: this fails when it is held back anywhere.
      expect(told.buffersMb).toBeLessThan(12);
      const seen = new exceljs.stream.xlsx.WorkbookReader(told.path, {});
      let rows = 0;
      let sum = 0n;
      for await (const sheet of seen) {
        const isResults = (sheet as unknown as { name: string }).name === 'Results';
        // Every sheet is read to its end: the reader deletes the file of one that is passed over, open or not.
        for await (const row of sheet) {
          if (!isResults || row.number === 1) continue;
          rows += 1;
          sum += BigInt(Math.round(Number(row.getCell(7).value) * 100));
        }
      }
      expect(rows).toBe(20_000);
      // Rows 2 to 20,001 are paid 1,500,000 + 100 × row cents each.
      expect(sum).toBe(20_000n * 1_500_000n + 100n * ((20_001n * 20_002n) / 2n - 1n));
    }),
  );
});

/** The ledger's tallies with one row of one outcome counted as another. */
function moved({ tallies }: ResultsSource, from: Outcome, to: Outcome): ResultsSource['tallies'] {
  return tallies.map((tally) => {
    if (tally.outcome === from) return { ...tally, count: tally.count - 1 };
    return tally.outcome === to ? { ...tally, count: tally.count + 1 } : tally;
  });
}
