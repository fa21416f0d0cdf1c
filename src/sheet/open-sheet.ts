/**
 * Opens a payout sheet as rows of exact cell text with addresses. No other code reads payout sheets. The bytes of the file decide
 * how it is read, every limit is checked against what the file really holds, and nothing is extracted, computed or guessed.
 */
import { basename } from 'node:path';
import { columnLetters, type SheetRow } from '../domain/cell.ts';
import { counted } from '../domain/counted.ts';
import type { CsvOptions } from './csv/open-csv.ts';
import { formatOf, magicBytes, refuseLockFile, refuseMisnamed, type SheetFormat } from './file-signature.ts';
import { openSheetFile, type SheetFile } from './sheet-file.ts';
import { cutOffRowCounts, defaultSheetLimits, resultsLimits, type SheetLimits } from './sheet-limits.ts';
import { areResults, unreadable } from './unreadable.ts';
import type { Range as CellRange } from './xlsx/cell-text.ts';
import type { ColumnRange, WorksheetChoice } from './xlsx/choose-worksheet.ts';

export interface OpenedSheet extends AsyncDisposable {
  readonly format: SheetFormat;
  /** File name without its folder. */
  readonly name: string;
  /** Absolute path of the folder that holds the file. */
  readonly folder: string;
  /** SHA-256 of the file's bytes, 64 hexadecimal digits. */
  readonly sha256: string;
  /** Name of the worksheet that is read; absent for a CSV file. */
  readonly worksheet?: string;
  /** Name of the worksheet if several hold data, so that it must be named when the sheet is read again; otherwise absent. */
  readonly chosen?: string;
  /** Columns that are hidden or have no width. Empty for CSV. */
  readonly hiddenColumns: readonly ColumnRange[];
  /** Merged ranges of the worksheet, in the order of the file. Empty for CSV. */
  readonly merged: readonly CellRange[];
  /** Character that separates the columns of a CSV file; absent for a workbook. */
  readonly delimiter?: string;
  /** Sentences for people, for example that a hidden worksheet was not read. */
  readonly notices: readonly string[];
  /** Sentences for people about worksheets that look like payout sheets and are not paid. Empty for CSV. */
  readonly warnings: readonly string[];
  /**
   * Yields the rows that hold something, in sheet order, in blocks of at most 256. Each call reads the file again. A file
   * that cannot be read to its end ends the iteration with a fault: only a complete iteration is the sheet.
   */
  rows(): AsyncIterable<readonly SheetRow[]>;
  close(): Promise<void>;
}

export interface SheetOptions extends WorksheetChoice, CsvOptions {
  /** Set if the cells should carry the texts of their formulas as well. */
  readonly formulas?: true;
  readonly limits?: Partial<SheetLimits>;
}

/** Opens a payout sheet. Fault `sheet-unreadable`, which says what to do, for anything that is not a readable sheet. */
export async function openSheet(path: string, options: SheetOptions = {}): Promise<OpenedSheet> {
  const limits = { ...(options.ownResults ? resultsLimits : defaultSheetLimits), ...options.limits };
  // Checked before opening, because on Windows other programs cannot read a lock file.
  refuseLockFile(basename(path));
  const file = await openSheetFile(path, limits);
  try {
    if (!options.ownResults) refuseResults(file);
    const format = await formatOf(await headOf(file), () => file.read());
    const sha256 = await file.sha256();
    const readable = format === 'xlsx' ? await workbook(file, options, limits) : await csv(file, options, limits);
    const { rows, ...described } = readable;
    return {
      format,
      name: file.name,
      folder: file.folder,
      sha256,
      ...described,
      rows: () => unchangedRows(file, () => guardedBlocks(rows(), limits)),
      close: () => file.close(),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function refuseResults({ name }: SheetFile): void {
  if (!/\.results\.(?:xlsx|csv)$/i.test(name)) return;
  throw areResults();
}

async function headOf(file: SheetFile): Promise<Buffer> {
  const head: Buffer[] = [];
  for await (const chunk of file.read(0, Math.min(magicBytes, file.bytes))) head.push(chunk);
  return Buffer.concat(head);
}

// The reader of a format is loaded only for a file of that format, because each reader brings its own packages.

type Readable = Pick<
  OpenedSheet,
  'worksheet' | 'chosen' | 'hiddenColumns' | 'merged' | 'delimiter' | 'notices' | 'warnings'
> & {
  readonly rows: () => AsyncGenerator<readonly SheetRow[]>;
};

async function workbook(file: SheetFile, options: SheetOptions, limits: SheetLimits): Promise<Readable> {
  const { openWorkbook } = await import('./xlsx/open-workbook.ts');
  const { worksheet, merged, rows } = await openWorkbook(file, options, limits);
  refuseMisnamed('xlsx', file.name);
  const { name, hiddenColumns, notices, warnings, isChosen } = worksheet;
  const chosen = isChosen ? { chosen: name } : {};
  return {
    worksheet: name,
    ...chosen,
    hiddenColumns,
    merged,
    notices: [...notices, ...hiddenColumns.map(columnsHidden)],
    warnings,
    rows,
  };
}

const columnsHidden = ({ from, to }: ColumnRange): string =>
  from === to
    ? `Column ${columnLetters(from)} is hidden.`
    : `Columns ${columnLetters(from)} to ${columnLetters(to)} are hidden.`;

async function csv(file: SheetFile, options: SheetOptions, limits: SheetLimits): Promise<Readable> {
  refuseMisnamed('csv', file.name);
  const { openCsv } = await import('./csv/open-csv.ts');
  const { delimiter, notices, rows } = await openCsv(file, options, limits);
  const ignored = options.worksheet === undefined ? [] : ['A CSV file has no worksheets; --worksheet was ignored.'];
  return { hiddenColumns: [], merged: [], delimiter, notices: [...notices, ...ignored], warnings: [], rows };
}

async function* unchangedRows(
  file: SheetFile,
  blocks: () => AsyncGenerator<readonly SheetRow[]>,
): AsyncGenerator<readonly SheetRow[]> {
  await file.assertUnchanged();
  yield* blocks();
  await file.assertUnchanged();
}

/** Most rows in a block: enough for one ledger transaction, and a few hundred kilobytes at most in an ordinary sheet. */
const rowBlockSize = 256;

/** Number of cells at which a block of wide rows ends early: a few megabytes. */
const blockCells = 16_384;

/** Groups rows into blocks of bounded size, and counts them against the limits of a sheet. */
async function* guardedBlocks(
  source: AsyncIterable<readonly SheetRow[]>,
  limits: SheetLimits,
): AsyncGenerator<readonly SheetRow[]> {
  let block: SheetRow[] = [];
  let rows = 0;
  let cells = 0;
  let cellsBefore = 0;
  let last = 0;
  for await (const found of source) {
    for (const row of found) {
      rows += 1;
      cells += row.cells.length;
      last = row.number;
      if (rows > limits.rows) throw tooMany(counted(limits.rows, 'row'));
      if (cells > limits.cells) throw tooMany(counted(limits.cells, 'cell'));
      block.push(row);
      if (block.length < rowBlockSize && cells - cellsBefore < blockCells) continue;
      yield block;
      block = [];
      cellsBefore = cells;
    }
  }
  const cutOff = [rows, last].find((count) => cutOffRowCounts.has(count));
  if (cutOff !== undefined) {
    throw unreadable(
      `The sheet has exactly ${cutOff} rows. Spreadsheet programs silently cut sheets off at this number, so the rest is probably missing.`,
      'Export it again as several sheets and compare the number of rows with its source.',
    );
  }
  if (block.length > 0) yield block;
}

const tooMany = (limit: string) => unreadable(`The sheet has more than ${limit}.`, 'Split it into several sheets.');
