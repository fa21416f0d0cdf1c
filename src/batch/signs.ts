/** What an approver looks for and what shows only when every row has been seen: slips of the keyboard, and fraud. */
import { addressOf } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { type Money, moneyText } from '../domain/money.ts';
import type { Contrast, Staging } from '../domain/staging.ts';
import type { ColumnMap } from './match-headings.ts';

/** Each sign names at most so many rows, and says how many more there are: nobody reads more. */
const NAMED_MAX = 20;
/** An amount above so many times the middle amount is unusual (reference: catalogue of failures, X40). */
const UNUSUAL_FACTOR = 20;
/** With fewer payable rows than these, the middle amount says nothing about the others. */
const UNUSUAL_ROWS_MIN = 5;

export function signs(staging: Staging, map: ColumnMap, currency: Money['currency']): readonly Issue[] {
  const at = (id: string, row: number) => ({ row, cell: addressOf(map.places.get(id)?.[0] ?? 1, row) });
  const contrast =
    (code: 'PB-PAYEE-NAMES' | 'PB-NAME-PAYEES') =>
    ({ row, name, payee, first, firstRow }: Contrast, hint: string): Issue =>
      issue(code, { ...at('name', row), value: name }, { payee, first, firstRow, hint });
  const { median, found, count } = staging.unusualAmounts(UNUSUAL_FACTOR, UNUSUAL_ROWS_MIN, NAMED_MAX);
  const middle = moneyText({ minor: median, currency });
  const unusual = named(found, count, ({ row, minor }, hint) =>
    issue(
      'PB-AMOUNT-UNUSUAL',
      { ...at('amount', row), value: moneyText({ minor, currency }) },
      { factor: UNUSUAL_FACTOR, median: middle, hint },
    ),
  );
  const names = staging.payeesWithNames(NAMED_MAX);
  const payees = staging.namesWithPayees(NAMED_MAX);
  return [
    ...unusual,
    ...named(names.found, names.count, contrast('PB-PAYEE-NAMES')),
    ...named(payees.found, payees.count, contrast('PB-NAME-PAYEES')),
  ];
}

/** The issues of what was found; the last one says how many more there are. */
function named<T>(found: readonly T[], count: number, make: (one: T, hint: string) => Issue): readonly Issue[] {
  const more = count - found.length;
  return found.map((one, place) =>
    make(one, more > 0 && place === found.length - 1 ? `; there are ${more} more like it` : ''),
  );
}
