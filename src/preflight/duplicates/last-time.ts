/**
 * Compares a sheet with earlier batches of the same people: who is new, who is gone, who gets another amount, and who is
 * paid to another account. The batches are chosen by whom they paid, not by name: a payroll under another name this month is
 * still compared, and another payment of the same name is not.
 */
import type { BatchHeader } from '../../domain/batch.ts';
import { addressOf } from '../../domain/cell.ts';
import { localDate } from '../../domain/clock.ts';
import type { CurrencyCode } from '../../domain/currency.ts';
import type { EarlierFindings, LastTime, NamedOf, NamedRow } from '../../domain/duplicate.ts';
import type { Difference, FarRule, KnownPeople, PaidElsewhere } from '../../domain/known-people.ts';
import type { Staging } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { daysBefore, type Occasion } from './pay-period.ts';

/** Most batches of the same people that are read: a year of months. */
const BATCHES_MAX = 12;

/** A batch counts if it paid the people of at least this share of the sheet's rows, in percent. */
const SAME_PEOPLE_PERCENT = 50;

/**
 * The sheet is compared with the latest of these batches that paid at least this share, in percent, of the people whom the
 * best of them paid.
 */
const NEAREST_PERCENT = 80;

/**
 * Most people whom the ledger is asked about, spread over the sheet: enough to recognise a half of them, however long the
 * sheet is.
 */
const PEOPLE_ASKED_MAX = 500;

/** How far back batches are searched, in days: a year and a month, so that a yearly payment is compared with the one before. */
const LOOK_BACK_DAYS = 400;

/**
 * Most rows of the latest batches that are read for a sheet of which no batch knows half the accounts. Names have no index,
 * and a sheet on which every account was changed can be recognised only by names.
 */
const READ_FOR_NAMES_MAX = 10_000;

/** Most rows that a finding names. Its count covers the rest. */
export const NAMED_MAX = 20;

/** Three payments make a history. Three times the usual amount, or a third of it, is far. */
const FAR: FarRule = { paymentsMin: 3, factor: 3 };

/** A sheet whose people are searched for in earlier batches. */
interface SheetOfPeople {
  readonly currency: CurrencyCode;
  readonly cellOf: (row: number) => string;
  readonly timezone: string;
  /** When the sheet would be planned, in wall-clock milliseconds. */
  readonly plannedAt: number;
  readonly staging: Pick<Staging, 'knownPeople'>;
}

/** What earlier batches show about the people of a sheet. */
export interface PeopleFindings extends Pick<EarlierFindings, 'lastTime' | 'unusualAmounts'> {
  /** Like `KnownPeople.paidElsewhere`, with the name of the batch and the time at which it was planned. */
  paidElsewhere(first: number, last: number): ReadonlyMap<number, PaidElsewhere & Occasion>;
}

export const nobodyKnown: PeopleFindings = { paidElsewhere: () => new Map() };

type Records = Pick<Ledger, 'batches' | 'batchesPaying' | 'findBatch' | 'seemsToHavePaid' | 'paidRows'>;

/** A batch that may have paid the people of the sheet. */
interface Candidate {
  readonly header: BatchHeader;
  /** Whether the batch paid nearly as many of them as the best batch. */
  readonly isNear: boolean;
}

/** Recognises the people of a sheet in the latest batches that paid most of them. Reads one batch after the other, in blocks. */
export async function compareWithPeople(sheet: SheetOfPeople, ledger: Records): Promise<PeopleFindings> {
  const people = sheet.staging.knownPeople(sheet.currency);
  const known = new Map<BatchHeader['id'], Occasion>();
  let lastTime: LastTime | undefined;
  for (const { header, isNear } of await candidatesFor(people, sheet, ledger)) {
    people.begin();
    for await (const rows of ledger.paidRows(header.id)) people.add(rows);
    const { count, of } = people.shared();
    if (!isShare(SAME_PEOPLE_PERCENT, count, of)) continue;
    people.know(header.id);
    known.set(header.id, { key: header.key, plannedAt: header.plannedAt });
    if (isNear) lastTime ??= lastTimeOf(people.difference(NAMED_MAX), header, sheet);
  }
  if (known.size === 0) return nobodyKnown;
  const unusual = people.farAmounts(FAR, NAMED_MAX);
  return {
    ...(lastTime && { lastTime }),
    ...(unusual.count > 0 && { unusualAmounts: withCells(unusual, sheet.cellOf) }),
    paidElsewhere: (first, last) => {
      const found = [...people.paidElsewhere(first, last)];
      return new Map(
        found.flatMap(([row, one]) => {
          const occasion = known.get(one.batch);
          return occasion ? [[row, { ...one, ...occasion }]] : [];
        }),
      );
    },
  };
}

/**
 * Returns the candidates, latest first: batches chosen by whom they paid, or, if there are none, batches that must be
 * searched for names.
 */
async function candidatesFor(
  people: KnownPeople,
  sheet: SheetOfPeople,
  ledger: Records,
): Promise<readonly Candidate[]> {
  const asked = people.sample(PEOPLE_ASKED_MAX);
  const paying = await ledger.batchesPaying(asked, daysBefore(sheet.plannedAt, LOOK_BACK_DAYS));
  const known = new Map(paying.map((one) => [one.batch, one.people]));
  const found: BatchHeader[] = [];
  for (const [batch, count] of known) {
    if (found.length === BATCHES_MAX) break;
    const header = isShare(SAME_PEOPLE_PERCENT, count, asked.length) ? await ledger.findBatch(batch) : undefined;
    if (header && (await hasPaid(header, sheet, ledger))) found.push(header);
  }
  if (found.length === 0)
    return (await readForNames(people, sheet, ledger)).map((header) => ({ header, isNear: true }));
  const knownBy = ({ id }: BatchHeader): number => known.get(id) ?? 0;
  const best = Math.max(...found.map(knownBy));
  return found.map((header) => ({ header, isNear: isShare(NEAREST_PERCENT, knownBy(header), best) }));
}

/** Returns the latest batches that are long enough to have paid half of the sheet, within the number of rows that may be read. */
async function readForNames(
  people: KnownPeople,
  sheet: SheetOfPeople,
  ledger: Records,
): Promise<readonly BatchHeader[]> {
  const { of } = people.shared();
  const found: BatchHeader[] = [];
  let left = READ_FOR_NAMES_MAX;
  for (const header of await ledger.batches()) {
    if (found.length === BATCHES_MAX) break;
    if (
      header.payable > left ||
      !isShare(SAME_PEOPLE_PERCENT, header.payable, of) ||
      !(await hasPaid(header, sheet, ledger))
    )
      continue;
    found.push(header);
    left -= header.payable;
  }
  return found;
}

/**
 * Reports whether a batch in the currency of the sheet paid anyone, or may have. A batch of which the service accepted
 * nothing says nothing about people.
 */
const hasPaid = async (header: BatchHeader, { currency }: SheetOfPeople, ledger: Records): Promise<boolean> =>
  header.currency === currency && (await ledger.seemsToHavePaid(header.id));

function lastTimeOf(
  { paid, newPeople, gonePeople, changedAmounts }: Difference,
  batch: BatchHeader,
  { cellOf, timezone }: SheetOfPeople,
): LastTime {
  const column = batch.sheet.headings.find(({ means }) => means === 'amount')?.column ?? 1;
  return {
    batch: batch.id,
    date: localDate(batch.plannedAt, timezone),
    paid,
    newPeople: withCells(newPeople, cellOf),
    gonePeople: withCells(gonePeople, (row) => addressOf(column, row)),
    changedAmounts: withCells(changedAmounts, cellOf),
  };
}

/** Returns findings with the cell of each amount. */
const withCells = <F extends NamedOf<NamedRow>>(
  { rows, ...found }: F,
  cellOf: (row: number) => string,
): Omit<F, 'rows'> & NamedOf<F['rows'][number] & { readonly cell: string }> => ({
  ...found,
  rows: rows.map((row) => ({ ...row, cell: cellOf(row.row) })),
});

/** Reports whether `count` is at least `percent` percent of `of`. */
export const isShare = (percent: number, count: number, of: number): boolean => count * 100 >= percent * of;
