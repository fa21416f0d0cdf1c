/** Another attempt at failed rows beside later batches: what failed may have been corrected and paid from another sheet. */
import type { BatchHeader } from '../../domain/batch.ts';
import { Fault } from '../../domain/fault.ts';
import { moneyText } from '../../domain/money.ts';
import type { Staging } from '../../domain/staging.ts';
import { comparePayments } from './compare-payments.ts';
import { type GuardDeps, occasionOf } from './duplicate-guard.ts';
import { dateOf, heldDays, isWithin } from './pay-period.ts';

/** Throws a Fault `already-paid` when, live, a later batch paid staged rows of this one, or may still pay them. */
export async function holdPaidSince(batch: BatchHeader, staging: Staging, deps: GuardDeps): Promise<void> {
  const { settings, ledger } = deps;
  if (settings.sandbox) return;
  const { duplicates, timezone } = settings;
  const { key, total, sheet } = batch;
  const occasion = occasionOf({ key, checked: { headings: sheet.headings, total } }, deps);
  const { overlaps } = await comparePayments(staging, ledger, occasion);
  const later = overlaps.find(
    (one) =>
      one.batch !== batch.id &&
      one.same.count > 0 &&
      one.plannedAt >= batch.plannedAt &&
      isWithin(one, batch, heldDays(one, batch, duplicates, timezone)),
  );
  if (!later) return;
  const { rows, count } = later.same;
  const named = rows.map(({ row, name, amount }) => `row ${row} (${name}, ${moneyText(amount)})`).join(', ');
  const more = count > rows.length ? ` and ${count - rows.length} more` : '';
  throw new Fault(
    'already-paid',
    `Batch ${later.batch} of ${dateOf(later.plannedAt, timezone)} paid the same since, or may still: ${named}${more}. Nothing was tried again.`,
    'Name the other rows with --row. What is to be paid once more all the same goes into a new sheet, with --allow-duplicate "reason".',
  );
}
