/**
 * Whom the service names as the recipient of what was sent, held against the sheet once it is too late to stop anything. A
 * name is no evidence of a wrong payment, because accounts of families and firms have others: it changes no outcome.
 */
import { isNamed, type ResultRow } from '../../domain/batch.ts';
import type { Tell } from '../../domain/event.ts';
import { holderNameOf } from './holder-name.ts';
import { matchNames } from './name-match.ts';

/** Rows that are named one by one; the rest is counted. */
const NAMED_MAX = 10;

/** The notice that carries names of people: no log keeps it. */
export const OTHER_NAMES = 'other-names';

type Rows = AsyncIterable<readonly ResultRow[]>;

/** Rows of which the service names the recipient clearly otherwise, by number. */
type OtherNames = ReadonlyMap<number, { readonly ours: string; readonly theirs: string }>;

/**
 * The rows for who reads them several times, those marked of which the service names the recipient otherwise. Names are compared while
 * they are read for the first time, and told of once that has come to its end.
 */
export function namesComparedOnce(rows: () => Rows, tell: Tell): () => Rows {
  let known: OtherNames | undefined;
  return async function* named() {
    if (known) return yield* withOtherNames(rows(), known);
    const found = new Map<number, { readonly ours: string; readonly theirs: string }>();
    for await (const block of withNamesCompared(rows())) {
      for (const { row, payout, otherName } of block) {
        if (payout && otherName !== undefined) found.set(row, { ours: payout.name, theirs: otherName });
      }
      yield block;
    }
    known = found;
    if (found.size > 0) tell({ type: 'notice', level: 'warning', code: OTHER_NAMES, message: messageOf(found) });
  };
}

async function* withOtherNames(rows: Rows, names: OtherNames): AsyncGenerator<readonly ResultRow[]> {
  for await (const block of rows) {
    if (names.size === 0) yield block;
    else {
      yield block.map((row) => {
        const otherName = names.get(row.row)?.theirs;
        return otherName === undefined ? row : { ...row, otherName };
      });
    }
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
