/** Control totals: count and sum, as a person has them from other papers, held against what the sheet makes. */
import { counted } from '../domain/counted.ts';
import type { MoneyStatement } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { currencyRecord, decimalOf, type Money, moneyText, parseAmount } from '../domain/money.ts';

export interface ExpectedTotals {
  readonly count?: number;
  /** Plain decimal; separators of thousands are ignored. */
  readonly total?: string;
}

/** How a rehearsal is confirmed: the practice service pays nobody. */
export const NOT_ASKED = 'sandbox: not asked';

/** How totals were confirmed that agree, for the record. */
export const confirmedBy = (how: 'flags' | 'typed', { count, total }: MoneyStatement): string =>
  how === 'typed' ? `typed: ${moneyText(total)}` : `flags: ${counted(count, 'payment')}, ${moneyText(total)}`;

/** Holds control totals against a statement; what is not given is not compared. */
export function compareTotals(statement: MoneyStatement, { count, total }: ExpectedTotals): void {
  const totals = total === undefined ? undefined : amountFrom(total, statement.total);
  const same =
    (count ?? statement.count) === statement.count && (totals ?? statement.total).minor === statement.total.minor;
  if (same) return;
  const said = [count === undefined ? [] : counted(count, 'payment'), totals ? moneyText(totals) : []]
    .flat()
    .join(', ');
  throw new Fault(
    'totals-differ',
    `The control totals differ: the sheet makes ${counted(statement.count, 'payment')}, ${moneyText(statement.total)}; expected ${said}. Nothing was sent.`,
    'Find out which is right before running it again.',
  );
}

/** An amount that a person typed, in the currency of another one. Fault `usage`, which says what was not done. */
function amountFrom(text: string, like: Money, undone: 'sent' | 'recorded' = 'sent'): Money {
  const plain = text
    .trim()
    .replace(/^[A-Za-z]{3}\s+/, '')
    .replace(/[,\s]/g, '');
  const parsed = parseAmount(plain, currencyRecord(like.currency));
  if (parsed.ok) return parsed.money;
  throw new Fault('usage', `"${text}" is not an amount. Nothing was ${undone}.`, `Give it like ${decimalOf(like)}.`);
}

/** Holds the amount of one row, as a person has it from other papers, against that of the ledger. */
export function compareAmount(amount: Money, typed: string): void {
  if (amountFrom(typed, amount, 'recorded').minor === amount.minor) return;
  throw new Fault(
    'totals-differ',
    `The row has another amount: ${moneyText(amount)}. Nothing was recorded.`,
    'Make sure that it is the right row.',
  );
}
