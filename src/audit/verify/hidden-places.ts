/** What somebody hid in a workbook that says the same as the ledger: whoever reads it does not see all that it says. */
import { columnLetters } from '../../domain/cell.ts';
import { shown } from '../../domain/shown-text.ts';

/** Rows or columns that follow each other. Numbers from 1. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The most spans of rows that are named; a filter can hide every other row. */
const SPANS_MAX = 10;

/** What is hidden in one worksheet. */
export class HiddenPlaces {
  readonly #worksheet: string;
  readonly #rows: Span[] = [];
  #columns: readonly Span[] = [];
  #isWhole = false;

  constructor(worksheet: string) {
    this.#worksheet = worksheet;
  }

  whole(): void {
    this.#isWhole = true;
  }

  /** Called with each hidden row, from the top. */
  row(number: number): void {
    const last = this.#rows.at(-1);
    if (last && last.to + 1 === number) this.#rows[this.#rows.length - 1] = { from: last.from, to: number };
    else this.#rows.push({ from: number, to: number });
  }

  columns(spans: readonly Span[]): void {
    this.#columns = spans;
  }

  /** Returns each place in words: `rows 3, 5 to 9 of the worksheet Results`. */
  described(): readonly string[] {
    const sheet = `the worksheet ${shown(this.#worksheet)}`;
    return [
      ...(this.#isWhole ? [sheet] : []),
      ...spansText('row', this.#rows, String).map((rows) => `${rows} of ${sheet}`),
      ...spansText('column', this.#columns, columnLetters).map((columns) => `${columns} of ${sheet}`),
    ];
  }
}

function spansText(noun: string, spans: readonly Span[], nameOf: (at: number) => string): readonly string[] {
  const [first] = spans;
  if (!first) return [];
  const named = spans
    .slice(0, SPANS_MAX)
    .map(({ from, to }) => (from === to ? nameOf(from) : `${nameOf(from)} to ${nameOf(to)}`));
  const more = spans.length > SPANS_MAX ? ' and more' : '';
  const isOne = spans.length === 1 && first.from === first.to;
  return [`${noun}${isOne ? '' : 's'} ${named.join(', ')}${more}`];
}
