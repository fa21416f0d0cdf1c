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

/** The rows, those with the name of the service's that is clearly another one. */
export async function* withOtherNames(rows: Rows): AsyncGenerator<readonly ResultRow[]> {
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

/** Tells of rows that were marked so. */
export async function tellOtherNames(rows: Rows, tell: Tell): Promise<void> {
  const said: string[] = [];
  let found = 0;
  for await (const block of rows) {
    for (const { row, payout, otherName } of block) {
      if (otherName === undefined) continue;
      found += 1;
      if (found <= NAMED_MAX) said.push(`row ${row}: "${payout?.name}" in the sheet, "${otherName}" at the service`);
    }
  }
  if (found === 0) return;
  const more = found > NAMED_MAX ? `; and ${found - NAMED_MAX} more, see the worksheet Exceptions` : '';
  tell({
    type: 'notice',
    level: 'warning',
    code: OTHER_NAMES,
    message: `The service names another recipient than the sheet. ${said.join('; ')}${more}. Nothing was stopped by this; find out whether the right people were paid.`,
  });
}
