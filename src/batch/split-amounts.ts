/**
 * Finds amounts such as `1,500.00` or `12,500` that were written without quotes in a comma-separated file, so that 1 or 12 would
 * be paid. Usually such a row has a field too many, but not if a field at its end was left out.
 */
import { type Cell, cellIn } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import type { BesideCheck, RowToPay } from './beside-check.ts';
import type { ColumnMap } from './column-map.ts';
import { AMOUNT } from './heading-mapping.ts';

/** An amount of less than a thousand, as it looks in front of a comma between thousands. */
const BEFORE_COMMA = /^[1-9]\d{0,2}$/;
const AFTER_COMMA = /^\d{3}$/;
/** A figure, of any number of digits. */
const FIGURE = /^\d+(?:\.\d+)?$/;
/** The field after the last comma. */
const LAST_AFTER_COMMA = /^\d{3}(?:\.\d{1,2})?$/;

/** Columns in which figures alone say nothing. */
const FOR_WORDS: ReadonlySet<string> = new Set(['name', 'type', 'network', 'purpose', 'note']);

/** An amount that reads as a larger one together with the fields after it. */
interface Candidate {
  readonly row: number;
  readonly cell: Cell;
  readonly whole: string;
}

export class SplitAmounts implements BesideCheck {
  readonly #amount: number;
  /** The last column that has a heading. */
  readonly #last: number;
  /** Whether the column after the amount is for words. */
  #isForWords: boolean;
  /** Whether figures are usual there: of three digits next to larger amounts as well, or of more or fewer digits. */
  #areUsual = false;
  /** Whether some amount is not one or two digits in front of three. */
  #isOnlySome = false;
  #first: Candidate | undefined;
  /** The first candidate that its fields alone prove. */
  #proven: Candidate | undefined;

  constructor({ places, headings }: ColumnMap) {
    this.#amount = places.get(AMOUNT)?.[0] ?? 0;
    const headed = headings.filter(({ text }) => text !== '');
    this.#last = Math.max(...headed.map(({ column }) => column));
    this.#isForWords = headed.some(({ column, means = '' }) => column === this.#amount + 1 && FOR_WORDS.has(means));
  }

  see({ row: { number: row, cells } }: RowToPay): void {
    const textIn = (column: number): string => (column > this.#last ? '' : (cellIn(cells, column)?.text.trim() ?? ''));
    const cell = cellIn(cells, this.#amount);
    const amount = cell?.text.trim() ?? '';
    const next = textIn(this.#amount + 1);
    if (/\p{L}/u.test(next)) this.#isForWords = true;
    const isSmall = BEFORE_COMMA.test(amount);
    if (!cell || !isSmall || !LAST_AFTER_COMMA.test(next)) {
      this.#isOnlySome = true;
      this.#areUsual ||= LAST_AFTER_COMMA.test(next) ? !isSmall : FIGURE.test(next);
      return;
    }
    let [whole, end] = [`${amount},${next}`, this.#amount + 1];
    while (AFTER_COMMA.test(textIn(end)) && LAST_AFTER_COMMA.test(textIn(end + 1))) {
      end += 1;
      whole += `,${textIn(end)}`;
    }
    this.#isOnlySome ||= amount.length > 2;
    const candidate = { row, cell, whole };
    this.#first ??= candidate;
    const isMillions = end > this.#amount + 1 && /,000(?:\.\d+)?$/.test(whole);
    const hasCents = whole.includes('.') && end < this.#last && textIn(this.#last) === '';
    if (isMillions || hasCents) this.#proven ??= candidate;
  }

  /** Returns the issue of the first amount that is perhaps split; a warning if only its size says so. */
  issues(): readonly Issue[] {
    const { row, cell, whole } = this.#proven ?? this.#first ?? {};
    if (row === undefined || !cell || this.#areUsual) return [];
    const found = issue('PB-AMOUNT-SPLIT', { row, cell: cell.address, value: cell.text }, { whole: whole ?? '' });
    if (this.#isForWords || this.#proven) return [found];
    return this.#isOnlySome ? [] : [{ ...found, level: 'warning' }];
  }
}
