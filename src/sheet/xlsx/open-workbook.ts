/** Opens a workbook for reading: checks the package, chooses the worksheet, and provides its rows in blocks. */
import type { SheetRow } from '../../domain/cell.ts';
import type { SheetFile } from '../sheet-file.ts';
import type { SheetLimits } from '../sheet-limits.ts';
import type { Range } from './cell-text.ts';
import { type ChosenWorksheet, chooseWorksheet, type WorksheetChoice } from './choose-worksheet.ts';
import { refuseForeignPackage } from './foreign-package.ts';
import { readMergedRanges } from './merged-ranges.ts';
import { openPackage, type Package } from './package.ts';
import { noSharedStrings, readSharedStrings } from './shared-strings.ts';
import { noStyles, readStyles } from './styles.ts';
import { readWorkbook, type Workbook } from './workbook.ts';
import { type WorksheetParts, worksheetReader } from './worksheet.ts';

export interface OpenedWorkbook {
  readonly worksheet: ChosenWorksheet;
  readonly merged: readonly Range[];
  /** Yields the rows that hold something, in blocks of whatever size one step of reading produces. */
  readonly rows: () => AsyncGenerator<readonly SheetRow[]>;
}

export async function openWorkbook(
  file: SheetFile,
  choice: WorksheetChoice & { readonly formulas?: true },
  limits: SheetLimits,
): Promise<OpenedWorkbook> {
  const pack = await openPackage(file, limits);
  await refuseForeignPackage(pack, limits);
  const workbook = await readWorkbook(pack, limits);
  const worksheet = await chooseWorksheet(pack, workbook, choice, limits);
  const parts = { ...(await partsOf(pack, workbook, worksheet, limits)), formulas: choice.formulas === true };
  return { worksheet, merged: parts.merged, rows: () => rowsOf(pack, parts) };
}

async function partsOf(
  pack: Package,
  { sharedStrings, styles, from1904 }: Workbook,
  { part }: ChosenWorksheet,
  limits: SheetLimits,
): Promise<WorksheetParts> {
  const strings =
    sharedStrings === undefined
      ? noSharedStrings
      : await readSharedStrings(sharedStrings, pack.read(sharedStrings), limits);
  const looks = styles === undefined ? noStyles : await readStyles(styles, pack.read(styles), limits);
  const merged = await readMergedRanges(part, pack.read(part), limits);
  return { part, limits, from1904, merged, strings, styles: looks };
}

/**
 * Bytes of XML that are parsed before rows are handed on. With merged ranges, a row of thirty bytes can cover a thousand
 * cells, so the steps are shorter.
 */
const stepBytes = 16 * 1024;
const mergedStepBytes = 1024;

async function* rowsOf(pack: Package, parts: WorksheetParts): AsyncGenerator<readonly SheetRow[]> {
  const step = parts.merged.length > 0 ? mergedStepBytes : stepBytes;
  let rows: SheetRow[] = [];
  const reader = worksheetReader(parts, (row) => rows.push(row));
  for await (const chunk of pack.read(parts.part)) {
    for (let at = 0; at < chunk.length; at += step) {
      reader.write(chunk.subarray(at, at + step));
      if (rows.length === 0) continue;
      yield rows;
      rows = [];
    }
  }
  reader.end();
  if (rows.length > 0) yield rows;
}
