/** The largest sheet that is accepted: one limit for reading it, keeping it, and proving its outcomes. */

/**
 * Most rows that are not empty: a million payments, with titles, headings and totals. Excel's own worksheet ends a
 * little above that.
 */
export const SHEET_ROWS_MOST = 1_001_000;

/** Most bytes of the file. As CSV with twelve columns, the largest number of rows takes about 140 MB. */
export const SHEET_BYTES_MOST = 256 * 1024 * 1024;
