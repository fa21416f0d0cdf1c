/** What the check of a sheet is told besides the sheet. */
import type { ReadContext } from '../kinds/column.ts';
import type { ColumnSpan } from './column-issues.ts';
import type { HeadingMapping } from './heading-mapping.ts';
import type { HeadingDecisions } from './heading-question.ts';

/** How a sheet is read, and what the operator has acknowledged by its exact count. */
export interface CheckContext extends ReadContext {
  readonly allowIdentical: number;
  /** Rows that are hidden or struck through and that the operator means to pay; zero or undefined: none. */
  readonly includeHidden?: number;
  readonly hiddenColumns?: readonly ColumnSpan[];
  readonly mapping?: HeadingMapping;
  /** Who decides what the headings leave open; undefined: nobody, and such a sheet is refused. */
  readonly decisions?: HeadingDecisions;
  /** The file, with its worksheet where that has to be named, as they are typed in a command; undefined: it has no name. */
  readonly sheetName?: string;
  /** The file parts its fields by semicolons. */
  readonly semicolons?: boolean;
  /** Most rows that one payment order will pay; undefined: one. */
  readonly linesPerOrder?: number;
}
