/** The sum of all amounts that a sheet shows, to hold against its total row. */
import type { Cell } from '../domain/cell.ts';
import type { DecimalMark } from '../domain/decimal-mark.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { add, type Money, moneyText, zero } from '../domain/money.ts';
import type { Payout } from '../domain/payout.ts';
import { amountOf } from '../kinds/amount.ts';
import { type CellView, type ReadContext, trimmed, withoutEdges } from '../kinds/column.ts';
import { repairOf } from '../kinds/repair.ts';

type AmountReading = Pick<ReadContext, 'currency' | 'decimals' | 'acceptFixes'>;

export class ControlTotal {
  /** Undefined once an amount could not be read: nothing is said of a total then. */
  #shown: Money | undefined;

  constructor(currency: Money['currency']) {
    this.#shown = zero(currency);
  }

  /** Of the rows so far; undefined where an amount could not be read. */
  get sum(): Money | undefined {
    return this.#shown;
  }

  /** Adds the amount of a row, whether or not it is paid. */
  add(view: CellView, payout: Payout | undefined, context: AmountReading): void {
    // A row without an amount has nothing to add, whatever else is wrong with it.
    if (!view.cell || !this.#shown || (view.cell.formula !== 'missing' && !view.cell.merged && trimmed(view) === ''))
      return;
    // Of a row that is paid it was read already.
    const amount = payout?.amount ?? amountIn(view, context);
    this.#shown = amount && add(this.#shown, amount);
  }

  /** The issue of a total row that does not say what the rows add up to. `decided`: the mark of the amount column. */
  issueOf(row: number, cell: Cell, { currency }: AmountReading, decided: DecimalMark | undefined): Issue | undefined {
    const sum = this.#shown;
    if (!sum) return undefined;
    const type = cell.type === 'number' ? 'number' : 'text';
    // As the column says, or as the total proves by itself: a control total that agrees either way has done its work.
    const stated = [amountOf(withoutEdges(cell.text), type, { currency })];
    if (decided) stated.push(amountOf(withoutEdges(cell.text), type, { currency, decimals: decided }));
    if (stated.some((amount) => amount?.minor === sum.minor)) return undefined;
    return issue('PB-TOTAL-ROW', { row, cell: cell.address, value: cell.text }, { sum: moneyText(sum) });
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
