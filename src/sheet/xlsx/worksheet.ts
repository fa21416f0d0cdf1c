/**
 * Reads the rows of one worksheet from its XML: raw text, type and address of every cell, with nothing computed and nothing
 * guessed. The stated `dimension` is never trusted.
 */
import { addressOf, type Cell, columnLetters, type SheetRow } from '../../domain/cell.ts';
import type { SheetLimits } from '../sheet-limits.ts';
import { excelRows } from '../sheet-limits.ts';
import { damaged, saveAgain, unreadable } from '../unreadable.ts';
import type { CellNotes } from './cell-notes.ts';
import { type CellSources, cellReader } from './cell-reader.ts';
import { type Position, positionOf, type Range } from './cell-text.ts';
import { mergedRangesByRow } from './merged-ranges.ts';
import { isOn, spreadsheetNamespaces } from './vocabulary.ts';
import { type Attributes, type XmlReader, xmlReader } from './xml.ts';

export interface WorksheetParts extends CellSources {
  /** Name of the part, for faults. */
  readonly part: string;
  /** Merged ranges of the worksheet, in the order of the file. */
  readonly merged: readonly Range[];
  readonly notes?: CellNotes;
}

/** The rows of a workbook have no issues of their own; only rows of a CSV file have. */
const noIssues: SheetRow['issues'] = [];

/** Reads a worksheet part and passes every row that holds something to `sink`, from the top down. */
export function worksheetReader(parts: WorksheetParts, sink: (row: SheetRow) => void): XmlReader {
  const { part, limits } = parts;
  const cell = cellReader(parts);
  const markMerged = mergedCellMarker(parts);
  const withNotes = noteAdder(parts);
  const row = openRow(limits);
  let inside: 'worksheet' | 'rows' | 'row' | 'cell' = 'worksheet';
  let hasRows = false;
  /** Number of open elements of an extension inside rows; nothing in an extension is a value. */
  let extensions = 0;
  const isExtension = (name: string) => name === 'extLst' && inside !== 'worksheet' && !cell.isInValue();

  function openAround(name: string): void {
    if (name === 'row') throw damaged('One of its rows is outside the table.');
    if (name !== 'sheetData') return;
    // A second table would add rows that other readers never see.
    if (hasRows) throw damaged('It holds two tables of rows.');
    hasRows = true;
    inside = 'rows';
  }

  function openAmongRows(name: string, attributes: Attributes): void {
    if (inside === 'row' && name === 'c') {
      inside = 'cell';
      cell.start(attributes);
    } else if (inside === 'rows' && name === 'row') {
      inside = 'row';
      cell.startRow(row.start(attributes));
    } else if (name === 'row') throw damaged('One of its rows holds another row.');
    else throw stray(name);
  }

  return xmlReader(
    { part, namespaces: spreadsheetNamespaces, root: 'worksheet', limits },
    {
      open(name, attributes) {
        if (extensions > 0 || isExtension(name)) extensions += 1;
        else if (inside === 'cell') cell.open(name, attributes);
        else if (inside === 'worksheet') openAround(name);
        else openAmongRows(name, attributes);
      },
      foreign(name) {
        if (extensions === 0 && inside !== 'worksheet') throw stray(name);
      },
      text(text) {
        if (inside === 'cell' && extensions === 0) cell.text(text);
      },
      close(name) {
        if (extensions > 0) extensions -= 1;
        else if (inside === 'cell' && name === 'c') {
          inside = 'row';
          row.add(cell.take());
        } else if (inside === 'cell') cell.close(name);
        else if (inside === 'row' && name === 'row') {
          inside = 'rows';
          const { number, cells, hidden } = row.take();
          if (cells.length > 0)
            sink({ number, cells: markMerged(number, withNotes(number, cells)), hidden, issues: noIssues });
        } else if (inside === 'rows' && name === 'sheetData') inside = 'worksheet';
      },
    },
  );
}

/**
 * Returns the fault for an unexpected element among rows and cells: some programs would read what it wraps, and others would not.
 */
const stray = (name: string) => damaged(`Its rows hold the element <${name.slice(0, 20)}>.`);

/** Returns a function that adds their notes to the cells of a row. A cell that only has a note is an empty one. */
function noteAdder({ notes, limits }: WorksheetParts) {
  const all = [...(notes ?? [])].flatMap(([address, note]): readonly (Cell & Position)[] => {
    const at = positionOf(address);
    return at && at.column <= limits.rowCells ? [{ ...at, address, type: 'text', text: '', note }] : [];
  });
  const byRow = Map.groupBy(all, ({ row }) => row);
  return (number: number, cells: readonly Cell[]): readonly Cell[] => {
    const noted = new Map(byRow.get(number)?.map(({ row: _, ...cell }) => [cell.column, cell]));
    if (noted.size === 0) return cells;
    for (const cell of cells) noted.set(cell.column, { ...noted.get(cell.column), ...cell });
    return [...noted.values()].toSorted((one, other) => one.column - other.column);
  };
}

/** Collects the row that is being read. */
function openRow(limits: SheetLimits) {
  let number = 0;
  let hidden = false;
  let cells: Cell[] = [];
  return {
    /** Begins a row and returns its number. */
    start({ r, hidden: isHidden, ht = '1' }: Attributes): number {
      number = rowNumberOf(r, number);
      hidden = isOn(isHidden) || Number(ht) === 0;
      cells = [];
      return number;
    },
    add(cell: Cell | undefined): void {
      if (cell === undefined) return;
      if (cell.column > limits.rowCells) throw tooWide(cell, limits);
      cells.push(cell);
    },
    take: () => ({ number, hidden, cells }),
  };
}

function rowNumberOf(stated: string | undefined, last: number): number {
  if (stated === undefined) return last + 1;
  const number = /^\d{1,7}$/.test(stated) ? Number(stated) : 0;
  if (number < 1 || number > excelRows) throw damaged(`A row has the number "${stated.slice(0, 20)}".`);
  if (number === last) throw damaged(`It has row ${number} twice.`);
  if (number < last) throw damaged(`Row ${number} comes after row ${last}.`);
  return number;
}

const tooWide = ({ address }: Cell, { rowCells }: SheetLimits) =>
  unreadable(
    `Cell ${address} holds a value; columns after ${columnLetters(rowCells)} are not read.`,
    `Delete everything to the right of the table. ${saveAgain}`,
  );

/** Returns a function that marks the cells of merged ranges and adds the covered ones, which most files leave out. */
function mergedCellMarker({ merged, limits }: WorksheetParts) {
  const rangesOf = mergedRangesByRow(merged, limits);
  let width = 0;
  let covered = 0;
  return (row: number, cells: readonly Cell[]): readonly Cell[] => {
    // Covered cells are needed only under headings, and headings come first: beyond the widest row so far, none are needed.
    width = Math.max(width, cells.at(-1)?.column ?? 0);
    const ranges = rangesOf(row);
    if (ranges.length === 0) return cells;
    const marked = markRanges(row, cells, ranges, width);
    covered += marked.length - cells.length;
    if (covered > limits.coveredCells) {
      throw unreadable(
        `Merged ranges cover more than ${limits.coveredCells} empty cells.`,
        `Unmerge them. ${saveAgain}`,
      );
    }
    return marked;
  };
}

function markRanges(row: number, cells: readonly Cell[], ranges: readonly Range[], width: number): readonly Cell[] {
  const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
  for (const { fromColumn, toColumn } of ranges) {
    for (let column = fromColumn; column <= Math.min(toColumn, width); column += 1) {
      const empty: Cell = { column, address: addressOf(column, row), type: 'text', text: '' };
      const wide = column === fromColumn && toColumn > fromColumn && ({ isWide: true } as const);
      byColumn.set(column, { ...(byColumn.get(column) ?? empty), merged: true, ...wide });
    }
  }
  return [...byColumn.values()].sort((a, b) => a.column - b.column);
}
