/** A worksheet of the results as data: what it is like, and what stands in its rows. Written by `workbook.ts`. */
import type { RowCell, RowOptions, SheetSpec } from '../sheet/writing/workbook-writer.ts';

/** One row below the headings; its cells from the left. */
export interface WorksheetRow {
  readonly cells: readonly RowCell[];
  readonly options?: RowOptions;
}

export interface Worksheet {
  readonly spec: SheetSpec;
  /** Columns from the left whose texts name a row of a table, for whoever compares two of them; rows without a name have their place. */
  readonly keyColumns?: number;
  /** Columns that people fill in, counted from 1. */
  readonly handColumns?: readonly number[];
  /** From top to bottom. Rows of the batch are asked of the source while they are taken, so none pile up. */
  readonly rows: AsyncIterable<WorksheetRow> | Iterable<WorksheetRow>;
}
