/** Columns that say who a number is registered to, or who else is to get the money: `M-PESA Name`, `Pay to`. */
import { cellIn } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { matchNames } from '../domain/name-match.ts';
import { isNoName } from '../kinds/no-value.ts';
import { wordsOf } from '../kinds/plain-text.ts';
import type { BesideCheck, RowToPay } from './beside-check.ts';
import type { ColumnMap } from './column-map.ts';

const HOLDER =
  '(?:registered|m ?pesa|momo|mobile money|airtel money|tigo pesa|wallet|sim|line|kyc|hakikisha|verified|validated|account holder)';
/** The words of such headings: `Registered Name`, `Names on Mobile Money`, `Jina la M-PESA`, `Pay to`. */
const OF_PAYEE = new RegExp(
  ` ${HOLDER} (?:registered )?(?:full )?names? | names? (?:registered )?(?:on|in|as per|as in) (?:the )?${HOLDER} | jina la (?:${HOLDER}|usajili) |^ (?:registered (?:to|owner)|account holder|(?:pay|paid|payable|send) to|nom (?:m ?pesa|momo|mobile money|enregistre)) $`,
);
/** A name of at least two words: one may be an answer, such as `Same`. */
const NAME = /^\s*\p{L}[\p{L}.'’-]*\s+\p{L}[\p{L}\s.'’()&-]*$/u;

/** Holds the first other name of each column. */
export class NamesBeside implements BesideCheck {
  readonly #columns: readonly number[];
  readonly #found = new Map<number, { readonly first: Issue; count: number }>();

  constructor({ headings, places }: ColumnMap) {
    const open = headings.filter(({ means, text }) => means === undefined && OF_PAYEE.test(wordsOf(text)));
    this.#columns = places.has('name') ? open.map(({ column }) => column) : [];
  }

  see({ row: { number, cells }, payout }: RowToPay): void {
    if (!payout) return;
    const { name, destination } = payout;
    for (const column of this.#columns) {
      const cell = cellIn(cells, column);
      const other = cell?.text.trim() ?? '';
      if (!cell || !NAME.test(other) || isNoName(other) || matchNames(name, other) !== 'no-match') continue;
      const place = { row: number, cell: cell.address, value: other };
      const first = issue('PB-PAYEE-NAMES', place, { payee: destination, first: name, firstRow: number });
      const found = this.#found.get(column) ?? { first, count: 0 };
      found.count += 1;
      this.#found.set(column, found);
    }
  }

  /** Returns the issue of each column, at the first other name. */
  issues(): readonly Issue[] {
    return [...this.#found.values()].map(({ first, count }) => {
      const hint = count > 1 ? `; there are ${count - 1} more like it` : '';
      return { ...first, parameters: { ...first.parameters, hint } };
    });
  }
}
