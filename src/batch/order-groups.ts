/** Which rows share an order. */

import type { StagedRow } from '../domain/staging.ts';
import { type Draft, submissions } from '../service/submissions/index.ts';

/**
 * The rows of one block of a sheet, in groups that are each paid by one order. A row whose
 * way of paying has one line an order passes an open group by without closing it.
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

/** The note of an order of several rows: its one place for a note speaks for all of them. Undefined where they differ. */
export function commonNote(notes: readonly (string | undefined)[]): string | undefined {
  const [first, ...others] = notes;
  return others.every((note) => note === first) ? first : undefined;
}

/** What is submitted for a staged row, as its kind wrote it; undefined for one that is set aside, or that lacks settings. */
export const draftOfRow = ({ payout, draft }: StagedRow): Draft | undefined => payout && (draft as Draft | undefined); // staged together with the payout, by its kind
