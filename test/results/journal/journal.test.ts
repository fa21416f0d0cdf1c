import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BatchHeader, KindName, ResultRow } from '../../../src/domain/batch.ts';
import { type JournalSettings, usualJournal } from '../../../src/domain/journal.ts';
import { figuresOf } from '../../../src/results/figures.ts';
import { journalRows } from '../../../src/results/journal/journal.ts';
import { writeResults } from '../../../src/results/write-results.ts';
import { RESULTS_OPTIONS, reportOf } from '../../support/result-report.ts';
import { BATCH_TIME, everyOutcome, money, resultRow, sourceOf } from '../../support/result-rows.ts';
import { inTemporaryFolder } from '../../support/temporary-folder.ts';

interface Choice {
  readonly settings?: Partial<JournalSettings>;
  readonly header?: Partial<BatchHeader>;
  readonly accounts?: Partial<JournalSettings['accounts']>;
}

/** Its lines below the headings. */
async function linesOf(rows: readonly ResultRow[], { settings, accounts, header }: Choice = {}) {
  const report = await reportOf(sourceOf(rows, header));
  const journal = { ...usualJournal, ...settings, accounts: { ...usualJournal.accounts, ...accounts } };
  return (await Array.fromAsync(journalRows({ ...report, options: { ...report.options, journal } }))).slice(1);
}

const cents = (decimal = ''): bigint => BigInt(decimal.replace('.', '') || '0');
const sumOf = (lines: readonly (readonly string[])[], column: number): bigint =>
  lines.reduce((sum, line) => sum + cents(line[column]), 0n);
const [DEBIT, CREDIT] = [4, 5];

describe('the journal', () => {
  test('debits what was paid and what it cost, and credits the wallet with the sum', async () => {
    expect(await linesOf([resultRow(2), resultRow(3)])).toEqual([
      ['salaries-2026-11', '2026-11-21', 'Payments', 'Mobile wallet: 2 payments', '30005.00', '', 'KES'],
      ['salaries-2026-11', '2026-11-21', 'Payment charges', 'Fees charged', '65.86', '', 'KES'],
      [
        'salaries-2026-11',
        '2026-11-21',
        'Mobile money wallet',
        'Paid out: batch salaries-2026-11',
        '',
        '30070.86',
        'KES',
      ],
    ]);
  });

  test.each(['batch', 'row'] as const)(
    'books only what was paid or charged, and balances: one entry a %s',
    async (entry) => {
      const rows = [...everyOutcome(), resultRow(40, { outcome: 'failed', report: { feeAmount: '12.50' } })];
      const lines = await linesOf(rows, { settings: { entry } });
      const { byOutcome, all } = await figuresOf(sourceOf(rows), RESULTS_OPTIONS);
      expect(sumOf(lines, DEBIT)).toBe(byOutcome.completed.amount.minor + all.fees.minor);
      expect(sumOf(lines, CREDIT)).toBe(sumOf(lines, DEBIT));
      for (const own of Object.values(Object.groupBy(lines, ([number]) => number ?? ''))) {
        expect(sumOf(own ?? [], DEBIT)).toBe(sumOf(own ?? [], CREDIT));
      }
    },
  );

  test('puts what is not final into the suspense account, where there is one', async () => {
    const rows = everyOutcome();
    const { byPart } = await figuresOf(sourceOf(rows), RESULTS_OPTIONS);
    for (const entry of ['batch', 'row'] as const) {
      const lines = await linesOf(rows, { settings: { entry }, accounts: { suspense: 'To clear' } });
      const suspense = lines.filter(([, , account]) => account === 'To clear');
      expect(sumOf(suspense, DEBIT)).toBe(byPart['to-check'].amount.minor);
      expect(sumOf(lines, DEBIT)).toBe(sumOf(lines, CREDIT));
    }
    const without = await linesOf(rows);
    expect(without.map(([, , account]) => account)).not.toContain('To clear');
  });

  test('books what the service paid too much as not final, and never as paid', async () => {
    const twice = resultRow(2, { repeats: [{}] });
    const lines = await linesOf([twice], { accounts: { suspense: 'To clear' } });
    expect(lines.map(([, , account, , debit]) => [account, debit])).toEqual([
      ['Payments', '15002.00'],
      ['Payment charges', '32.93'],
      ['To clear', '15002.00'],
      ['Mobile money wallet', ''],
    ]);
    expect(sumOf(lines, CREDIT)).toBe(sumOf(lines, DEBIT));
  });

  test('has an account for a way of paying that has one, with its zeros', async () => {
    const rows = [resultRow(2), resultRow(3, { payout: { kind: 'bank' as KindName } })];
    const lines = await linesOf(rows, { accounts: { kinds: { bank: '0420' }, payments: '0400' } });
    expect(lines.slice(0, 2).map(([, , account]) => account)).toEqual(['0400', '0420']);
  });

  test('has a line below zero on the other side: a fee that was given back', async () => {
    const lines = await linesOf([resultRow(2, { fee: money(-500) })]);
    expect(lines.find(([, , account]) => account === 'Payment charges')?.slice(DEBIT, CREDIT + 1)).toEqual([
      '',
      '5.00',
    ]);
    expect(sumOf(lines, DEBIT)).toBe(sumOf(lines, CREDIT));
  });

  test('has days of the configured zone, in the configured form', async () => {
    const late = BATCH_TIME + 15 * 3_600_000;
    const row = resultRow(2);
    const paid = { ...row, line: { ...row.line, reportedAt: late } } as ResultRow;
    const dates = async (form: JournalSettings['dates']) =>
      (await linesOf([paid], { settings: { dates: form } })).map(([, date]) => date)[0];
    expect(new Date(late).toISOString()).toMatch(/^2026-11-21T21/);
    expect(await dates('yyyy-mm-dd')).toBe('2026-11-22');
    expect(await dates('dd/mm/yyyy')).toBe('22/11/2026');
    expect(await dates('mm/dd/yyyy')).toBe('11/22/2026');
  });

  test('has the columns that were configured: fields, one text, a word for each side, some once', async () => {
    const lines = await linesOf([resultRow(2)], {
      settings: {
        entry: 'row',
        columns: [
          { heading: 'Number', field: 'entry', once: true },
          { heading: 'Type', debit: 'JD', credit: 'JC' },
          { heading: 'Tax', text: 'T9' },
          { heading: 'Amount', field: 'amount' },
          { heading: 'Who', field: 'name' },
        ],
      },
    });
    expect(lines).toEqual([
      ['salaries-2026-11-2', 'JD', 'T9', '15002.00', 'Person 2'],
      ['', 'JD', 'T9', '32.93', 'Person 2'],
      ['', 'JC', 'T9', '-15034.93', 'Person 2'],
    ]);
  });

  test('of a rehearsal says so in every line, and in its numbers', async () => {
    const lines = await linesOf([resultRow(2)], { header: { sandbox: true } });
    expect(lines.length).toBeGreaterThan(2);
    for (const [number, , , description] of lines) {
      expect(number).toBe('SANDBOX-salaries-2026-11');
      expect(description).toMatch(/^SANDBOX, no money moved: /);
    }
  });

  test('is not written when it would not book what the figures say', async () => {
    const report = await reportOf(sourceOf([resultRow(2)]));
    const other = { ...report, figures: await figuresOf(sourceOf([resultRow(3)]), RESULTS_OPTIONS) };
    await expect(Array.fromAsync(journalRows(other))).rejects.toThrow('the figures say was paid');
  });

  test('is a file of plain texts that no spreadsheet calculates, under a name that is no sheet', () =>
    inTemporaryFolder(async (folder) => {
      const rows = [
        resultRow(2, { payout: { name: '=HYPERLINK("x")\u202e' } }),
        resultRow(3, { payout: { name: '-1+2' } }),
      ];
      const columns = [
        { heading: 'Who', field: 'name' },
        { heading: 'Account', field: 'account' },
        { heading: 'Amount', field: 'amount' },
      ] as const;
      const journal = {
        ...usualJournal,
        entry: 'row',
        columns,
        accounts: { ...usualJournal.accounts, payments: '0400' },
      } as const;
      const { path: file } = await writeResults(
        await reportOf(sourceOf(rows), { ...RESULTS_OPTIONS, journal }),
        folder,
        'journal',
      );
      expect(path.basename(file)).toBe('payroll.salaries-2026-11.journal.results.csv');
      const lines = (await readFile(file, 'utf8')).split('\r\n');
      expect(lines[0]).toBe('Who,Account,Amount');
      expect(lines[1]).toBe(`"'=HYPERLINK(""x"")<U+202E>",0400,15002.00`);
      expect(lines[3]).toMatch(/,-15034\.93$/);
      expect(lines[4]).toBe(`'-1+2,0400,15003.00`);
    }));
});
