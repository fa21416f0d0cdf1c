/** The totals among the rows of a table, and below them. Each is a control total: it must equal the sum of its rows. */
import type { Payout } from '../domain/batch.ts';
import type { Cell } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import type { LeftOut } from '../domain/left-out.ts';
import type { Money } from '../domain/money.ts';
import type { CellView, ReadContext } from '../kinds/column.ts';
import { ControlTotal } from './control-total.ts';
import type { TotalRow } from './table.ts';

export class TableTotals {
  readonly #currency: Money['currency'];
  /** The sum of all rows. */
  readonly whole: ControlTotal;
  /** The rows since the last subtotal. */
  #section: ControlTotal;
  #hasSubtotals = false;
  /** The amount of the first row that no total below it includes so far. */
  #uncovered: CellView | undefined;
  readonly #figuresBelow: Cell[] = [];
  readonly #labels: Cell[] = [];

  constructor(currency: Money['currency']) {
    this.#currency = currency;
    this.whole = new ControlTotal(currency);
    this.#section = new ControlTotal(currency);
  }

  /** What is calculated with the total, below it. */
  get figuresBelow(): readonly Cell[] {
    return this.#figuresBelow;
  }

  /** The labels of totals that name their rows. */
  get labels(): readonly Cell[] {
    return this.#labels;
  }

  /** Takes the amount of a row, which the next total has to include. */
  row(amount: CellView): void {
    this.#uncovered ??= amount;
  }

  /** Adds the amount of a row, whether the row is paid or not. */
  add(amount: CellView, payout: Payout | undefined, context: ReadContext): void {
    for (const sum of [this.whole, this.#section]) sum.add(amount, payout, context);
  }

  /** Adds the amount of a row that the sheet leaves out. */
  leave(leftOut: LeftOut, amount: CellView, context: ReadContext): void {
    for (const sum of [this.whole, this.#section]) sum.leave(leftOut, amount, context);
  }

  figureBelow(cell: Cell): void {
    this.#figuresBelow.push(cell);
  }

  /**
   * Takes a total, and returns the sums of which it has to be one; none if it is no control total. A subtotal begins the next
   * section.
   */
  sumsOf({ amount, isOfSection = false, label }: TotalRow): readonly ControlTotal[] {
    // A total below such figures includes them. The total above them was compared with the rows.
    if (this.#figuresBelow.length > 0) {
      this.#figuresBelow.push(amount);
      return [];
    }
    const isSubtotal = isOfSection || label !== undefined;
    const sums = [...(isSubtotal ? [this.#section] : []), ...(isOfSection ? [] : [this.whole])];
    if (isSubtotal) this.#section = new ControlTotal(this.#currency);
    this.#hasSubtotals ||= isSubtotal;
    if (label) this.#labels.push(label);
    this.#uncovered = undefined;
    return sums;
  }

  /**
   * Returns the issue of rows below the last subtotal without a total of their own. A summary that happens to look like a payment
   * would be paid there.
   */
  issue(): Issue | undefined {
    if (!this.#hasSubtotals || !this.#uncovered) return undefined;
    const { row, address, cell } = this.#uncovered;
    return issue('PB-SUBTOTAL-LACKING', { row, cell: address, value: cell?.text ?? '' });
  }
}
