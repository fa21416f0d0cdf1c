/**
 * Chooses the worksheet that is the payout sheet: the one that is named, or the only visible one that holds data besides
 * text. If several hold data, the caller chooses; paybatch never guesses.
 */
import type { SheetRow } from '../../domain/cell.ts';
import { PROBLEMS_SHEET } from '../../domain/checked-copy.ts';
import { counted } from '../../domain/counted.ts';
import { typedPath } from '../../domain/typed-path.ts';
import type { SheetLimits } from '../sheet-limits.ts';
import { areResults, unreadable } from '../unreadable.ts';
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
  /** Reports that each other worksheet that looks like a payout sheet is not paid. */
  readonly warnings: readonly string[];
  /** Whether it is one of several worksheets with data, so that it must be named when the workbook is read again. */
  readonly isChosen: boolean;
}

/** Worksheets, in lower case, that paybatch itself puts next to the table in templates and checked copies. They hold no payments. */
const besideTheTable: ReadonlySet<string> = new Set([
  'start here',
  'instructions',
  'examples',
  'lists',
  PROBLEMS_SHEET,
]);

/** Reports whether a worksheet of this name is taken for the table only if no other worksheet holds data. */
export const isBesideTheTable = (name: string): boolean => besideTheTable.has(keyOf(name));

/** Worksheets that every results workbook has. Paying such a workbook would pay again what was already paid. */
const resultSheets = ['results', 'exceptions', 'reconciliation', 'audit'];

export interface WorksheetChoice {
  /** Name of the worksheet to read. Needed if several visible worksheets hold data. */
  readonly worksheet?: string;
  /**
   * Name of the worksheet that is read if several hold data, this one among them, no other one looks like a payout sheet, and
   * `worksheet` is absent.
   */
  readonly usualWorksheet?: string;
  /** Reports whether a row has the headings of a payout sheet. Without it, no worksheet is taken for another payout sheet. */
  readonly isHeadings?: (row: SheetRow) => boolean;
  /** Chooses one of several worksheets that hold data; `undefined` if it is none of them. Without an answer the sheet is refused. */
  readonly chooseWorksheet?: (names: readonly string[]) => Promise<string | undefined>;
  /** The command that was typed. If a worksheet has to be named, the remedy proposes this command with `--worksheet`. */
  readonly typed?: string;
  /** Set if one of paybatch's results workbooks is wanted as such; otherwise such a workbook is refused. */
  readonly ownResults?: true;
}

interface Probe {
  readonly sheet: WorkbookSheet;
  readonly hasData: boolean;
  readonly hiddenColumns: readonly ColumnRange[];
}

/** What a worksheet seems to hold. */
export interface WorksheetContent {
  /** Its rows below payout headings; 0 without such headings. */
  readonly payments: number;
  /** Whether it has no row with a figure next to something else, so that nobody can be paid there: a guide. */
  readonly isProse: boolean;
}

export type LookInto = (part: string) => Promise<WorksheetContent>;

interface Filled extends Probe, WorksheetContent {}

export async function chooseWorksheet(
  pack: Package,
  workbook: Workbook,
  choice: WorksheetChoice,
  limits: SheetLimits,
  lookInto: LookInto,
): Promise<ChosenWorksheet> {
  const { worksheet: wanted, ownResults } = choice;
  if (!ownResults) refuseResults(workbook);
  const probes: Probe[] = [];
  for (const sheet of workbook.sheets) probes.push(await probe(pack, sheet, limits));
  const tables = tablesAmong(probes);
  const chosen =
    wanted === undefined ? await theOnlyOne(tables, choice, lookInto) : theNamed(probes, wanted, ownResults);
  const { sheet, hiddenColumns } = chosen;
  if (sheet.part === undefined) {
    throw unreadable(`"${sheet.name}" is a chart or is in another file.`, 'Name a worksheet that holds the rows.');
  }
  const others = await othersWithData(probes, chosen, lookInto);
  return {
    name: sheet.name,
    part: sheet.part,
    hiddenColumns,
    notices: others.filter(({ payments }) => payments === 0).map(notRead),
    warnings: others.filter(({ payments }) => payments > 0).map(notPaid),
    isChosen: tables.length > 1,
  };
}

const called = ({ sheet }: Probe): string => `${sheet.isVisible ? '' : 'hidden '}worksheet "${sheet.name}"`;
const notRead = (other: Probe): string => `The ${called(other)} holds data and was not read.`;
const notPaid = (other: Filled): string =>
  `The ${called(other)} is not paid: it has ${counted(other.payments, 'row')} under headings like those of a payout sheet.`;

function refuseResults({ sheets }: Workbook): void {
  const names = new Set(sheets.map(({ name }) => keyOf(name)));
  if (resultSheets.every((name) => names.has(name))) throw areResults();
}

const keyOf = (name: string): string => name.trim().toLowerCase();

function theNamed(probes: readonly Probe[], wanted: string, ownResults: true | undefined): Probe {
  const exact = probes.filter(({ sheet }) => sheet.name === wanted);
  const alike = probes.filter(({ sheet }) => keyOf(sheet.name) === keyOf(wanted));
  const [found, another] = exact.length > 0 ? exact : alike;
  if (found !== undefined && another === undefined) {
    if (found.sheet.isVisible || ownResults) return found;
    throw unreadable(
      `The worksheet "${found.sheet.name}" is hidden, so whoever approved the workbook may not have seen it.`,
      'Show it in the spreadsheet program, save the workbook and run it again, or name a worksheet that is shown.',
    );
  }
  throw unreadable(
    `The workbook has no worksheet "${wanted}"; it has ${namesOf(probes)}.`,
    'Name one of them, as it is written.',
  );
}

/** Returns the visible worksheets that hold data, without those that paybatch puts next to a table, unless there are no others. */
function tablesAmong(probes: readonly Probe[]): readonly Probe[] {
  const filled = probes.filter(({ sheet, hasData }) => sheet.isVisible && hasData);
  const tables = filled.filter(({ sheet }) => !isBesideTheTable(sheet.name));
  return tables.length > 0 ? tables : filled;
}

async function theOnlyOne(tables: readonly Probe[], choice: WorksheetChoice, lookInto: LookInto): Promise<Probe> {
  const [found, another] = tables;
  if (found === undefined) {
    throw unreadable('No visible worksheet of the workbook holds anything.', 'Check that the right file was named.');
  }
  if (another === undefined) return found;
  const { usualWorksheet, chooseWorksheet, typed } = choice;
  const usual = tables.find(({ sheet }) => sheet.name === usualWorksheet);
  const all = await filled(tables, lookInto);
  const rivals = all.filter((one) => one.sheet !== usual?.sheet && one.payments > 0);
  if (usual && rivals.length === 0) return usual;
  const [paying, rival] = all.filter(({ isProse }) => !isProse);
  if (paying && paying.payments > 0 && rival === undefined) return paying;
  const names = tables.map(({ sheet }) => sheet.name);
  const asked = await chooseWorksheet?.(names);
  const answer = tables.find(({ sheet }) => sheet.name === asked);
  if (answer) return answer;
  const likely = all.find(({ payments }) => payments > 0) ?? found;
  throw unreadable(
    usual
      ? `The mapping was learned on the worksheet "${usual.sheet.name}", but these may be meant as well: ${namesOf(rivals)}.`
      : `The workbook has ${tables.length} worksheets with data: ${namesOf(tables)}.`,
    typed === undefined
      ? 'Name the one to pay with --worksheet.'
      : `Name the one to pay, for example: ${typed} --worksheet ${typedPath(likely.sheet.name)}`,
  );
}

const namesOf = (probes: readonly Probe[]): string => probes.map(({ sheet }) => `"${sheet.name}"`).join(', ');

const othersWithData = (probes: readonly Probe[], chosen: Probe, lookInto: LookInto): Promise<readonly Filled[]> =>
  filled(
    probes.filter(({ sheet, hasData }) => sheet !== chosen.sheet && hasData && !isBesideTheTable(sheet.name)),
    lookInto,
  );

async function filled(probes: readonly Probe[], lookInto: LookInto): Promise<readonly Filled[]> {
  const all: Filled[] = [];
  for (const one of probes) {
    const { part } = one.sheet;
    all.push({ ...one, ...(part === undefined ? { payments: 0, isProse: false } : await lookInto(part)) });
  }
  return all;
}

/** Reads a worksheet up to its first value, and returns whether it has one and which columns are hidden. */
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
    },
  );
  for await (const chunk of pack.read(part)) {
    xml.write(chunk);
    if (hasData) return { sheet, hasData, hiddenColumns };
  }
  xml.end();
  return { sheet, hasData, hiddenColumns };
}
