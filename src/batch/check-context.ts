/** What the check of a sheet is told besides the sheet. */
import type { ReadContext } from '../kinds/column.ts';
import type { ColumnSpan } from './column-issues.ts';
import type { HeadingMapping } from './heading-mapping.ts';

/** How a sheet is read, and what the operator has acknowledged by its exact count. */
export interface CheckContext extends ReadContext {
  readonly allowIdentical: number;
  /** Rows that are hidden or struck through and that the operator means to pay; zero or undefined: none. */
  readonly includeHidden?: number;
  readonly hiddenColumns?: readonly ColumnSpan[];
  readonly mapping?: HeadingMapping;
  /** The file as it is typed in a command; undefined: it has no name. */
  readonly sheetName?: string;
  /** The file parts its fields by semicolons. */
  readonly semicolons?: boolean;
  /** Most rows that one payment order will pay; undefined: one. */
  readonly linesPerOrder?: number;
}
