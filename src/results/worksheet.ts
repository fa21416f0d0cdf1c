/** A worksheet of the results as data: its description and its rows. `workbook.ts` writes it to a file. */

import type { RowCell, RowOptions, SheetSpec } from '../sheet/writing/workbook-writer.ts';
import type { Plot } from './plots/plot.ts';

/** A row below the headings; its cells are listed from the left. */
export interface WorksheetRow {
  readonly cells: readonly RowCell[];
  readonly options?: RowOptions;
}

/** A plot with the cell in which it begins; columns and rows are counted from 1. */
export interface PlacedPlot {
  readonly plot: Plot;
  readonly column: number;
  readonly row: number;
}

export interface Worksheet {
  readonly spec: SheetSpec;
  /**
   * Number of columns from the left whose texts identify a row of a table when two worksheets are compared; absent: rows are
   * identified by their place.
   */
  readonly keyColumns?: number;
  /** Columns that people fill in, counted from 1. */
  readonly handColumns?: readonly number[];
  /** A row of sums below the table, which is not part of it. */
  readonly total?: readonly RowCell[] | undefined;
  /** Plots that are placed over the cells as pictures, each with its upper left corner at that of a cell. */
  readonly plots?: readonly PlacedPlot[];
  /** Rows from top to bottom. They are read from the source while they are consumed, so they do not pile up in memory. */
  readonly rows: AsyncIterable<WorksheetRow> | Iterable<WorksheetRow>;
}
