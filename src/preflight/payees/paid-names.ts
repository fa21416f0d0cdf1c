/**
 * Compares the recipient that the service names for a sent payment with the sheet, when it is too late to stop anything.
 * Another name is not evidence of a wrong payment, because accounts of families and firms have other names: it changes no
 * outcome.
 */
import { isNamed, marked, type ResultRow } from '../../domain/batch.ts';
import type { Emit } from '../../domain/event.ts';
import { matchNames } from '../../domain/name-match.ts';
import { holderNameOf } from './holder-name.ts';

/** Most rows that are named one by one. The rest is counted. */
const NAMED_MAX = 10;

/** Code of the notice that carries names of people. No log keeps it. */
export const OTHER_NAMES = 'other-names';

type Rows = AsyncIterable<readonly ResultRow[]>;

/** Rows for which the service clearly names another recipient, by row number. */
type OtherNames = ReadonlyMap<number, { readonly ours: string; readonly theirs: string }>;

/**
 * Returns the rows for a reader that reads them several times, and marks those for which the service clearly names another
 * recipient. Names are compared during the first reading, and reported once that reading is complete.
 */
export function namesComparedOnce(rows: () => Rows, emit: Emit): () => Rows {
  let known: OtherNames | undefined;
  return async function* compared() {
    if (known) return yield* withOtherNames(rows(), known);
    const found = new Map<number, { readonly ours: string; readonly theirs: string }>();
    for await (const block of withNamesCompared(rows())) {
      for (const { row, payout, otherName } of block) {
        if (payout && otherName !== undefined) found.set(row, { ours: payout.name, theirs: otherName });
      }
      yield block;
    }
    known = found;
    if (found.size > 0) emit({ type: 'notice', level: 'warning', code: OTHER_NAMES, message: messageOf(found) });
  };
}

const withOtherNames = (rows: Rows, names: OtherNames): Rows =>
  names.size === 0 ? rows : marked(rows, (row) => named(row, names.get(row.row)?.theirs));

/** Yields the rows, and marks those for which the service clearly names another recipient. For a reader that reads them once. */
export const withNamesCompared = (rows: Rows): Rows => marked(rows, (row) => named(row, otherNameOf(row)));

const named = (row: ResultRow, otherName: string | undefined): ResultRow =>
  otherName === undefined ? row : { ...row, otherName };

/**
 * Returns a recipient's name that clearly differs from the sheet. A mobile network knows whom a phone belongs to, but no
 * rule can compare what a bank or a business calls itself.
 */
function otherNameOf({ payout, line }: ResultRow): string | undefined {
  const report = line?.report;
  if (!payout || !isNamed(payout) || !report) return undefined;
  const holder = payout.network === undefined ? undefined : holderNameOf(report.creditParty, payout.destination);
  return [report.heldName, holder].find((name) => name !== undefined && matchNames(payout.name, name) === 'no-match');
}

function messageOf(names: OtherNames): string {
  const said = [...names].slice(0, NAMED_MAX).map(([row, { ours, theirs }]) => {
    return `row ${row}: "${ours}" in the sheet, "${theirs}" at the service`;
  });
  const more = names.size > NAMED_MAX ? `; and ${names.size - NAMED_MAX} more, see the worksheet Exceptions` : '';
  return `The service names another recipient than the sheet. ${said.join('; ')}${more}. Nothing was stopped by this; find out whether the right people were paid.`;
}
