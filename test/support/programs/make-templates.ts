/** Writes the templates that come with paybatch: `npm run templates`. */
import path from 'node:path';
import { READY_ROWS, templateName, templateTypes, writeTemplateFile } from '../../../src/run/template.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', 'templates');

for (const type of templateTypes) {
  await writeTemplateFile(path.join(FOLDER, `${templateName(type)}.xlsx`), { type, rows: READY_ROWS, format: 'xlsx' });
}
