/** Counts the rows of a batch by what they have in common: a way of paying, a reason, or a value in a column of the sheet. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { type Outcome, outcomeTable } from '../domain/outcome.ts';
import { present } from '../domain/present.ts';
import { resultWords } from '../domain/result-code.ts';
import { sheetValueText } from '../domain/sheet-value.ts';
import { isByHand } from './row-money.ts';
import { plus, type Sums } from './sums.ts';

/** Rows that have something in common, and their sums. */
export interface Group extends Sums {
  readonly name: string;
  /** The outcome of the rows; absent if they are not grouped by it. */
  readonly outcome?: Outcome;
}

export interface Breakdown {
  /** Groups in the order in which they first appear in the sheet. */
  readonly groups: readonly Group[];
  /** The sums over all further groups; absent if there are none. */
  readonly rest?: Sums;
}

/**
 * The most groups that are shown one by one. A column with more groups has a value for each person, and says nothing as a
 * table.
 */
const GROUPS_MAX = 100;

/** Counts groups, in memory that does not grow with the rows. */
class BreakdownCounter {
  readonly #groups = new Map<string, Group>();
  #rest: Sums | undefined;

  add(of: Pick<Group, 'name' | 'outcome'>, sums: Sums): void {
    const key = `${of.outcome ?? ''} ${of.name}`;
    const known = this.#groups.get(key);
    if (known || this.#groups.size < GROUPS_MAX)
      this.#groups.set(key, { ...of, ...(known ? plus(known, sums) : sums) });
    else this.#rest = this.#rest ? plus(this.#rest, sums) : sums;
  }

  breakdown(): Breakdown {
    return { groups: [...this.#groups.values()], ...present({ rest: this.#rest }) };
  }
}

/**
 * Returns why a row was not paid, in words that other rows share: the code of a problem, the meaning of a result code, or the
 * answer of the service.
 */
function commonReason(row: ResultRow): string {
  const { outcome, issues, line, state, superseded } = row;
  const { title, says } = outcomeTable[outcome];
  const problem = issues.find(({ level }) => level === 'error');
  const { resultCode, resultText, statusText } = line?.report ?? {};
  const code = resultCode && `result code ${resultCode}`;
  const words = [
    outcome === 'invalid' && problem?.code,
    row.leftOut?.reason,
    isByHand(row) && 'resolved by hand',
    superseded && 'a later batch holds it',
    code && [code, resultWords(resultCode) ?? resultText].filter(Boolean).join(': '),
    resultText,
    statusText !== title && statusText,
    state?.answer?.tag !== 'accepted' && state?.answer?.reason,
    says,
  ];
  return words.find((said) => typeof said === 'string' && said !== '') || says;
}

/** A column of the user's sheet, and the rows counted by its values. */
export interface ColumnBreakdown {
  readonly heading: string;
  readonly breakdown: Breakdown;
}

/** Counts rows by way of paying, by reason, and by columns of the user's sheet. */
export class RowBreakdowns {
  readonly #kinds = new BreakdownCounter();
  readonly #reasons = new BreakdownCounter();
  readonly #columns: readonly { readonly heading: string; readonly at: number; readonly counter: BreakdownCounter }[];

  constructor({ sheet }: BatchHeader, groupBy: readonly string[]) {
    this.#columns = groupBy.map((heading) => ({
      heading,
      at: sheet.headings.findIndex(({ text }) => text === heading),
      counter: new BreakdownCounter(),
    }));
  }

  add(row: ResultRow, sums: Sums): void {
    const { payout, outcome, texts } = row;
    if (payout) this.#kinds.add({ name: payout.kind }, sums);
    if (outcome !== 'completed') this.#reasons.add({ outcome, name: commonReason(row) }, sums);
    for (const { at, counter } of this.#columns) counter.add({ name: sheetValueText(texts[at] ?? '') }, sums);
  }

  breakdowns() {
    return {
      byKind: this.#kinds.breakdown().groups,
      byReason: this.#reasons.breakdown(),
      byColumn: this.#columns.map(({ heading, counter }) => ({ heading, breakdown: counter.breakdown() })),
    };
  }
}
