/**
 * The duplicate guard: decides whether these payments may be made in addition to those that earlier batches made, or may
 * still make. It runs before anything is priced, and again under the lease, because another run may have paid the sheet in
 * the meantime.
 */
import type { CheckedSheet } from '../../batch/check-rows.ts';
import type { BatchHeader } from '../../domain/batch.ts';
import { addressOf } from '../../domain/cell.ts';
import { type Clock, localDate } from '../../domain/clock.ts';
import type { EarlierFindings, LastTime, NamedOf, SumWithRows } from '../../domain/duplicate.ts';
import type { MoneyStatement } from '../../domain/event.ts';
import type { BatchId, BatchKey } from '../../domain/ids.ts';
import { present } from '../../domain/present.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Staging } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { requireSameChanges } from '../payees/changed-payees.ts';
import { type Comparison, comparePayments, type SheetOccasion } from './compare-payments.ts';
import type { DuplicateChoice } from './judge.ts';
import { compareWithPeople, type PeopleFindings } from './last-time.ts';
import { refusalOf } from './refusal.ts';
import { lastFact, type UnpaidPeople, unpaidPeople } from './unpaid-people.ts';

/** Most batches that a finding names. */
const NAMED_BATCHES_MAX = 3;

export interface GuardedSheet {
  readonly key: BatchKey;
  readonly checked: Pick<CheckedSheet, 'headings' | 'total' | 'rows'>;
  readonly staging: Staging;
}

export interface GuardDeps {
  readonly settings: Settings;
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** What a sheet that may be paid has in common with earlier batches. */
export interface Clean {
  readonly comparison: Comparison;
  readonly people: PeopleFindings;
  readonly unpaid: UnpaidPeople;
  /** The batch that the ledger planned last; `undefined` if it has none. */
  readonly latest: BatchId | undefined;
  /** Number of the last fact that the comparison saw. */
  readonly seenTo: number;
  /** Findings for the money statement. */
  readonly findings: EarlierFindings;
  /** Fields for the header of the batch. */
  readonly recorded: Pick<BatchHeader, 'paidBefore' | 'differs'>;
}

/**
 * Throws a Fault `already-paid` if a live sheet has payments that earlier batches hold and the operator does not answer for,
 * or more of them than `confirmed`, which was found before the totals were confirmed. Throws a Fault `payees-changed` if the
 * number of changed payees is not that of `confirmed`. A rehearsal may be repeated at will, and its findings are only
 * reported.
 */
export async function guardDuplicates(
  sheet: GuardedSheet,
  choice: DuplicateChoice,
  deps: GuardDeps,
  confirmed?: Clean,
): Promise<Clean> {
  const { settings, ledger } = deps;
  // While nothing was recorded, the answer from before still holds.
  if (confirmed && confirmed.seenTo === (await lastFact(ledger))) return confirmed;
  const { occasion, ...found } = await compared(sheet, deps, confirmed);
  const { comparison } = found;
  if (!settings.sandbox) {
    const context = { ledger, sheet: occasion, choice, confirmed: confirmed?.comparison };
    const refusal = await refusalOf(comparison, context);
    if (refusal) throw refusal;
    if (confirmed) requireSameChanges(comparison, confirmed.comparison);
  }
  const findings = findingsOf(found, deps);
  return { ...found, findings, recorded: { ...recordOf(comparison, choice), ...differenceOf(findings) } };
}

type Compared = Pick<Clean, 'comparison' | 'people' | 'unpaid' | 'latest' | 'seenTo'>;

/** Compares a sheet with the batches that paid its people, and with all payments. */
async function compared(
  sheet: GuardedSheet,
  deps: GuardDeps,
  confirmed?: Compared,
): Promise<Compared & { readonly occasion: SheetOccasion }> {
  const { ledger } = deps;
  const { staging } = sheet;
  const occasion = occasionOf(sheet, deps);
  const latest = (await ledger.latestBatch())?.id;
  const seenTo = await lastFact(ledger);
  const people = await compareWithPeople({ ...occasion, staging }, ledger);
  const unpaid = await unpaidPeople({ ...occasion, staging }, deps, confirmed?.unpaid);
  const comparison = await comparePayments(staging.payments(), ledger, occasion, people, unpaid);
  return { occasion, latest, seenTo, people, unpaid, comparison };
}

/** Returns what a sheet has in common with earlier batches, whether or not it may be paid. */
export async function earlierFindings(sheet: GuardedSheet, deps: GuardDeps): Promise<EarlierFindings> {
  // Without an earlier batch, there is nothing to search a million rows for.
  if ((await deps.ledger.latestBatch()) === undefined) return {};
  return findingsOf(await compared(sheet, deps), deps);
}

/** Returns the priced sheet with the findings in its statement. */
export const withFindings = <P extends { readonly statement: MoneyStatement }>(priced: P, { findings }: Clean): P => ({
  ...priced,
  statement: { ...priced.statement, ...findings },
});

/** Returns a sheet as the batch that it would be if it were planned now. */
export function occasionOf(
  { key, checked: { headings, total, rows } }: Omit<GuardedSheet, 'staging'>,
  { settings, clock }: GuardDeps,
): SheetOccasion {
  const { duplicates, timezone } = settings;
  const column = headings.find(({ means }) => means === 'amount')?.column ?? 1;
  const cellOf = (row: number): string => addressOf(column, row);
  return { key, plannedAt: clock.now(), currency: total.currency, rows, cellOf, duplicates, timezone };
}

function findingsOf({ comparison, people, latest }: Compared, { settings }: GuardDeps): EarlierFindings {
  const { paidBefore, held, overlaps, changedPayees, newPayees } = comparison;
  const { lastTime, unusualAmounts } = people;
  const batches = overlaps
    .filter(({ same }) => same.count > 0)
    .slice(0, NAMED_BATCHES_MAX)
    .map(({ batch, plannedAt, isHeld, same }) => ({
      batch,
      date: localDate(plannedAt, settings.timezone),
      isHeld,
      ...same,
    }));
  return present({
    paidBefore: paidBefore.count > 0 ? { ...sumOf(paidBefore), held: sumOf(held), batches } : undefined,
    changedPayees: changedPayees.count > 0 ? changedPayees : undefined,
    newPayees: newPayees.count > 0 && latest !== undefined ? newPayees : undefined,
    lastTime,
    unusualAmounts,
  });
}

const sumOf = ({ count, amount }: Comparison['paidBefore']): Comparison['paidBefore'] => ({ count, amount });

function recordOf(
  { held, overlaps }: Comparison,
  { allowDuplicate }: DuplicateChoice,
): Pick<BatchHeader, 'paidBefore'> {
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

function differenceOf(findings: EarlierFindings): Pick<BatchHeader, 'differs'> {
  const { lastTime, changedPayees, unusualAmounts, newPayees } = findings;
  if (!lastTime && !changedPayees && !unusualAmounts && !newPayees) return {};
  return {
    differs: present({
      lastTime: lastTime && recordedLastTime(lastTime),
      changedPayees: changedPayees && recorded(changedPayees, ({ row, batch, rowThen }) => ({ row, batch, rowThen })),
      unusualAmounts: unusualAmounts && recorded(unusualAmounts, ({ row, usual }) => ({ row, usual })),
      newPayees: newPayees && numbers(newPayees),
    }),
  };
}

const recorded = <T, R>({ count, rows }: NamedOf<T>, recordOf: (row: T) => R): NamedOf<R> => ({
  count,
  rows: rows.map(recordOf),
});

const recordedLastTime = ({ batch, newPeople, gonePeople, changedAmounts }: LastTime) => ({
  batch,
  newPeople: numbers(newPeople),
  gonePeople: numbers(gonePeople),
  changedAmounts: { ...changedAmounts, ...recorded(changedAmounts, ({ row, was }) => ({ row, was })) },
});

const numbers = (sum: SumWithRows) => ({ amount: sum.amount, ...recorded(sum, ({ row }) => row) });
