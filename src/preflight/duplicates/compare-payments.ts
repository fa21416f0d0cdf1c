/**
 * Holds the payments of a sheet against those of earlier batches: in blocks, with three look-ups for each, and with nothing
 * kept but sums and the first few rows.
 */
import type { CurrencyCode } from '../../domain/currency.ts';
import type { ChangedPayee, NamedPayment, Sum, SumWithRows } from '../../domain/duplicate.ts';
import type { BatchId } from '../../domain/ids.ts';
import { add, type Money, zero } from '../../domain/money.ts';
import { maskedPhone } from '../../domain/msisdn.ts';
import type { DuplicateSettings } from '../../domain/settings.ts';
import type { StagedPayment } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type Before, type Match, matchPayments, type Payments } from './match-payments.ts';
import { daysBefore, heldDays, isWithin, type Occasion } from './pay-period.ts';

/** Rows that are named; their count tells of the rest. */
const NAMED_ROWS_MAX = 3;

/** The sheet that is held against earlier batches, and what decides how long those stand in its way. */
export interface SheetOccasion extends Occasion {
  readonly currency: CurrencyCode;
  /** Cell of the amount of a row. */
  readonly cellOf: (row: number) => string;
  readonly duplicates: DuplicateSettings;
  readonly timezone: string;
}

/** What a sheet and one earlier batch have in common. */
export interface Overlap extends Occasion {
  readonly batch: BatchId;
  /** The batch is so near that the same payments are taken for a repetition. */
  readonly isHeld: boolean;
  /** It is so near that the same people, paid other amounts, may be its correction. */
  readonly isRecent: boolean;
  /** Rows that the batch pays the same. */
  readonly same: SumWithRows;
  /** Rows whose payee the batch pays, whatever the amount. */
  readonly people: number;
}

export interface Comparison {
  readonly payable: Sum;
  /** Batches that pay the same or the same people, the one with the most equal payments first. */
  readonly overlaps: readonly Overlap[];
  /** Rows that some batch pays the same, however long ago, as far as it was looked back. */
  readonly paidBefore: Sum;
  /** Rows that a batch pays the same that is so near; `sameReference`: those that it pays under the same reference. */
  readonly held: Sum & { readonly sameReference: number };
  readonly changedPayees: { readonly count: number; readonly rows: readonly ChangedPayee[] };
  /** Rows whose payee this ledger never paid. */
  readonly newPayees: SumWithRows;
}

type Records = Pick<Ledger, 'paymentsTo' | 'paymentsToOthers' | 'knownPayees'>;

/** Compares payments with all batches of the ledger that are near enough to matter. */
export async function comparePayments(payments: Payments, ledger: Records, sheet: SheetOccasion): Promise<Comparison> {
  const gathering = new Gathering(sheet);
  const since = daysBefore(sheet.plannedAt, Math.max(...Object.values(sheet.duplicates)));
  for await (const block of matchPayments(payments, ledger, since)) {
    const newPayees = block.filter(({ to }) => to.length === 0).map(({ payment }) => payment.payee);
    const known = await ledger.knownPayees(new Set(newPayees));
    for (const { payment, matches, ...before } of block) {
      gathering.payment(payment);
      gathering.earlier(payment, matches);
      gathering.changed(payment, before);
      if (before.to.length === 0 && !known.has(payment.payee)) gathering.newcomer(payment);
    }
  }
  return gathering.comparison();
}

class Gathering {
  readonly #sheet: SheetOccasion;
  readonly #overlaps = new Map<BatchId, { overlap: Omit<Overlap, 'same' | 'people'>; same: Named; people: number }>();
  readonly #payable: Named;
  readonly #paidBefore: Named;
  readonly #held: Named;
  readonly #newPayees: Named;
  readonly #changed: ChangedPayee[] = [];
  #sameReference = 0;
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
    const seen = { isSame: false, isHeld: false, isSameReference: false };
    for (const { earlier, isSame, isSameReference } of matches) {
      const one = this.#overlapWith(earlier);
      const { isHeld } = one.overlap;
      one.people += 1;
      if (isSame) one.same.add(payment);
      seen.isSame ||= isSame;
      seen.isHeld ||= isSame && isHeld;
      seen.isSameReference ||= isSameReference && isHeld;
    }
    if (seen.isSame) this.#paidBefore.add(payment);
    if (seen.isHeld) this.#held.add(payment);
    if (seen.isSameReference) this.#sameReference += 1;
  }

  /** Tells of a reference whose last payment went to somebody else. */
  changed({ row, name, reference, destination }: StagedPayment, { to, moved: [last] }: Before): void {
    if (!last || reference === undefined) return;
    if (to.some((one) => one.reference === reference && one.plannedAt > last.plannedAt)) return;
    this.#changedCount += 1;
    const from = maskedPhone(last.destination);
    keepFirst(this.#changed, { row, name, reference, from, to: destination, batch: last.batch });
  }

  comparison(): Comparison {
    const overlaps = [...this.#overlaps.values()].map(({ overlap, same, people }) => ({
      ...overlap,
      same: same.sum(),
      people,
    }));
    return {
      payable: this.#payable.sum(),
      overlaps: overlaps.sort((a, b) => b.same.count - a.same.count || b.plannedAt - a.plannedAt),
      paidBefore: this.#paidBefore.sum(),
      held: { ...this.#held.sum(), sameReference: this.#sameReference },
      changedPayees: { count: this.#changedCount, rows: this.#changed },
      newPayees: this.#newPayees.sum(),
    };
  }

  #overlapWith({ batch, key, plannedAt }: Match['earlier']) {
    const known = this.#overlaps.get(batch);
    if (known) return known;
    const sheet = this.#sheet;
    const earlier = { key, plannedAt };
    const days = heldDays(sheet, earlier, sheet.duplicates, sheet.timezone);
    const isRecent = isWithin(sheet, earlier, sheet.duplicates.otherPeriodDays);
    const overlap = { batch, ...earlier, isHeld: isWithin(sheet, earlier, days), isRecent };
    const found = { overlap, same: new Named(sheet), people: 0 };
    this.#overlaps.set(batch, found);
    return found;
  }
}

/** Count and sum of rows, and the first few of them. */
class Named {
  readonly #cellOf: SheetOccasion['cellOf'];
  readonly #rows: NamedPayment[] = [];
  #count = 0;
  #amount: Money;

  constructor({ currency, cellOf }: SheetOccasion) {
    this.#cellOf = cellOf;
    this.#amount = zero(currency);
  }

  add({ row, name, amount }: StagedPayment): void {
    this.#count += 1;
    this.#amount = add(this.#amount, amount);
    keepFirst(this.#rows, { row, cell: this.#cellOf(row), name, amount });
  }

  sum(): SumWithRows {
    return { count: this.#count, amount: this.#amount, rows: this.#rows };
  }
}

function keepFirst<T>(kept: T[], candidate: T): void {
  if (kept.length < NAMED_ROWS_MAX) kept.push(candidate);
}
