/** Notes of rows that are not sent, because their orders pay several rows and have one place for a note. Spec: "Payment order (request)". */
import { addressOf } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import type { Staging } from '../domain/staging.ts';
import type { ColumnMap } from './column-map.ts';
import { firstNamed, NAMED_MAX } from './named-rows.ts';
import { commonNote, orderGroups } from './order-groups.ts';
import { draftOfRow } from './staged-draft.ts';

interface UnsentNote {
  readonly row: number;
  readonly note: string;
}

/**
 * The first notes that will not be sent, each at its cell, in sheet order. To be asked for when all rows are staged: the same rows
 * share an order here and in the plan. A row that still lacks settings is not looked at; no run goes on with one.
 */
export function unsentNotes(staging: Staging, map: ColumnMap, linesPerOrder: number): readonly Issue[] {
  const [column] = map.places.get('note') ?? [];
  if (column === undefined || linesPerOrder === 1) return [];
  const heading = map.headings.find((one) => one.column === column)?.text ?? '';
  const { found, count } = firstUnsent(staging, linesPerOrder);
  return firstNamed(found, count, ({ row, note }, hint) =>
    issue(
      'PB-NOTE-SHARED',
      { row, cell: addressOf(column, row), value: note },
      { heading, lines: linesPerOrder, hint },
    ),
  );
}

function firstUnsent(staging: Staging, linesPerOrder: number): { found: readonly UnsentNote[]; count: number } {
  const found: UnsentNote[] = [];
  let count = 0;
  for (const block of staging.blocks()) {
    const unsent: UnsentNote[] = [];
    const rows = block.flatMap((staged) => {
      const draft = draftOfRow(staged);
      return draft ? [{ row: staged.row, note: staged.payout?.note, draft }] : [];
    });
    for (const group of orderGroups(rows, linesPerOrder)) {
      if (group.length === 1 || commonNote(group.map(({ note }) => note)) !== undefined) continue;
      for (const { row, note } of group) if (note !== undefined) unsent.push({ row, note });
    }
    // Groups of a block may close in another order than their rows stand in.
    unsent.sort((a, b) => a.row - b.row);
    count += unsent.length;
    found.push(...unsent.slice(0, NAMED_MAX - found.length));
  }
  return { found, count };
}
