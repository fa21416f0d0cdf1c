/** Rows that a sheet leaves out on purpose: rows on hold, with a reason, or paid in cash. They are counted and never sent. */
import { counted } from './counted.ts';
import { add, type Money, moneyText } from './money.ts';
import { outcomeTable } from './outcome.ts';

/** Why a row is left out, in the words of its sheet, and what it would have paid. */
export interface LeftOut {
  readonly reason: string;
  /** Absent if the sheet has no amount that can be read. */
  readonly amount?: Money;
}

/** The rows of a sheet that are left out. */
export interface LeftOutSums {
  readonly rows: number;
  /** Sum of the rows whose amount can be read. */
  readonly amount: Money;
  /** Number of rows whose amount cannot be read and is therefore not in the sum; absent if there are none. */
  readonly unread?: number;
}

/** Returns the sums with one more row. */
export const withLeftOut = ({ rows, amount, unread = 0 }: LeftOutSums, one: LeftOut): LeftOutSums => ({
  rows: rows + 1,
  ...(one.amount ? { amount: add(amount, one.amount), ...(unread > 0 && { unread }) } : { amount, unread: unread + 1 }),
});

/** Returns `2 rows, KES 20,000.00`, and mentions the rows whose amount is not in the sum. */
export const leftOutText = ({ rows, amount, unread }: LeftOutSums): string =>
  `${counted(rows, 'row')}, ${moneyText(amount)}${unread === undefined ? '' : ` (the amount of ${counted(unread, 'row')} cannot be read)`}`;

/** Returns why a row has no order and nothing more can be said about it. */
export const withoutOrder = (row: { readonly leftOut?: LeftOut } | undefined): string =>
  row?.leftOut
    ? `its sheet leaves it out (${row.leftOut.reason}), so it was never sent. ${outcomeTable['left-out'].todo.replace(/\.$/, '')}`
    : 'it was set aside and has no order';
