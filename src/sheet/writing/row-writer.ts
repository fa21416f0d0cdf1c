/** Rows of cells from the left, as high as their texts need. No object is made for a cell: there are millions. */
import { invariant } from '../../domain/invariant.ts';
import { type CellFormat, type CellWriter, isStyled, type RowCell, type StyledCell } from './cells.ts';
import { type LookName, textSizeOf } from './looks.ts';
import { emptyCell } from './parts/cell-xml.ts';
import type { WorksheetPart } from './parts/worksheet-part.ts';
import { safeText } from './safe-text.ts';
import { ROW_HEIGHT_MAX_POINTS } from './text-lines.ts';
import { LINE_POINTS, linesIn, pointsOf, UsualCells } from './usual-cells.ts';

export { LINE_POINTS } from './usual-cells.ts';

/** What the cells of a column are like unless they say otherwise. */
export interface RowColumn {
  /** Width in characters. */
  readonly width: number;
  readonly format: CellFormat;
  /** Long text goes on in further lines, and the row grows with it. */
  readonly wrap?: boolean;
}

/** A cell as the worksheet stores it, and the height that it asks of its row, in points. */
interface WrittenCell {
  readonly xml: string;
  readonly points: number;
}

/** Points of the air in a row. */
const AIR_POINTS = 3;

/** Writes the rows of one worksheet. */
export class RowWriter {
  readonly #part: WorksheetPart;
  readonly #cells: CellWriter;
  readonly #columns: readonly RowColumn[];
  /** The cells of each column, by the look of their row. */
  readonly #usual = new Map<LookName, readonly UsualCells[]>();

  constructor(part: WorksheetPart, cells: CellWriter, columns: readonly RowColumn[]) {
    this.#part = part;
    this.#cells = cells;
    this.#columns = columns;
  }

  /** Writes one row; `height` in points is found from the texts when not given. Where it gives a promise, more of them are to wait. */
  write(row: number, cells: readonly RowCell[], look: LookName, height?: number): Promise<void> | undefined {
    const columns = this.#columnsOf(look);
    const digits = String(row);
    let xml = '';
    let points = LINE_POINTS;
    let column = 0;
    for (const cell of cells) {
      const usual = columns[column];
      invariant(usual, 'a row has no more cells than the worksheet has columns');
      if (isStyled(cell)) {
        const { span = 1 } = cell;
        const styled = usual.again(cell, digits) ?? this.#styled(cell, columns, column, digits);
        xml += styled.xml;
        points = Math.max(points, styled.points);
        column += span;
      } else {
        xml += usual.xmlOf(cell, row, digits);
        points = Math.max(points, usual.pointsOf(cell));
        column += 1;
      }
    }
    return this.#part.row(row, xml, { height: Math.min(height ?? points + AIR_POINTS, ROW_HEIGHT_MAX_POINTS) });
  }

  #styled(cell: StyledCell, columns: readonly UsualCells[], column: number, digits: string): WrittenCell {
    const [usual, ...covered] = columns.slice(column, column + (cell.span ?? 1));
    invariant(usual, 'a row has no more cells than the worksheet has columns');
    const xml = this.#styledXml(cell, usual, covered, Number(digits));
    const written = { xml, points: this.#pointsOf(cell, usual, column) };
    usual.keep(cell, digits, written);
    return written;
  }

  /** A cell that says something of itself, with those that it covers. */
  #styledXml(cell: StyledCell, { defaults, column, letters }: UsualCells, covered: readonly UsualCells[], row: number) {
    const { note, link } = cell;
    const address = `${letters}${row}`;
    const style = this.#cells.styleOf(cell, defaults);
    if (note !== undefined) this.#part.note({ column, row, address, text: safeText(note) });
    if (link !== undefined) this.#part.link(address, link);
    if (covered.length > 0) this.#part.merge(`${address}:${covered.at(-1)?.letters}${row}`);
    const xml = this.#cells.xmlOf(address, row, cell, style, defaults.format);
    return covered.reduce((all, other) => all + emptyCell(`${other.letters}${row}`, style), xml);
  }

  /** Height that it asks of its row, in points. */
  #pointsOf({ value, span = 1, look, wrap }: StyledCell, { defaults }: UsualCells, column: number): number {
    const size = textSizeOf(look ?? defaults.look);
    const isWrapped = (wrap ?? defaults.wrap) && typeof value === 'string';
    return pointsOf(isWrapped ? linesIn(value, this.#widthOf(column, span), size) : 1, size);
  }

  #widthOf(column: number, span: number): number {
    return this.#columns.slice(column, column + span).reduce((sum, { width }) => sum + width, 0);
  }

  #columnsOf(look: LookName): readonly UsualCells[] {
    let usual = this.#usual.get(look);
    if (!usual) {
      usual = this.#columns.map(({ format, wrap = false, width }, index) => {
        return new UsualCells(this.#cells, { look, format, wrap }, { column: index + 1, width });
      });
      this.#usual.set(look, usual);
    }
    return usual;
  }
}
