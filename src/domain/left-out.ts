/** Rows that a sheet leaves out on purpose: held, with a reason, or paid in cash. They are counted, and never sent. */
import { counted } from './counted.ts';
import { add, type Money, moneyText } from './money.ts';
import { outcomeTable } from './outcome.ts';

/** Why a row is left out, in the words of its sheet, and what it would have paid. */
export interface LeftOut {
  readonly reason: string;
  /** Missing where the sheet does not say it in a way that can be read. */
  readonly amount?: Money;
}

/** The rows of a sheet that are left out. */
export interface LeftOutSums {
  readonly rows: number;
  /** Of those rows whose amount can be read. */
  readonly amount: Money;
  /** Rows whose amount cannot be read, so that the sum lacks them; missing when there are none. */
  readonly unread?: number;
}

/** The sums with one row more. */
export const withLeftOut = ({ rows, amount, unread = 0 }: LeftOutSums, one: LeftOut): LeftOutSums => ({
  rows: rows + 1,
  ...(one.amount ? { amount: add(amount, one.amount), ...(unread > 0 && { unread }) } : { amount, unread: unread + 1 }),
});

/** `2 rows, KES 20,000.00`; says so where the sum lacks a row. */
export const leftOutText = ({ rows, amount, unread }: LeftOutSums): string =>
  `${counted(rows, 'row')}, ${moneyText(amount)}${unread === undefined ? '' : ` (the amount of ${counted(unread, 'row')} cannot be read)`}`;

/** Why nothing can be said of a row that never had an order. */
export const withoutOrder = (row: { readonly leftOut?: LeftOut } | undefined): string =>
  row?.leftOut
    ? `its sheet leaves it out (${row.leftOut.reason}), so it was never sent. ${outcomeTable['left-out'].todo.replace(/\.$/, '')}`
    : 'it was set aside and has no order';
