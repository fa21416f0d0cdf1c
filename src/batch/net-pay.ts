/** Payroll exports that show gross pay and deductions beside the pay: the three must agree. */
import { addressOf, type SheetRow } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { add, type Money, moneyText, subtract } from '../domain/money.ts';
import { amountOf } from '../kinds/amount.ts';
import { type ReadContext, withoutEdges } from '../kinds/column.ts';
import type { ColumnMap } from './column-map.ts';
import { folded } from './fold-heading.ts';

const GROSS = new Set(['gross', 'grosspay', 'grosssalary', 'totalgross', 'salairebrut']);
const DEDUCTIONS = new Set(['totaldeductions', 'totaldeduction', 'deductions', 'totalretenues']);

/** Where a table says what is earned and what is taken off, once each. */
export interface PayColumns {
  readonly gross: number;
  readonly deductions: number;
}

export function payColumnsOf({ headings }: ColumnMap): PayColumns | undefined {
  const only = (names: ReadonlySet<string>): number | undefined => {
    const [first, ...others] = headings.filter(({ text, means }) => means === undefined && names.has(folded(text)));
    return others.length === 0 ? first?.column : undefined;
  };
  const gross = only(GROSS);
  const deductions = only(DEDUCTIONS);
  return gross === undefined || deductions === undefined ? undefined : { gross, deductions };
}

/** The issue of a row whose amount is not its gross pay less its deductions, when all three are numbers. */
export function netPayIssue(
  row: SheetRow,
  at: PayColumns,
  column: number,
  amount: Money,
  context: ReadContext,
): Issue | undefined {
  const gross = moneyAt(row, at.gross, context);
  const stated = moneyAt(row, at.deductions, context);
  if (!gross || !stated) return undefined;
  // Some exports write what is taken off with a minus.
  const net = stated.minor < 0n ? add(gross, stated) : subtract(gross, stated);
  if (net.minor === amount.minor) return undefined;
  const deductions = moneyText(stated.minor < 0n ? { ...stated, minor: -stated.minor } : stated);
  const place = { row: row.number, cell: addressOf(column, row.number), value: moneyText(amount) };
  return issue('PB-NET-PAY', place, { gross: moneyText(gross), deductions, net: moneyText(net) });
}

function moneyAt(row: SheetRow, column: number, context: ReadContext): Money | undefined {
  const cell = row.cells.find((candidate) => candidate.column === column);
  if (!cell || (cell.type !== 'text' && cell.type !== 'number') || cell.formula === 'missing') return undefined;
  return amountOf(withoutEdges(cell.text), cell.type, context);
}
