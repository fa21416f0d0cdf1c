/** Which worksheet is the payout sheet: the one the user named, or the only visible one that holds data. */
import { PROBLEMS_SHEET } from '../../domain/checked-copy.ts';
import type { SheetLimits } from '../sheet-limits.ts';
import { unreadable } from '../unreadable.ts';
import type { Package } from './package.ts';
import { isOn, spreadsheetNamespaces } from './vocabulary.ts';
import type { Workbook, WorkbookSheet } from './workbook.ts';
import { xmlReader } from './xml.ts';

/** Columns counted from 1, both ends included. */
export interface ColumnRange {
  readonly from: number;
  readonly to: number;
}

export interface ChosenWorksheet {
  readonly name: string;
  readonly part: string;
  readonly hiddenColumns: readonly ColumnRange[];
  readonly notices: readonly string[];
}

/** Worksheets that paybatch itself puts beside the table, in templates and checked copies. They hold no payments. */
const besideTheTable: ReadonlySet<string> = new Set([
  'start here',
  'instructions',
  'examples',
  'lists',
  PROBLEMS_SHEET,
]);

/** Whether a worksheet of this name is taken for the table only when it is the only one. */
export const isBesideTheTable = (name: string): boolean => besideTheTable.has(keyOf(name));

/** A results workbook has all of these: paying it would pay what was paid. */
const resultSheets = ['results', 'exceptions', 'reconciliation', 'audit'];

export interface WorksheetChoice {
  /** The one that is named. */
  readonly worksheet?: string;
  /** A results workbook of ours is wanted as one. */
  readonly ownResults?: true;
}

interface Probe {
  readonly sheet: WorkbookSheet;
  readonly hasData: boolean;
  readonly hiddenColumns: readonly ColumnRange[];
}

export async function chooseWorksheet(
  pack: Package,
  workbook: Workbook,
  { worksheet: wanted, ownResults }: WorksheetChoice,
  limits: SheetLimits,
): Promise<ChosenWorksheet> {
  if (!ownResults) refuseResults(workbook);
  const probes: Probe[] = [];
  for (const sheet of workbook.sheets) probes.push(await probe(pack, sheet, limits));
  const chosen = wanted === undefined ? theOnlyOne(probes) : theNamed(probes, wanted);
  const { sheet, hiddenColumns } = chosen;
  if (sheet.part === undefined) {
    throw unreadable(`"${sheet.name}" is a chart or lies in another file.`, 'Name a worksheet that holds the rows.');
  }
  return { name: sheet.name, part: sheet.part, hiddenColumns, notices: othersWithData(probes, chosen) };
}

function refuseResults({ sheets }: Workbook): void {
  const names = new Set(sheets.map(({ name }) => keyOf(name)));
  if (!resultSheets.every((name) => names.has(name))) return;
  throw unreadable(
    'The file holds results of paybatch: it says what became of payments that were already sent.',
    'Run the sheet it came from, or "paybatch retry" for the rows that failed.',
  );
}

const keyOf = (name: string): string => name.trim().toLowerCase();

function theNamed(probes: readonly Probe[], wanted: string): Probe {
  const exact = probes.filter(({ sheet }) => sheet.name === wanted);
  const alike = probes.filter(({ sheet }) => keyOf(sheet.name) === keyOf(wanted));
  const [found, another] = exact.length > 0 ? exact : alike;
  if (found !== undefined && another === undefined) return found;
  throw unreadable(
    `The workbook has no worksheet "${wanted}"; it has ${namesOf(probes)}.`,
    'Name one of them, as it is written.',
  );
}

function theOnlyOne(probes: readonly Probe[]): Probe {
  const filled = probes.filter(({ sheet, hasData }) => sheet.isVisible && hasData);
  const tables = filled.filter(({ sheet }) => !isBesideTheTable(sheet.name));
  const [found, another] = tables.length > 0 ? tables : filled;
  if (found === undefined) {
    throw unreadable('No visible worksheet of the workbook holds anything.', 'Check that the right file was named.');
  }
  if (another === undefined) return found;
  throw unreadable(
    `The workbook has ${tables.length || filled.length} worksheets with data: ${namesOf(tables.length > 0 ? tables : filled)}.`,
    'Name the one to pay with --worksheet.',
  );
}

const namesOf = (probes: readonly Probe[]): string => probes.map(({ sheet }) => `"${sheet.name}"`).join(', ');

function othersWithData(probes: readonly Probe[], chosen: Probe): readonly string[] {
  return probes
    .filter((other) => other !== chosen && other.hasData && !isBesideTheTable(other.sheet.name))
    .map(
      ({ sheet }) => `The ${sheet.isVisible ? '' : 'hidden '}worksheet "${sheet.name}" holds data and was not read.`,
    );
}

/** Reads a worksheet up to its first value: whether it has one, and which columns are hidden. */
async function probe(pack: Package, sheet: WorkbookSheet, limits: SheetLimits): Promise<Probe> {
  const hiddenColumns: ColumnRange[] = [];
  const { part } = sheet;
  if (part === undefined) return { sheet, hasData: false, hiddenColumns };
  let hasData = false;
  const xml = xmlReader(
    { part, namespaces: spreadsheetNamespaces, root: 'worksheet', limits },
    {
      open(name, { min, max, hidden, width }) {
        if (name === 'v' || name === 'is' || name === 'f') hasData = true;
        else if (name === 'col' && (isOn(hidden) || Number(width ?? 1) === 0)) {
          hiddenColumns.push({ from: Number(min), to: Number(max) });
        }
      },
      close: ignore,
      text: ignore,
    },
  );
  for await (const chunk of pack.read(part)) {
    xml.write(chunk);
    if (hasData) return { sheet, hasData, hiddenColumns };
  }
  xml.end();
  return { sheet, hasData, hiddenColumns };
}

const ignore = (): void => undefined;
