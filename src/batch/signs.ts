/** What an approver looks for and what shows only when every row has been seen: slips of the keyboard, and fraud. */
import { addressOf } from '../domain/cell.ts';
import { type Issue, issue } from '../domain/issue.ts';
import { type Money, moneyText } from '../domain/money.ts';
import type { Contrast, Staging } from '../domain/staging.ts';
import type { ColumnMap } from './column-map.ts';
import { firstNamed, NAMED_MAX } from './named-rows.ts';

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
  const unusual = firstNamed(found, count, ({ row, minor }, hint) =>
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
    ...firstNamed(names.found, names.count, contrast('PB-PAYEE-NAMES')),
    ...firstNamed(payees.found, payees.count, contrast('PB-NAME-PAYEES')),
  ];
}
