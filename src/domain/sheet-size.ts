/** How large a sheet may be at most: the same for who reads it, who keeps it, and who proves what became of it. */

/** Rows that hold something: a million payments, with titles, headings and totals. Excel's own worksheet ends a little above. */
export const SHEET_ROWS_MOST = 1_001_000;

/** Bytes of the file: the rows allowed are about 140 MB as CSV with twelve columns. */
export const SHEET_BYTES_MOST = 256 * 1024 * 1024;
