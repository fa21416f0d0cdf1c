/**
 * Rows of earlier batches that were not paid, by the name of the person. Where phone and account were corrected and no reference
 * identifies the person, only the name does, and the ledger has no index of names: each row of a batch that blocks the
 * sheet is read, and those of other people are passed over.
 */
import type { UnpaidRow } from '../../domain/duplicate.ts';
import type { BatchId } from '../../domain/ids.ts';
import { isDefiniteFailure } from '../../domain/outcome.ts';
import type { Settings } from '../../domain/settings.ts';
import { comparedName, type NamedAmount, type StagedPayment, type Staging } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { namesPayment } from './match-payments.ts';
import { isHeldBy, type Occasion } from './pay-period.ts';

/** A sheet as an occasion of paying, with its staged rows and their number. */
export type SheetOfRows = Occasion & {
  readonly rows: number;
  readonly staging: Pick<Staging, 'payments' | 'paidAmong'>;
};

export interface UnpaidPeople {
  /** Returns the rows that may be this payment before phone or account was corrected. */
  correctedBy(payment: StagedPayment): readonly UnpaidRow[];
  /** What was read, by batch. */
  readonly read: ReadonlyMap<BatchId, UnpaidRows>;
}

/** The rows of a batch that may be payments of the sheet, and the last fact of the batch when they were read. */
interface UnpaidRows {
  readonly lastFact: number;
  readonly rows: readonly UnpaidRow[];
}

export const nobody: UnpaidPeople = { read: new Map(), correctedBy: () => [] };

/** A word such as "Staff" or "Refund" occurs in more rows of one amount than this, and names nobody. */
const NAMESAKES_MAX = 10;

/**
 * Reads the unpaid rows of people of the sheet in all batches that block the same payments. Only these rows are held in
 * memory. `before`: what was read earlier; it stays good for batches about which nothing was recorded since.
 */
export async function unpaidPeople(
  sheet: SheetOfRows,
  {
    ledger,
    settings,
  }: { readonly ledger: Pick<Ledger, 'batches' | 'lastFactOf' | 'unpaidIn'>; readonly settings: Settings },
  before?: Pick<UnpaidPeople, 'read'>,
): Promise<UnpaidPeople> {
  const read = new Map<BatchId, UnpaidRows>();
  for (const earlier of await ledger.batches()) {
    if (!isHeldBy(sheet, earlier, settings)) continue;
    // Asked first: what is recorded while the rows are read makes them be read again.
    const lastFact = await ledger.lastFactOf(earlier.id);
    const known = before?.read.get(earlier.id);
    const isKnown = known?.lastFact === lastFact;
    const asked = isKnown ? known.rows : await ledger.unpaidIn(earlier.id, (people) => sheet.staging.paidAmong(people));
    read.set(earlier.id, { lastFact, rows: asked });
  }
  const rows = Map.groupBy(
    [...read.values()].flatMap((one) => one.rows),
    personOf,
  );
  return {
    read,
    correctedBy(payment) {
      const namesakes = rows.get(personOf(payment)) ?? [];
      if (namesakes.length > NAMESAKES_MAX) return [];
      const alike = namesakes.filter((row) => !isAnother(row, payment, sheet.rows));
      // Of namesakes in one batch, the one whose account is still the same is meant.
      const unchanged = new Set(alike.filter(({ payee }) => payee === payment.payee).map(({ batch }) => batch));
      return alike.filter(({ batch }) => !unchanged.has(batch));
    },
  };
}

/** Returns the number of the last fact of the ledger, as far as this process has followed it. */
export const lastFact = async (ledger: Pick<Ledger, 'head'>): Promise<number> => (await ledger.head())?.seq ?? 0;

const personOf = ({ name, amount: { minor, currency } }: NamedAmount): string =>
  `${comparedName(name)}|${minor}|${currency}`;

/**
 * Reports whether references show that a row that failed is another person's. A row that may still be paid counts with any
 * reference: a person is asked about it, and many sheets give each payment a new one.
 */
const isAnother = ({ reference, outcome }: UnpaidRow, payment: StagedPayment, rows: number): boolean =>
  isDefiniteFailure(outcome) &&
  reference !== payment.reference &&
  [reference, payment.reference].every((one) => one !== undefined && namesPayment(one, rows));
