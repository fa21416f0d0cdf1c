/** Compares two worksheets cell by cell: what paybatch makes from the ledger, and what the user has. */
import { addressOf, type Cell, type SheetRow } from '../../domain/cell.ts';
import { type FormatSection, hidesValue, sectionFor, shownText, showsOtherNumber } from '../../domain/number-format.ts';
import type { OpenedSheet } from '../../sheet/open-sheet.ts';

type Rows = Pick<OpenedSheet, 'rows'>;

interface ComparedWorksheet {
  readonly name: string;
  /** Number of columns from the left whose texts identify a row of a table; absent: rows are identified by their place. */
  readonly keyColumns?: number;
  /** Columns that people fill in, counted from 1. */
  readonly handColumns?: readonly number[];
  /**
   * Called for each formula of the user's worksheet that equals ours but has no saved result: it is not a difference, but its
   * result was not compared.
   */
  readonly onUnstored?: () => void;
  /** Called with the number of each row that is hidden in the user's worksheet, from the top. */
  readonly onHidden?: (row: number) => void;
}

/**
 * The most rows that may wait for their counterpart. A row that was removed or added shifts all rows below it; if more rows
 * than this wait on both sides, the worksheet was sorted.
 */
const WAITING_MAX = 5000;

/**
 * Largest difference between equal numbers. Some programs keep only 15 digits; a second is 0.00001 of a day, and a cent is
 * 0.01.
 */
const ROUNDING = 1e-9;

/** The row numbers of one row on both sides. */
interface Places {
  readonly ours: number;
  readonly theirs: number;
}

/** Yields the differences in plain words, as they are found. Memory does not grow with the size of the worksheets. */
export async function* cellDifferences(ours: Rows, theirs: Rows, worksheet: ComparedWorksheet): AsyncGenerator<string> {
  const pairing = new Pairing(worksheet);
  const [left, right] = [rowsOf(ours), rowsOf(theirs)];
  for (;;) {
    const [mine, other] = [await left.next(), await right.next()];
    if (mine.done && other.done) break;
    if (!mine.done) yield* pairing.ours(mine.value);
    if (!other.done) yield* pairing.theirs(other.value);
    if (!pairing.isLost) continue;
    yield `${worksheet.name}: its rows are in another order; sort them by the column A, and compare again`;
    return;
  }
  yield* pairing.left();
}

async function* rowsOf(sheet: Rows): AsyncGenerator<SheetRow> {
  for await (const block of sheet.rows()) yield* block;
}

/** Pairs the rows that belong together, although one side may lack some, and compares them. */
class Pairing {
  readonly #worksheet: ComparedWorksheet;
  readonly #ours = new Map<string, SheetRow>();
  readonly #theirs = new Map<string, SheetRow>();
  /** The texts of our first row by column: the headings, if the worksheet is a table. */
  #headings: ReadonlyMap<number, string> | undefined;
  #last: Places = { ours: 0, theirs: 0 };

  constructor(worksheet: ComparedWorksheet) {
    this.#worksheet = worksheet;
  }

  /** Whether so many rows wait on both sides that they must have been reordered. */
  get isLost(): boolean {
    return Math.min(this.#ours.size, this.#theirs.size) > WAITING_MAX;
  }

  *ours(row: SheetRow): Generator<string> {
    this.#headings ??= new Map(row.cells.map(({ column, text }) => [column, text]));
    const key = this.#keyOf(row);
    const other = this.#theirs.get(key);
    if (other) yield* this.#pair(key, row, other);
    else this.#ours.set(key, row);
  }

  *theirs(row: SheetRow): Generator<string> {
    if (row.hidden) this.#worksheet.onHidden?.(row.number);
    const key = this.#keyOf(row);
    const mine = this.#ours.get(key);
    if (mine) yield* this.#pair(key, mine, row);
    else if (this.#theirs.has(key)) yield `${this.#named(row)} is in the workbook more than once`;
    else this.#theirs.set(key, row);
  }

  /** Yields the rows without a counterpart. */
  *left(): Generator<string> {
    for (const row of this.#ours.values()) yield `${this.#named(row)} is missing in the workbook`;
    for (const row of this.#theirs.values())
      yield `${this.#named(row)} is in the workbook, but does not follow from the ledger`;
  }

  *#pair(key: string, mine: SheetRow, other: SheetRow): Generator<string> {
    this.#ours.delete(key);
    this.#theirs.delete(key);
    const last = this.#last;
    this.#last = { ours: mine.number, theirs: other.number };
    // Missing or added rows shift all later rows by the same number, and in the same direction.
    if (last.ours < mine.number !== last.theirs < other.number) yield `${this.#named(mine)} is in another place`;
    for (const [ours, theirs] of cellPairs(mine.cells, other.cells)) {
      if (isUnstored(ours, theirs)) {
        this.#worksheet.onUnstored?.();
        continue;
      }
      const shown = ours && shownInstead(ours, theirs);
      if (shown === undefined && isSame(ours, theirs)) continue;
      const column = ours?.column ?? theirs?.column ?? 0;
      if (!ours && this.#worksheet.handColumns?.includes(column)) continue;
      const place = `${this.#worksheet.name} ${addressOf(column, other.number)}${this.#meaning(mine, column)}`;
      if (shown !== undefined && isSame(ours, theirs)) {
        yield `${place} shows ${shown === '' ? 'nothing' : `"${shown}"`} in the workbook and is ${textOf(ours)} by the ledger`;
        continue;
      }
      // The formula is shown only if it differs.
      const described = formulaOf(ours) === formulaOf(theirs) ? textOf : withFormula;
      yield `${place} is ${described(theirs)} in the workbook and ${described(ours)} by the ledger`;
    }
  }

  #keyOf({ number, cells }: SheetRow): string {
    const { keyColumns } = this.#worksheet;
    if (keyColumns === undefined) return `${number}`;
    return JSON.stringify(cells.filter(({ column }) => column <= keyColumns).map(({ text }) => text));
  }

  #named(row: SheetRow): string {
    const { name, keyColumns } = this.#worksheet;
    const [first] = row.cells;
    return keyColumns === undefined
      ? `${name}: line ${row.number}`
      : `${name}: row ${first?.text ?? 'without a number'}`;
  }

  /** Returns what a cell of a table is about: its row and heading. */
  #meaning({ cells: [first] }: SheetRow, column: number): string {
    if (this.#worksheet.keyColumns === undefined) return '';
    return ` (row ${first?.text ?? ''}, ${this.#headings?.get(column) ?? 'a column of nobody'})`;
  }
}

/** Yields the cells of two rows as pairs by column, from the left. Both rows are in this order. */
function* cellPairs(
  ours: readonly Cell[],
  theirs: readonly Cell[],
): Generator<readonly [Cell | undefined, Cell | undefined]> {
  for (let [mine, other] = [0, 0]; mine < ours.length || other < theirs.length; ) {
    const [left, right] = [ours[mine], theirs[other]];
    const column = Math.min(left?.column ?? Number.POSITIVE_INFINITY, right?.column ?? Number.POSITIVE_INFINITY);
    const pair = [left?.column === column ? left : undefined, right?.column === column ? right : undefined] as const;
    if (pair[0]) mine += 1;
    if (pair[1]) other += 1;
    yield pair;
  }
}

/**
 * Returns what a cell shows in place of its value, where ours shows the value: a number format can hide a figure, or show words
 * instead. `undefined` if it shows its value. Programs write formats in different ways, so the formats are not compared.
 */
function shownInstead(ours: Cell, theirs: Cell | undefined): string | undefined {
  const section = theirs?.format && sectionFor(theirs.format, theirs);
  if (!theirs || !section || !isOther(section) || theirs.text === '') return undefined;
  const own = ours.format && sectionFor(ours.format, ours);
  return own && isOther(own) ? undefined : shownText(section, theirs.text);
}

const isOther = (section: FormatSection): boolean => hidesValue(section) || showsOtherNumber(section);

function isSame(ours: Cell | undefined, theirs: Cell | undefined): boolean {
  if (formulaOf(ours) !== formulaOf(theirs)) return false;
  const left = ours?.text ?? '';
  const right = theirs?.text ?? '';
  if (left === right) return true;
  const areNumbers = [ours, theirs].every((cell) => cell?.type === 'number' || cell?.type === 'date');
  return areNumbers && Math.abs(Number(left) - Number(right)) <= ROUNDING;
}

/** Reports whether a formula equals ours, and the program that saved it kept no result. */
const isUnstored = (ours: Cell | undefined, theirs: Cell | undefined): boolean =>
  ours?.formula === 'cached' && theirs?.formula === 'missing' && formulaOf(ours) === formulaOf(theirs);

/** Returns a formula without white space, which programs write differently; `undefined` for a cell without a formula. */
const formulaOf = (cell: Cell | undefined): string | undefined =>
  cell?.formula === undefined ? undefined : (cell.formulaText ?? '').replace(/\s+/g, '');

const textOf = (cell: Cell | undefined): string =>
  cell === undefined || cell.text === '' ? 'empty' : `"${cell.text}"`;

function withFormula(cell: Cell | undefined): string {
  const formula = formulaOf(cell);
  return formula === undefined ? textOf(cell) : `${textOf(cell)} of the formula "${formula}"`;
}
