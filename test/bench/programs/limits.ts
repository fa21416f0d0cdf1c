/** Limits of single stages, each as a program of its own: `limits.ts xlsx FILE`, `limits.ts write FILE ROWS`. */
import { HEADINGS, rowAt } from '../account.ts';

const [what = '', file = '', rows = '0'] = process.argv.slice(2);

/** exceljs's streaming reader alone. */
async function xlsx(): Promise<void> {
  const { default: ExcelJS } = await import('exceljs');
  let cells = 0;
  for await (const worksheet of new ExcelJS.stream.xlsx.WorkbookReader(file, {})) {
    for await (const row of worksheet) cells += row.actualCellCount;
  }
  process.stdout.write(`${cells}\n`);
}

/** exceljs's streaming writer with plain rows as wide as those of the results. */
async function write(): Promise<void> {
  const { default: ExcelJS } = await import('exceljs');
  const COLUMNS_OF_RESULTS = 20;
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: file, useStyles: true });
  const sheet = book.addWorksheet('Results');
  sheet.addRow([...HEADINGS]).commit();
  for (let index = 0; index < Number(rows); index++) {
    const row = rowAt(index);
    sheet.addRow(Array.from({ length: COLUMNS_OF_RESULTS }, (_, column) => row[column % row.length])).commit();
  }
  await book.commit();
}

const limits: Readonly<Record<string, () => Promise<void>>> = { xlsx, write };
await limits[what]?.();
