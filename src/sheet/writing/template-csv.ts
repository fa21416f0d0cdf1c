/**
 * The template as CSV: headings, and the rows that are filled in already. It is UTF-8 with a byte order mark, by which
 * Excel knows it, and every text that a spreadsheet program would calculate or change is written so that it does not, and that
 * it is read back as it was (`csv/text-field.ts`).
 */
import { decimalOf } from '../../domain/money.ts';
import { type WrittenFile, writeWholeFile } from '../../files/whole-file.ts';
import { BYTE_ORDER_MARK, csvLine } from '../csv/csv-line.ts';
import { fieldOf } from '../csv/text-field.ts';
import type { FilledRow, TemplateSpec } from './template-spec.ts';

const DELIMITER = ',';

/** Writes the template as CSV. See `writeWholeFile` for what is promised of the file. */
export const writeCsvTemplate = (path: string, spec: TemplateSpec): Promise<WrittenFile> =>
  writeWholeFile(path, 'template', async ({ stream }) => {
    stream.write(csvTemplate(spec));
  });

/** The text of the template; it has no empty rows, whatever the specification says. */
export function csvTemplate({ columns, filled = [] }: TemplateSpec): string {
  const lines = [columns.map(({ heading }) => fieldOf(heading)), ...filled.map((row) => fieldsOf(row, columns))];
  return BYTE_ORDER_MARK + lines.map((fields) => csvLine(fields, DELIMITER)).join('');
}

const fieldsOf = (row: FilledRow, columns: TemplateSpec['columns']): readonly string[] =>
  columns.map(({ id }) => {
    const value = row[id] ?? '';
    return typeof value === 'string' ? fieldOf(value) : decimalOf(value);
  });
