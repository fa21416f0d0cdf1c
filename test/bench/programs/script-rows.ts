/** How the script of an afternoon reads a sheet and checks its rows: all of it in memory, one schema, the first mistake ends it. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { z } from 'zod';

export const ScriptRow = z.object({
  Reference: z.string().min(1),
  Name: z.string().min(1),
  Phone: z.string().regex(/^0[17]\d{8}$/),
  Amount: z.coerce.number().positive().max(250_000),
  Department: z.string(),
});
export type ScriptRow = z.infer<typeof ScriptRow>;

const ofCsv = async (file: string): Promise<readonly unknown[]> =>
  parse(await readFile(file, 'utf8'), { columns: true });

async function ofWorkbook(file: string): Promise<readonly unknown[]> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const lines: (readonly unknown[])[] = [];
  // exceljs counts columns from 1.
  book.worksheets[0]?.eachRow(({ values }) => Array.isArray(values) && lines.push(values.slice(1)));
  const [headings = [], ...rows] = lines;
  return rows.map((row) => Object.fromEntries(headings.map((heading, at) => [String(heading), row[at]])));
}

/** Returns the rows of a CSV file or a workbook. Throws at the first row that is not as it should be. */
export const scriptRows = async (file: string): Promise<readonly ScriptRow[]> =>
  (await (file.endsWith('.csv') ? ofCsv(file) : ofWorkbook(file))).map((row) => ScriptRow.parse(row));
