/** Amounts typed in two ways in one column: `1,234.50` and `1.234,50` cannot both be meant as they are read. */
import { type Issue, issue } from '../domain/issue.ts';
import { decimalStyleOf } from '../kinds/amount.ts';
import { type CellView, trimmed } from '../kinds/column.ts';

interface Written {
  readonly style: 'point' | 'comma';
  readonly text: string;
  readonly address: string;
}

/** Sees the amounts of a sheet one after another, and tells once when they differ. */
export class DecimalStyles {
  #first: Written | undefined;
  #told = false;

  see(view: CellView, currency: string): Issue | undefined {
    if (this.#told || view.cell?.type !== 'text') return undefined;
    const text = trimmed(view);
    const style = decimalStyleOf(text, currency);
    if (style === undefined) return undefined;
    this.#first ??= { style, text, address: view.address };
    if (this.#first.style === style) return undefined;
    this.#told = true;
    const place = { row: view.row, cell: view.address, value: text };
    return issue('PB-AMOUNT-STYLES', place, { first: this.#first.text, firstCell: this.#first.address });
  }
}
