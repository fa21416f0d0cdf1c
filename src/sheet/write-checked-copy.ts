/** Hands a sheet back with every problem marked, in the format that it came in. */
import path from 'node:path';
import type { OpenedSheet } from './open-sheet.ts';
import { writeCheckedWorkbook } from './writing/checked-copy.ts';
import { writeCheckedCsv } from './writing/checked-csv.ts';
import type { Findings } from './writing/marked-rows.ts';
import { isBesideTheTable } from './xlsx/choose-worksheet.ts';

/** Worksheet of a table that had none, or one whose name would keep it from being read beside the list of problems. */
const WORKSHEET = 'Payouts';

/**
 * Writes `NAME.checked.xlsx`, or `NAME.checked.csv` for a CSV file, and gives its path. Nothing is ever overwritten,
 * neither the sheet nor an older copy that somebody may be correcting: the next free name is taken. A place that cannot
 * be written is Fault `file-unwritten`. Memory does not grow with the rows; the sheet is read twice more.
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

/** A text sheet may be called `.tsv` or `.txt` as well; a name without an extension gets one. */
const textExtension = (extension: string): string => (extension === '' ? '.csv' : extension);
