/** Rows above the headings: titles are left alone, but a row that looks like a payment is never passed over. */
import type { Cell, SheetRow } from '../domain/cell.ts';
import { decimalMarks } from '../domain/decimal-mark.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { parseMsisdn } from '../domain/msisdn.ts';
import { amountOf } from '../kinds/amount.ts';
import { type ReadContext, withoutEdges } from '../kinds/column.ts';
import { kindOfRow } from '../kinds/index.ts';
import type { RowView } from '../kinds/kind.ts';

/**
 * The issue of a row that could be paid: under the headings it would be, or it holds a phone number and an amount in
 * whatever columns, as a first table with headings of its own does.
 */
export function aboveTableIssue(row: SheetRow, view: RowView, context: ReadContext): Issue | undefined {
  const kind = kindOfRow(view);
  const fits = 'read' in kind && kind.read(view, context).payable !== undefined;
  const phone = row.cells.find((cell) => isPhone(cell, context.country));
  const amount = row.cells.find((cell) => cell !== phone && isAmount(cell, context));
  if (!fits && !(phone && amount)) return undefined;
  const shown = fits ? view('amount').cell : phone;
  const cell = shown?.address ?? row.cells[0]?.address;
  return issue('PB-ABOVE-TABLE', { row: row.number, ...(cell !== undefined && { cell }), value: shown?.text ?? '' });
}

const isPhone = ({ type, text }: Cell, country: string): boolean =>
  (type === 'text' || type === 'number') && parseMsisdn(withoutEdges(text), country).ok;

/** An amount with either mark: above the headings, nothing has decided yet. */
function isAmount({ type, text }: Cell, { currency }: ReadContext): boolean {
  if (type !== 'text' && type !== 'number') return false;
  const readings = decimalMarks.map((decimals) => amountOf(withoutEdges(text), type, { currency, decimals }));
  return readings.some((amount) => amount !== undefined && amount.minor > 0n);
}
