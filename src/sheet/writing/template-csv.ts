/**
 * The template as CSV: headings, and the rows that are filled in already. It is UTF-8 with a byte order mark, by which
 * Excel knows it, and every text that a spreadsheet program would calculate or change is written `="0712"`: our reader
 * and Excel both read that as the text 0712.
 */
import { decimalOf } from '../../domain/money.ts';
import { BYTE_ORDER_MARK, CHANGED_BY_EXCEL, LINE_END, quoted, STARTS_FORMULA } from './checked-csv.ts';
import type { FilledRow, TemplateSpec } from './template-spec.ts';
import { type WrittenFile, writeWholeFile } from './whole-file.ts';

const DELIMITER = ',';

/** Writes the template as CSV. See `writeWholeFile` for what is promised of the file. */
export const writeCsvTemplate = (path: string, spec: TemplateSpec): Promise<WrittenFile> =>
  writeWholeFile(path, 'template', async ({ stream }) => {
    stream.write(csvTemplate(spec));
  });

/** The text of the template; it has no empty rows, whatever the specification says. */
export function csvTemplate({ columns, filled = [] }: TemplateSpec): string {
  const lines = [columns.map(({ heading }) => fieldOf(heading)), ...filled.map((row) => fieldsOf(row, columns))];
  return BYTE_ORDER_MARK + lines.map((fields) => fields.join(DELIMITER) + LINE_END).join('');
}

const fieldsOf = (row: FilledRow, columns: TemplateSpec['columns']): readonly string[] =>
  columns.map(({ id }) => {
    const value = row[id] ?? '';
    return typeof value === 'string' ? fieldOf(value) : decimalOf(value);
  });

function fieldOf(text: string): string {
  if (!STARTS_FORMULA.test(text) && !CHANGED_BY_EXCEL.test(text)) return quoted(text, DELIMITER);
  // A formula that cannot be written as one text is made harmless, at the price of an apostrophe.
  return /["\r\n,]/.test(text) ? quoted(`'${text}`, DELIMITER) : `="${text}"`;
}
