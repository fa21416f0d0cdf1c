/**
 * Opens a CSV file for reading: RFC 4180, strictly. A quote in the wrong place stops it, because a lenient reading moves
 * columns. Every field is text; an address is the one that the field would have in a spreadsheet.
 */
import { type Cell, columnLetters, type SheetRow } from '../../domain/cell.ts';
import type { Issue } from '../../domain/issue.ts';
import type { SheetFile } from '../sheet-file.ts';
import { excelRows, mebibytes, type SheetLimits } from '../sheet-limits.ts';
import { unreadable } from '../unreadable.ts';
import { blankLineFiller } from './blank-lines.ts';
import { delimiterFrom, findDelimiter, separatorLine } from './csv-delimiter.ts';
import { BrokenRecord, csvRecords } from './csv-records.ts';
import { type CsvEncoding, csvEncodingOf, csvLines, lineBreaks } from './csv-text.ts';
import { type CsvRecord, type HeadingWidth, headingSearchRows, headingWidth, raggedIssue } from './csv-width.ts';
import { textOf } from './text-field.ts';

export interface CsvOptions {
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
}

export interface OpenedCsv {
  /** What separates the columns. */
  readonly delimiter: string;
  readonly notices: readonly string[];
  readonly rows: () => AsyncGenerator<readonly SheetRow[]>;
}

/** Bytes of text from which the delimiter is decided. */
const headBytes = 64 * 1024;

interface CsvSource {
  readonly file: SheetFile;
  readonly encoding: CsvEncoding;
  readonly delimiter: string;
  /** Bytes of UTF-8 that Excel's `sep=` line takes; it is no row. */
  readonly skippedBytes: number;
  readonly limits: SheetLimits;
  /** Fields of most lines: those of the headings, or of the first line while they are looked for. */
  readonly width: number;
  /** Unknown only while they are looked for. */
  readonly heading: HeadingWidth | undefined;
}

/** Opens a CSV file: finds out how it is written, and how wide its headings are. */
export async function openCsv(file: SheetFile, options: CsvOptions, limits: SheetLimits): Promise<OpenedCsv> {
  const encoding = await encodingOfFile(file, options.encoding);
  const head = await headOf(file, encoding, limits);
  const separator = separatorLine(head);
  const stated = options.delimiter ?? separator?.delimiter;
  const delimiter = stated === undefined ? findDelimiter(head) : delimiterFrom(stated);
  const [firstLine = ''] = head.slice(separator?.length ?? 0).split(/[\r\n]/, 1);
  const written: CsvSource = {
    file,
    encoding,
    delimiter,
    width: firstLine.split(delimiter).length,
    skippedBytes: separator === undefined ? 0 : Buffer.byteLength(head.slice(0, separator.length)),
    limits,
    heading: undefined,
  };
  const heading = headingWidth(await firstRecords(written));
  const source: CsvSource = { ...written, heading, width: heading?.written ?? written.width };
  return {
    delimiter,
    notices: [
      ...(separator === undefined ? [] : [`The first line, sep=${separator.delimiter}, is not a row.`]),
      ...(encoding.label === 'utf-8' ? [] : [`The file was read as ${encoding.label}.`]),
    ],
    rows: () => rowsOf(source),
  };
}

async function encodingOfFile(file: SheetFile, stated: string | undefined): Promise<CsvEncoding> {
  for await (const head of file.read(0, 3)) return csvEncodingOf(head, stated);
  return csvEncodingOf(new Uint8Array(), stated);
}

async function headOf(file: SheetFile, encoding: CsvEncoding, limits: SheetLimits): Promise<string> {
  let head = '';
  for await (const lines of csvLines(file.read(encoding.markBytes), encoding, limits)) {
    head += lines.toString('utf8');
    if (head.length >= headBytes) break;
  }
  return head;
}

/**
 * What the parser is fed: whole lines without Excel's first one, blank ones as wide as the headings, and `="0712"` as
 * the text it stands for.
 */
async function* feed({ file, encoding, delimiter, skippedBytes, limits, width }: CsvSource): AsyncGenerator<Buffer> {
  const fill = blankLineFiller(delimiter.repeat(width - 1));
  // Only as long as the text inside holds no delimiter can the form not be a part of two quoted fields.
  const literal = new RegExp(
    `(^|[\\r\\n${escaped(delimiter)}])="([^"\\r\\n${escaped(delimiter)}]+)"(?=$|[\\r\\n${escaped(delimiter)}])`,
    'g',
  );
  let skip = skippedBytes;
  for await (const lines of csvLines(file.read(encoding.markBytes), encoding, limits)) {
    const wanted = lines.subarray(Math.min(skip, lines.length));
    skip -= lines.length - wanted.length;
    if (wanted.length === 0) continue;
    const whole = fill(wanted);
    yield whole.includes('="') ? Buffer.from(whole.toString('latin1').replace(literal, '$1"$2"'), 'latin1') : whole;
  }
}

const escaped = (delimiter: string): string => delimiter.replace(/[\\\]^-]/, '\\$&');

async function firstRecords(source: CsvSource): Promise<readonly CsvRecord[]> {
  const first: CsvRecord[] = [];
  for await (const records of recordsOf(source)) {
    first.push(...records.slice(0, headingSearchRows));
    if (first.length >= headingSearchRows) break;
  }
  return first.slice(0, headingSearchRows);
}

async function* rowsOf(source: CsvSource): AsyncGenerator<readonly SheetRow[]> {
  for await (const records of recordsOf(source)) yield records.map((record) => rowOf(record, source));
}

function rowOf({ row, fields }: CsvRecord, { heading, limits }: CsvSource): SheetRow {
  const cells: Cell[] = [];
  const number = String(row);
  let column = 0;
  for (const field of fields) {
    column += 1;
    if (field === '') continue;
    const address = columnLetters(column) + number;
    if (column > limits.rowCells) {
      throw unreadable(`Row ${row} has more than ${limits.rowCells} columns.`, 'Check what separates the columns.');
    }
    if (field.length > limits.cellCharacters) {
      throw unreadable(
        `Cell ${address} holds more than ${limits.cellCharacters} characters, which is more than a cell can hold.`,
        'Check the quotes of this row, or shorten the text.',
      );
    }
    cells.push({ column, address, type: 'text', text: textOf(field) });
  }
  const ragged = heading === undefined ? undefined : raggedIssue({ row, fields }, heading);
  return { number: row, cells, hidden: false, issues: ragged === undefined ? none : [ragged] };
}

const none: readonly Issue[] = [];

/** The records that hold something, numbered as a spreadsheet would: blank lines count, quoted line breaks do not. */
async function* recordsOf(source: CsvSource): AsyncGenerator<readonly CsvRecord[]> {
  const { delimiter, limits, heading } = source;
  const options = { delimiter, lineBytes: limits.lineBytes, width: heading?.written };
  let row = 0;
  try {
    for await (const all of csvRecords(feed(source), options)) {
      const records: CsvRecord[] = [];
      for (const fields of all) {
        row += 1;
        if (row > excelRows) throw tooLong();
        if (fields.some((field) => field.trim() !== '')) records.push({ row, fields });
      }
      yield records;
    }
  } catch (error) {
    throw error instanceof BrokenRecord ? await brokenRecord(error, source) : error;
  }
}

const tooLong = () => unreadable(`The file has more than ${excelRows} rows.`, 'Split it into several sheets.');

async function brokenRecord(error: BrokenRecord, source: CsvSource) {
  const line = await lineOfField(error.at, source);
  const { cause } = error;
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return unreadable(
      `The row that begins near line ${line} is longer than ${mebibytes(source.limits.lineBytes)}; a quote may not be closed.`,
      'Check the quotes of this line.',
      cause,
    );
  }
  const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
  return unreadable(
    isOpen
      ? `The quote opened in line ${line} is never closed, so the rest of the file would be one field.`
      : `A quote stands in the middle of a field in line ${line}.`,
    'Quote the whole field and double the quotes inside it: "5"" pipe".',
    cause,
  );
}

/** The line in which a field begins. `before` is where the one before it ended, in the bytes that were given to be parted. */
async function lineOfField(before: number, source: CsvSource): Promise<number> {
  let line = source.skippedBytes > 0 ? 2 : 1;
  let left = before;
  for await (const lines of feed(source)) {
    line += lineBreaks(lines.subarray(0, left));
    left -= lines.length;
    if (left <= 0) break;
  }
  return line;
}
