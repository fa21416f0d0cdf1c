/** Opens a workbook for reading: checks the package, chooses the worksheet, and provides its rows in blocks. */
import type { SheetRow } from '../../domain/cell.ts';
import { Fault } from '../../domain/fault.ts';
import { headingSearchRows } from '../csv/csv-width.ts';
import type { SheetFile } from '../sheet-file.ts';
import type { SheetLimits } from '../sheet-limits.ts';
import { readNotes } from './cell-notes.ts';
import type { Range } from './cell-text.ts';
import {
  type ChosenWorksheet,
  chooseWorksheet,
  type WorksheetChoice,
  type WorksheetContent,
} from './choose-worksheet.ts';
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
  /** Yields the rows that hold something, in blocks of the size that one step of reading produces. */
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
  const sources = { ...(await sourcesOf(pack, workbook, limits)), formulas: choice.formulas === true };
  const { isHeadings } = choice;
  const worksheet = await chooseWorksheet(pack, workbook, choice, limits, async (part) =>
    isHeadings
      ? contentOf(rowsOf(pack, { ...sources, part, merged: [] }), isHeadings)
      : { payments: 0, isProse: false },
  );
  const { part } = worksheet;
  const merged = await readMergedRanges(part, pack.read(part), limits);
  const notes = await readNotes(pack, part, limits);
  return { worksheet, merged, rows: () => rowsOf(pack, { ...sources, part, merged, notes }) };
}

/** Returns the parts of a workbook that the cells of every worksheet refer to. */
async function sourcesOf(pack: Package, { sharedStrings, styles, from1904 }: Workbook, limits: SheetLimits) {
  const strings =
    sharedStrings === undefined
      ? noSharedStrings
      : await readSharedStrings(sharedStrings, pack.read(sharedStrings), limits);
  const looks = styles === undefined ? noStyles : await readStyles(styles, pack.read(styles), limits);
  return { limits, from1904, strings, styles: looks };
}

/** Looks into a worksheet. One that is not paid may be damaged: what was read before that counts. */
async function contentOf(
  blocks: AsyncIterable<readonly SheetRow[]>,
  isHeadings: (row: SheetRow) => boolean,
): Promise<WorksheetContent> {
  let hasHeadings = false;
  let payments = 0;
  let isProse = true;
  try {
    for await (const row of rowsIn(blocks)) {
      isProse &&= !isOfTable(row);
      if (hasHeadings) payments += 1;
      else if (row.number <= headingSearchRows) hasHeadings = isHeadings(row);
      else if (!isProse) break;
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    isProse = false;
  }
  return { payments, isProse: isProse && payments === 0 };
}

/** Reports whether a row has a figure next to something else. The number of a step is none. */
function isOfTable({ cells }: SheetRow): boolean {
  const filled = cells.filter(({ text, formula }) => text.trim() !== '' || formula !== undefined);
  return (
    filled.length > 1 && filled.some(({ type, text, formula }) => type === 'date' || formula || /\d{3}/.test(text))
  );
}

async function* rowsIn(blocks: AsyncIterable<readonly SheetRow[]>): AsyncGenerator<SheetRow> {
  for await (const block of blocks) yield* block;
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
