/** The sum of all amounts in a sheet, for comparison with its total row. */

import type { Payout } from '../domain/batch.ts';
import type { Cell } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import type { LeftOut } from '../domain/left-out.ts';
import { add, type Money, moneyText, zero } from '../domain/money.ts';
import type { DecimalMark } from '../domain/number-format.ts';
import { amountOf } from '../kinds/amount.ts';
import { type CellView, type ReadContext, trimmed, withoutEdges } from '../kinds/column.ts';
import { repairOf } from '../kinds/repair.ts';

type AmountReading = Pick<ReadContext, 'currency' | 'decimals' | 'acceptFixes'>;

export class ControlTotal {
  /** Sum of the rows so far, as far as their amounts can be read. */
  #shown: Money;
  /** Amounts that could not be read, with the address of the first. */
  #unread: { readonly first: string; readonly count: number } | undefined;
  /** Sum of the rows that are left out, as far as their amounts can be read. A total may include them or not. */
  #leftOut: Money;
  /** The same sum of the stored values instead of the displayed ones, because a spreadsheet adds up stored values. */
  #leftOutHeld: Money;

  constructor(currency: Money['currency']) {
    this.#shown = zero(currency);
    this.#leftOut = zero(currency);
    this.#leftOutHeld = zero(currency);
  }

  /** The sum of the rows so far; `undefined` if an amount could not be read. */
  get sum(): Money | undefined {
    return this.#unread ? undefined : this.#shown;
  }

  /** Adds the amount of a row, whether the row is paid or not. */
  add(view: CellView, payout: Payout | undefined, context: AmountReading): void {
    // A row without an amount has nothing to add, even if something else is wrong with it.
    if (!view.cell || (view.cell.formula !== 'missing' && !view.cell.merged && trimmed(view) === '')) return;
    // The amount of a row that is paid was already read.
    const amount = payout?.amount ?? amountIn(view, context);
    if (amount) this.#shown = add(this.#shown, amount);
    else this.#unread = { first: this.#unread?.first ?? view.address, count: (this.#unread?.count ?? 0) + 1 };
  }

  /** Adds the amount of a row that the sheet leaves out. */
  leave({ amount }: LeftOut, view: CellView, context: AmountReading): void {
    if (amount) this.#leftOut = add(this.#leftOut, amount);
    const held = amount ?? amountIn(view, context);
    if (held) this.#leftOutHeld = add(this.#leftOutHeld, held);
  }

  /**
   * Returns the issue of a total row that differs from the sum of the rows, or that could not be compared with it. `decided` is
   * the decimal mark of the amount column.
   */
  issueOf(row: number, cell: Cell, reading: AmountReading, decided: DecimalMark | undefined): Issue | undefined {
    if (this.#agreeing(cell, reading, decided).length > 0) return undefined;
    const place = { row, cell: cell.address, value: cell.text };
    const sum = moneyText(this.#shown);
    if (cell.formula === 'missing') return issue('PB-TOTAL-NO-VALUE', place, { sum });
    if (this.#unread) return issue('PB-TOTAL-UNREAD', place, { sum, ...this.#unread });
    if (this.#leftOutHeld.minor === 0n) return issue('PB-TOTAL-ROW', place, { sum });
    return issue('PB-TOTAL-LEFT-OUT', place, { sum, whole: moneyText(add(this.#shown, this.#leftOutHeld)) });
  }

  /** Reports whether a total row that agrees includes the rows that are left out; `undefined` if that makes no difference. */
  holdsLeftOut(cell: Cell, reading: AmountReading, decided: DecimalMark | undefined): boolean | undefined {
    const [agreeing] = this.#agreeing(cell, reading, decided);
    return agreeing === undefined || this.#leftOutHeld.minor === 0n ? undefined : agreeing !== this.#shown;
  }

  /** Returns those of the possible sums that a total row states: without the rows that are left out, and with them. */
  #agreeing(cell: Cell, { currency }: AmountReading, decided: DecimalMark | undefined): readonly Money[] {
    const type = cell.type === 'number' ? 'number' : 'text';
    // Read with the mark of the column, or as the total proves on its own: a control total that agrees either way has
    // served its purpose.
    const stated = [amountOf(withoutEdges(cell.text), type, { currency })];
    if (decided) stated.push(amountOf(withoutEdges(cell.text), type, { currency, decimals: decided }));
    const sums = [this.#shown, add(this.#shown, this.#leftOut), add(this.#shown, this.#leftOutHeld)];
    return sums.filter((sum) => stated.some((amount) => amount?.minor === sum.minor));
  }
}

function amountIn(view: CellView, context: AmountReading): Money | undefined {
  const { cell } = view;
  if (!cell) return undefined;
  const amount = amountOf(trimmed(view), cell.type === 'number' ? 'number' : 'text', context);
  if (amount || !context.acceptFixes || cell.type !== 'text') return amount;
  const repaired = repairOf(cell.text)?.to;
  return repaired === undefined ? undefined : amountOf(repaired, 'text', context);
}
