/**
 * Opens a CSV file for reading, strictly as in RFC 4180. A quote in the wrong place stops the reading, because a lenient
 * reading moves columns. Every field is text, and its address is the one that it would have in a spreadsheet.
 */
import { CsvError, type InfoRecord, type Parser, parse } from 'csv-parse';
import { type Cell, columnLetters, type SheetRow } from '../../domain/cell.ts';
import type { Issue } from '../../domain/issue.ts';
import type { SheetFile } from '../sheet-file.ts';
import { excelRows, mebibytes, type SheetLimits } from '../sheet-limits.ts';
import { unreadable } from '../unreadable.ts';
import { delimiterFrom, findDelimiter, separatorLine } from './csv-delimiter.ts';
import { type CsvEncoding, csvEncodingOf, csvLines, isLineBreak, lineBreaks } from './csv-text.ts';
import { type CsvRecord, type HeadingWidth, headingSearchRows, headingWidth, raggedIssue } from './csv-width.ts';
import { textOf } from './text-field.ts';

export interface CsvOptions {
  /** Separator of the columns, or its name such as `tab`, for a file whose headings leave it open. */
  readonly delimiter?: string;
  /** Encoding of a file that has no byte order mark and is not UTF-8. */
  readonly encoding?: string;
}

export interface OpenedCsv {
  /** Character that separates the columns. */
  readonly delimiter: string;
  readonly notices: readonly string[];
  readonly rows: () => AsyncGenerator<readonly SheetRow[]>;
}

/** Length of text that is enough to decide on the delimiter. */
const headBytes = 64 * 1024;

interface CsvSource {
  readonly file: SheetFile;
  readonly encoding: CsvEncoding;
  readonly delimiter: string;
  /** Bytes of UTF-8 that Excel's `sep=` line takes, which is not a row; 0 without such a line. */
  readonly skippedBytes: number;
  readonly limits: SheetLimits;
  /** Width of the headings; `undefined` while they are searched for, or if the file has none. */
  readonly heading: HeadingWidth | undefined;
}

/** Opens a CSV file: finds its encoding, its delimiter and the width of its headings. */
export async function openCsv(file: SheetFile, options: CsvOptions, limits: SheetLimits): Promise<OpenedCsv> {
  const encoding = await encodingOfFile(file, options.encoding);
  const head = await headOf(file, encoding, limits);
  const separator = separatorLine(head);
  const stated = options.delimiter ?? separator?.delimiter;
  const delimiter = stated === undefined ? findDelimiter(head) : delimiterFrom(stated);
  const written: CsvSource = {
    file,
    encoding,
    delimiter,
    skippedBytes: separator === undefined ? 0 : Buffer.byteLength(head.slice(0, separator.length)),
    limits,
    heading: undefined,
  };
  const source: CsvSource = { ...written, heading: headingWidth(await firstRecords(written)) };
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
 * Yields the lines as RFC 4180 has them: whole, without Excel's `sep=` line, and with `="0712"` as the quoted text that it
 * stands for.
 */
async function* feed({ file, encoding, delimiter, skippedBytes, limits }: CsvSource): AsyncGenerator<Buffer> {
  // The text inside must hold no delimiter; otherwise a match could consist of parts of two quoted fields.
  const literal = new RegExp(
    `(^|[\\r\\n${escaped(delimiter)}])="([^"\\r\\n${escaped(delimiter)}]+)"(?=$|[\\r\\n${escaped(delimiter)}])`,
    'g',
  );
  let skip = skippedBytes;
  for await (const lines of csvLines(file.read(encoding.markBytes), encoding, limits)) {
    const wanted = lines.subarray(Math.min(skip, lines.length));
    skip -= lines.length - wanted.length;
    if (wanted.length === 0) continue;
    yield wanted.includes('="') ? Buffer.from(wanted.toString('latin1').replace(literal, '$1"$2"'), 'latin1') : wanted;
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

/** Bytes that are parsed at a time. With 64 KiB, a check of 100,000 rows took 95 MB more, because more rows outlived their use. */
const stepBytes = 16 * 1024;

/** Yields the records that hold something, numbered as in a spreadsheet: blank lines count, quoted line breaks do not. */
async function* recordsOf(source: CsvSource): AsyncGenerator<readonly CsvRecord[]> {
  let records: CsvRecord[] = [];
  const parser = recordParser(source, (record) => records.push(record));
  const pattern = patternRecord(source);
  try {
    await give(parser, pattern);
    for await (const lines of feed(source)) {
      for (let at = 0; at < lines.length; at += stepBytes) {
        await give(parser, lines.subarray(at, at + stepBytes));
        yield records;
        records = [];
      }
    }
    await give(parser, undefined);
    yield records;
  } catch (error) {
    throw error instanceof CsvError
      ? await brokenRecord(error, Number(error['bytes']) - pattern.length, source)
      : error;
  } finally {
    parser.destroy();
  }
}

/** Returns a parser that passes each record that holds something to `take` while its lines are written to the parser. */
function recordParser({ delimiter, limits }: CsvSource, take: (record: CsvRecord) => void): Parser {
  const onRecord = (fields: readonly string[], { records, empty_lines }: InfoRecord): undefined => {
    // The parser counts the pattern as a record, too.
    const row = records - 1 + empty_lines;
    if (row > excelRows) throw tooLong();
    if (fields.some((field) => field.trim() !== '')) take({ row, fields });
  };
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    // The width of a row is compared with the headings, not with the first record.
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: limits.lineBytes,
    on_record: onRecord,
  });
  // `give` rejects with the error; without a listener, the event would end the process.
  return parser.on('error', ignore);
}

const ignore = (): void => undefined;

/**
 * An empty record as wide as the headings, parsed before the records of the file. The parser creates an error with a stack trace
 * for each record whose width differs from the first one. Below a title that would be all of them, which takes six times as long.
 */
const patternRecord = ({ delimiter, heading }: CsvSource): Buffer =>
  Buffer.from(`""${delimiter.repeat((heading?.written ?? 1) - 1)}\n`);

/** Writes a piece of the file, or its end, to the parser. Rejects with the parser's error. */
const give = (parser: Parser, piece: Buffer | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: Error | null): void => (error ? reject(error) : resolve());
    if (piece) parser.write(piece, done);
    else parser.end(done);
  });

const tooLong = () => unreadable(`The file has more than ${excelRows} rows.`, 'Split it into several sheets.');

/**
 * Returns the fault for a record that the parser refuses. `at` is where the field before the broken one ended, in the bytes
 * written to the parser.
 */
async function brokenRecord(cause: CsvError, at: number, source: CsvSource) {
  const line = await lineOfField(at, source);
  if (cause.code === 'CSV_MAX_RECORD_SIZE') {
    return unreadable(
      `The row that begins near line ${line} is longer than ${mebibytes(source.limits.lineBytes)}; a quote may not be closed.`,
      'Check the quotes of this line.',
      cause,
    );
  }
  const isOpen = cause.code === 'CSV_QUOTE_NOT_CLOSED';
  return unreadable(
    isOpen
      ? `The quote opened in line ${line} is never closed, so the rest of the file would be one field.`
      : `Line ${line} has a quote in the middle of a field.`,
    'Quote the whole field and double the quotes inside it: "5"" pipe".',
    cause,
  );
}

/**
 * Returns the line in which a field begins. The field before it ended at `before`; line breaks directly after that belong to
 * blank lines.
 */
async function lineOfField(before: number, source: CsvSource): Promise<number> {
  let line = source.skippedBytes > 0 ? 2 : 1;
  let left = before;
  for await (const lines of feed(source)) {
    let end = Math.min(left, lines.length);
    while (isLineBreak(lines[end])) end += 1;
    line += lineBreaks(lines.subarray(0, end));
    if (end < lines.length) break;
    left = Math.max(0, left - end);
  }
  return line;
}
