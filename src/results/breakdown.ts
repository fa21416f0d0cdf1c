/** Counts the rows of a batch by what they have in common: a reason, or a value in a column of the user's sheet. */
import type { BatchHeader, ResultRow } from '../domain/batch.ts';
import { add, type Money, zero } from '../domain/money.ts';
import { outcomeTable } from '../domain/outcome.ts';
import { resultWords } from '../domain/result-code.ts';
import { sheetValueText } from '../domain/sheet-value.ts';
import { isByHand } from './row-money.ts';

/** The sums of one group. */
export interface GroupSums {
  readonly count: number;
  readonly amount: Money;
  readonly paidCount: number;
  readonly paid: Money;
  readonly fees: Money;
}

export interface Group extends GroupSums {
  readonly name: string;
}

export interface Breakdown {
  /** Groups in the order in which they first appear in the sheet. */
  readonly groups: readonly Group[];
  /** The sums over all further groups; absent if there are none. */
  readonly rest?: GroupSums;
}

/**
 * The most groups that are shown one by one. A column with more groups has a value for each person, and says nothing as a
 * table.
 */
const GROUPS_MAX = 100;

/** Counts groups, in memory that does not grow with the rows. */
class BreakdownCounter {
  readonly #groups = new Map<string, GroupSums>();
  #rest: GroupSums | undefined;

  add(name: string, sums: GroupSums): void {
    const known = this.#groups.get(name);
    if (known || this.#groups.size < GROUPS_MAX) this.#groups.set(name, plus(known, sums));
    else this.#rest = plus(this.#rest, sums);
  }

  breakdown(): Breakdown {
    const groups = [...this.#groups].map(([name, sums]) => ({ name, ...sums }));
    return { groups, ...(this.#rest && { rest: this.#rest }) };
  }
}

const plus = (a: GroupSums | undefined, b: GroupSums): GroupSums =>
  a === undefined
    ? b
    : {
        count: a.count + b.count,
        amount: add(a.amount, b.amount),
        paidCount: a.paidCount + b.paidCount,
        paid: add(a.paid, b.paid),
        fees: add(a.fees, b.fees),
      };

/**
 * Returns why a row was not paid, in words that other rows share: the code of a problem, the meaning of a result code, or the
 * answer of the service.
 */
export function commonReason(row: ResultRow): string {
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

/** Counts rows by reason and by columns of the user's sheet. */
export class RowBreakdowns {
  readonly #reasons = new BreakdownCounter();
  readonly #columns: readonly { readonly heading: string; readonly at: number; readonly counter: BreakdownCounter }[];
  readonly #nothing: Money;

  constructor({ currency, sheet }: BatchHeader, groupBy: readonly string[]) {
    this.#nothing = zero(currency);
    this.#columns = groupBy.map((heading) => ({
      heading,
      at: sheet.headings.findIndex(({ text }) => text === heading),
      counter: new BreakdownCounter(),
    }));
  }

  add(row: ResultRow, { count, amount, fees }: Pick<GroupSums, 'count' | 'amount' | 'fees'>): void {
    const paid =
      row.outcome === 'completed' ? { paidCount: count, paid: amount } : { paidCount: 0, paid: this.#nothing };
    const sums = { count, amount, fees, ...paid };
    if (row.outcome !== 'completed') this.#reasons.add([row.outcome, commonReason(row)].join(' '), sums);
    for (const { at, counter } of this.#columns) counter.add(sheetValueText(row.texts[at] ?? ''), sums);
  }

  breakdowns(): { readonly byReason: Breakdown; readonly byColumn: readonly ColumnBreakdown[] } {
    return {
      byReason: this.#reasons.breakdown(),
      byColumn: this.#columns.map(({ heading, counter }) => ({ heading, breakdown: counter.breakdown() })),
    };
  }
}
