import { SHEET_BYTES_MOST, SHEET_ROWS_MOST } from '../domain/sheet-size.ts';

/**
 * How much a sheet may hold. Every limit is checked while reading, on what is really there: the sizes that a file
 * states about itself belong to whoever made it.
 */
export interface SheetLimits {
  /** Size of the file on disk, bytes. */
  readonly fileBytes: number;
  /** All parts of a workbook together, inflated, bytes. */
  readonly inflatedBytes: number;
  /** One part of a workbook, inflated, bytes. */
  readonly entryBytes: number;
  /** Inflated bytes for each compressed byte of one part; applies above `ratioFreeBytes`. */
  readonly entryRatio: number;
  /** A part inflated to less than this may compress as well as it likes, bytes. */
  readonly ratioFreeBytes: number;
  /** Parts of a workbook. */
  readonly entries: number;
  /** Rows that hold something. */
  readonly rows: number;
  /** Cells in one row; also the last column that is read. */
  readonly rowCells: number;
  /** Cells in the sheet. */
  readonly cells: number;
  /** Characters of one cell. */
  readonly cellCharacters: number;
  /** One line and one record of a CSV file, bytes. */
  readonly lineBytes: number;
  /** The shared strings of a workbook, bytes of UTF-8. */
  readonly sharedStringBytes: number;
  /** Shared strings of a workbook. */
  readonly sharedStrings: number;
  /** Merged ranges of a worksheet. */
  readonly mergedRanges: number;
  /** Empty cells that merged ranges cover beside and below values. */
  readonly coveredCells: number;
  /** One tag, text or comment of a workbook part, characters. */
  readonly tokenCharacters: number;
  /** Elements inside elements. */
  readonly elementDepth: number;
}

const MiB = 1024 * 1024;

export const defaultSheetLimits: SheetLimits = {
  fileBytes: SHEET_BYTES_MOST,
  // Ten times the worksheet of 100,000 rows and twelve columns.
  inflatedBytes: 512 * MiB,
  entryBytes: 256 * MiB,
  // Spreadsheets compress about ten to fifty times; a bomb of zeros a thousand times.
  entryRatio: 200,
  ratioFreeBytes: 4 * MiB,
  // A workbook has a dozen parts and a few for each worksheet.
  entries: 2_000,
  // A setting may say less. What a workbook of so many rows unpacks to is often more than is allowed above: a CSV is not.
  rows: SHEET_ROWS_MOST,
  // The payout sheet has some thirty columns; payroll exports some hundred.
  rowCells: 1_024,
  // Twenty columns in each row allowed.
  cells: 20_000_000,
  // Excel's own limit.
  cellCharacters: 32_767,
  lineBytes: 1 * MiB,
  // Five texts of 120 bytes in each of 200,000 rows. The reader was at 340 MB then, and at 445 MB where no text was Latin.
  sharedStringBytes: 120 * MiB,
  // The reader was at 380 MB with so many short ones.
  sharedStrings: 4_000_000,
  // Two merged names in each of 200,000 rows, and titles.
  mergedRanges: 500_000,
  // Ten in each of 200,000 rows. Ten kilobytes of file can ask for any number of them.
  coveredCells: 2_000_000,
  // Thirty times the longest cell: nothing that a spreadsheet writes in one piece comes near.
  tokenCharacters: 1 * MiB,
  // A worksheet nests six deep; drawings and extensions about twenty.
  elementDepth: 100,
};

/**
 * Of a results workbook of ours, which has 21 columns besides those of the sheet. A million rows of a sheet with five columns were
 * 1.26 GB of XML in a file of 125 MB. Rows are read one after the other here, too.
 */
export const resultsLimits: SheetLimits = {
  ...defaultSheetLimits,
  // Eight times that file.
  fileBytes: 1024 * MiB,
  // Three times that XML: nearly all of it is one worksheet.
  inflatedBytes: 4096 * MiB,
  entryBytes: 4096 * MiB,
  // These and twenty columns of the sheet in each row allowed.
  cells: 42_000_000,
};

/** Row counts at which spreadsheets and exports cut off without a word. */
export const cutOffRowCounts: ReadonlySet<number> = new Set([65_535, 65_536, 1_048_575, 1_048_576]);

/** The size of a worksheet in Excel since 2007. */
export const excelRows = 1_048_576;
export const excelColumns = 16_384;

/** Bytes in words: `128 MiB`. */
export const mebibytes = (bytes: number): string => `${Math.max(1, Math.round(bytes / MiB))} MiB`;
