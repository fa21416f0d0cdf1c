/** The cells of one column in rows of one look, as far as they say nothing of their own. What all of them share is found once. */
import { columnLetters } from '../../domain/cell.ts';
import type { CurrencyCode } from '../../domain/currency.ts';
import { currencyRecord, decimalOf, type Money } from '../../domain/money.ts';
import type { CellContent, CellDefaults, CellWriter, StyledCell } from './cells.ts';
import { textSizeOf } from './looks.ts';
import { isSimple } from './safe-text.ts';
import { linesOf } from './text-lines.ts';

/** Points of a line of 11-point text, and how much higher a line is than its text. */
export const LINE_POINTS = 15;
const LEADING = LINE_POINTS / 11;

/** Height of so many lines of a text, in points. */
export const pointsOf = (lines: number, size: number): number => Math.ceil(lines * size * LEADING);

/** Lines of a text of a size in points, in a cell so many characters wide. */
export const linesIn = (text: string, width: number, size: number): number => linesOf(text, (width * 11) / size);

/** What stands between the address and the value of a cell, or behind the address of an empty one. */
interface Middle {
  readonly value: string;
  readonly empty: string;
}

interface MoneyMiddle extends Middle {
  /** Minor units of one. */
  readonly unit: number;
}

interface ColumnPlace {
  /** Counted from 1. */
  readonly column: number;
  /** In characters. */
  readonly width: number;
}

const VALUE_END = '</v></c>';

export class UsualCells {
  readonly defaults: CellDefaults;
  /** The column, counted from 1, and its letters. */
  readonly column: number;
  readonly letters: string;
  readonly #cells: CellWriter;
  readonly #width: number;
  readonly #size: number;
  readonly #start: string;
  readonly #linePoints: number;
  /** What was written last, with what stands behind its address: many columns say in a row what they said in the one before. */
  #last = { text: '', behind: '' };
  #lastStyled: { readonly cell: StyledCell; readonly behind: string; readonly points: number } | undefined;
  #measured = { text: '', points: 0 };
  #text: Middle | undefined;
  #number: Middle | undefined;
  readonly #money = new Map<CurrencyCode, MoneyMiddle>();

  constructor(cells: CellWriter, defaults: CellDefaults, { column, width }: ColumnPlace) {
    this.#cells = cells;
    this.defaults = defaults;
    this.column = column;
    this.letters = columnLetters(column);
    this.#width = width;
    this.#size = textSizeOf(defaults.look);
    this.#start = `<c r="${this.letters}`;
    this.#linePoints = pointsOf(1, this.#size);
  }

  /** The cell as the worksheet stores it; `digits` are those of its row. */
  xmlOf(value: CellContent, row: number, digits: string): string {
    if (typeof value === 'string') {
      if (value === this.#last.text && value !== '') return this.#start + digits + this.#last.behind;
      this.#text ??= this.#middleOf(value, ' t="str"');
      const { value: middle, empty } = this.#text;
      if (value === '') return this.#start + digits + empty;
      if (!isSimple(value)) return this.#any(value, row);
      const behind = middle + value + VALUE_END;
      this.#last = { text: value, behind };
      return this.#start + digits + behind;
    }
    if (typeof value !== 'object') {
      this.#number ??= this.#middleOf(value, '');
      const { value: middle, empty } = this.#number;
      const stored = this.#cells.stored(value, this.defaults.format);
      return this.#start + digits + (stored === undefined ? empty : middle + stored + VALUE_END);
    }
    if ('digits' in value) return this.#any(value, row);
    const { value: middle, unit } = this.#money.get(value.currency) ?? this.#moneyMiddle(value);
    return this.#start + digits + middle + decimalNumber(value, unit) + VALUE_END;
  }

  /** Height that a cell asks of its row, in points. */
  pointsOf(value: CellContent): number {
    if (!this.defaults.wrap || typeof value !== 'string' || value === '') return this.#linePoints;
    if (value !== this.#measured.text) {
      this.#measured = { text: value, points: pointsOf(linesIn(value, this.#width, this.#size), this.#size) };
    }
    return this.#measured.points;
  }

  /** The cell that was kept, in another row; undefined where another one was kept, or none. */
  again(cell: StyledCell, digits: string): { readonly xml: string; readonly points: number } | undefined {
    const last = this.#lastStyled;
    return last?.cell === cell ? { xml: this.#start + digits + last.behind, points: last.points } : undefined;
  }

  /** Keeps a cell that says something of itself, and the same in every row. `xml` is that of the row of these digits. */
  keep(cell: StyledCell, digits: string, { xml, points }: { readonly xml: string; readonly points: number }): void {
    if (cell.formula || cell.note !== undefined || cell.link !== undefined || cell.span !== undefined) return;
    this.#lastStyled = { cell, behind: xml.slice(this.#start.length + digits.length), points };
  }

  #any(value: CellContent, row: number): string {
    const style = this.#cells.styleOf(value, this.defaults);
    return this.#cells.xmlOf(`${this.letters}${row}`, row, value, style, this.defaults.format);
  }

  #middleOf(value: CellContent, type: string): Middle {
    const style = this.#cells.styleOf(value, this.defaults);
    return { value: `" s="${style}"${type}><v>`, empty: `" s="${style}"/>` };
  }

  #moneyMiddle(value: Money): MoneyMiddle {
    const unit = 10 ** currencyRecord(value.currency).exponent;
    const made = { ...this.#middleOf(value, ''), unit };
    this.#money.set(value.currency, made);
    return made;
  }
}

/** The number that is nearest to an amount. Where both parts are exact, so is what their division is rounded from. */
function decimalNumber(money: Money, unit: number): number {
  const minor = Number(money.minor);
  return Number.isSafeInteger(minor) ? minor / unit : Number(decimalOf(money));
}
