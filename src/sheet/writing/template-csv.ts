/**
 * The template as CSV: headings, and the rows that are filled in already. It is UTF-8 with a byte order mark, by which
 * Excel knows it, and every text that a spreadsheet program would calculate or change is written so that it does not, and that
 * it is read back as it was (`csv/text-field.ts`).
 */
import { decimalOf } from '../../domain/money.ts';
import { type WrittenFile, writeWholeFile } from '../../files/whole-file.ts';
import { fieldOf } from '../csv/text-field.ts';
import { BYTE_ORDER_MARK, LINE_END, quoted } from './checked-csv.ts';
import type { FilledRow, TemplateSpec } from './template-spec.ts';

const DELIMITER = ',';

/** Writes the template as CSV. See `writeWholeFile` for what is promised of the file. */
export const writeCsvTemplate = (path: string, spec: TemplateSpec): Promise<WrittenFile> =>
  writeWholeFile(path, 'template', async ({ stream }) => {
    stream.write(csvTemplate(spec));
  });

/** The text of the template; it has no empty rows, whatever the specification says. */
export function csvTemplate({ columns, filled = [] }: TemplateSpec): string {
  const lines = [columns.map(({ heading }) => written(heading)), ...filled.map((row) => fieldsOf(row, columns))];
  return BYTE_ORDER_MARK + lines.map((fields) => fields.join(DELIMITER) + LINE_END).join('');
}

const fieldsOf = (row: FilledRow, columns: TemplateSpec['columns']): readonly string[] =>
  columns.map(({ id }) => {
    const value = row[id] ?? '';
    return typeof value === 'string' ? written(value) : decimalOf(value);
  });

const written = (text: string): string => quoted(fieldOf(text), DELIMITER);
