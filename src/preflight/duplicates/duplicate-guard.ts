/**
 * The duplicate guard: may these payments be made beside the ones that earlier batches made, or may still make? It is
 * asked before anything is priced, and again under the lease, because another run may have paid the sheet meanwhile.
 */

import type { CheckedSheet } from '../../batch/check-rows.ts';
import type { BatchHeader } from '../../domain/batch.ts';
import { addressOf } from '../../domain/cell.ts';
import type { Clock } from '../../domain/clock.ts';
import { localDate } from '../../domain/clock.ts';
import type { EarlierFindings } from '../../domain/duplicate.ts';
import type { MoneyStatement } from '../../domain/event.ts';
import type { BatchKey } from '../../domain/ids.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Staging } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type Comparison, comparePayments, type SheetOccasion } from './compare-payments.ts';
import type { DuplicateChoice } from './judge.ts';
import { refusalOf } from './refusal.ts';

/** Batches that are named beside a sheet. */
const NAMED_BATCHES_MAX = 3;

export interface GuardedSheet {
  readonly key: BatchKey;
  readonly checked: Pick<CheckedSheet, 'headings' | 'total'>;
  readonly staging: Staging;
}

export interface GuardDeps {
  readonly settings: Settings;
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** What a sheet that may go has in common with earlier batches. */
export interface Clean {
  readonly comparison: Comparison;
  /** For the money statement. */
  readonly findings: EarlierFindings;
  /** For the record. */
  readonly recorded: Pick<BatchHeader, 'paidBefore'>;
}

/**
 * Throws a Fault `already-paid` when, live, earlier batches hold payments of the sheet that the operator does not answer
 * for, or more of them than `confirmed`, which was found before the totals were confirmed. A rehearsal may be repeated as
 * often as one likes, and is only told.
 */
export async function guardDuplicates(
  sheet: GuardedSheet,
  choice: DuplicateChoice,
  deps: GuardDeps,
  confirmed?: Clean,
): Promise<Clean> {
  const { settings, ledger } = deps;
  const occasion = occasionOf(sheet, deps);
  const comparison = await comparePayments(sheet.staging.payments(), ledger, occasion);
  if (!settings.sandbox) {
    const context = { ledger, sheet: occasion, choice, confirmed: confirmed?.comparison };
    const refusal = await refusalOf(comparison, context);
    if (refusal) throw refusal;
  }
  return { comparison, findings: await findingsOf(comparison, deps), recorded: recordOf(comparison, choice) };
}

/** What people are told of a sheet beside earlier batches, whether or not it may be paid. */
export async function earlierFindings(sheet: GuardedSheet, deps: GuardDeps): Promise<EarlierFindings> {
  return findingsOf(await comparePayments(sheet.staging.payments(), deps.ledger, occasionOf(sheet, deps)), deps);
}

/** The statement with what was found beside it. */
export const withFindings = <P extends { readonly statement: MoneyStatement }>(priced: P, { findings }: Clean): P => ({
  ...priced,
  statement: { ...priced.statement, ...findings },
});

/** A sheet as the batch that it would be if it were planned now. */
export function occasionOf(
  { key, checked: { headings, total } }: Omit<GuardedSheet, 'staging'>,
  { settings, clock }: GuardDeps,
): SheetOccasion {
  const { duplicates, timezone } = settings;
  const column = headings.find(({ means }) => means === 'amount')?.column ?? 1;
  const cellOf = (row: number): string => addressOf(column, row);
  return { key, plannedAt: clock.now(), currency: total.currency, cellOf, duplicates, timezone };
}

async function findingsOf(comparison: Comparison, { settings, ledger }: GuardDeps): Promise<EarlierFindings> {
  const { paidBefore, overlaps, changedPayees, newPayees } = comparison;
  const isFirst = (await ledger.latestBatch()) === undefined;
  const batches = overlaps
    .filter(({ same }) => same.count > 0)
    .slice(0, NAMED_BATCHES_MAX)
    .map(({ batch, plannedAt, same }) => ({ batch, date: localDate(plannedAt, settings.timezone), ...same }));
  return {
    ...(paidBefore.count > 0 && { paidBefore: { ...sumOf(paidBefore), batches } }),
    ...(changedPayees.count > 0 && { changedPayees }),
    ...(newPayees.count > 0 && !isFirst && { newPayees }),
  };
}

const sumOf = ({ count, amount }: Comparison['paidBefore']): Comparison['paidBefore'] => ({ count, amount });

function recordOf({ held, overlaps }: Comparison, { allowDuplicate }: DuplicateChoice): Clean['recorded'] {
  if (held.count === 0 && allowDuplicate === undefined) return {};
  const batches = overlaps.filter(({ isHeld, same }) => isHeld && same.count > 0).map(({ batch }) => batch);
  return {
    paidBefore: {
      rows: held.count,
      batches: batches.slice(0, NAMED_BATCHES_MAX),
      ...(allowDuplicate !== undefined && { reason: allowDuplicate }),
    },
  };
}
