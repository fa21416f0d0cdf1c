/** What the check of a sheet depends on in addition to the sheet. */

import { addressOf } from '../domain/cell.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { otherCurrencyIn } from '../kinds/amount.ts';
import type { ReadContext } from '../kinds/column.ts';
import type { ColumnMap } from './column-map.ts';
import type { HeadingMapping } from './heading-mapping.ts';
import type { HeadingDecisions } from './heading-question.ts';

/** How a sheet is read, and what the operator has acknowledged by its exact count. */
export interface CheckContext extends ReadContext {
  readonly allowIdentical: number;
  /** Number of hidden or struck-through rows that the operator means to pay; zero or `undefined` if none. */
  readonly includeHidden?: number;
  readonly hiddenColumns?: readonly ColumnSpan[];
  readonly mapping?: HeadingMapping;
  /** Decides what the headings leave open; `undefined` if nobody can, and such a sheet is refused. */
  readonly decisions?: HeadingDecisions;
  /** The file, and its worksheet if that has to be named, as typed in a command; `undefined` if it has no name. */
  readonly sheetName?: string;
  /** Name of the file, without its folder. */
  readonly file?: string;
  /** Name of the worksheet; `undefined` if the file is no workbook. */
  readonly worksheet?: string;
  /** What separates the fields of the file; `undefined` if it is a workbook. */
  readonly delimiter?: string;
  /** Most rows that one payment order pays; `undefined` means one. */
  readonly linesPerOrder?: number;
}

/** Columns counted from 1, both ends included. */
interface ColumnSpan {
  readonly from: number;
  readonly to: number;
}

/** Returns the issues of the used columns themselves: they are hidden, or name another currency than that of the batch. */
export function columnIssues(
  { headerRow, headings }: ColumnMap,
  currency: CurrencyCode,
  hidden: readonly ColumnSpan[],
): readonly Issue[] {
  return headings.flatMap(({ column, text, means }) => {
    const found: Issue[] = [];
    const place = { row: headerRow, cell: addressOf(column, headerRow), value: text };
    if (means !== undefined && hidden.some(({ from, to }) => from <= column && column <= to)) {
      found.push(issue('PB-HIDDEN-COLUMN', place, { heading: text }));
    }
    const named = means === 'amount' ? otherCurrencyIn(text, currency) : undefined;
    if (named !== undefined) found.push(issue('PB-CURRENCY-HEADING', place, { named, currency }));
    return found;
  });
}
