/**
 * Evidence that an auditor can check alone: the ledger against its own facts, and a results workbook against the ledger.
 */
import path from 'node:path';
import type { BatchHeader, ResultRow } from './domain/batch.ts';
import type { SheetRow } from './domain/cell.ts';
import { Fault } from './domain/fault.ts';
import { invariant } from './domain/invariant.ts';
import { decimalOf } from './domain/money.ts';
import { outcomeTable } from './domain/outcome.ts';
import type { Ledger, LedgerQueries } from './ledger/ledger.ts';
import { resultsFileName } from './results/file-name.ts';
import { receiptOf } from './results/row-money.ts';
import { openSheet } from './sheet/open-sheet.ts';
import { compareHead, type HeadComparison } from './verify-head.ts';

/** Differences of a workbook that are told; after so many of them more tell nobody anything new. */
const DIFFERENCES_MAX = 200;

/** Columns of the Results worksheet that say what became of the money, by heading, and what the ledger says there. */
const comparedColumns: Readonly<Record<string, (row: ResultRow) => string>> = {
  Amount: ({ payout }) => (payout ? decimalOf(payout.amount) : ''),
  Currency: ({ payout }) => payout?.amount.currency ?? '',
  Outcome: ({ outcome }) => outcomeTable[outcome].title,
  'Receipt number': (row) => receiptOf(row) ?? '',
  'Order id': ({ state, order }) => state?.id ?? order ?? '',
};

/** Where the results of a batch are written unless somebody asks for another folder. */
export const resultsPath = (batch: BatchHeader): string => path.join(batch.sheet.folder, resultsFileName(batch));

/** What a results workbook says differently from the ledger: its head first, and its rows unless the ledger has gone on since. */
export async function compareWorkbook(batch: BatchHeader, ledger: Ledger, file: string): Promise<HeadComparison> {
  const head = await compareHead(batch.id, ledger, file);
  // Rows of an older workbook were true of a ledger that has gone on since.
  if (head.older) return head;
  return { differences: [...head.differences, ...(await compareResults(batch, ledger, file))] };
}

/**
 * What a results workbook says differently from the ledger, row by row, in plain words; empty when they agree. A Fault
 * `sheet-unreadable` when it is no workbook.
 */
async function compareResults(batch: BatchHeader, ledger: Ledger, file: string): Promise<readonly string[]> {
  const sheet = await openSheet(file, { worksheet: 'Results', ownResults: true });
  try {
    const told = new Map<number, ReadonlyMap<string, string>>();
    let headings: ReadonlyMap<number, string> | undefined;
    for await (const block of sheet.rows()) {
      for (const row of block) {
        if (!headings) headings = headingsOf(row, file);
        else keep(told, row, headings);
      }
    }
    return await differencesOf(batch, ledger, told);
  } finally {
    await sheet.close();
  }
}

/** The columns that are compared, by number. The headings of the user's own columns may repeat ours: ours come first. */
function headingsOf({ cells }: SheetRow, file: string): ReadonlyMap<number, string> {
  const headings = new Map<number, string>();
  for (const wanted of ['Row', ...Object.keys(comparedColumns)]) {
    const cell = cells.find(({ text }) => text === wanted);
    if (!cell) {
      throw new Fault('sheet-unreadable', `${file} has no column "${wanted}".`, 'Name a results workbook of paybatch.');
    }
    headings.set(cell.column, wanted);
  }
  return headings;
}

function keep(
  told: Map<number, ReadonlyMap<string, string>>,
  { cells }: SheetRow,
  headings: ReadonlyMap<number, string>,
): void {
  const values = new Map<string, string>();
  for (const { column, text } of cells) {
    const heading = headings.get(column);
    if (heading !== undefined) values.set(heading, text);
  }
  told.set(Number(values.get('Row')), values);
}

async function differencesOf(
  batch: BatchHeader,
  ledger: LedgerQueries,
  told: Map<number, ReadonlyMap<string, string>>,
): Promise<readonly string[]> {
  const differences: string[] = [];
  for await (const block of ledger.resultRows(batch.id)) {
    for (const row of block) {
      const values = told.get(row.row);
      told.delete(row.row);
      if (!values) differences.push(`row ${row.row}: missing in the workbook`);
      else differences.push(...rowDifferences(row, values));
    }
  }
  for (const row of told.keys()) differences.push(`row ${row}: is in the workbook and not in the ledger`);
  return differences.slice(0, DIFFERENCES_MAX);
}

function* rowDifferences(row: ResultRow, values: ReadonlyMap<string, string>): Generator<string> {
  for (const [heading, saidBy] of Object.entries(comparedColumns)) {
    const ledger = saidBy(row);
    const workbook = values.get(heading) ?? '';
    const same = heading === 'Amount' ? sameDecimal(ledger, workbook) : ledger === workbook;
    if (!same) yield `row ${row.row}: ${heading} is "${workbook}" in the workbook and "${ledger}" in the ledger`;
  }
}

/** A workbook stores 1500.00 as 1500. */
function sameDecimal(ledger: string, workbook: string): boolean {
  const bare = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  invariant(!/e/i.test(ledger), 'an amount of the ledger is a plain decimal');
  return bare(ledger) === bare(workbook);
}
