/**
 * Phones and accounts that changed since the last time, as a condition of a live run. An attacker who gets hold of a payroll
 * changes one account and nothing else, so a person must have seen how many changed: their exact number is given as a flag,
 * or typed.
 */
import { agreeing, andMore, counted } from '../../domain/counted.ts';
import type { ChangedPayee, NamedOf } from '../../domain/duplicate.ts';
import type { MoneyStatement } from '../../domain/event.ts';
import { Fault } from '../../domain/fault.ts';
import { outcomeTable } from '../../domain/outcome.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Comparison } from '../duplicates/compare-payments.ts';
import type { DuplicateChoice } from '../duplicates/judge.ts';

/** Most rows that a refusal names. */
const NAMED_MAX = 5;

export interface ChangedPayeesDeps {
  readonly settings: Pick<Settings, 'sandbox'>;
  /**
   * Asks a person how many payees changed, and returns `undefined` without an answer. If absent, the request itself must
   * state the number.
   */
  readonly askChangedPayees?: (changed: number) => Promise<number | undefined>;
}

/**
 * Throws a Fault `payees-changed` unless the operator states the exact number of changed payees. The practice service pays
 * nobody, so a rehearsal needs no number. A dry run sends nothing, so it is refused only for a wrong number.
 */
export async function requireChangedPayees(
  { changedPayees }: MoneyStatement,
  { acceptChangedPayees, dryRun }: Pick<DuplicateChoice, 'acceptChangedPayees'> & { readonly dryRun: boolean },
  { settings, askChangedPayees }: ChangedPayeesDeps,
): Promise<void> {
  if (settings.sandbox) return;
  if (!changedPayees) {
    if (acceptChangedPayees !== undefined) throw none(acceptChangedPayees);
    return;
  }
  if (acceptChangedPayees === undefined && dryRun) return;
  const said = acceptChangedPayees ?? (await askChangedPayees?.(changedPayees.count));
  if (said !== changedPayees.count) throw changed(changedPayees, said);
}

/** Throws a Fault `payees-changed` if another batch changed the number of changed payees while a person confirmed the totals. */
export function requireSameChanges(
  { changedPayees: { count: now } }: Comparison,
  { changedPayees: { count: then } }: Comparison,
): void {
  if (now === then) return;
  throw new Fault(
    'payees-changed',
    `While this run asked for its control totals, another batch was planned: ${counted(now, 'phone or account differs', 'phones or accounts differ')} from the last time now, not ${then}. Nothing was sent.`,
    'Run the same command again, and look at the changes that it reports.',
  );
}

function changed({ count, rows }: NamedOf<ChangedPayee>, said: number | undefined): Fault {
  const named = rows.slice(0, NAMED_MAX).map(({ row, name, outcome, batch }) => {
    const open = outcome && `; batch ${batch} may still pay the earlier one: ${outcomeTable[outcome].title}`;
    return `row ${row} (${name}${open ?? ''})`;
  });
  const wrong = said === undefined ? '' : `, not ${said}`;
  return new Fault(
    'payees-changed',
    `${counted(count, 'row is', 'rows are')} paid to another phone or account than last time${wrong}: ${andMore(named, count)}. Nothing was sent.`,
    `Ask ${agreeing(count, 'this person', 'each of these people')}, by a number that you had before and not by the one in the sheet. If ${agreeing(count, 'it is', 'all are')} right, add: --accept-changed-payees ${count}`,
  );
}

const none = (said: number): Fault =>
  new Fault(
    'payees-changed',
    `No row is paid to another phone or account than last time, but --accept-changed-payees says ${said}. Nothing was sent.`,
    'Check that this is the sheet you meant, and leave out --accept-changed-payees.',
  );
