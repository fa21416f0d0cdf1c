/** Lists the worksheets of a results workbook, visible or not. */
import { openSheetFile } from './sheet-file.ts';
import { resultsLimits } from './sheet-limits.ts';
import { openPackage } from './xlsx/package.ts';
import { readWorkbook, type WorkbookSheet } from './xlsx/workbook.ts';

export type NamedWorksheet = Pick<WorkbookSheet, 'name' | 'isVisible'>;

/** Returns all worksheets, in the order of the workbook. Fault `sheet-unreadable` if the file is not a workbook. */
export async function worksheetsIn(path: string): Promise<readonly NamedWorksheet[]> {
  const file = await openSheetFile(path, resultsLimits);
  try {
    const { sheets } = await readWorkbook(await openPackage(file, resultsLimits), resultsLimits);
    return sheets;
  } finally {
    await file.close();
  }
}
