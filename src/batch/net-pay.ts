/** Gross pay and deductions in a payroll export, with which the pay must agree. */
import { addressOf, cellIn, type SheetRow } from '../domain/cell.ts';
import { issue } from '../domain/issue.ts';
import { add, type Money, moneyText, subtract } from '../domain/money.ts';
import { amountOf } from '../kinds/amount.ts';
import { type ReadContext, withoutEdges } from '../kinds/column.ts';
import type { BesideCheck } from './beside-check.ts';
import type { ColumnMap } from './column-map.ts';
import { folded } from './fold-heading.ts';
import { AMOUNT } from './heading-mapping.ts';

const GROSS = new Set(['gross', 'grosspay', 'grosssalary', 'totalgross', 'salairebrut']);
const DEDUCTIONS = new Set(['totaldeductions', 'totaldeduction', 'deductions', 'totalretenues']);

/** Warns of rows whose amount is not their gross pay less their deductions, if a table has a column for each of them once. */
export function netPay({ headings, places }: ColumnMap): BesideCheck | undefined {
  const only = (names: ReadonlySet<string>): number | undefined => {
    const [first, ...others] = headings.filter(({ text, means }) => means === undefined && names.has(folded(text)));
    return others.length === 0 ? first?.column : undefined;
  };
  const [grossColumn, deductionsColumn, amountColumn] = [only(GROSS), only(DEDUCTIONS), places.get(AMOUNT)?.[0]];
  if (grossColumn === undefined || deductionsColumn === undefined || amountColumn === undefined) return undefined;
  return {
    issuesOf({ row, payout, context }) {
      const gross = moneyAt(row, grossColumn, context);
      const stated = moneyAt(row, deductionsColumn, context);
      if (!payout || !gross || !stated) return [];
      // Some exports write deductions with a minus.
      const net = stated.minor < 0n ? add(gross, stated) : subtract(gross, stated);
      if (net.minor === payout.amount.minor) return [];
      const deductions = moneyText(stated.minor < 0n ? { ...stated, minor: -stated.minor } : stated);
      const cell = addressOf(amountColumn, row.number);
      const place = { row: row.number, cell, value: moneyText(payout.amount) };
      return [issue('PB-NET-PAY', place, { gross: moneyText(gross), deductions, net: moneyText(net) })];
    },
  };
}

function moneyAt({ cells }: SheetRow, column: number, context: ReadContext): Money | undefined {
  const cell = cellIn(cells, column);
  if (!cell || (cell.type !== 'text' && cell.type !== 'number') || cell.formula === 'missing') return undefined;
  return amountOf(withoutEdges(cell.text), cell.type, context);
}
