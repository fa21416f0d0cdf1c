/**
 * What a batch may still send beside later batches: rows that failed may have been corrected and paid from another sheet, and
 * rows that were never sent may stand in one that somebody allowed to repeat them.
 */
import type { BatchHeader } from '../../domain/batch.ts';
import { Fault } from '../../domain/fault.ts';
import { moneyText } from '../../domain/money.ts';
import type { StagedPayment, Staging } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { comparePayments, type Overlap, type Payments } from './compare-payments.ts';
import { type GuardDeps, occasionOf } from './duplicate-guard.ts';
import { dateOf, heldDays, isWithin } from './pay-period.ts';

/** Throws a Fault `already-paid` when, live, a later batch paid staged rows of this one, or may still pay them. */
export async function holdPaidSince(batch: BatchHeader, staging: Staging, deps: GuardDeps): Promise<void> {
  const later = await paidSince(batch, staging.payments(), deps);
  if (!later) return;
  throw new Fault(
    'already-paid',
    `${laterText(later, deps)}. Nothing was tried again.`,
    'Name the other rows with --row. What is to be paid once more all the same goes into a new sheet, with --allow-duplicate "reason".',
  );
}

/** Throws a Fault `already-paid` when, live, a later batch paid rows of this one that were never sent, or may still pay them. */
export async function holdUnsentPaidSince(batch: BatchHeader, deps: GuardDeps): Promise<void> {
  const [latest] = await deps.ledger.batches();
  if (latest === undefined || latest.id === batch.id) return;
  const later = await paidSince(batch, unsentPayments(batch, deps.ledger), deps);
  if (!later) return;
  throw new Fault(
    'already-paid',
    `${laterText(later, deps)}. This batch has not sent them, and does not send any more.`,
    `\`paybatch status ${batch.id}\` follows what it sent. Rows that are still owed go into a new sheet, with --allow-duplicate "reason".`,
  );
}

/** The latest batch after this one that pays the same; undefined when there is none, and for a rehearsal. */
async function paidSince(batch: BatchHeader, payments: Payments, deps: GuardDeps): Promise<Overlap | undefined> {
  const { settings, ledger } = deps;
  if (settings.sandbox) return undefined;
  const { duplicates, timezone } = settings;
  const { key, total, sheet } = batch;
  const occasion = occasionOf({ key, checked: { headings: sheet.headings, total } }, deps);
  const { overlaps } = await comparePayments(payments, ledger, occasion);
  return overlaps.find(
    (one) =>
      one.batch !== batch.id &&
      one.same.count > 0 &&
      one.plannedAt >= batch.plannedAt &&
      isWithin(one, batch, heldDays(one, batch, duplicates, timezone)),
  );
}

async function* unsentPayments({ id }: BatchHeader, ledger: Ledger): AsyncGenerator<readonly StagedPayment[]> {
  for await (const rows of ledger.resultRows(id)) {
    yield rows.flatMap(({ row, outcome, payout }): readonly StagedPayment[] => {
      if (outcome !== 'unsent' || !payout) return [];
      const { name, reference, payee, destination, amount } = payout;
      // Which of several equal rows the other batch paid, nobody can say: each of them may have been.
      return [{ row, name, ...(reference !== undefined && { reference }), payee, destination, amount, occurrence: 1 }];
    });
  }
}

function laterText({ batch, plannedAt, same: { rows, count } }: Overlap, { settings }: GuardDeps): string {
  const named = rows.map(({ row, name, amount }) => `row ${row} (${name}, ${moneyText(amount)})`).join(', ');
  const more = count > rows.length ? ` and ${count - rows.length} more` : '';
  return `Batch ${batch} of ${dateOf(plannedAt, settings.timezone)} paid the same since, or may still: ${named}${more}`;
}
