/**
 * The sign before the cents in an amount column. `1,500` and `100,50` cannot be read on their own. In a column in which every
 * amount fits one sign, and at least one amount proves it, they can. Nothing else decides: no share of the rows, no locale.
 */
import type { Currency } from '../domain/currency.ts';
import { type Issue, issue } from '../domain/issue.ts';
import type { DecimalMark } from '../domain/number-format.ts';
import { type Written, writtenAs } from '../kinds/amount.ts';
import { type CellView, trimmed } from '../kinds/column.ts';
import { repairOf } from '../kinds/repair.ts';

interface Seen {
  readonly mark: DecimalMark;
  readonly text: string;
  readonly address: string;
}

export interface ColumnFacts {
  readonly currency: Currency;
  /** Whether the file separates its fields by semicolons, as programs do where commas come before the cents. */
  readonly semicolons: boolean;
  /** Whether values are read as their repairs, because the operator accepted fixes. */
  readonly acceptFixes: boolean;
}

/** An amount that a person typed, and how it is written. */
export interface TypedAmount {
  readonly view: CellView;
  readonly text: string;
  readonly written: Written;
}

/** Sees the amounts of a column one after another, and reports what they prove, and once when they contradict each other. */
export class DecimalStyles {
  readonly #facts: ColumnFacts;
  readonly #fitting = new Set<DecimalMark>(['point', 'comma']);
  #proof: Seen | undefined;
  #contradicted = false;

  constructor(facts: ColumnFacts) {
    this.#facts = facts;
  }

  /** Returns how the text of a cell writes its amount; `undefined` if it says nothing about its column. */
  read(view: CellView): TypedAmount | undefined {
    const text = this.#textOf(view);
    const written = text === undefined ? undefined : writtenAs(text, this.#facts.currency);
    return text === undefined || written === undefined ? undefined : { view, text, written };
  }

  /** Returns the issue of the first amount that proves another mark than an earlier one. */
  see(typed: TypedAmount | undefined): Issue | undefined {
    if (typed === undefined || typed.written.tag === 'bare') return undefined;
    const { view, text, written } = typed;
    const marks = this.#marksOf(written);
    for (const mark of this.#fitting) if (!marks.includes(mark)) this.#fitting.delete(mark);
    const [mark] = marks;
    if (!this.#proves(written) || mark === undefined) return undefined;
    this.#proof ??= { mark, text, address: view.address };
    if (this.#proof.mark === mark || this.#contradicted) return undefined;
    this.#contradicted = true;
    const place = { row: view.row, cell: view.address, value: text };
    return issue('PB-AMOUNT-STYLES', place, { first: this.#proof.text, firstCell: this.#proof.address });
  }

  /** Returns the mark that every amount seen fits and at least one proves; `undefined` if the column is open. */
  decided(): DecimalMark | undefined {
    const { mark } = this.#proof ?? {};
    return mark !== undefined && this.#fitting.has(mark) ? mark : undefined;
  }

  /** Reports whether an amount can only be read when the whole column is known. */
  asks({ written }: TypedAmount): boolean {
    return written.tag === 'open' || written.tag === 'comma-cents';
  }

  #textOf(view: CellView): string | undefined {
    if (view.cell?.type !== 'text') return undefined;
    const text = trimmed(view);
    return this.#facts.acceptFixes ? (repairOf(text)?.to ?? text) : text;
  }

  #marksOf(written: Written): readonly DecimalMark[] {
    if (written.tag === 'open') return written.fits;
    return [written.tag === 'proof' ? written.mark : 'comma'];
  }

  #proves({ tag }: Written): boolean {
    return tag === 'proof' || (tag === 'comma-cents' && this.#facts.semicolons);
  }
}
