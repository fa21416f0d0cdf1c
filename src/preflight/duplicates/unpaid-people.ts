/**
 * Rows of earlier batches that were not paid, by the name of the person. Where phone and account were corrected and no reference
 * tells who it is, only the name does, and no index of the ledger knows names.
 */
import type { UnpaidRow } from '../../domain/duplicate.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Settings } from '../../domain/settings.ts';
import { comparedName, type StagedPayment } from '../../domain/staging.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isCorrected } from './match-payments.ts';
import { isHeldBy, type Occasion } from './pay-period.ts';

/** A sheet as an occasion of paying, with the number of its rows. */
export type SheetOfRows = Occasion & { readonly rows: number };

export interface UnpaidPeople {
  /** Returns the rows that may be this payment before phone or account was corrected. */
  correctedBy(payment: StagedPayment): readonly UnpaidRow[];
}

/** Reads the unpaid rows of all batches that block the same payments. Only these rows are held in memory. */
export async function unpaidPeople(
  sheet: SheetOfRows,
  {
    ledger,
    settings,
  }: { readonly ledger: Pick<Ledger, 'batches' | 'tallies' | 'unpaidIn'>; readonly settings: Settings },
): Promise<UnpaidPeople> {
  const named = new Map<string, UnpaidRow[]>();
  for (const earlier of await ledger.batches()) {
    if (!isHeldBy(sheet, earlier, settings)) continue;
    if (!(await ledger.tallies(earlier.id)).some(({ outcome }) => !NOTHING_OWED.has(outcome))) continue;
    for await (const rows of ledger.unpaidIn(earlier.id)) for (const row of rows) addTo(named, row);
  }
  return {
    correctedBy(payment) {
      const alike = (named.get(comparedName(payment.name)) ?? []).filter((row) =>
        isCorrected(row, payment, sheet.rows),
      );
      // Of namesakes in one batch, the one whose account is still the same is meant.
      const unchanged = new Set(alike.filter(({ payee }) => payee === payment.payee).map(({ batch }) => batch));
      return alike.filter(({ batch }) => !unchanged.has(batch));
    },
  };
}

/** Outcomes of rows that were paid, or that have no order. */
const NOTHING_OWED: ReadonlySet<Outcome> = new Set(['completed', 'invalid', 'left-out']);

function addTo(named: Map<string, UnpaidRow[]>, row: UnpaidRow): void {
  const name = comparedName(row.name);
  const alike = named.get(name);
  if (alike) alike.push(row);
  else if (name !== '') named.set(name, [row]);
}
