/** Control totals: count and sum that a person knows from other papers, compared with those of the sheet. */
import { counted } from '../domain/counted.ts';
import type { MoneyStatement } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { currencyRecord, decimalOf, type Money, moneyText, parseAmount } from '../domain/money.ts';

export interface ExpectedTotals {
  readonly count?: number;
  /** Plain decimal. Thousands separators are ignored. */
  readonly total?: string;
}

/** Recorded as the confirmation of a rehearsal, which asks for none: the practice service pays nobody. */
export const NOT_ASKED = 'sandbox: not asked';

/** Returns how matching totals were confirmed, for the record. */
export const confirmedBy = (how: 'flags' | 'typed', { count, total }: MoneyStatement): string =>
  how === 'typed' ? `typed: ${moneyText(total)}` : `flags: ${counted(count, 'payment')}, ${moneyText(total)}`;

/** Compares control totals with a statement, as far as they are given. Throws a Fault `totals-differ` if they differ. */
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

/** Reads an amount that a person typed, in the currency of another amount. Throws a Fault `usage` that says what was not done. */
function amountFrom(text: string, like: Money, undone: 'sent' | 'recorded' = 'sent'): Money {
  const plain = text
    .trim()
    .replace(/^[A-Za-z]{3}\s+/, '')
    .replace(/[,\s]/g, '');
  const parsed = parseAmount(plain, currencyRecord(like.currency));
  if (parsed.ok) return parsed.money;
  throw new Fault('usage', `"${text}" is not an amount. Nothing was ${undone}.`, `Give it like ${decimalOf(like)}.`);
}

/**
 * Compares the amount of a row in the ledger with the amount that a person knows from other papers. Throws a Fault
 * `totals-differ` if they differ.
 */
export function compareAmount(amount: Money, typed: string): void {
  if (amountFrom(typed, amount, 'recorded').minor === amount.minor) return;
  throw new Fault(
    'totals-differ',
    `The row has another amount: ${moneyText(amount)}. Nothing was recorded.`,
    'Make sure that it is the right row.',
  );
}
