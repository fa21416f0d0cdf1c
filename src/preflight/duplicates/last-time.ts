/**
 * A sheet beside earlier batches of its series: who is new, who is gone, who gets another amount or is paid elsewhere. Batches are
 * of one series when their names agree once year and month, day or week, and a number at the end are left out. People name a batch
 * after its month, and nobody configures a series; a batch of a rehearsal without a name goes by its file.
 */
import type { BatchHeader } from '../../domain/batch.ts';
import { addressOf } from '../../domain/cell.ts';
import { localDate } from '../../domain/clock.ts';
import type { CurrencyCode } from '../../domain/currency.ts';
import type { EarlierFindings, LastTime, NamedPayment, SumWithRows } from '../../domain/duplicate.ts';
import { type BatchKey, nameOfKey } from '../../domain/ids.ts';
import type { Difference, FarRule, KnownPeople, NamedRow, PaidElsewhere, SomeRows } from '../../domain/known-people.ts';
import type { Money } from '../../domain/money.ts';
import { seriesName, stemOf } from '../../domain/proposed-name.ts';
import type { Staging } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';

/** Batches of a series that are looked at: a year of months. */
const BATCHES_MAX = 12;

/** Rows that are named of each finding; their count tells of the rest. */
export const NAMED_MAX = 20;

/** Three payments make a history; three times as much as usual, or a third of it, is far. */
const FAR: FarRule = { paymentsMin: 3, factor: 3 };

/** A sheet as one of a series. */
export interface SheetOfSeries {
  readonly key: BatchKey;
  /** Name of its file; missing where nobody knows it. */
  readonly file?: string;
  readonly currency: CurrencyCode;
  readonly cellOf: (row: number) => string;
  readonly timezone: string;
  readonly staging: Pick<Staging, 'knownPeople'>;
}

/** What a sheet has in common with its series. */
export interface SeriesFindings extends Pick<EarlierFindings, 'lastTime' | 'unusualAmounts'> {
  /** `KnownPeople.paidElsewhere`, with when the batch was planned. */
  paidElsewhere(first: number, last: number): ReadonlyMap<number, PaidElsewhere & { readonly plannedAt: number }>;
}

export const noSeries: SeriesFindings = { paidElsewhere: () => new Map() };

type Records = Pick<Ledger, 'batches' | 'tallies' | 'paidRows' | 'purges'>;

/** Knows the people of a sheet again in the latest batches of its series: one batch after the other, in blocks. */
export async function compareWithSeries(sheet: SheetOfSeries, ledger: Records): Promise<SeriesFindings> {
  const series = await batchesOfSeries(sheet, ledger);
  const [latest] = series;
  if (!latest) return noSeries;
  const people = sheet.staging.knownPeople();
  let lastTime: LastTime | undefined;
  for (const batch of series) {
    people.begin(batch.id);
    for await (const rows of ledger.paidRows(batch.id)) people.add(rows);
    people.know();
    lastTime ??= lastTimeOf(people.difference(NAMED_MAX), latest, sheet);
  }
  const plannedAt = new Map(series.map((batch) => [batch.id, batch.plannedAt]));
  return {
    ...(lastTime && { lastTime }),
    ...unusualAmounts(people, sheet),
    paidElsewhere: (first, last) => {
      const found = [...people.paidElsewhere(first, last)];
      return new Map(found.map(([row, one]) => [row, { ...one, plannedAt: plannedAt.get(one.batch) ?? 0 }]));
    },
  };
}

/** Its batches that paid somebody or may still, the latest first. One of which nothing was taken says nothing of people. */
async function batchesOfSeries(sheet: SheetOfSeries, ledger: Records): Promise<readonly BatchHeader[]> {
  const own = seriesOf(sheet.key, sheet.file);
  if (own === undefined) return [];
  const purges = await ledger.purges();
  const found: BatchHeader[] = [];
  for (const header of await ledger.batches()) {
    if (found.length === BATCHES_MAX) break;
    // Nobody knows any more whom it paid.
    if (purges.has(header.id)) continue;
    if (header.currency !== sheet.currency || seriesOf(header.key, header.sheet.name) !== own) continue;
    const tallies = await ledger.tallies(header.id);
    if (tallies.some(({ outcome }) => TAKEN.has(outcome))) found.push(header);
  }
  return found;
}

/** Outcomes of a row that the service took. */
const TAKEN: ReadonlySet<string> = new Set(['completed', 'pending', 'in-doubt', 'timed-out']);

/** Undefined for a batch of which nobody knows what it is called. */
function seriesOf(key: BatchKey, file: string | undefined): string | undefined {
  const name = nameOfKey(key) ?? (file === undefined ? undefined : stemOf(file));
  return name === undefined ? undefined : seriesName(name);
}

function lastTimeOf(
  { paid, newPeople, gonePeople, otherAmounts }: Difference,
  batch: BatchHeader,
  { currency, cellOf, timezone }: SheetOfSeries,
): LastTime {
  const money = (minor: bigint): Money => ({ minor, currency });
  const { found, count, more, less } = otherAmounts;
  const column = batch.sheet.headings.find(({ means }) => means === 'amount')?.column ?? 1;
  const named = (rows: SomeRows, cell: (row: number) => string): SumWithRows => ({
    count: rows.count,
    amount: money(rows.minor),
    rows: rows.found.map((row) => namedPayment(row, cell, currency)),
  });
  return {
    batch: batch.id,
    date: localDate(batch.plannedAt, timezone),
    paid: { count: paid.count, amount: money(paid.minor) },
    newPeople: named(newPeople, cellOf),
    gonePeople: named(gonePeople, (row) => addressOf(column, row)),
    changedAmounts: {
      count,
      rows: found.map((row) => ({ ...namedPayment(row, cellOf, currency), was: money(row.was) })),
      more: money(more),
      less: money(less),
    },
  };
}

function unusualAmounts(
  people: KnownPeople,
  { cellOf, currency }: SheetOfSeries,
): Pick<EarlierFindings, 'unusualAmounts'> {
  const { found, count } = people.farAmounts(FAR, NAMED_MAX);
  if (count === 0) return {};
  const rows = found.map(({ usual, payments, ...row }) => ({
    ...namedPayment(row, cellOf, currency),
    usual: { minor: usual, currency },
    payments,
  }));
  return { unusualAmounts: { count, rows } };
}

const namedPayment = (
  { row, name, minor }: NamedRow,
  cellOf: (row: number) => string,
  currency: CurrencyCode,
): NamedPayment => ({ row, cell: cellOf(row), name, amount: { minor, currency } });
