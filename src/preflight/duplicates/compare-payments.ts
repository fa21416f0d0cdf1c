/**
 * Compares the payments of a sheet with those of earlier batches. Works in blocks, with three look-ups for each block, and
 * keeps only sums and the first few rows.
 */
import type { CurrencyCode } from '../../domain/currency.ts';
import type { ChangedPayee, NamedOf, RepeatedPayment, Sum, SumWithRows, UnpaidRow } from '../../domain/duplicate.ts';
import type { BatchId } from '../../domain/ids.ts';
import { add, type Money, zero } from '../../domain/money.ts';
import { maskedPhone } from '../../domain/msisdn.ts';
import { isDefiniteFailure } from '../../domain/outcome.ts';
import type { DuplicateSettings } from '../../domain/settings.ts';
import { comparedName, type StagedPayment } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { NAMED_MAX, nobodyKnown, type PeopleFindings } from './last-time.ts';
import { type Before, correctedRow, type Match, matchPayments, type Payments, paidToText } from './match-payments.ts';
import { daysBefore, isHeldBy, isWithin, type Occasion } from './pay-period.ts';
import { nobody, type UnpaidPeople } from './unpaid-people.ts';

/** Most rows that a finding names. Its count covers the rest. */
const NAMED_ROWS_MAX = 3;

/** The sheet that is compared with earlier batches, and what decides how long these block it. */
export interface SheetOccasion extends Occasion {
  readonly currency: CurrencyCode;
  /** Number of rows of the sheet. */
  readonly rows: number;
  /** Returns the address of the cell with a row's amount. */
  readonly cellOf: (row: number) => string;
  readonly duplicates: DuplicateSettings;
  readonly timezone: string;
}

/** What a sheet and one earlier batch have in common. */
export interface Overlap extends Occasion {
  readonly batch: BatchId;
  /** Whether the batch is so recent that the same payments are taken for a repetition. */
  readonly isHeld: boolean;
  /** Whether the batch is so recent that other amounts to the same people may be a correction of it. */
  readonly isRecent: boolean;
  /** Rows that are the same payment as one of the batch. */
  readonly same: Sum & { readonly rows: readonly RepeatedPayment[] };
  /** Number of rows whose payee the batch pays, with any amount. */
  readonly people: number;
}

export interface Comparison {
  readonly payable: Sum;
  /**
   * Batches that hold the same payments or pay the same people: held ones first, and of these the one with the most equal
   * payments.
   */
  readonly overlaps: readonly Overlap[];
  /** Rows that some batch pays the same, as far back as batches were compared. */
  readonly paidBefore: Sum;
  /** Rows that a held batch pays the same. `certain`: number of those that are the same payment by reference or name. */
  readonly held: Sum & { readonly certain: number };
  /** Rows whose person was paid to another phone or account the last time. */
  readonly changedPayees: NamedOf<ChangedPayee>;
  /** Rows whose payee this ledger has never paid. */
  readonly newPayees: SumWithRows;
}

type Records = Pick<Ledger, 'paymentsTo' | 'paymentsToOthers' | 'knownPayees' | 'findRow'>;

/**
 * Compares payments with all batches of the ledger that are recent enough to matter, and with what is known from batches
 * that paid the same people.
 */
export async function comparePayments(
  payments: Payments,
  ledger: Records,
  sheet: SheetOccasion,
  people: PeopleFindings = nobodyKnown,
  unpaid: UnpaidPeople = nobody,
): Promise<Comparison> {
  const gathering = new Gathering(sheet);
  const since = daysBefore(sheet.plannedAt, Math.max(...Object.values(sheet.duplicates)));
  for await (const block of matchPayments(payments, ledger, { since, rows: sheet.rows })) {
    const newPayees = block.filter(({ to }) => to.length === 0).map(({ payment }) => payment.payee);
    const known = await ledger.knownPayees(new Set(newPayees));
    const elsewhere = people.paidElsewhere(block[0]?.payment.row ?? 0, block.at(-1)?.payment.row ?? 0);
    for (const { payment, matches, ...before } of block) {
      gathering.payment(payment);
      const then = gathering.changed(payment, before, elsewhere.get(payment.row));
      const moved = then ? await withMoved(matches, payment, { ...then, sheet, ledger }) : matches;
      gathering.earlier(payment, await withUnpaid(moved, unpaid.correctedBy(payment), ledger));
      if (before.to.length === 0 && !known.has(payment.payee)) gathering.newcomer(payment);
    }
  }
  return gathering.comparison(ledger);
}

/** A row of an earlier batch that paid the person of a row to another phone or account. */
interface PaidThen extends Occasion {
  readonly batch: BatchId;
  readonly row: number;
}

/**
 * Adds to what matches the payment to a person's former phone or account. If a held batch pays the same person the same
 * amount there, the row may be that payment, corrected before its outcome was known.
 */
async function withMoved(
  matches: readonly Match[],
  payment: StagedPayment,
  { batch, row, sheet, ledger, ...then }: PaidThen & { readonly sheet: SheetOccasion; readonly ledger: Records },
): Promise<readonly Match[]> {
  if (!isHeldBy(sheet, then, sheet) || matches.some((one) => one.isSame && one.earlier.batch === batch)) return matches;
  const corrected = await correctedRow(payment, { batch, row }, ledger);
  if (!corrected) return matches;
  const paidTo = paidToText(corrected.payout.name, corrected.payout.destination);
  const others = matches.filter(({ earlier }) => earlier.batch !== batch);
  return [...others, { earlier: { batch, ...then }, isSame: true, isCertain: true, paidTo }];
}

/** Adds to what matches the rows that the payment corrects, while they may still be paid without another attempt. */
async function withUnpaid(
  matches: readonly Match[],
  corrected: readonly UnpaidRow[],
  ledger: Pick<Ledger, 'findRow'>,
): Promise<readonly Match[]> {
  const all = new Map(matches.map((one) => [one.earlier.batch, one]));
  for (const { batch, key, plannedAt, row, name, outcome } of corrected) {
    if (isDefiniteFailure(outcome) || all.get(batch)?.isSame) continue;
    const { payout } = (await ledger.findRow(batch, row)) ?? {};
    const paidTo = paidToText(name, payout?.destination ?? '');
    all.set(batch, { earlier: { batch, key, plannedAt }, isSame: true, isCertain: true, paidTo });
  }
  return [...all.values()];
}

class Gathering {
  readonly #sheet: SheetOccasion;
  readonly #overlaps = new Map<BatchId, { overlap: Omit<Overlap, 'same' | 'people'>; same: Named; people: number }>();
  readonly #payable: Named;
  readonly #paidBefore: Named;
  readonly #held: Named;
  readonly #newPayees: Named;
  readonly #changed: { readonly payment: StagedPayment; readonly then: PaidThen }[] = [];
  #certain = 0;
  #changedCount = 0;

  constructor(sheet: SheetOccasion) {
    this.#sheet = sheet;
    this.#payable = new Named(sheet);
    this.#paidBefore = new Named(sheet);
    this.#held = new Named(sheet);
    this.#newPayees = new Named(sheet);
  }

  payment(payment: StagedPayment): void {
    this.#payable.add(payment);
  }

  newcomer(payment: StagedPayment): void {
    this.#newPayees.add(payment);
  }

  earlier(payment: StagedPayment, matches: readonly Match[]): void {
    const seen = { isSame: false, isHeld: false, isCertain: false };
    for (const { earlier, isSame, isCertain, paidTo } of matches) {
      const one = this.#overlapWith(earlier);
      const { isHeld } = one.overlap;
      one.people += 1;
      if (isSame) one.same.add(payment, paidTo);
      seen.isSame ||= isSame;
      seen.isHeld ||= isSame && isHeld;
      seen.isCertain ||= isCertain && isHeld;
    }
    if (seen.isSame) this.#paidBefore.add(payment);
    if (seen.isHeld) this.#held.add(payment);
    if (seen.isCertain) this.#certain += 1;
  }

  /**
   * Records a person who was paid to another phone or account the last time, and returns that payment: the one in a batch
   * that paid most people of the sheet, or else in any batch under the same reference and name. The reference of another
   * payment proves nothing by itself, because each sheet counts from 1.
   */
  changed(payment: StagedPayment, { to, moved }: Before, elsewhere: PaidThen | undefined): PaidThen | undefined {
    const { reference, name } = payment;
    const other = moved.find((one) => comparedName(one.name) === comparedName(name));
    const then = [elsewhere, other]
      .filter((one) => one !== undefined)
      .find(({ plannedAt }) => {
        const isSince = (one: Before['to'][number]): boolean =>
          reference !== undefined && one.reference === reference && one.plannedAt > plannedAt;
        return !to.some(isSince);
      });
    if (!then) return undefined;
    this.#changedCount += 1;
    if (this.#changed.length < NAMED_MAX) this.#changed.push({ payment, then });
    return then;
  }

  async comparison(ledger: Pick<Ledger, 'findRow'>): Promise<Comparison> {
    const overlaps = [...this.#overlaps.values()].map(({ overlap, same, people }) => ({
      ...overlap,
      same: same.sum(),
      people,
    }));
    return {
      payable: this.#payable.sum(),
      overlaps: overlaps.sort(
        (a, b) => Number(b.isHeld) - Number(a.isHeld) || b.same.count - a.same.count || b.plannedAt - a.plannedAt,
      ),
      paidBefore: this.#paidBefore.sum(),
      held: { ...this.#held.sum(), certain: this.#certain },
      changedPayees: { count: this.#changedCount, rows: await Promise.all(this.#changed.map(changedPayee(ledger))) },
      newPayees: this.#newPayees.sum(),
    };
  }

  #overlapWith({ batch, key, plannedAt }: Match['earlier']) {
    const known = this.#overlaps.get(batch);
    if (known) return known;
    const sheet = this.#sheet;
    const earlier = { key, plannedAt };
    const isRecent = isWithin(sheet, earlier, sheet.duplicates.otherPeriodDays);
    const overlap = { batch, ...earlier, isHeld: isHeldBy(sheet, earlier, sheet), isRecent };
    const found = { overlap, same: new Named(sheet), people: 0 };
    this.#overlaps.set(batch, found);
    return found;
  }
}

/** Returns a changed payee with the earlier destination, which is read only for the few rows that are named. */
const changedPayee =
  (ledger: Pick<Ledger, 'findRow'>) =>
  async ({ payment, then }: { readonly payment: StagedPayment; readonly then: PaidThen }): Promise<ChangedPayee> => {
    const { row, name, reference, destination } = payment;
    const before = await ledger.findRow(then.batch, then.row);
    return {
      row,
      name,
      ...(reference !== undefined && { reference }),
      from: maskedPhone(before?.payout?.destination ?? ''),
      to: destination,
      batch: then.batch,
      rowThen: then.row,
      ...(before && before.outcome !== 'completed' && { outcome: before.outcome }),
    };
  };

/** Count and sum of rows, and the first few of them. */
class Named {
  readonly #cellOf: SheetOccasion['cellOf'];
  readonly #rows: RepeatedPayment[] = [];
  #count = 0;
  #amount: Money;

  constructor({ currency, cellOf }: SheetOccasion) {
    this.#cellOf = cellOf;
    this.#amount = zero(currency);
  }

  add({ row, name, amount }: StagedPayment, paidTo?: string): void {
    this.#count += 1;
    this.#amount = add(this.#amount, amount);
    if (this.#rows.length === NAMED_ROWS_MAX) return;
    this.#rows.push({ row, cell: this.#cellOf(row), name, amount, ...(paidTo !== undefined && { paidTo }) });
  }

  sum(): Overlap['same'] {
    return { count: this.#count, amount: this.#amount, rows: this.#rows };
  }
}
