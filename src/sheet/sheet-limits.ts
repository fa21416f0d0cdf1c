import { SHEET_BYTES_MOST, SHEET_ROWS_MOST } from '../domain/sheet-size.ts';

/**
 * Limits of a sheet. Each is checked while reading, against what is really there, because anyone who makes a file can state
 * any size in it.
 */
export interface SheetLimits {
  /** Size of the file on disk, in bytes. */
  readonly fileBytes: number;
  /** Inflated size of all parts of a workbook together, in bytes. */
  readonly inflatedBytes: number;
  /** Inflated size of one part of a workbook, in bytes. */
  readonly entryBytes: number;
  /** Inflated bytes per compressed byte of one part; checked above `ratioFreeBytes`. */
  readonly entryRatio: number;
  /** Inflated size, in bytes, up to which `entryRatio` does not apply to a part. */
  readonly ratioFreeBytes: number;
  /** Number of parts of a workbook. */
  readonly entries: number;
  /** Number of rows that hold something. */
  readonly rows: number;
  /** Number of cells in one row, and the last column that is read. */
  readonly rowCells: number;
  /** Number of cells in the sheet. */
  readonly cells: number;
  /** Length of the text of one cell, in characters. */
  readonly cellCharacters: number;
  /** Size of one line, and of one record, of a CSV file, in bytes. */
  readonly lineBytes: number;
  /** Size of the shared strings of a workbook, in bytes of UTF-8. */
  readonly sharedStringBytes: number;
  /** Number of shared strings of a workbook. */
  readonly sharedStrings: number;
  /** Number of merged ranges of a worksheet. */
  readonly mergedRanges: number;
  /** Number of empty cells that merged ranges cover to the right of and below values. */
  readonly coveredCells: number;
  /** Length of one tag, text or comment of a workbook part, in characters. */
  readonly tokenCharacters: number;
  /** Depth of nested elements. */
  readonly elementDepth: number;
}

const MiB = 1024 * 1024;

export const defaultSheetLimits: SheetLimits = {
  fileBytes: SHEET_BYTES_MOST,
  // Ten times a worksheet of 100,000 rows and twelve columns.
  inflatedBytes: 512 * MiB,
  entryBytes: 256 * MiB,
  // Spreadsheets compress about ten to fifty times; a zip bomb of zeros compresses a thousand times.
  entryRatio: 200,
  ratioFreeBytes: 4 * MiB,
  // A workbook has a dozen parts and a few for each worksheet.
  entries: 2_000,
  // A setting can lower this. Unpacked, a workbook with this many rows often exceeds the limits above; a CSV file does not.
  rows: SHEET_ROWS_MOST,
  // A payout sheet has about thirty columns; payroll exports have about a hundred.
  rowCells: 1_024,
  // Twenty columns in each of the rows above.
  cells: 20_000_000,
  // Excel's own limit.
  cellCharacters: 32_767,
  lineBytes: 1 * MiB,
  // Five texts of 120 bytes in each of 200,000 rows. The reader then used 340 MB of memory, and 445 MB if no text was Latin.
  sharedStringBytes: 120 * MiB,
  // With this many short texts, the reader used 380 MB of memory.
  sharedStrings: 4_000_000,
  // Two merged names in each of 200,000 rows, and titles.
  mergedRanges: 500_000,
  // Ten in each of 200,000 rows. A file of ten kilobytes can ask for any number of covered cells.
  coveredCells: 2_000_000,
  // Thirty times the longest cell: nothing that a spreadsheet program writes in one piece comes close.
  tokenCharacters: 1 * MiB,
  // A worksheet nests six deep; drawings and extensions about twenty.
  elementDepth: 100,
};

/**
 * Limits of one of paybatch's own results workbooks, which has 21 columns in addition to those of the sheet. For a sheet of a
 * million rows and five columns it held 1.26 GB of XML in a file of 125 MB. Its rows, too, are read one after the other.
 */
export const resultsLimits: SheetLimits = {
  ...defaultSheetLimits,
  // Eight times the file above.
  fileBytes: 1024 * MiB,
  // Three times the XML above, nearly all of which is one worksheet.
  inflatedBytes: 4096 * MiB,
  entryBytes: 4096 * MiB,
  // The 21 columns and twenty columns of the sheet, in each of the rows above.
  cells: 42_000_000,
};

/** Row counts at which spreadsheet programs and exports silently cut off a sheet. */
export const cutOffRowCounts: ReadonlySet<number> = new Set([65_535, 65_536, 1_048_575, 1_048_576]);

/** The size of a worksheet in Excel since 2007. */
export const excelRows = 1_048_576;
export const excelColumns = 16_384;

/** Formats a number of bytes for people: `128 MiB`. */
export const mebibytes = (bytes: number): string => `${Math.max(1, Math.round(bytes / MiB))} MiB`;
