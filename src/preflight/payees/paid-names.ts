/**
 * Whom the service names as the recipient of what was sent, held against the sheet once it is too late to stop anything. A
 * name is no evidence of a wrong payment, because accounts of families and firms have others: it changes no outcome.
 */
import type { ResultRow } from '../../domain/batch.ts';
import type { Tell } from '../../domain/event.ts';
import { holderNameOf } from './holder-name.ts';
import { matchNames } from './name-match.ts';

/** Rows that are named one by one; the rest is counted. */
const NAMED_MAX = 10;

/** The notice that carries names of people: no log keeps it. */
export const OTHER_NAMES = 'other-names';

type Rows = AsyncIterable<readonly ResultRow[]>;

/** Rows of which the service names the recipient clearly otherwise, by number. */
export type OtherNames = ReadonlyMap<number, { readonly ours: string; readonly theirs: string }>;

/** Finds such rows, and tells of them. Names are compared once here: a workbook reads its rows several times. */
export async function tellOtherNames(rows: Rows, tell: Tell): Promise<OtherNames> {
  const found = new Map<number, { readonly ours: string; readonly theirs: string }>();
  for await (const block of rows) {
    for (const row of block) {
      const theirs = otherNameOf(row);
      if (row.payout && theirs !== undefined) found.set(row.row, { ours: row.payout.name, theirs });
    }
  }
  if (found.size > 0) tell({ type: 'notice', level: 'warning', code: OTHER_NAMES, message: messageOf(found) });
  return found;
}

/** The rows, those marked that are among the other names. */
export async function* withOtherNames(rows: Rows, names: OtherNames): AsyncGenerator<readonly ResultRow[]> {
  for await (const block of rows) {
    yield block.map((row) => {
      const otherName = names.get(row.row)?.theirs;
      return otherName === undefined ? row : { ...row, otherName };
    });
  }
}

/** The rows, those marked of which the service names the recipient clearly otherwise: for who reads them once. */
export async function* withNamesCompared(rows: Rows): AsyncGenerator<readonly ResultRow[]> {
  for await (const block of rows) {
    yield block.map((row) => {
      const otherName = otherNameOf(row);
      return otherName === undefined ? row : { ...row, otherName };
    });
  }
}

/** The network knows whom a phone belongs to; what a bank or a business calls itself is compared by no rule. */
function otherNameOf({ payout, line }: ResultRow): string | undefined {
  const report = line?.report;
  if (!payout || !report) return undefined;
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
