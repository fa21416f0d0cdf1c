/** Repetitions, which show only when every row has been seen: a reference, a payment or a payee that occurs twice. */
import { addressOf } from '../domain/cell.ts';
import { type Issue, type IssuePlace, issue } from '../domain/issue.ts';
import type { Repetition, Staging } from '../domain/staging.ts';
import type { ColumnMap } from './column-map.ts';

/** Most other rows named at each row: people do not read longer lists. */
const NAMED_MAX = 10;

const listed = (rows: readonly number[], count: number): string => {
  const named = rows.slice(0, NAMED_MAX);
  return count > named.length ? `${named.join(', ')} and ${count - named.length} more` : named.join(', ');
};

/** Returns the rows of a repetition except one. */
const othersOf = ({ rows, count }: Repetition, row: number): { readonly others: number; readonly rows: string } => ({
  others: count - 1,
  rows: listed(
    rows.filter((other) => other !== row),
    count - 1,
  ),
});

/** An issue of repetition: of the sheet as a whole, or of a row that has errors of its own and can be set aside. */
interface Repeated {
  readonly found: Issue;
  readonly isOfSheet: boolean;
}

const ofSheet = (found: Issue): Repeated => ({ found, isOfSheet: true });

/**
 * Returns the issues of repetition, and the number of rows without a reference that repeat an earlier row. If exactly that
 * many were acknowledged, these are reported as warnings; any other acknowledged number is an issue too.
 */
export function duplicateIssues(
  staging: Staging,
  map: ColumnMap | undefined,
  acknowledged: number,
): { readonly issues: Iterable<Repeated>; readonly identical: number } {
  const same = staging.identicalRows();
  const identical = same.reduce((sum, { count }) => sum + count - 1, 0);
  return { issues: repetitionIssues(staging, map, { same, identical, acknowledged }), identical };
}

/**
 * Yields every row of a repetition that refuses the sheet, because each may be the wrong one, but only the first row of
 * what is only a warning.
 */
function* repetitionIssues(
  staging: Staging,
  map: ColumnMap | undefined,
  { same, identical, acknowledged }: { same: readonly Repetition[]; identical: number; acknowledged: number },
): Generator<Repeated> {
  const at = (row: number, column: string, value: string): IssuePlace => ({
    row,
    cell: addressOf(map?.places.get(column)?.[0] ?? 1, row),
    value,
  });
  if (acknowledged > 0 && acknowledged !== identical) {
    yield ofSheet(issue('PB-IDENTICAL-COUNT', {}, { stated: acknowledged, count: identical }));
  }
  for (const repetition of staging.repeatedReferences()) {
    const isOfSheet = repetition.payable > 1;
    for (const { row, isPayable } of staging.rowsOfReference(repetition)) {
      // Without the rows that have errors of their own, the reference would occur once.
      if (isPayable && !isOfSheet) continue;
      const found = issue('PB-DUP-REFERENCE', at(row, 'reference', repetition.value), othersOf(repetition, row));
      yield { found, isOfSheet };
    }
  }
  for (const repetition of same) {
    const emit = (row: number): Issue => {
      const parameters = { ...othersOf(repetition, row), count: identical };
      return issue('PB-DUP-ROW', at(row, 'amount', repetition.value), parameters);
    };
    if (acknowledged === identical) yield ofSheet({ ...emit(repetition.rows[0] ?? 0), level: 'warning' });
    else for (const row of staging.rowsOfPayment(repetition)) yield ofSheet(emit(row));
  }
  for (const { value, rows, count } of staging.repeatedPayees()) {
    yield ofSheet(issue('PB-DUP-PAYEE', at(rows[0] ?? 0, 'name', value), { rows: listed(rows, count) }));
  }
}
