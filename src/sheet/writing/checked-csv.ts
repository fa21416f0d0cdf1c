/**
 * The checked copy of a CSV file: the same records in the same rows, with the problems of each row in a column at the end. It
 * is UTF-8 with a byte order mark, by which Excel recognises the encoding.
 *
 * The user's own fields keep their text; only their form may differ. A field that a spreadsheet program would calculate,
 * change or not show when it opens the file is written as `csv/text-field.ts` says, and is read back unchanged. An apostrophe
 * in front of `+254…` would be paid as part of the number.
 */
import { PROBLEMS_HEADING } from '../../domain/checked-copy.ts';
import { shown } from '../../domain/shown-text.ts';
import { type WrittenFile, writeWholeText } from '../../files/whole-file.ts';
import { BYTE_ORDER_MARK, csvLine, LINE_END } from '../csv/csv-line.ts';
import { fieldOf } from '../csv/text-field.ts';
import { checkedWords } from './checked-words.ts';
import {
  extentOf,
  type Findings,
  type MarkedRow,
  markedRows,
  problemColumn,
  problemText,
  type SheetToCopy,
} from './marked-rows.ts';

export interface CsvToCopy extends SheetToCopy {
  readonly delimiter: string;
}

/**
 * Extra field after the problems of a row that has too few or too many fields. Without it, the row would have the right
 * number of fields, although its values might still be in the wrong columns. One field too many keeps the row refused until a
 * person has checked it. The mark is a figure without letters, so that no reader takes the row for the headings.
 */
const RAGGED_MARK = '<< 1';
const RAGGED_CODE = 'PB-RAGGED';

/** Writes the copy to a path, or to the next free name. Fault `file-unwritten` if it cannot be written. */
export async function writeCheckedCsv(path: string, sheet: CsvToCopy, findings: Findings): Promise<WrittenFile> {
  const column = problemColumn(findings, await extentOf(sheet, findings));
  return writeWholeText(path, 'copy', linesOf(sheet, findings, column));
}

async function* linesOf(sheet: CsvToCopy, findings: Findings, column: number): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  const { headerRow, language } = findings;
  let last = 0;
  // Fields of the headings: a column that was added behind the problems is empty in most rows, but still one of their fields.
  let width = 0;
  let ofTheSheet = sheetWide(findings);
  for await (const row of markedRows(sheet, findings)) {
    // Row numbers count blank lines, so the copy has them as well.
    yield LINE_END.repeat(row.number - last - 1);
    last = row.number;
    if (headerRow === undefined || row.number < headerRow) yield lineOf(row, sheet.delimiter);
    else if (row.number === headerRow) {
      width = Math.max(column, row.cells.at(-1)?.column ?? 0);
      yield lineOf(row, sheet.delimiter, column, PROBLEMS_HEADING);
    } else {
      const problems = [...ofTheSheet, ...row.found.map((found) => problemText(found, language))];
      ofTheSheet = [];
      const isRagged = row.found.some(({ code }) => code === RAGGED_CODE);
      if (isRagged) problems.push(checkedWords(language).raggedAdvice(RAGGED_MARK));
      yield lineOf(row, sheet.delimiter, column, problems.join(' | '), isRagged ? 'ragged' : width);
    }
  }
}

/**
 * Returns the problems that belong to no row of the table. They are written in its first row, because a CSV file has no other
 * place for them.
 */
function sheetWide({ issues, headerRow = 0, language }: Findings): readonly string[] {
  const found: string[] = [];
  for (const issue of issues) {
    if ((issue.row ?? 0) > headerRow) break;
    found.push(`${checkedWords(language).wholeSheet}: ${problemText(issue, language)}`);
  }
  return found;
}

/** Returns a line with at least `width` fields; `ragged`: the row has too few or too many, and is marked so. */
function lineOf(
  { cells }: MarkedRow,
  delimiter: string,
  column = 0,
  problems = '',
  width: number | 'ragged' = 0,
): string {
  const fields: string[] = [];
  for (const { column: at, text } of cells) fields[at - 1] = fieldOf(text);
  if (column > 0) {
    fields[column - 1] = fieldOf(shown(problems));
    if (width === 'ragged' && fields.length === column) fields[column] = RAGGED_MARK;
  }
  if (width !== 'ragged') fields.length = Math.max(fields.length, width);
  return csvLine(
    Array.from(fields, (field) => field ?? ''),
    delimiter,
  );
}
