/**
 * Rows of earlier batches that were not paid, by the name of the person. Where phone and account were corrected and no reference
 * identifies the person, only the name does, and the ledger has no index of names.
 */
import type { UnpaidRow } from '../../domain/duplicate.ts';
import { isDefiniteFailure, type Outcome } from '../../domain/outcome.ts';
import type { Settings } from '../../domain/settings.ts';
import { comparedName, type StagedPayment } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { namesPayment } from './match-payments.ts';
import { isHeldBy, type Occasion } from './pay-period.ts';

/** A sheet as an occasion of paying, with the number of its rows. */
export type SheetOfRows = Occasion & { readonly rows: number };

export interface UnpaidPeople {
  /** Returns the rows that may be this payment before phone or account was corrected. */
  correctedBy(payment: StagedPayment): readonly UnpaidRow[];
}

/** A word such as "Staff" or "Refund" occurs in more rows of one amount than this, and names nobody. */
const NAMESAKES_MAX = 10;

/** Reads the unpaid rows of all batches that block the same payments. Only these rows are held in memory. */
export async function unpaidPeople(
  sheet: SheetOfRows,
  {
    ledger,
    settings,
  }: { readonly ledger: Pick<Ledger, 'batches' | 'tallies' | 'unpaidIn'>; readonly settings: Settings },
): Promise<UnpaidPeople> {
  const known = new Map<string, UnpaidRow[]>();
  for (const earlier of await ledger.batches()) {
    if (!isHeldBy(sheet, earlier, settings)) continue;
    if (!(await ledger.tallies(earlier.id)).some(({ outcome }) => !NOTHING_OWED.has(outcome))) continue;
    for await (const rows of ledger.unpaidIn(earlier.id)) for (const row of rows) addTo(known, row);
  }
  return {
    correctedBy(payment) {
      const namesakes = known.get(personOf(payment)) ?? [];
      if (namesakes.length > NAMESAKES_MAX) return [];
      const alike = namesakes.filter((row) => !isAnother(row, payment, sheet.rows));
      // Of namesakes in one batch, the one whose account is still the same is meant.
      const unchanged = new Set(alike.filter(({ payee }) => payee === payment.payee).map(({ batch }) => batch));
      return alike.filter(({ batch }) => !unchanged.has(batch));
    },
  };
}

/** Outcomes of rows that were paid, or that have no order. */
const NOTHING_OWED: ReadonlySet<Outcome> = new Set(['completed', 'invalid', 'left-out']);

function addTo(known: Map<string, UnpaidRow[]>, row: UnpaidRow): void {
  const alike = known.get(personOf(row));
  if (alike) alike.push(row);
  else if (comparedName(row.name) !== '') known.set(personOf(row), [row]);
}

const personOf = ({ name, amount: { minor, currency } }: Pick<StagedPayment, 'name' | 'amount'>): string =>
  `${comparedName(name)}|${minor}|${currency}`;

/**
 * Reports whether references show that a row that failed is another person's. A row that may still be paid counts with any
 * reference: a person is asked about it, and many sheets give each payment a new one.
 */
const isAnother = ({ reference, outcome }: UnpaidRow, payment: StagedPayment, rows: number): boolean =>
  isDefiniteFailure(outcome) &&
  reference !== payment.reference &&
  [reference, payment.reference].every((one) => one !== undefined && namesPayment(one, rows));
