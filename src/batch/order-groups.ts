/** Which rows share an order. */

import type { StagedRow } from '../domain/staging.ts';
import { type Draft, submissions } from '../service/submissions/index.ts';

/**
 * Yields the rows of one block of a sheet in groups, each of which is paid by one order. A row whose way of paying allows
 * only one line per order gets its own order, and does not close the group that is open.
 */
export function* orderGroups<T extends { readonly draft: Pick<Draft, 'submission'> }>(
  rows: Iterable<T>,
  linesPerOrder: number,
): Generator<readonly T[]> {
  let open: T[] = [];
  for (const row of rows) {
    if (!submissions[row.draft.submission].hasSeveralLines) {
      yield [row];
      continue;
    }
    open.push(row);
    if (open.length < linesPerOrder) continue;
    yield open;
    open = [];
  }
  if (open.length > 0) yield open;
}

/**
 * Returns the note of an order of several rows. An order has one field for a note, so it must be the note of all rows;
 * `undefined` if they differ.
 */
export function commonNote(notes: readonly (string | undefined)[]): string | undefined {
  const [first, ...others] = notes;
  return others.every((note) => note === first) ? first : undefined;
}

/** Returns the draft of a staged row, as its kind wrote it; `undefined` if the row is set aside, or lacks settings. */
export const draftOfRow = ({ payout, draft }: StagedRow): Draft | undefined => payout && (draft as Draft | undefined); // its kind staged both
