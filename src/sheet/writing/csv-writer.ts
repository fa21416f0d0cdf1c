/**
 * Writes a table as CSV: UTF-8 with a byte order mark, by which Excel recognises the encoding. Texts are written so that a
 * spreadsheet program neither calculates nor changes them (`csv/text-field.ts`); figures are written plainly, so that it can
 * add them up.
 */
import { decimalOf, type Money } from '../../domain/money.ts';
import { shown } from '../../domain/shown-text.ts';
import { type FileUse, type WrittenFile, writeWholeText } from '../../files/whole-file.ts';
import { BYTE_ORDER_MARK, csvLine, LINE_END } from '../csv/csv-line.ts';
import { fieldOf } from '../csv/text-field.ts';

const DELIMITER = ',';

/** A field of a CSV file: a text, or a figure. */
export type CsvField = string | number | Money;

/** A table, row by row. */
type Table<Field> = AsyncIterable<readonly Field[]> | Iterable<readonly Field[]>;

/** Writes a table whose first row is the headings. See `writeWholeFile` for what is promised of the file. */
export const writeCsv = (path: string, use: FileUse, rows: Table<CsvField>): Promise<WrittenFile> =>
  writeWholeText(path, use, csvText(rows));

/** Yields the text of a table, line by line. */
export async function* csvText(rows: Table<CsvField>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  for await (const fields of rows) yield csvLine(fields.map(written), DELIMITER);
}

/** Returns the lines of a short table, without a byte order mark and line ends, for a screen or a pipe. */
export const csvLines = (rows: readonly (readonly CsvField[])[]): readonly string[] =>
  rows.map((fields) => csvLine(fields.map(written), DELIMITER).slice(0, -LINE_END.length));

function written(field: CsvField): string {
  if (typeof field === 'string') return fieldOf(field);
  return typeof field === 'number' ? String(field) : decimalOf(field);
}

/** Matches texts that a spreadsheet program would calculate, except negative amounts. */
const CALCULATED = /^\s*(?:[=+@\uff1d\uff0b\uff0d\uff20]|-(?!\d+(?:\.\d+)?$))/u;

/**
 * Yields the text of a table for programs that import it, line by line: no byte order mark, and texts as they are, with their leading zeros. A text
 * that a spreadsheet program would calculate gets an apostrophe in front, and hidden characters are shown by their numbers.
 */
export async function* plainCsvText(rows: Table<string>): AsyncGenerator<string> {
  for await (const fields of rows) yield csvLine(fields.map(plain), DELIMITER);
}

function plain(text: string): string {
  const visible = shown(text);
  return CALCULATED.test(visible) ? `'${visible}` : visible;
}
