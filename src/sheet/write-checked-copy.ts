/** Hands a sheet back with every problem marked, in the format that it came in. */
import path from 'node:path';
import type { OpenedSheet } from './open-sheet.ts';
import { writeCheckedWorkbook } from './writing/checked-copy.ts';
import { writeCheckedCsv } from './writing/checked-csv.ts';
import type { Findings } from './writing/marked-rows.ts';
import { isBesideTheTable } from './xlsx/choose-worksheet.ts';

/**
 * Name of the worksheet for a table without one, or for one whose own name would keep it from being read next to the list of
 * problems.
 */
const WORKSHEET = 'Payouts';

/**
 * Writes `NAME.checked.xlsx`, or `NAME.checked.csv` for a CSV file, and returns its path. Nothing is ever overwritten,
 * neither the sheet nor an older copy that a person may be correcting: the next free name is used, unless a copy with the same
 * bytes is there already. Throws a Fault `file-unwritten` if the place cannot be written. The sheet is read twice more, and
 * memory does not grow with the number of rows.
 */
export async function writeCheckedCopy(sheet: OpenedSheet, findings: Findings, folder = sheet.folder): Promise<string> {
  const { name, ext } = path.parse(sheet.name);
  const stem = name.replace(/\.checked(?: \(\d+\))?$/i, '');
  const target = path.join(folder, `${stem}.checked`);
  const { delimiter } = sheet;
  const worksheet = sheet.worksheet && !isBesideTheTable(sheet.worksheet) ? sheet.worksheet : WORKSHEET;
  const written =
    delimiter === undefined
      ? await writeCheckedWorkbook(`${target}.xlsx`, { ...sheet, worksheet }, findings)
      : await writeCheckedCsv(`${target}${textExtension(ext)}`, { ...sheet, delimiter }, findings);
  return written.path;
}

/** Keeps the extension of a text sheet, which may be `.tsv` or `.txt`, and adds `.csv` to a name without one. */
const textExtension = (extension: string): string => (extension === '' ? '.csv' : extension);
