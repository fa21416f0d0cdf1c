/**
 * Columns of the days on which rows are to be paid. All rows of a sheet are paid at once, so several days are a warning: some
 * rows may be due later.
 */
import { type Cell, cellIn } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { holdColumn } from '../kinds/left-out.ts';
import type { BesideCheck, RowToPay } from './beside-check.ts';
import type { ColumnMap } from './column-map.ts';
import { folded } from './fold-heading.ts';

const DAYS: ReadonlySet<string> = new Set([
  ...['paydate', 'paymentdate', 'dateofpay', 'dateofpayment', 'datetopay', 'datetobepaid', 'payon', 'tobepaidon'],
  ...['datepaid', 'paidon', 'paiddate', 'paidat', 'disbursedon'],
  ...['duedate', 'datedue', 'paymentduedate', 'dueon', 'valuedate', 'disbursementdate', 'dateofdisbursement'],
  ...['tareheyamalipo', 'tareheyakulipwa', 'datedepaiement', 'datepaiement', 'echeance', 'datedecheance', 'datevaleur'],
]);

/** A number of days or a name is none. */
const isDay = ({ type, text }: Cell): boolean => type === 'date' || /\d[^\d.,]+\d/.test(text);

interface DayColumn {
  readonly column: number;
  readonly heading: string;
  /** The day of the first row. */
  day?: string;
  /** The first cell with another day. */
  other?: { readonly row: number; readonly cell: Cell };
  hasGap?: boolean;
}

export class PaymentDays implements BesideCheck {
  readonly #columns: readonly DayColumn[];

  constructor({ headings }: ColumnMap) {
    const days = headings.filter(({ text }) => DAYS.has(folded(text)));
    this.#columns = days.map(({ column, text }) => ({ column, heading: text }));
  }

  see({ row: { number, cells } }: RowToPay): void {
    for (const found of this.#columns) {
      const cell = cellIn(cells, found.column);
      const day = cell?.text.trim() ?? '';
      if (!cell || !isDay(cell)) found.hasGap = true;
      else if (found.day === undefined) found.day = day;
      else if (found.day !== day) found.other ??= { row: number, cell };
    }
  }

  /**
   * Returns the issue of each column that has several days, at the first other one. If only some rows have a day, these may be the
   * days on which they were paid (`paid-before.ts`).
   */
  issues(): readonly Issue[] {
    return this.#columns.flatMap(({ heading, other, hasGap }) => {
      if (!other || hasGap) return [];
      const place = { row: other.row, cell: other.cell.address, value: other.cell.text.trim() };
      return [issue('PB-HOLD-ELSEWHERE', place, { heading, hold: holdColumn.heading })];
    });
  }
}
