/** What shows only when every row has been seen: one reference twice, one payment twice, one payee twice. */
import { addressOf } from '../domain/cell.ts';
import { type Issue, type IssuePlace, issue } from '../domain/issue.ts';
import type { Repetition, Staging } from '../domain/staging.ts';
import type { ColumnMap } from './match-headings.ts';

const rowList = ({ rows, count }: Repetition): string =>
  count > rows.length ? `${rows.join(', ')} and ${count - rows.length} more` : rows.join(', ');

/**
 * Issues of repetition, and how many rows repeat an earlier one without a reference to tell them apart. When exactly
 * that many were acknowledged, they are told as warnings; any other number that was acknowledged is an issue too.
 */
export function duplicateIssues(
  staging: Staging,
  map: ColumnMap | undefined,
  acknowledged: number,
): { readonly issues: readonly Issue[]; readonly identical: number } {
  const references = staging.repeatedReferences();
  const same = staging.identicalRows();
  const identical = same.reduce((sum, { count }) => sum + count - 1, 0);
  const issues: Issue[] = [];
  /** The first of the rows, at the column that shows the repetition. */
  const place = ({ value, rows: [row = 0] }: Repetition, column: string): IssuePlace => ({
    row,
    cell: addressOf(map?.places.get(column)?.[0] ?? 1, row),
    value,
  });
  if (acknowledged > 0 && acknowledged !== identical) {
    issues.push(issue('PB-IDENTICAL-COUNT', {}, { stated: acknowledged, count: identical }));
  }
  for (const repetition of references) {
    issues.push(issue('PB-DUP-REFERENCE', place(repetition, 'reference'), { rows: rowList(repetition) }));
  }
  for (const repetition of same) {
    const found = issue('PB-DUP-ROW', place(repetition, 'amount'), { rows: rowList(repetition), count: identical });
    issues.push(acknowledged === identical ? { ...found, level: 'warning' } : found);
  }
  for (const repetition of staging.repeatedPayees()) {
    issues.push(issue('PB-DUP-PAYEE', place(repetition, 'name'), { rows: rowList(repetition) }));
  }
  return { issues, identical };
}
