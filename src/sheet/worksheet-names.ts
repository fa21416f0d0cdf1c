/** Lists the worksheets of a results workbook, visible or not. */
import { openSheetFile } from './sheet-file.ts';
import { resultsLimits } from './sheet-limits.ts';
import { openPackage } from './xlsx/package.ts';
import { readWorkbook } from './xlsx/workbook.ts';

/** Returns the names of all worksheets, in the order of the workbook. Fault `sheet-unreadable` if the file is not a workbook. */
export async function worksheetNames(path: string): Promise<readonly string[]> {
  const file = await openSheetFile(path, resultsLimits);
  try {
    const { sheets } = await readWorkbook(await openPackage(file, resultsLimits), resultsLimits);
    return sheets.map(({ name }) => name);
  } finally {
    await file.close();
  }
}
