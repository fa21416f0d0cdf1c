/** Rows of cells from the left, as high as their texts need. No object is made for a cell: there are millions. */
import { columnLetters } from '../../domain/cell.ts';
import { invariant } from '../../domain/invariant.ts';
import {
  type CellDefaults,
  type CellFormat,
  type CellWriter,
  isStyled,
  type RowCell,
  type StyledCell,
} from './cells.ts';
import { type LookName, textSizeOf } from './looks.ts';
import { emptyCell } from './parts/cell-xml.ts';
import type { WorksheetPart } from './parts/worksheet-part.ts';
import { safeText } from './safe-text.ts';
import { linesOf, ROW_HEIGHT_MAX_POINTS } from './text-lines.ts';

/** What the cells of a column are like unless they say otherwise. */
export interface RowColumn {
  /** Width in characters. */
  readonly width: number;
  readonly format: CellFormat;
  /** Long text goes on in further lines, and the row grows with it. */
  readonly wrap?: boolean;
}

/** Points of a line of 11-point text, of the air in a row, and how much higher a line is than its text. */
export const LINE_POINTS = 15;
const AIR_POINTS = 3;
const LEADING = LINE_POINTS / 11;

/** Writes the rows of one worksheet. */
export class RowWriter {
  readonly #part: WorksheetPart;
  readonly #cells: CellWriter;
  readonly #columns: readonly RowColumn[];
  /** Letters of the columns. */
  readonly #letters: readonly string[];
  /** What cells of each column are like, by the look of their row. */
  readonly #defaults = new Map<LookName, readonly CellDefaults[]>();

  constructor(part: WorksheetPart, cells: CellWriter, columns: readonly RowColumn[]) {
    this.#part = part;
    this.#cells = cells;
    this.#columns = columns;
    this.#letters = columns.map((_, index) => columnLetters(index + 1));
  }

  /** Writes one row; `height` in points is found from the texts when not given. Where it gives a promise, more of them are to wait. */
  write(row: number, cells: readonly RowCell[], look: LookName, height?: number): Promise<void> | undefined {
    const defaults = this.#defaultsOf(look);
    let xml = '';
    let points = LINE_POINTS;
    let column = 0;
    for (const cell of cells) {
      const usual = defaults[column];
      invariant(usual, 'a row has no more cells than the worksheet has columns');
      const address = `${this.#letters[column]}${row}`;
      const style = this.#cells.styleOf(cell, usual);
      xml += this.#cells.xmlOf(address, row, cell, style, usual.format);
      const span = isStyled(cell) ? this.#mark(cell, column, row) : 1;
      points = Math.max(points, this.#pointsOf(cell, usual, column, span));
      for (let next = column + 1; next < column + span; next++) xml += emptyCell(`${this.#letters[next]}${row}`, style);
      column += span;
    }
    return this.#part.row(row, xml, { height: Math.min(height ?? points + AIR_POINTS, ROW_HEIGHT_MAX_POINTS) });
  }

  /** What a cell brings along beside its content. Gives the number of columns that it covers. */
  #mark({ span = 1, note, link }: StyledCell, column: number, row: number): number {
    const address = `${this.#letters[column]}${row}`;
    if (note !== undefined) this.#part.note({ column: column + 1, row, address, text: safeText(note) });
    if (link !== undefined) this.#part.link(address, link);
    if (span > 1) this.#part.merge(`${address}:${this.#letters[column + span - 1]}${row}`);
    return span;
  }

  /** Height that a cell asks of its row, in points. */
  #pointsOf(cell: RowCell, usual: CellDefaults, column: number, span: number): number {
    const styled = isStyled(cell) ? cell : undefined;
    const value = styled ? styled.value : cell;
    const size = textSizeOf(styled?.look ?? usual.look);
    const isWrapped = (styled?.wrap ?? usual.wrap) && typeof value === 'string';
    const lines = isWrapped ? linesOf(value, (this.#widthOf(column, span) * 11) / size) : 1;
    return Math.ceil(lines * size * LEADING);
  }

  #widthOf(column: number, span: number): number {
    if (span === 1) return this.#columns[column]?.width ?? 0;
    return this.#columns.slice(column, column + span).reduce((sum, { width }) => sum + width, 0);
  }

  #defaultsOf(look: LookName): readonly CellDefaults[] {
    let defaults = this.#defaults.get(look);
    if (!defaults) {
      defaults = this.#columns.map(({ format, wrap = false }) => ({ look, format, wrap }));
      this.#defaults.set(look, defaults);
    }
    return defaults;
  }
}
