/** Control totals: count and sum that a person knows from other papers, compared with those of the sheet. */
import { counted } from '../domain/counted.ts';
import { namesOf } from '../domain/currency-names.ts';
import type { MoneyStatement } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { currencyRecord, decimalOf, type Money, moneyText, parseAmount } from '../domain/money.ts';

export interface ExpectedTotals {
  readonly count?: number;
  /** Plain decimal, maybe after a name of its currency. Thousands separators are ignored. */
  readonly total?: string;
}

/** Recorded as the confirmation of a rehearsal, which asks for none: the practice service pays nobody. */
export const NOT_ASKED = 'sandbox: not asked';

/** Returns how matching totals were confirmed, for the record. */
export const confirmedBy = (how: 'flags' | 'typed', { count, total }: MoneyStatement): string =>
  how === 'typed' ? `typed: ${moneyText(total)}` : `flags: ${counted(count, 'payment')}, ${moneyText(total)}`;

/** Compares control totals with a statement, as far as they are given. Throws a Fault `totals-differ` if they differ. */
export function compareTotals(statement: MoneyStatement, { count, total }: ExpectedTotals): void {
  const isCount = count === undefined || count === statement.count;
  const typed = total === undefined ? undefined : compared(total, statement.total);
  if (isCount && (typed === undefined || typed.isSame)) return;
  const said = [count === undefined ? [] : counted(count, 'payment'), typed?.said ?? []].flat().join(', ');
  throw new Fault(
    'totals-differ',
    `The control totals differ: the sheet makes ${counted(statement.count, 'payment')}, ${moneyText(statement.total)}; expected ${said}. Nothing was sent.`,
    typed?.said === moneyText(statement.needed)
      ? 'That is the total with charges. Give the total of the payments, without charges.'
      : 'Find out which is right before running it again.',
  );
}

/** The figures of a typed amount, and a name of a currency before them. */
const TYPED_AMOUNT = /^(?:(?<name>[\p{L}\p{Sc}]+)\.?\s*)?(?<figures>[-\d.,\s]*)$/u;

/**
 * Compares an amount that a person typed with another amount. Figures alone are in its currency; with a name before them, it must
 * be a name of that currency: USD 4000 is not KES 4000. Throws a Fault `usage` that says what was not done if it is not an amount.
 */
function compared(
  text: string,
  like: Money,
  undone: 'sent' | 'recorded' = 'sent',
): { readonly isSame: boolean; readonly said: string } {
  const { name, figures = '' } = TYPED_AMOUNT.exec(text.trim())?.groups ?? {};
  const isForeign = name !== undefined && !namesOf(like.currency).has(name.toUpperCase());
  if (isForeign && /\d/.test(figures)) return { isSame: false, said: text.trim() };
  const parsed = parseAmount(figures.replace(/[,\s]/g, ''), currencyRecord(like.currency));
  if (parsed.ok) return { isSame: parsed.money.minor === like.minor, said: moneyText(parsed.money) };
  throw new Fault('usage', `"${text}" is not an amount. Nothing was ${undone}.`, `Give it like ${decimalOf(like)}.`);
}

/**
 * Compares the amount of a row in the ledger with the amount that a person knows from other papers. Throws a Fault
 * `totals-differ` if they differ.
 */
export function compareAmount(amount: Money, typed: string): void {
  if (compared(typed, amount, 'recorded').isSame) return;
  throw new Fault(
    'totals-differ',
    `The row has another amount: ${moneyText(amount)}. Nothing was recorded.`,
    'Make sure that it is the right row.',
  );
}
