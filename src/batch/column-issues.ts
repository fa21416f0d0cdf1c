/** What the columns that are used show by themselves: they are hidden, or name the money of another batch. */
import { addressOf } from '../domain/cell.ts';
import type { CurrencyCode } from '../domain/currency.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { currencyHeading } from '../kinds/amount.ts';
import type { ColumnMap } from './column-map.ts';

/** Columns counted from 1, both ends included. */
export interface ColumnSpan {
  readonly from: number;
  readonly to: number;
}

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
    const named = means === 'amount' ? currencyHeading(text)?.currency : undefined;
    if (named !== undefined && named !== currency) found.push(issue('PB-CURRENCY-HEADING', place, { named, currency }));
    return found;
  });
}
