/**
 * The template as CSV: the headings, and the rows that are already filled in. It has no empty rows, whatever the
 * specification says.
 */
import type { WrittenFile } from '../../files/whole-file.ts';
import { writeCsv } from './csv-writer.ts';
import type { TemplateSpec } from './template-spec.ts';

/** Writes the template as CSV. See `writeWholeFile` for what is promised of the file. */
export const writeCsvTemplate = (path: string, { columns, filled = [] }: TemplateSpec): Promise<WrittenFile> =>
  writeCsv(path, 'template', [
    columns.map(({ heading }) => heading),
    ...filled.map((row) => columns.map(({ id }) => row[id] ?? '')),
  ]);
