/** A worksheet of the results as data: what it is like, and what stands in its rows. Written by `workbook.ts`. */

import type { RowCell, RowOptions, SheetSpec } from '../sheet/writing/workbook-writer.ts';
import type { Plot } from './plots/plot.ts';

/** One row below the headings; its cells from the left. */
export interface WorksheetRow {
  readonly cells: readonly RowCell[];
  readonly options?: RowOptions;
}

/** A plot with the cell that it begins in; columns and rows are counted from 1. */
export interface PlacedPlot {
  readonly plot: Plot;
  readonly column: number;
  readonly row: number;
}

export interface Worksheet {
  readonly spec: SheetSpec;
  /** Columns from the left whose texts name a row of a table, for whoever compares two of them; rows without a name have their place. */
  readonly keyColumns?: number;
  /** Columns that people fill in, counted from 1. */
  readonly handColumns?: readonly number[];
  /** A row below the table that is no row of it. */
  readonly total?: readonly RowCell[] | undefined;
  /** Plots that are laid over the cells as pictures, each with its upper left corner in that of a cell. */
  readonly plots?: readonly PlacedPlot[];
  /** From top to bottom. Rows of the batch are asked of the source while they are taken, so none pile up. */
  readonly rows: AsyncIterable<WorksheetRow> | Iterable<WorksheetRow>;
}
