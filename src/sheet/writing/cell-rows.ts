/** Writes rows of cells from the left, each as high as its texts need. */
import type { Row, Worksheet } from 'exceljs';
import { invariant } from '../../domain/invariant.ts';
import { type CellDefaults, type CellFormat, type CellWriter, isStyled, type RowCell } from './cells.ts';
import { putLink } from './exceljs-insides.ts';
import { type LookName, textSizeOf } from './looks.ts';
import { linesOf, ROW_HEIGHT_MAX_POINTS } from './text-lines.ts';

/** Defaults for the cells of a column. */
export interface RowColumn {
  /** Width in characters. */
  readonly width: number;
  readonly format: CellFormat;
  /** Whether long text continues on further lines; the row grows with it. */
  readonly wrap?: boolean;
}

/**
 * Height of a line of 11-point text, and extra height of a row, in points; and the ratio between the height of a line and its text.
 */
export const LINE_POINTS = 15;
const AIR_POINTS = 3;
const LEADING = LINE_POINTS / 11;

/** Writes the rows of one worksheet from top to bottom. */
export class CellRows {
  readonly #sheet: Worksheet;
  readonly #cells: CellWriter;
  readonly #columns: readonly RowColumn[];

  constructor(sheet: Worksheet, cells: CellWriter, columns: readonly RowColumn[]) {
    this.#sheet = sheet;
    this.#cells = cells;
    this.#columns = columns;
  }

  /** Writes the next row. `height` is in points and follows from the texts if absent. Cells left out at the end stay empty. */
  write(cells: readonly RowCell[], look: LookName, height?: number): Row {
    const row = this.#sheet.addRow([]);
    let points = LINE_POINTS;
    let column = 0;
    for (const cell of cells) {
      const own = this.#columns[column];
      invariant(own, 'a row has no more cells than the worksheet has columns');
      const defaults = { look, format: own.format, wrap: own.wrap ?? false };
      const target = row.getCell(column + 1);
      this.#cells.put(target, cell, defaults);
      const { span = 1, link } = isStyled(cell) ? cell : {};
      if (link !== undefined) putLink(this.#sheet, target.address, link);
      if (span > 1) this.#sheet.mergeCells(row.number, column + 1, row.number, column + span);
      points = Math.max(points, pointsOf(cell, defaults, this.#widthOf(column, span)));
      column += span;
    }
    row.height = Math.min(height ?? points + AIR_POINTS, ROW_HEIGHT_MAX_POINTS);
    row.commit();
    return row;
  }

  #widthOf(column: number, span: number): number {
    return this.#columns.slice(column, column + span).reduce((sum, { width }) => sum + width, 0);
  }
}

/** Returns the height that a cell needs, in points. */
function pointsOf(cell: RowCell, defaults: CellDefaults, width: number): number {
  const { value, look, wrap } = isStyled(cell) ? { ...defaults, ...cell } : { ...defaults, value: cell };
  const size = textSizeOf(look);
  const lines = wrap && typeof value === 'string' ? linesOf(value, (width * 11) / size) : 1;
  return Math.ceil(lines * size * LEADING);
}
